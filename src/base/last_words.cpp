#include "base/last_words.hpp"

#include "base/ensure.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

namespace dibs {
namespace {

constexpr int internal_error = 1;  // as `exit_code` has it, which this room may not throw

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

/// A handler cannot run on a stack that is used up: each thread that runs replications has another.
class spare_stack {
 public:
  spare_stack() : memory_(std::make_unique<std::byte[]>(bytes)) {
    stack_t stack{};
    stack.ss_sp = memory_.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  spare_stack(const spare_stack&) = delete;
  spare_stack& operator=(const spare_stack&) = delete;
  ~spare_stack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

 private:
  static constexpr std::size_t bytes = std::size_t{64} * 1024;
  std::unique_ptr<std::byte[]> memory_;
};

thread_local std::string own_line;  // each replication has a thread of its own

/// Fixed in size and never freed, so that a handler may read it whenever it comes.
std::array<char, 4096> last_line{};
std::mutex last_line_guard;

void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Only what a signal handler may do. Once: the next may be of another thread, or of the words.
void say_once(std::string_view what, std::string_view more = {}) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) {
    return;
  }
  say("dibs: ");
  say(what);
  say(more);
  say("\n");
  const std::string_view line = own_line.empty() ? last_line.data() : std::string_view(own_line);
  if (!line.empty()) {
    say("replay: ");
    say(line);
    say("\n");
  }
}

[[noreturn]] void end_with(std::string_view what) {
  say_once(what);
  ::_exit(internal_error);
}

extern "C" void on_fatal_signal(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
      end_with("internal error: an address that is not there, or a stack that is used up");
    case SIGFPE:
      end_with("internal error: an impossible division");
    case SIGILL:
      end_with("internal error: an impossible instruction");
    default:
      end_with("internal error: aborted");
  }
}

[[noreturn]] void on_terminate() {
  if (std::current_exception()) {
    say_last_words();
  }
  end_with("internal error: ended where nothing was thrown");
}

}  // namespace

void say_last_words() {
  try {
    throw;
  } catch (const defect& found) {
    say_once(found.what());
  } catch (const std::bad_alloc&) {
    say_once("out of memory");
  } catch (const std::exception& problem) {
    say_once("internal error: ", problem.what());
  } catch (...) {
    say_once("internal error: something was thrown that is no exception");
  }
}

void set_replay_line(std::string line) {
  thread_local const spare_stack spare;
  {
    const std::lock_guard lock(last_line_guard);
    const std::size_t kept = line.copy(last_line.data(), last_line.size() - 1);
    last_line[kept] = '\0';
  }
  own_line = std::move(line);
}

void install_last_words() {
  static const spare_stack spare;
  std::set_terminate(on_terminate);
  if constexpr (!is_sanitized) {
    struct sigaction action {};
    action.sa_handler = on_fatal_signal;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      sigaction(number, &action, nullptr);
    }
  }
}

}  // namespace dibs
