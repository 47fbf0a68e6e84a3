#include "sweep/value_range.hpp"

#include "base/real.hpp"
#include "text/dimensioned.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace dibs::sweep {
namespace {

struct written_number {
  double value = 0;
  std::string unit;
};

std::optional<written_number> number_and_unit(const std::string& text) {
  if (!text::parse_dimensioned(text)) {
    return std::nullopt;
  }
  for (std::size_t digits = text.size(); digits > 0; --digits) {
    if (const auto number = text::read_real(text.substr(0, digits))) {
      return written_number{*number, text.substr(digits)};
    }
  }
  return std::nullopt;
}

}  // namespace

double rounded(double x, int digits) {
  return std::strtod(fmt::format("{:.{}g}", x, digits).c_str(), nullptr);
}

double value_range::at(double share) const {
  return logarithmic ? from * real::exp(share * real::log(to / from)) : from + share * (to - from);
}

double value_range::share_of(double value) const {
  return logarithmic ? real::log(value / from) / real::log(to / from)
                     : (value - from) / (to - from);
}

std::string value_range::text_at(double share, int digits) const {
  return text::print_real(rounded(at(share), digits)) + unit;
}

std::optional<value_range> read_value_range(const std::string& from,
                                            const std::string& to,
                                            bool logarithmic) {
  auto lower = number_and_unit(from);
  const auto upper = number_and_unit(to);
  if (!lower || !upper) {
    return std::nullopt;
  }
  if (lower->value == 0 && lower->unit.empty()) {
    lower->unit = upper->unit;
  }
  value_range s{lower->value, upper->value, lower->unit, logarithmic};
  if (lower->unit != upper->unit) {
    const auto end = in_unit_of(s, to);
    if (!end) {
      return std::nullopt;
    }
    s.to = *end;
  }
  return s;
}

std::optional<double> in_unit_of(const value_range& s, const std::string& text) {
  const auto written = number_and_unit(text);
  if (!written) {
    return std::nullopt;
  }
  if (written->unit == s.unit) {
    return written->value;
  }
  auto one = text::parse_dimensioned("1" + s.unit);
  auto other = text::parse_dimensioned(text);
  if (!one || !other || !text::unify_dimensions(*one, *other) ||
      one->what == text::dimension::number) {
    return std::nullopt;
  }
  return other->value / one->value;
}

}  // namespace dibs::sweep
