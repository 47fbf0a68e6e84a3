/// Operating errors as values: a bad scenario, a full disk, an unreadable file.
#pragma once

#include <tl/expected.hpp>

#include <string>
#include <utility>

namespace dibs {

/// The exit codes of `dibs`, one for each kind of ending.
enum class exit_code : int {
  done = 0,
  internal_error = 1,
  usage = 2,
  invalid_input = 3,
  invariant_broke = 4,
  replay_differed = 5,
  store_unreachable = 6,
  inconclusive = 7,
  threshold_missed = 99,
  interrupted = 130,
  terminated = 143,
};

/// What went wrong, for a person, and the exit code that it leads to.
struct error {
  exit_code code = exit_code::internal_error;
  std::string text;
};

template <class T>
using result = tl::expected<T, error>;

inline tl::unexpected<error> failure(exit_code code, std::string text) {
  return tl::unexpected<error>(error{code, std::move(text)});
}

}  // namespace dibs
