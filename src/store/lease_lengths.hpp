/// How long leases stand in a store, in real time: from the request for one until another holder,
/// who asks all the while, is told that she has the driver. So what is measured is no shorter than
/// what is so, and longer by two answers.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/connection.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace dibs::store {

struct lease_length {
  sim_duration asked{};  ///< its TTL
  sim_duration told{};   ///< what was left of it by the answer
  sim_duration stood{};
};

struct lengths_options {
  std::vector<sim_duration> ttls;
  std::uint32_t of_each = 3;
  const std::atomic<bool>* stop = nullptr;
};

/// All at once, in the order in which they ended; those that have not when it is stopped are left
/// out. Errors: the store went away, or grants none (exit code 6).
[[nodiscard]] result<std::vector<lease_length>> measure_lengths(connection& to,
                                                                const lengths_options& how);

}  // namespace dibs::store
