#include "results/atomic_file.hpp"

#include "catch.hpp"
#include "samples.hpp"

#include <sys/resource.h>

#include <csignal>

using namespace dibs;
namespace fs = std::filesystem;

namespace {

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// No file may grow beyond so many bytes: writes fail with EFBIG, as a full disk would make them.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("file: appears only when it is whole") {
  const results::scratch folder;
  {
    auto file = results::pending_file::open(folder.path(), "a.txt");
    REQUIRE(file);
    file->append(std::string(1'000'000, 'x'));
    CHECK_FALSE(fs::exists(folder.path() / "a.txt"));
    CHECK(entries_in(folder.path()) == 1);
    const auto record = file->commit();
    REQUIRE(record);
    CHECK(record->bytes == 1'000'000);
    CHECK(record->name == "a.txt");
  }
  CHECK(folder.read("a.txt") == std::string(1'000'000, 'x'));
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("file: one that is given up leaves nothing") {
  const results::scratch folder;
  {
    auto file = results::pending_file::open(folder.path(), "a.txt");
    REQUIRE(file);
    file->append("half");
  }
  CHECK(entries_in(folder.path()) == 0);
}

TEST_CASE("file: what is there already is not replaced") {
  const results::scratch folder;
  REQUIRE(results::write_file(folder.path(), "a.txt", "old"));
  const auto second = results::write_file(folder.path(), "a.txt", "new");
  REQUIRE_FALSE(second);
  CHECK(second.error().code == exit_code::internal_error);
  CHECK(folder.read("a.txt") == "old");
  CHECK(entries_in(folder.path()) == 1);
}

TEST_CASE("file: where there is no room, the message names the place and the bytes needed") {
  const results::scratch folder;
  REQUIRE(results::write_file(folder.path(), "old.txt", "old"));
  const file_size_limit limit(100'000);
  auto file = results::pending_file::open(folder.path(), "big.txt");
  REQUIRE(file);
  for (int i = 0; i < 2'000; ++i) {
    file->append(std::string(1'000, 'x'));
  }
  CHECK(file->failed());
  const auto record = file->commit();
  REQUIRE_FALSE(record);
  CHECK(record.error().code == exit_code::internal_error);
  CHECK(record.error().text.find((folder.path() / "big.txt").string()) != std::string::npos);
  CHECK(record.error().text.find("2,000,000 bytes needed") != std::string::npos);
  CHECK(folder.read("old.txt") == "old");
}

TEST_CASE("file: the hash in pieces is the hash at once") {
  const results::scratch folder;
  auto file = results::pending_file::open(folder.path(), "a.txt");
  REQUIRE(file);
  std::string all;
  for (int i = 0; i < 100'000; ++i) {
    const std::string piece = std::to_string(i);
    file->append(piece);
    all += piece;
  }
  const auto record = file->commit();
  REQUIRE(record);
  CHECK(record->hash == results::hash_of(all));
  CHECK(*results::record_of(folder.path() / "a.txt") == *record);
  // The published XXH3-128 of nothing.
  CHECK(results::hash_of("") == "99aa06d3014798d86001c324468d497f");
}

TEST_CASE("file: neither folders nor devices are read as files") {
  const results::scratch folder;
  CHECK_FALSE(results::record_of(folder.path()));
  CHECK_FALSE(results::record_of("/dev/zero"));
  CHECK_FALSE(results::read_whole(folder.path() / "missing"));
  REQUIRE(results::write_file(folder.path(), "a.txt", "12345"));
  CHECK_FALSE(results::read_whole(folder.path() / "a.txt", 4));
  CHECK(*results::read_whole(folder.path() / "a.txt", 5) == "12345");
}
