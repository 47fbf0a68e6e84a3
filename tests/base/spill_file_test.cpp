#include "base/spill_file.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

using namespace dibs;

namespace fs = std::filesystem;

namespace {

/// The folder for the files of spills, here and until the end.
class folder {
 public:
  explicit folder(const std::string& name) {
    if (const char* const before = std::getenv("TMPDIR")) {
      before_ = before;
      was_set_ = true;
    }
    ::setenv("TMPDIR", name.c_str(), 1);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    if (was_set_) {
      ::setenv("TMPDIR", before_.c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }

 private:
  std::string before_;
  bool was_set_ = false;
};

/// The limit is this, here and until the end.
class limited {
 public:
  limited(int what, rlim_t most) : what_(what) {
    ::getrlimit(what, &before_);
    rlimit now = before_;
    now.rlim_cur = most;
    ::setrlimit(what, &now);
  }
  limited(const limited&) = delete;
  limited& operator=(const limited&) = delete;
  ~limited() { ::setrlimit(what_, &before_); }

 private:
  int what_;
  rlimit before_{};
};

struct thing {
  std::vector<std::byte> bytes;
  spill::place lies;
};

/// Things of all sizes, 1.3 MB in all, each looked at when it is put away.
std::vector<thing> put_many(spill& in) {
  auto random = stream::keyed(3, purpose::pick);
  std::vector<thing> all;
  for (int i = 0; i < 256; ++i) {
    thing one;
    one.bytes.resize(1 + random.below(10'000));
    for (std::byte& b : one.bytes) {
      b = static_cast<std::byte>(random.below(256));
    }
    one.lies = in.put(one.bytes);
    const auto there = in.get(one.lies);
    REQUIRE(std::equal(there.begin(), there.end(), one.bytes.begin(), one.bytes.end()));
    all.push_back(std::move(one));
  }
  return all;
}

void require_all_there(const spill& in, const std::vector<thing>& all) {
  const auto look = [&in](const thing& one) {
    const auto there = in.get(one.lies);
    REQUIRE(std::equal(there.begin(), there.end(), one.bytes.begin(), one.bytes.end()));
  };
  std::for_each(all.begin(), all.end(), look);
  std::for_each(all.rbegin(), all.rend(), look);
  auto random = stream::keyed(4, purpose::pick);
  for (int i = 0; i < 500; ++i) {
    look(all[random.below(all.size())]);
  }
}

std::size_t in_memory(const std::vector<thing>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const thing& t) { return !t.lies.here.empty(); }));
}

/// Whether the system shows which files are open.
bool can_look() { return fs::exists("/proc/self/fd"); }

/// The open files of this process in the folder that have no name any more.
std::vector<fs::path> unnamed_in(const std::string& name) {
  std::vector<fs::path> found;
  if (!can_look()) {
    return found;
  }
  for (const auto& file : fs::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    const std::string target = fs::read_symlink(file.path(), none).string();
    if (target.starts_with(name) && target.ends_with("(deleted)")) {
      found.push_back(file.path());
    }
  }
  return found;
}

class scratch {
 public:
  scratch() {
    std::string name = (fs::temp_directory_path() / "dibs-spill-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = fs::canonical(name).string();
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { fs::remove_all(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool has_much_room() const {
    return fs::space(path_).available > std::uintmax_t{2} << 30;
  }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("spill: what is put away is there, in the file and on its way to it") {
  const scratch here;
  const folder in(here.path());
  spill all;
  const auto things = put_many(all);
  require_all_there(all, things);
  REQUIRE(fs::is_empty(here.path()));
  if (here.has_much_room()) {
    REQUIRE(all.length() > 1'000'000);
    REQUIRE(in_memory(things) == 0);
    REQUIRE((!can_look() || unnamed_in(here.path()).size() == 1));
  }
}

TEST_CASE("spill: a little makes no file") {
  const scratch here;
  const folder in(here.path());
  spill all;
  const std::vector<std::byte> little(1'000, std::byte{7});
  const auto place = all.put(little);
  REQUIRE(std::ranges::equal(all.get(place), little));
  REQUIRE(all.length() == 0);
  REQUIRE(unnamed_in(here.path()).empty());
}

TEST_CASE("spill: without a folder all stays in memory") {
  const scratch here;
  const folder in(here.path() + "/none");
  spill all;
  const auto things = put_many(all);
  require_all_there(all, things);
  REQUIRE(all.length() == 0);
  REQUIRE(in_memory(things) > 200);
}

TEST_CASE("spill: half of the files that may be open are left to others") {
  const scratch here;
  const folder in(here.path());
  const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(::close(next) == 0);
  const limited files(RLIMIT_NOFILE, 2 * static_cast<rlim_t>(next));
  spill all;
  const auto things = put_many(all);
  require_all_there(all, things);
  REQUIRE(all.length() == 0);
}

TEST_CASE("spill: what the file has no room for stays in memory") {
  const scratch here;
  const folder in(here.path());
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  const limited sizes(RLIMIT_FSIZE, 500'000);
  spill all;
  const auto things = put_many(all);
  require_all_there(all, things);
  std::signal(SIGXFSZ, signal_before);
  REQUIRE(all.length() <= 500'000);
  if (here.has_much_room()) {
    REQUIRE(all.length() > 400'000);
    REQUIRE(in_memory(things) > 100);
    REQUIRE(in_memory(things) < 200);
  }
}

TEST_CASE("spill: a file that was cut short is an error, and not other bytes") {
  const scratch here;
  const folder in(here.path());
  if (!here.has_much_room() || !can_look()) {
    return;
  }
  spill all;
  const auto things = put_many(all);
  const auto files = unnamed_in(here.path());
  REQUIRE(files.size() == 1);
  fs::resize_file(files.front(), 100'000);
  REQUIRE_THROWS_AS(std::ignore = all.get(things[200].lies), std::system_error);
  REQUIRE(std::ranges::equal(all.get(things[0].lies), things[0].bytes));
}

TEST_CASE("spill: the file ends with it") {
  const scratch here;
  const folder in(here.path());
  {
    spill first;
    std::ignore = put_many(first);
    spill second(std::move(first));
    first = spill();
  }
  REQUIRE(unnamed_in(here.path()).empty());
}
