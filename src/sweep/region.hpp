/// A map over two fields: where promises are kept and bounds are met, against the closed form for
/// how long a lease must be.
#pragma once

#include "base/result.hpp"
#include "stats/estimate.hpp"
#include "sweep/experiment.hpp"
#include "sweep/ineffective_fields.hpp"
#include "sweep/metric_formula.hpp"
#include "sweep/search_space.hpp"
#include "sweep/ttl_formula.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::sweep {

inline constexpr double quantile_standard = 0.95;

/// What has to hold in a cell.
struct requirement {
  std::string text;
  metric_formula room;  ///< 0 or more where it holds
};

/// The scenario's thresholds, and conditions of the user's own; without any, that nobody is
/// assigned twice and no promise to a rider broken. Errors (exit 2): as `metric_formula`.
[[nodiscard]] result<std::vector<requirement>> requirements_of(
    const std::vector<scenario::bound>& thresholds,
    const std::vector<std::string>& conditions,
    metric_index& index);

enum class cell_status : std::uint8_t {
  holds,    ///< every requirement, in all runs together
  misses,   ///< at least one
  breaks,   ///< a promise of the protocol
  stuck,    ///< a run got nowhere and was ended: of what holds there nothing is known
  invalid,  ///< no valid scenario, or excluded by a condition
};

[[nodiscard]] std::string_view name_of(cell_status f);

struct region_cell;
/// What may be said of the cell: what was found, or `unsure` where the runs are too few to say it.
[[nodiscard]] std::string_view verdict_of(const region_cell& c);

struct region_cell {
  cell_status found = cell_status::invalid;
  /// Of each requirement; nothing without a value, and no interval for a single seed.
  std::vector<std::optional<stats::estimate>> room;
  /// Asks for none of what none was seen of, which more seeds could refute and none can show.
  std::vector<bool> only_refutable;
  ttl_bound bound;
  bool long_enough = false;  ///< as the bound says
  bool sure = true;          ///< no interval of a room reaches across what was found
  std::optional<broken_promise> broken;
  std::vector<std::optional<double>> shown{};  ///< as `region::shown`, over the runs of the cell

  /// Whether the bound says otherwise than the runs, which are sure.
  [[nodiscard]] bool differs() const {
    return found != cell_status::invalid && found != cell_status::stuck && sure &&
           long_enough != (found == cell_status::holds);
  }
};

struct region {
  std::string name;
  std::string x;  ///< paths
  std::string y;
  std::vector<std::string> xs;
  std::vector<std::string> ys;
  std::vector<region_cell> cells;  ///< row by row: all x of the first y first
  std::vector<requirement> required;
  std::vector<metric_formula> shown{};  ///< figures besides
  std::vector<derivation> implied;      ///< fields that follow the axes unasked
  std::uint32_t seeds = 0;
  double quantile = quantile_standard;
  std::uint64_t runs = 0;
  std::vector<without_effect> idle{};  ///< fields that changed nothing

  [[nodiscard]] const region_cell& at(std::size_t ix, std::size_t iy) const {
    return cells[iy * xs.size() + ix];
  }
};

/// The axis of a region: `lease.ttl=3s..60s` as it is; a path alone gets a range of `values` around
/// the scenario's value, from a quarter to four times it. Errors (exit 2): no such field, or its
/// value is no quantity above 0.
[[nodiscard]] result<std::string> axis_with_default(const std::string& typed,
                                                    const scenario::field_values& fields,
                                                    std::size_t values);

/// Runs every cell on the same seeds; `shown` are figures that are wanted besides. Requires: a
/// space over x and y, in this order. Errors: the experiment's.
[[nodiscard]] result<region> map_region(search_space& where,
                                        std::vector<requirement> required,
                                        experiment& runs,
                                        std::uint32_t seeds,
                                        double quantile,
                                        std::vector<metric_formula> shown = {});

}  // namespace dibs::sweep
