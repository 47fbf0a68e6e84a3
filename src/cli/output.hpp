/// Standard output and standard error: results on the one, everything else on the other.
#pragma once

#include "base/result.hpp"

#include <string_view>

namespace dibs::cli {

/// Fills the places of standard streams that the parent closed, so that no file of ours gets their
/// numbers and the summary in the middle of it. Call it first of all.
void keep_standard_streams();

/// Results. Errors: the text could not be written, `text` empty if the reader only went away.
[[nodiscard]] result<void> print(std::string_view text);

/// Everything else. What cannot be said is not worth an error.
void tell(std::string_view text);

/// Says `dibs: ...` and returns the exit code, as a number.
[[nodiscard]] int fail(const error& why);

/// Prints the result of a command and says so if that fails.
[[nodiscard]] int finish(std::string_view text, exit_code otherwise = exit_code::done);

}  // namespace dibs::cli
