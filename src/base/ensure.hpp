/// Assertions for programmers' errors. They are checked in every build; one that fails throws and
/// so ends its run.
#pragma once

#include <stdexcept>
#include <string_view>

namespace dibs {

/// What should hold and did not, with the place where it was seen. Whoever drives a run catches it
/// as any other exception and names the command that repeats the run; where nobody does, it becomes
/// the program's last words (`last_words.hpp`).
class defect : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws a `defect`.
[[noreturn]] void ensure_failed(std::string_view what, const char* file, int line);

/// Throws a `defect` that says `what` unless `holds`. The place is the caller's (the builtins stand
/// in for `std::source_location`, which clang 14 lacks).
inline void ensure(bool holds,
                   std::string_view what,
                   const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
  if (!holds) [[unlikely]] {
    ensure_failed(what, file, line);
  }
}

}  // namespace dibs
