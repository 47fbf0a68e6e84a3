#include "commands/stop_signal.hpp"

#include "catch.hpp"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace {

using namespace dibs::commands;

/// How a child process ends that got a signal and then does something; -1 if a signal ended it, as
/// one does that ends whoever is still there after a long while.
int ending_of(int signal_number, const std::function<void()>& act) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    constexpr int none_at_fault = 60;
    // A limit for processor time, since the clock that the program keeps is taken.
    watch_signals();
    std::signal(SIGVTALRM, SIG_DFL);
    const itimerval long_while{.it_interval = {}, .it_value = {none_at_fault, 0}};
    ::setitimer(ITIMER_VIRTUAL, &long_while, nullptr);
    ::raise(signal_number);
    act();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("stop: who looks at the flag ends as it likes", "[stop]") {
  CHECK(ending_of(SIGTERM, [] { ::_exit(stop_flag()->load() ? 7 : 8); }) == 7);
}

TEST_CASE("stop: how to end is told by the signal that came first", "[stop]") {
  CHECK_FALSE(stopped_by());
  const auto as_told = [] { ::_exit(stopped_by() ? static_cast<int>(*stopped_by()) : 9); };
  CHECK(ending_of(SIGINT, as_told) == 130);
  CHECK(ending_of(SIGTERM, as_told) == 143);
}

TEST_CASE("stop: a second signal ends it at once", "[stop]") {
  const auto goes_on = [](int second) {
    return [second] {
      ::raise(second);
      ::_exit(9);
    };
  };
  CHECK(ending_of(SIGINT, goes_on(SIGTERM)) == 143);
  CHECK(ending_of(SIGTERM, goes_on(SIGINT)) == 130);
  CHECK(ending_of(SIGINT, goes_on(SIGINT)) == 130);
}

TEST_CASE("stop: who never looks is ended all the same", "[stop]") {
  const auto never_looks = [] {
    for (volatile unsigned i = 0;;) {
      i = i + 1;
    }
  };
  CHECK(ending_of(SIGTERM, never_looks) == 143);
  CHECK(ending_of(SIGINT, never_looks) == 130);
}

TEST_CASE("stop: who waits for something else is ended too", "[stop]") {
  const auto waits = [] {
    int ends[2];
    char byte = 0;
    if (::pipe(ends) == 0) {
      (void)!::read(ends[0], &byte, 1);
    }
  };
  CHECK(ending_of(SIGTERM, waits) == 143);
}

}  // namespace
