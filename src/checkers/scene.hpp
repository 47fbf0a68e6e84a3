/// One event as the checkers meet it: when and where it became true, and what the book says of its
/// token and driver from the events before it.
#pragma once

#include "base/time.hpp"
#include "checkers/book.hpp"
#include "checkers/checkers.hpp"
#include "checkers/docket.hpp"

#include <cstdint>
#include <utility>

namespace dibs::checkers {

using lease::invariant;

struct scene {
  const options& what;
  const book& so_far;
  docket& breaches;
  sim_time t{};
  local_time local{};
  std::uint64_t index = 0;
  const token_record* token = nullptr;  ///< null: the driver never had such a token

  template <class... Args>
  void breach(invariant broken, fmt::format_string<Args...> words, Args&&... args) const {
    breaches.enter(broken, t, index, words, std::forward<Args>(args)...);
  }
};

}  // namespace dibs::checkers
