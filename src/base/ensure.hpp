/// Programmer errors: checked in every build, fatal, with a line that repeats the run.
#pragma once

#include <string>
#include <string_view>

namespace dibs {

/// What to print when an `ensure` fails on this thread: the command that repeats the run.
/// The engine sets it at the start of each replication.
void set_replay_line(std::string line);

[[noreturn]] void ensure_failed(std::string_view what, const char* file, int line);

/// Aborts with `what` and the replay line unless `holds`. The place is the caller's (the builtins
/// stand in for `std::source_location`, which clang 14 lacks).
inline void ensure(bool holds,
                   std::string_view what,
                   const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
  if (!holds) [[unlikely]] {
    ensure_failed(what, file, line);
  }
}

}  // namespace dibs
