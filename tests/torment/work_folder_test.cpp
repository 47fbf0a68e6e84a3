#include "torment/work_folder.hpp"

#include "catch.hpp"
#include "torment/waiting.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

TEST_CASE("work folder: it goes with what lies in it") {
  fs::path where;
  {
    const auto folder = work_folder::make();
    REQUIRE(folder);
    where = folder->path();
    fs::create_directory(where / "inner");
    std::ofstream(where / "inner/file") << "text";
    CHECK(fs::exists(where));
  }
  CHECK_FALSE(fs::exists(where));
}

/// A process that makes a folder, tells which, and waits to be killed.
pid_t process_with_a_folder(std::string& path) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::close(ends[0]);
    const auto folder = work_folder::make();
    if (!folder) {
      ::_exit(1);
    }
    const std::string made = folder->path().string();
    std::ofstream(made + "/file") << "text";
    static_cast<void>(!::write(ends[1], made.data(), made.size()));
    ::close(ends[1]);
    for (;;) {
      ::pause();
    }
  }
  ::close(ends[1]);
  std::array<char, 200> room{};
  const ssize_t got = ::read(ends[0], room.data(), room.size());
  ::close(ends[0]);
  path.assign(room.data(), static_cast<std::size_t>(got > 0 ? got : 0));
  return pid;
}

TEST_CASE("work folder: it goes also when its process is killed") {
  std::string path;
  const pid_t pid = process_with_a_folder(path);
  CHECK(fs::exists(path + "/file"));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  for (int tries = 0; tries < 6'000 && fs::exists(path); ++tries) {
    let_pass(10ms);
  }
  CHECK_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace dibs::torment
