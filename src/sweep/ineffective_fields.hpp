/// Which of the fields that a study varies changed nothing in any of its runs, and why, where the
/// table of fields knows; and which of its faults struck in none of them. Runs are the same where
/// their histories are.
#pragma once

#include "scenario/read.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

class experiment;
class search_space;
struct plan;

/// A point with the histories of its runs, on the seeds that all points share. Points are compared
/// in as many as both have.
struct tried_point {
  std::vector<scenario::override_value> fields;
  std::vector<std::string> histories;
  std::vector<std::string> idle_faults{};  ///< that struck in none of its runs, by their ids
};

/// Fields that changed nothing; several if they varied together alone.
struct without_effect {
  std::vector<std::string> fields;
  std::string why;  ///< empty where the table knows no reason

  /// `lease.margin changed nothing: no holder judges its lease; see `lease.judge``
  [[nodiscard]] std::string text() const;
};

/// Of a fault that struck in no run: `faults.ID`.
[[nodiscard]] without_effect idle_fault(const std::string& id);

[[nodiscard]] std::vector<std::string> sentences_of(std::span<const without_effect> all);

/// The scenario of a point, by its place; nothing if it cannot be had.
using scenario_at = std::function<std::optional<scenario::scenario>(std::size_t)>;

/// Faults are named as fields are, `faults.ID`. Requires: all points have the same fields, in the
/// same order.
[[nodiscard]] std::vector<without_effect> fields_without_effect(std::span<const tried_point> points,
                                                                const scenario_at& at);

/// Of the points of a plan, by their numbers.
[[nodiscard]] scenario_at scenarios_of(const plan& p);

/// What the plan's first and last point say in vain, if both do; see `scenario::remarks_on`.
[[nodiscard]] std::vector<std::string> remarks_on(const plan& p);

/// Of what a search or a map has tried of its grid.
[[nodiscard]] std::vector<without_effect> fields_without_effect(const search_space& where,
                                                                const experiment& runs);

}  // namespace dibs::sweep
