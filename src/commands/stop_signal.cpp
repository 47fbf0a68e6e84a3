#include "commands/stop_signal.hpp"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string_view>

namespace dibs::commands {
namespace {

// A signal handler can reach nothing but globals, and touch nothing but lock-free atomics.
std::atomic<bool> stop_requested{false};
std::atomic<int> signal_received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

timer_t deadline{};
bool has_deadline = false;

/// What reading, judging or drawing takes is not asked between two of its steps whether to stop.
constexpr itimerspec within_a_second{.it_interval = {}, .it_value = {0, 850'000'000}};

extern "C" void on_signal(int number) {
  if (stop_requested.exchange(true)) {
    _exit(128 + number);
  }
  signal_received = number;
  if (has_deadline) {
    timer_settime(deadline, 0, &within_a_second, nullptr);
  }
}

extern "C" void on_deadline(int) {
  constexpr std::string_view words = "dibs: stopped before all of it was written\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
  _exit(128 + signal_received.load());
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction late {};
  late.sa_handler = on_deadline;
  sigemptyset(&late.sa_mask);
  sigaction(SIGALRM, &late, nullptr);
  has_deadline = timer_create(CLOCK_MONOTONIC, nullptr, &deadline) == 0;  // sends SIGALRM
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);  // a file that may not grow is an error where it is written
}

const std::atomic<bool>* stop_flag() { return &stop_requested; }

std::optional<exit_code> stopped_by() {
  switch (signal_received.load()) {
    case SIGINT:
      return exit_code::interrupted;
    case SIGTERM:
      return exit_code::terminated;
    default:
      return std::nullopt;
  }
}

}  // namespace dibs::commands
