/// Leases by when they are due, the first one on top.
///
/// A lease that was prolonged or ended since it was pushed is still in there: who takes one out
/// asks whether it is due indeed.
#pragma once

#include "base/ids.hpp"

#include <functional>
#include <queue>
#include <vector>

namespace dibs::lease {

/// `Time`: on whose clock the deadlines are, sim_time or local_time.
template <class Time>
struct due_lease {
  Time at{};
  driver_id driver;
  token_id token;

  [[nodiscard]] bool operator>(const due_lease& other) const {
    return at != other.at ? at > other.at : token > other.token;
  }
};

template <class Time>
using deadlines =
    std::priority_queue<due_lease<Time>, std::vector<due_lease<Time>>, std::greater<>>;

}  // namespace dibs::lease
