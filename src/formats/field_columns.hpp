/// The columns in which tables for programs hold fields of a scenario: numbers as numbers, in the
/// unit that the column's name ends with.
///
/// A field of which every value is a number has one column, `lease.ttl_s`; one of which none is has
/// the field's own name, `lease.protocol`. Where there are both, the numbers have theirs, and the
/// words stand beside them in `lease.offer_window_word`: of the two cells one is empty.
#pragma once

#include "text/table.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::formats {

/// `s` for a duration, `m`, `m_per_s`, `per_h`, `ppm`; empty for shares, which are fractions, for
/// other numbers, and for what is no number.
[[nodiscard]] std::string_view unit_of_field(std::string_view path);

/// `lease.ttl_s`; a field without a unit keeps its name.
[[nodiscard]] std::string number_column(std::string_view path);

/// What a value as `--set` takes it comes to in `unit_of_field`: 0.25 of `250ms`. Nothing for words
/// such as `never`, distributions, and fields that hold no numbers.
[[nodiscard]] std::optional<double> number_of_field(std::string_view path,
                                                    const std::string& value);

class field_columns {
 public:
  /// `rows`: the values of each row, as many as there are paths; what is missing is empty.
  field_columns(std::vector<std::string> paths, std::span<const std::vector<std::string>> rows);

  [[nodiscard]] std::vector<text::column> columns() const;

  /// The cells of one row, as many as there are columns.
  [[nodiscard]] text::row cells_of(std::span<const std::string> values) const;

 private:
  struct varied_field {
    std::string path;
    /// Null for a field that holds no numbers.
    std::optional<double> (*number_of)(const std::string&) = nullptr;
    bool has_numbers = false;
    bool has_words = false;
  };
  [[nodiscard]] static std::optional<double> number_in(const varied_field& f,
                                                       const std::string& value);

  std::vector<varied_field> fields_;
};

}  // namespace dibs::formats
