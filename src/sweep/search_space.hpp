/// What a search may choose from: the points of one scenario that differ in one to three fields.
///
/// Points are made as the search asks for them; each is checked as a scenario. A point is named by
/// its number in the plan, from 1.
#pragma once

#include "lease/protocol.hpp"
#include "sweep/parameter.hpp"
#include "sweep/plan.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dibs::sweep {

struct space_request {
  std::filesystem::path file;
  std::vector<scenario::override_value> overrides;
  std::vector<std::string> search;  ///< as typed
  /// What each of these came from, for diagnostics; `--search` where nothing is said.
  std::vector<std::string> origins{};
  std::vector<derivation> derive;
  std::vector<std::string> where;
  std::uint32_t seeds = 20;  ///< of the first look at each point
  std::optional<std::uint64_t> seed;
  bool yes = false;
  bool leave_invalid = false;  ///< see `sweep_request`
  const std::atomic<bool>* stop = nullptr;
};

/// Values of the searched fields, in their order.
using parameter_values = std::vector<std::string>;

class search_space {
 public:
  /// Reads the scenario and checks every point of the grid. Errors: as `make_plan`.
  [[nodiscard]] static tl::expected<search_space, planning_error> make(const space_request& r);

  [[nodiscard]] const std::vector<parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const sweep::plan& plan() const { return plan_; }
  /// The points of the grid: the first `grid_size()`.
  [[nodiscard]] std::uint32_t grid_size() const { return grid_size_; }
  /// What follows from the searched fields without having been asked for; may be empty.
  [[nodiscard]] const std::vector<derivation>& implied() const { return implied_; }

  /// The point with these values; nothing if a condition excludes it or it is no valid scenario.
  [[nodiscard]] std::optional<std::uint32_t> point_of(const parameter_values& c);
  [[nodiscard]] parameter_values choice_of(std::uint32_t point) const;
  /// What follows from them at that point.
  [[nodiscard]] std::vector<scenario::override_value> following_at(std::uint32_t point) const;
  /// Of the protocol that a point's scenario has.
  [[nodiscard]] lease::rules rules_of(std::uint32_t point) const;
  /// The scenario's own values.
  [[nodiscard]] parameter_values baseline() const;

 private:
  std::vector<parameter> parameters_;
  std::vector<derivation> implied_;
  grid_spec design_;
  sweep::plan plan_;
  std::uint32_t grid_size_ = 0;
  std::map<parameter_values, std::uint32_t> points_;
};

/// `lease.ttl=8.4s`
[[nodiscard]] std::string label_of(const std::vector<parameter>& parameters,
                                   const parameter_values& c);

}  // namespace dibs::sweep
