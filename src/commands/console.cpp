#include "commands/console.hpp"

#include "base/last_words.hpp"
#include "base/os_error.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace dibs::commands {
namespace {

/// As it was typed if that was a path, so that the commands which dibs suggests can be pasted.
std::string program_of(const char* typed) {
  const std::string name = typed == nullptr ? "dibs" : typed;
  return name.empty() ? "dibs" : name;
}

/// The command as it was given, to repeat what no run is to blame for.
std::string line_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::string line = text::shell_word(program);
  for (const std::string& word : arguments) {
    line += " " + text::shell_word(word);
  }
  return line;
}

int write_to(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void keep_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      // Opened the wrong way round: reading or writing fails, as it would have.
      const int opened = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      if (opened >= 0 && opened != fd) {
        ::dup2(opened, fd);
        ::close(opened);
      }
    }
  }
}

result<void> print(std::string_view text) {
  // Names of files and folders stand in documents of JSON as they are.
  const int failed = write_to(STDOUT_FILENO, text::display_escaped(text));
  if (failed == 0) {
    return {};
  }
  return failure(exit_code::internal_error,
                 failed == EPIPE
                     ? ""
                     : fmt::format("cannot write to standard output: {}; {} bytes needed",
                                   os_error_text(failed),
                                   text::with_thousands(text.size())));
}

void print_diagnostics(std::string_view text) {
  // Nobody is left to be told of a failure.
  static_cast<void>(write_to(STDERR_FILENO, text));
}

int fail(const error& why) {
  if (!why.text.empty()) {
    print_diagnostics(why.text.starts_with("dibs") ? why.text + "\n" : "dibs: " + why.text + "\n");
  }
  return static_cast<int>(why.code);
}

int finish(std::string_view text, exit_code otherwise) {
  const auto printed = print(text);
  return printed ? static_cast<int>(otherwise) : fail(printed.error());
}

int begin(int count, char** words, const beginning& act) {
  try {
    const std::string program = program_of(count > 0 ? words[0] : nullptr);
    const std::vector<std::string> arguments(words + (count > 0 ? 1 : 0), words + count);
    install_last_words();
    set_replay_line(line_of(program, arguments));
    return act(program, arguments);
  } catch (...) {
    say_last_words();
  }
  return static_cast<int>(exit_code::internal_error);
}

}  // namespace dibs::commands
