#include "world/digit_groups.hpp"

#include "text/csv_number.hpp"
#include "text/trimmed.hpp"

#include <algorithm>

namespace dibs::world {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view without_sign(std::string_view field) {
  std::string_view text = text::trimmed(field);
  text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  return text;
}

/// A number, and what stands around its decimal mark, where it has one.
struct written_number {
  std::string_view whole;
  std::string_view decimals;
  std::ptrdiff_t marks = 0;  ///< in the whole part
};

std::optional<written_number> number_in(std::string_view field, char mark, char decimal) {
  const std::string_view text = without_sign(field);
  const std::size_t at = text.find(decimal);
  written_number n{text.substr(0, at), {}, 0};
  if (at != std::string_view::npos) {
    n.decimals = text.substr(at + 1);
    if (!is_digits(n.decimals)) {
      return std::nullopt;
    }
  }
  n.marks = std::ranges::count(n.whole, mark);
  const bool is_number =
      std::ranges::all_of(n.whole, [&](char c) { return c == mark || (c >= '0' && c <= '9'); });
  return is_number && !n.whole.empty() && n.whole.front() != mark ? std::optional(n) : std::nullopt;
}

/// `1.550` and `12.345.678`, not `0.550` or `1.55`.
bool is_grouped(std::string_view whole, char mark) {
  const std::size_t first = whole.find(mark);
  if (first == std::string_view::npos || first > 3 || whole.front() == '0' ||
      (whole.size() - first) % 4 != 0) {
    return false;
  }
  for (std::size_t i = first; i < whole.size(); i += 4) {
    if (whole[i] != mark || !is_digits(whole.substr(i + 1, 3))) {
      return false;
    }
  }
  return true;
}

/// Whether it is a number with this mark before its decimals, as it can be no other.
bool has_decimals_behind(std::string_view field, char mark) {
  const std::string_view text = without_sign(field);
  const std::size_t at = text.find(mark);
  return at != std::string_view::npos && is_digits(text.substr(0, at)) &&
         is_digits(text.substr(at + 1)) && !is_grouped(text, mark);
}

}  // namespace

void digit_groups::look_at(std::string_view field) {
  const auto number = number_in(field, mark_, decimal_);
  if (!number) {
    return;
  }
  if (number->marks == 0) {
    has_whole_ = has_whole_ || number->whole.find_first_not_of('0') != std::string_view::npos;
    has_long_ = has_long_ || number->whole.size() > 3;
    is_sure_ = is_sure_ || !number->decimals.empty();
  } else if (is_grouped(number->whole, mark_)) {
    first_ = grouped_++ == 0 ? std::string(field) : first_;
    is_sure_ = is_sure_ || number->marks > 1 || !number->decimals.empty();
  } else {
    is_mixed_ = true;
  }
}

void digit_groups::look_at_other(std::string_view field) {
  has_decimals_ = has_decimals_ || has_decimals_behind(field, mark_);
  has_other_decimals_ = has_other_decimals_ || has_decimals_behind(field, decimal_);
}

bool digit_groups::are_thousands(char separator) const {
  if (grouped_ == 0 || is_mixed_) {
    return false;
  }
  if (is_sure_ || has_long_ || has_decimals_) {
    return is_sure_;
  }
  if (has_other_decimals_) {
    return separator != ',';
  }
  // Who parts fields by semicolons writes decimal commas, and dots between thousands.
  const bool is_of_commas = separator == ';' || separator == '\t';
  return is_of_commas && (mark_ == '.' || has_whole_);
}

std::optional<double> grouped_number(std::string_view field, char mark) {
  std::string plain(field);
  std::erase(plain, mark);
  std::ranges::replace(plain, mark == '.' ? ',' : '.', '.');
  return text::number_in_field(plain, ';');
}

}  // namespace dibs::world
