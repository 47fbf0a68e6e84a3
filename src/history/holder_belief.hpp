/// For how long each matcher believed that it held a driver, and from when on that was no longer
/// true. Every drawing of it uses this answer.
#pragma once

#include "history/indexed_run.hpp"

#include <vector>

namespace dibs::history {

/// From the offer on, until the matcher is done with the try or a crash makes it forget, at most to
/// the end of the run. Empty where no offer was sent: it did not know of its lease, or gave it
/// back.
struct holder_belief {
  time_interval when;
  /// Within `when`: the lease is over and no trip came of it before; without a lease, she is on
  /// another ride's trip. Never: it was true all along.
  sim_time false_from = never;
};

/// By try.
[[nodiscard]] std::vector<holder_belief> holder_beliefs_of(const indexed_run& c);

}  // namespace dibs::history
