/// Runs of a study that got nowhere and were ended (`engine::stall`): at which points, and how
/// many. Their figures are of what came before.
#pragma once

#include "results/run_record.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

class experiment;
struct plan;

struct stuck_point {
  std::string label;         ///< `lease.ttl=5s`
  std::uint32_t number = 1;  ///< of the point, from 1
  std::uint64_t stuck = 0;   ///< of its runs
  std::uint64_t runs = 0;
  std::uint64_t seed = 0;  ///< of the first that was stuck
};

/// Nothing where all runs came to their end.
[[nodiscard]] std::optional<stuck_point> stuck_in(std::span<const results::run_record> runs,
                                                  std::string label);

/// Of what a search or a map has tried.
[[nodiscard]] std::vector<stuck_point> stuck_points(const plan& p, const experiment& runs);

/// Which, how many, and the command that repeats the first; empty if there is none.
[[nodiscard]] std::string text_of(std::span<const stuck_point> points, const std::string& replay);
/// The same with the command that repeats it at its point of the plan.
[[nodiscard]] std::string text_of(std::span<const stuck_point> points,
                                  const plan& p,
                                  const std::string& program);

[[nodiscard]] nlohmann::ordered_json json_of(std::span<const stuck_point> points);

}  // namespace dibs::sweep
