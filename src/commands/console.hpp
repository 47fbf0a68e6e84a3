/// Standard output and standard error: results on the one, everything else on the other.
#pragma once

#include "base/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::commands {

/// Fills the places of standard streams that the parent closed, so that no file of ours gets their
/// numbers and the summary in the middle of it. Call it first of all.
void keep_standard_streams();

/// Results. Errors: the text could not be written, `text` empty if the reader only went away.
[[nodiscard]] result<void> print(std::string_view text);

/// Everything else. What cannot be said is not worth an error.
void print_diagnostics(std::string_view text);

/// Says `dibs: ...` and returns the exit code, as a number.
[[nodiscard]] int fail(const error& why);

/// Prints the result of a command and says so if that fails.
[[nodiscard]] int finish(std::string_view text, exit_code otherwise = exit_code::done);

/// What a program does: with its name, as it was typed, and its arguments.
using beginning =
    std::function<int(const std::string& program, const std::vector<std::string>& arguments)>;

/// The exit code of `act`, called with the words of `main`. Whatever it throws is a mistake of
/// ours, or memory or a disk that failed: it is told, with the command that repeats it, and the
/// code is 1.
[[nodiscard]] int begin(int count, char** words, const beginning& act);

}  // namespace dibs::commands
