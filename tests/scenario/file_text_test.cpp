#include "scenario/file_text.hpp"

#include "catch.hpp"
#include "scenario/scratch.hpp"
#include "scenario/texts.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace dibs::scenario::test {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

void check_refused(const std::filesystem::path& file, const std::string& code) {
  const reading r = read_file(file);
  INFO(file << "\n" << all_of(r));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].code == code);
  CHECK(r.diagnostics[0].file == file.string());
  CHECK(r.diagnostics[0].line == 0);
}

}  // namespace

TEST_CASE("bytes: byte order marks and Windows line ends are fine") {
  std::string windows;
  for (const char c : base) {
    windows += c == '\n' ? "\r\n" : std::string(1, c);
  }
  const reading r = read("\xef\xbb\xbf" + windows);
  INFO(all_of(r));
  CHECK(r.ok());
  const reading wrong = read("\xef\xbb\xbf" + windows + "seed: -1\r\n");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics[0].line == 4);
  CHECK(wrong.diagnostics[0].column == 7);
  CHECK(wrong.diagnostics[0].source == "seed: -1");
}

TEST_CASE("bytes: what is no regular file is refused without waiting") {
  const scratch folder;
  check_refused(folder / "absent.yaml", "E-FILE");
  check_refused(folder / ".", "E-FILE");
  check_refused("/dev/zero", "E-FILE");
  check_refused("/dev/null", "E-FILE");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  check_refused(folder / "pipe", "E-FILE");
  std::filesystem::create_symlink("loop", folder / "loop");
  check_refused(folder / "loop", "E-FILE");
  std::ofstream(folder / "plain") << "x";
  check_refused(folder / "plain/below.yaml", "E-FILE");
}

TEST_CASE("bytes: a file beyond the limit is refused by its size alone") {
  const scratch folder;
  std::ofstream(folder / "large.yaml") << "x";
  REQUIRE(::truncate((folder / "large.yaml").c_str(), off_t{1} << 40) == 0);
  check_refused(folder / "large.yaml", "E-LIMIT");
}

TEST_CASE("bytes: reading the worst that fits takes little memory") {
  // The peak of this process so far includes Catch2; what is read may add at most 64 MiB to it.
  struct rusage before {};
  ::getrusage(RUSAGE_SELF, &before);
  const std::string worst[] = {std::string(24'000, '['),
                               std::string(text_bytes_max, '\n'),
                               std::string(text_bytes_max, '#'),
                               std::string(text_bytes_max, 'x'),
                               std::string(text_bytes_max, ':'),
                               std::string(text_bytes_max, '!'),
                               std::string(text_bytes_max, '"')};
  for (const std::string& text : worst) {
    CHECK_FALSE(read(text).ok());
  }
  std::string quotes = "a: [";
  while (quotes.size() + 4 < text_bytes_max) {
    quotes += "'' ";
  }
  CHECK_FALSE(read(quotes).ok());
  struct rusage after {};
  ::getrusage(RUSAGE_SELF, &after);
  // A sanitizer's shadow memory and its quarantine count as the process's own, so that the bound
  // says nothing there; every other build asserts it.
  if (!is_sanitized) {
    CHECK(after.ru_maxrss - before.ru_maxrss < 64 * 1024);
  }
}

}  // namespace dibs::scenario::test
