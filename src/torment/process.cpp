#include "torment/process.hpp"

#include "base/result.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace dibs::torment {
namespace {

struct account {
  uid_t user = 0;
  gid_t group = 0;
};

std::optional<account> nobody() {
  const passwd* who = ::getpwnam("nobody");
  return who == nullptr ? std::nullopt : std::optional(account{who->pw_uid, who->pw_gid});
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) {
    all.push_back(text.data());
  }
  all.push_back(nullptr);
  return all;
}

/// What a child is to become.
struct child_start {
  char** words = nullptr;
  char** environment = nullptr;
  int output = -1;
  std::optional<account> who;
  bool in_new_network = false;
  int network = -1;  ///< to join
  pid_t parent = 0;
};

/// In the child. Only calls that are safe there; it does not return.
[[noreturn]] void become(const child_start& what) {
  bool is_ready =
      ::dup2(what.output, STDOUT_FILENO) >= 0 && ::dup2(what.output, STDERR_FILENO) >= 0;
  const int nothing = ::open("/dev/null", O_RDONLY);
  is_ready = is_ready && nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0;
  is_ready = is_ready && (!what.in_new_network || ::unshare(CLONE_NEWNET) == 0) &&
             (what.network < 0 || ::setns(what.network, CLONE_NEWNET) == 0);
  if (what.who) {
    is_ready = is_ready && ::setgroups(0, nullptr) == 0 && ::setgid(what.who->group) == 0 &&
               ::setuid(what.who->user) == 0;
  }
  // Last, since a change of the user takes it away again.
  is_ready = is_ready && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == what.parent;
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (is_ready) {
    ::execve(what.words[0], what.words, what.environment);
  }
  ::_exit(127);
}

/// The parent of a process: the second field behind its name in brackets.
pid_t parent_of(pid_t pid) {
  std::ifstream from(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(from, line);
  const auto name_ends = line.rfind(')');
  return name_ends == std::string::npos || name_ends + 4 > line.size()
             ? -1
             : static_cast<pid_t>(std::atol(line.c_str() + name_ends + 4));
}

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> all;
  DIR* const every = ::opendir("/proc");
  while (const dirent* each = every == nullptr ? nullptr : ::readdir(every)) {
    const auto number = static_cast<pid_t>(std::atol(each->d_name));
    if (number > 0 && parent_of(number) == pid) {
      all.push_back(number);
    }
  }
  if (every != nullptr) {
    ::closedir(every);
  }
  return all;
}

}  // namespace

bool is_root() { return ::geteuid() == 0; }

void give_to_nobody(const std::string& folder) {
  const auto who = nobody();
  if (is_root() && who && ::chown(folder.c_str(), who->user, who->group) != 0) {
    // The server will say that it cannot write there.
    return;
  }
}

result<process> process::start(const program& what) {
  const int output = ::open(what.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (output < 0) {
    return failure(exit_code::internal_error,
                   fmt::format("cannot write {}: {}", what.output, std::strerror(errno)));
  }
  std::vector<std::string> words = what.words;
  std::vector<std::string> environment = what.environment;
  for (char** each = environ; *each != nullptr; ++each) {
    environment.emplace_back(*each);
  }
  const auto word_list = pointers_to(words);
  const auto environment_list = pointers_to(environment);
  const int network = what.in_network_of == 0
                          ? -1
                          : ::open(fmt::format("/proc/{}/ns/net", what.in_network_of).c_str(),
                                   O_RDONLY | O_CLOEXEC);
  const child_start child{.words = const_cast<char**>(word_list.data()),
                          .environment = const_cast<char**>(environment_list.data()),
                          .output = output,
                          .who = what.as_nobody && is_root() ? nobody() : std::nullopt,
                          .in_new_network = what.in_new_network,
                          .network = network,
                          .parent = ::getpid()};
  const pid_t pid = what.in_network_of != 0 && network < 0 ? -1 : ::fork();
  if (pid == 0) {
    become(child);
  }
  if (network >= 0) {
    ::close(network);
  }
  ::close(output);
  if (pid < 0) {
    return failure(exit_code::internal_error,
                   fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
  }
  return process(pid);
}

process::process(process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

process& process::operator=(process&& other) noexcept {
  if (this != &other) {
    kill_all();
    pid_ = std::exchange(other.pid_, -1);
  }
  return *this;
}

process::~process() { kill_all(); }

bool process::is_running() {
  if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) != 0) {
    pid_ = -1;
  }
  return pid_ > 0;
}

void process::signal(int number) const {
  if (pid_ > 0) {
    ::kill(pid_, number);
  }
}

void process::signal_all(int number) const {
  if (pid_ <= 0) {
    return;
  }
  // Listed first: children of a process that is gone are those of another.
  const std::vector<pid_t> children = children_of(pid_);
  ::kill(pid_, number);
  for (const pid_t child : children) {
    ::kill(child, number);
  }
}

void process::kill_all() {
  if (pid_ <= 0) {
    return;
  }
  const std::vector<pid_t> children = children_of(pid_);
  signal_all(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  // They are no children of ours, so they can only be looked at. A server that is started again
  // must not meet them.
  for (const pid_t child : children) {
    for (int tries = 0; tries < 200 && ::kill(child, 0) == 0 && parent_of(child) >= 0; ++tries) {
      let_pass(sim_duration{5'000'000});
    }
  }
  pid_ = -1;
}

std::optional<int> process::wait() {
  int status = 0;
  const bool was_there = pid_ > 0 && ::waitpid(pid_, &status, 0) == pid_;
  pid_ = -1;
  return was_there && WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

}  // namespace dibs::torment
