/// Times that are digits alone, and how to tell which of their forms a column has.
#pragma once

#include "text/clock_time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace dibs::text {

/// Also `143756.0`, as programs write whole numbers beside blanks.
[[nodiscard]] bool are_digits(std::string_view text);

/// Nothing if it is no such time or date. Requires: `form` is no count.
[[nodiscard]] std::optional<clock_time> read_digits_as(std::string_view text, digit_form form);

/// Hours, minutes and seconds below 24 and 60 in all values are no chance where there are many; one
/// of as many digits that begins with 0 is no count.
class digit_evidence {
 public:
  void look_at(std::string_view field);
  [[nodiscard]] digit_form form() const;

 private:
  static constexpr std::size_t forms = 7;
  /// Of the values as one form: how many fit, and which minutes and hours there are, as bits.
  struct fitting {
    std::uint64_t values = 0;
    std::uint64_t minutes = 0;
    std::uint64_t hours = 0;
  };

  [[nodiscard]] bool fit(digit_form form) const;
  [[nodiscard]] bool is_told(digit_form form) const;

  std::array<fitting, forms> as_{};
  std::uint64_t values_ = 0;
  std::uint64_t with_zero_ = 0;  ///< that begin with 0
  std::size_t shortest_ = 99;
  std::size_t longest_ = 0;
  std::set<std::string, std::less<>> different_;  ///< so many as matter
};

/// For messages: `hours, minutes and seconds`.
[[nodiscard]] const char* words_of(digit_form form);

}  // namespace dibs::text
