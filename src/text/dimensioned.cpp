#include "text/dimensioned.hpp"

#include "text/number.hpp"
#include "text/quantity.hpp"

#include <cmath>

namespace dibs::text {
namespace {

constexpr double ns_per_minute = 60e9;

void take_for_minutes(dimensioned_value& a) {
  a.value *= ns_per_minute;
  a.what = dimension::time;
  a.may_be_minutes = false;
}

std::string print_time(double ns) {
  constexpr double longest = 9.2e18;
  if (std::abs(ns) > longest) {
    return print_real(ns / 1e9) + "s";
  }
  const sim_duration whole{std::llround(ns)};
  const bool has_seconds = std::abs(ns) >= 1e9;
  return has_seconds ? exact_seconds(whole) + "s" : print_duration(whole);
}

}  // namespace

std::optional<dimensioned_value> parse_dimensioned(std::string_view text) {
  if (const auto x = read_real(text)) {
    return dimensioned_value{*x, dimension::number};
  }
  struct family {
    const unit_family& units;
    dimension what;
  };
  for (const family& f : {family{distances(), dimension::distance},
                          family{speeds(), dimension::speed},
                          family{rates(), dimension::rate},
                          family{drifts(), dimension::drift},
                          family{shares(), dimension::number}}) {
    if (const auto x = read_quantity(text, f.units)) {
      const bool bare_m = f.what == dimension::distance && !text.ends_with("km");
      return dimensioned_value{*x, f.what, bare_m};
    }
  }
  if (const auto d = read_duration(text)) {
    return dimensioned_value{static_cast<double>(d->count()), dimension::time};
  }
  return std::nullopt;
}

std::string format_dimensioned(const dimensioned_value& a) {
  switch (a.what) {
    case dimension::number:
      return print_real(a.value);
    case dimension::time:
      return print_time(a.value);
    case dimension::distance:
      return print_quantity(a.value, distances());
    case dimension::speed:
      return print_quantity(a.value, speeds());
    case dimension::rate:
      return print_quantity(a.value, rates());
    case dimension::drift:
      return print_quantity(a.value, drifts());
  }
  return {};
}

std::string_view noun_of(dimension d) {
  switch (d) {
    case dimension::number:
      return "a number";
    case dimension::time:
      return "a time";
    case dimension::distance:
      return "a distance";
    case dimension::speed:
      return "a speed";
    case dimension::rate:
      return "a rate";
    case dimension::drift:
      return "a drift";
  }
  return "";
}

bool unify_dimensions(dimensioned_value& a, dimensioned_value& b) {
  if (a.may_be_minutes && b.what == dimension::time) {
    take_for_minutes(a);
  } else if (b.may_be_minutes && a.what == dimension::time) {
    take_for_minutes(b);
  }
  return a.what == b.what;
}

}  // namespace dibs::text
