#include "torment/work_folder.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <system_error>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

// Servers end at the same time and may still write, hence the repetition, which has an end.
constexpr const char* remove_at_the_end =
    "read -r nothing; n=0; while [ -e \"$1\" ] && [ $n -lt 300 ]; do "
    "rm -rf -- \"$1\" 2>/dev/null; [ -e \"$1\" ] && sleep 0.1; n=$((n + 1)); done";

/// In the child. Only calls that are safe there; it does not return.
[[noreturn]] void become_guard(int waits_at, const char* folder) {
  // A signal for the group of this program, as Ctrl-C sends it, is not for the guard.
  ::setsid();
  const int nothing = ::open("/dev/null", O_WRONLY);
  if (::dup2(waits_at, STDIN_FILENO) >= 0 && nothing >= 0 && ::dup2(nothing, STDOUT_FILENO) >= 0 &&
      ::dup2(nothing, STDERR_FILENO) >= 0) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execl("/bin/sh", "sh", "-c", remove_at_the_end, "sh", folder, nullptr);
  }
  ::_exit(127);
}

}  // namespace

result<work_folder> work_folder::make() {
  std::string name = (fs::temp_directory_path() / "dibs-torment-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return failure(exit_code::internal_error, fmt::format("cannot make {}", name));
  }
  // PostgreSQL, as another user, goes through it.
  ::chmod(name.c_str(), 0711);
  work_folder made{fs::path(name)};
  if (!made.begin_guard()) {
    return failure(exit_code::internal_error,
                   fmt::format("cannot start a shell that removes {} at the end", name));
  }
  return made;
}

bool work_folder::begin_guard() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return false;
  }
  const descriptor waits_at(ends[0]);
  lifeline_ = descriptor(ends[1]);
  const std::string folder = path_.string();
  guard_ = ::fork();
  if (guard_ == 0) {
    become_guard(waits_at.get(), folder.c_str());
  }
  return guard_ > 0;
}

work_folder::work_folder(work_folder&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      lifeline_(std::move(other.lifeline_)),
      guard_(std::exchange(other.guard_, -1)) {}

work_folder::~work_folder() {
  if (path_.empty()) {
    return;
  }
  std::error_code failed;
  fs::remove_all(path_, failed);
  lifeline_ = descriptor();
  if (guard_ > 0) {
    ::waitpid(guard_, nullptr, 0);
  }
}

}  // namespace dibs::torment
