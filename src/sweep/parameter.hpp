/// One field that is searched over, as people write it: `lease.ttl=3s..60s`, with a spacing
/// (`3s..60s:lin`) or a spacing and a count (`3s..60s:log:12`), or a list (`fenced,lease`). Pure.
///
/// A range without a spacing is logarithmic if it begins above 0: what matters of a TTL is its
/// ratio to another. A list is tried as it is: nothing lies between its values.
#pragma once

#include "base/result.hpp"
#include "sweep/value_range.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::sweep {

inline constexpr std::size_t parameters_max = 3;

struct parameter {
  std::string path;
  std::optional<value_range> range;  ///< nothing for a list
  bool whole = false;                ///< whole numbers only
  std::vector<std::string> values;

  /// What stands at a share of the range, to three digits or as a whole number. Requires: a range.
  [[nodiscard]] std::string text_at(double share) const;
  /// The same for an end of an interval, downwards (-1) or upwards (1): rounded so that the
  /// interval keeps what it covers.
  [[nodiscard]] std::string end_at(double share, double toward) const;
  /// Whether a value is one of the list, or lies within the range.
  [[nodiscard]] bool covers(const std::string& value) const;
  /// Where a value stands in the range; nothing if it is none of its kind. Requires: a range.
  [[nodiscard]] std::optional<double> share_of(const std::string& value) const;
  /// Keeps only whole numbers, each once.
  void make_whole();
};

/// Which of them have a range.
[[nodiscard]] std::vector<std::size_t> ranged_of(const std::vector<parameter>& some);

/// Errors (exit 2): no path, a list or range that makes no sense, fewer than two values.
[[nodiscard]] result<parameter> parse_parameter(std::string_view text, std::size_t values);

}  // namespace dibs::sweep
