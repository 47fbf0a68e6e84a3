#include "base/ensure.hpp"

#include "catch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace {

/// What a failing `ensure` writes, and that it aborts: seen from a child process.
struct ending {
  bool aborted = false;
  std::string text;
};

ending ending_of_a_broken_promise() {
  std::array<int, 2> pipe_ends{};
  REQUIRE(::pipe(pipe_ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe_ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);  // the test framework would catch it
    dibs::set_replay_line("dibs run x.yaml --seed 7");
    dibs::ensure(false, "time never runs backwards");
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
  seen.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  return seen;
}

TEST_CASE("ensure: what holds is let through", "[ensure]") {
  dibs::ensure(true, "all is well");
  SUCCEED();
}

TEST_CASE("ensure: what does not hold aborts, with the place and the replay line", "[ensure]") {
  const ending seen = ending_of_a_broken_promise();
  CHECK(seen.aborted);
  CHECK(seen.text.find("time never runs backwards") != std::string::npos);
  CHECK(seen.text.find("ensure_test.cpp:") != std::string::npos);
  CHECK(seen.text.find("replay: dibs run x.yaml --seed 7") != std::string::npos);
}

}  // namespace
