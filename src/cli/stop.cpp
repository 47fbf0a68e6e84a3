#include "cli/stop.hpp"

#include <unistd.h>

#include <csignal>

namespace dibs::cli {
namespace {

// A signal handler can reach nothing but globals, and touch nothing but lock-free atomics.
std::atomic<bool> stop_requested{false};
std::atomic<int> signal_received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (stop_requested.exchange(true)) {
    _exit(128 + number);
  }
  signal_received = number;
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
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

}  // namespace dibs::cli
