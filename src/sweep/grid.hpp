/// The points of a study: every combination of its axes, with what is derived from them, where its
/// conditions hold. Pure; nothing is expanded before its size is known.
#pragma once

#include "base/result.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/read.hpp"
#include "sweep/axis.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::sweep {

/// A grid of more points is refused whatever the user says.
inline constexpr std::uint64_t points_max = 2'000'000;

/// `lease.offer_window=lease.ttl-3s`
struct derivation {
  std::string path;
  std::string expression;
  std::string from{};  ///< as an axis has it
  int line = 0;
  int column = 0;
};

struct grid_spec {
  std::vector<axis> grid;  ///< each value of each with each value of all others
  std::vector<axis> zip;   ///< those of one group change together: they are of one length
  std::vector<derivation> derive;
  std::vector<std::string> where;
};

/// One combination: values of the axes, then what was derived, in the order of `columns_of`.
struct point {
  std::vector<scenario::override_value> fields;
};

/// `lease.offer_window=lease.ttl-3s`, taken apart. Errors (exit 2): no field or no expression.
[[nodiscard]] result<derivation> parse_derivation(std::string_view text);

/// Errors (exit 2): nothing to vary, a field in two places, zipped axes of different lengths, the
/// fields `seed` and `name`, which a study sets itself.
[[nodiscard]] result<void> check(const grid_spec& d);

/// How many combinations there are before conditions; UINT64_MAX if more than that.
[[nodiscard]] std::uint64_t size_of(const grid_spec& d);

/// The fields that a study sets.
[[nodiscard]] std::vector<std::string> columns_of(const grid_spec& d);

/// The group that the next zipped axes get, if they are to change on their own.
[[nodiscard]] std::size_t next_group(const grid_spec& d);

/// All points, the first axis changing slowest, zipped axes fastest, the last group of all. `base`
/// is what the points have in common. Requires: `check(d)`. Errors (exit 2): more than
/// `points_max`, an expression that makes no sense or names what follows from it, conditions that
/// leave nothing.
[[nodiscard]] result<std::vector<point>> expand(const grid_spec& d,
                                                const scenario::field_values& base);

/// `lease.ttl=5s, lease.offer_window=2s`; "the scenario as it is" for a point without fields.
[[nodiscard]] std::string label_of(const point& p);

}  // namespace dibs::sweep
