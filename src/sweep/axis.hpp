/// One field and the values that it takes in a study: lists (`5s,10s,15s`), ranges
/// (`3s..60s:log:12`, `0..1:lin:5`) and lists with ranges in them. Pure.
///
/// The ends of a range are as they were written; what lies between is rounded to as few digits as
/// keep its values apart, so that they can be read.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::sweep {

inline constexpr std::size_t axis_values_max = 1'000'000;

struct axis {
  std::string path;
  std::vector<std::string> values;  ///< as `--set` takes them; no two are spelt alike
  std::size_t group = 0;            ///< of a zipped axis: those of one group change together
  std::string
      from{};    ///< who named it, for diagnostics: an option, or a file; empty: the usual one
  int line = 0;  ///< in a file
  int column = 0;
};

/// A path without the backquotes that expressions need around other characters than letters,
/// digits, `_` and `.`, and that are welcome elsewhere.
[[nodiscard]] std::string unquoted(std::string_view path);

/// `lease.ttl=5s,10s`. Errors (exit 2): no path, no value, a value twice, a range that is empty,
/// contradicts itself or has more than `axis_values_max` values.
[[nodiscard]] result<axis> parse_axis(std::string_view text);

/// The same with the list taken apart already, as a sweep file has it.
[[nodiscard]] result<axis> axis_of(const std::string& path, const std::vector<std::string>& items);

/// What stands between the commas that are in no brackets and no quotes.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

}  // namespace dibs::sweep
