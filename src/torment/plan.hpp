/// What one matcher process is told: a file of JSON, since it is a program of its own.
#pragma once

#include "base/ids.hpp"
#include "base/result.hpp"
#include "torment/cases.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::torment {

struct matcher_plan {
  const real_case* what = nullptr;
  std::uint32_t process = 0;  ///< from 0
  std::uint32_t life = 0;     ///< how often it was killed before
  std::uint64_t seed = 0;
  sim_duration length{};            ///< of the run
  std::string space;                ///< in the stores
  std::vector<std::string> leases;  ///< addresses
  std::string ledger;
  std::vector<std::string> clocks;  ///< files, each with the time that a given clock is ahead
  std::string out;                  ///< where it writes its events; beside it is the barrier
};

[[nodiscard]] std::string to_json(const matcher_plan& p);
/// Errors (exit code 3): no such plan.
[[nodiscard]] result<matcher_plan> plan_from_json(const std::string& text);

/// What PostgreSQL runs in place of functions of the schema: a ledger without a fence, a queue.
[[nodiscard]] std::string sql_of(const real_case& c);

/// A queue gives out whatever task is next. Its number is part of the token.
[[nodiscard]] driver_id task_of(token_id token);

}  // namespace dibs::torment
