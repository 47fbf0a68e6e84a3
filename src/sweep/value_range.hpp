/// From one value of a field to another, both in one unit: what ranges and searches divide. Pure.
#pragma once

#include <optional>
#include <string>

namespace dibs::sweep {

struct value_range {
  double from = 0;  ///< in `unit`
  double to = 1;
  std::string unit;  ///< as it is written behind a number; empty for plain numbers
  bool logarithmic = false;

  /// What stands at a share of the way, 0 to 1: of the logarithms if it is logarithmic.
  [[nodiscard]] double at(double share) const;
  /// The share at which a value stands; beyond 0 to 1 for one that lies outside.
  [[nodiscard]] double share_of(double value) const;
  /// The value at a share, rounded to so many significant digits, as `--set` takes it.
  [[nodiscard]] std::string text_at(double share, int digits) const;
};

/// In the unit of the lower end; nothing if the ends are no quantities of one kind.
[[nodiscard]] std::optional<value_range> read_value_range(const std::string& from,
                                                          const std::string& to,
                                                          bool logarithmic);

/// A quantity in the unit of a stretch; nothing if it is of another kind.
[[nodiscard]] std::optional<double> in_unit_of(const value_range& s, const std::string& text);

/// With so many significant digits.
[[nodiscard]] double rounded(double x, int digits);

}  // namespace dibs::sweep
