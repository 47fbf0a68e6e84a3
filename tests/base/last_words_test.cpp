#include "base/last_words.hpp"

#include "base/ensure.hpp"
#include "catch.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <thread>

namespace {

using namespace dibs;

/// How a child process ended that did something, and what it said.
struct ending {
  int code = -1;  ///< -1: by a signal
  std::string text;
};

ending ending_of(const std::function<void()>& act) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(::pipe(pipe_ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe_ends[1], STDERR_FILENO);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    install_last_words();
    set_replay_line("dibs run x.yaml --seed 7");
    // What leaves this function ends the program, whatever the test framework would catch.
    const auto nobody_catches = [&]() noexcept { act(); };
    nobody_catches();
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  ending seen;
  std::array<char, 512> buffer{};
  for (ssize_t n = 0; (n = ::read(pipe_ends[0], buffer.data(), buffer.size())) > 0;) {
    seen.text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(pipe_ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return seen;
}

void ends_well(const ending& seen, const std::string& words) {
  CAPTURE(seen.text);
  CHECK(seen.code == 1);
  CHECK(seen.text.find(words) != std::string::npos);
  CHECK(seen.text.find("replay: dibs run x.yaml --seed 7") != std::string::npos);
}

TEST_CASE("last words: an uncaught defect ends with 1 and the replay line", "[last_words]") {
  ends_well(ending_of([] { ensure(false, "time never runs backwards"); }),
            "dibs: internal error: time never runs backwards");
}

TEST_CASE("last words: so does what leaves a thread that has no line of its own", "[last_words]") {
  ends_well(ending_of([] { std::thread([] { ensure(false, "all is well"); }).join(); }),
            "dibs: internal error: all is well");
}

TEST_CASE("last words: so does want of memory", "[last_words]") {
  ends_well(ending_of([] { throw std::bad_alloc(); }), "dibs: out of memory");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Deeper at each call, and never at its end; the volatile keeps it from becoming a loop.
std::size_t fall(std::size_t depth) {
  std::array<volatile char, 4096> frame{};
  frame[depth % frame.size()] = 1;
  return depth == SIZE_MAX ? 0 : fall(depth + 1) + (frame[0] == 0 ? 0 : 1);
}

TEST_CASE("last words: so do an abort and a stack that is used up", "[last_words]") {
  ends_well(ending_of([] { std::abort(); }), "dibs: internal error: aborted");
  ends_well(ending_of([] { (void)fall(1); }), "a stack that is used up");
  ends_well(ending_of([] {
              std::thread([] {
                set_replay_line("dibs run x.yaml --seed 7");
                (void)fall(1);
              }).join();
            }),
            "a stack that is used up");
}
#endif

}  // namespace
