/// Whether dots, or commas, part the thousands of a column's numbers: `1.550` alone may be either,
/// and all numbers of the column together, beside those of others, tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::world {

class digit_groups {
 public:
  /// `mark`: a dot or a comma.
  explicit digit_groups(char mark) : mark_(mark), decimal_(mark == '.' ? ',' : '.') {}

  /// A number of the column that is judged.
  void look_at(std::string_view field);
  /// What stands in another one.
  void look_at_other(std::string_view field);

  /// Whether the marks part thousands. `separator`: what parts the fields.
  [[nodiscard]] bool are_thousands(char separator) const;
  /// Whether they may, though nothing but three digits after each says so.
  [[nodiscard]] bool may_be_thousands() const { return grouped_ > 0 && !is_mixed_ && !has_long_; }
  /// The first number that has a mark.
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  char mark_;
  char decimal_;
  std::uint64_t grouped_ = 0;        ///< three digits after each mark
  std::string first_;                ///< of these
  bool is_sure_ = false;             ///< some have two marks, or decimals behind the other one
  bool is_mixed_ = false;            ///< some have a mark, and not three digits after it
  bool has_whole_ = false;           ///< some above 0 have no mark
  bool has_long_ = false;            ///< some of these have more than three digits
  bool has_decimals_ = false;        ///< elsewhere the mark stands before decimals
  bool has_other_decimals_ = false;  ///< elsewhere the other one does
};

/// Of a number whose thousands this mark parts, and whose decimals the other one does.
[[nodiscard]] std::optional<double> grouped_number(std::string_view field, char mark);

}  // namespace dibs::world
