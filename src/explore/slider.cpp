#include "explore/slider.hpp"

#include "base/real.hpp"
#include "explore/place.hpp"
#include "scenario/field_needs.hpp"
#include "sweep/axis.hpp"
#include "sweep/grid.hpp"
#include "sweep/value_range.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace dibs::explore {
namespace {

/// What is explored where nothing is said, what says most first. Fields that are 0 in most
/// scenarios have no range around their value.
struct candidate {
  std::string_view path;
  std::string_view range_from_0{};
};
constexpr std::array candidates{candidate{"lease.ttl"},
                                candidate{"lease.margin", "0s..5s"},
                                candidate{"lease.cleanup.every"},
                                candidate{"lease.grace", "0s..5s"},
                                candidate{"matchers.view_lag", "0s..5s"},
                                candidate{"drivers.count"},
                                candidate{"matchers.count"},
                                candidate{"matchers.offers.total_wait"}};

tl::unexpected<error> refuse(const std::string& path, const std::string& why) {
  return failure(exit_code::usage, fmt::format("{}: {}", text::display_text(path), why));
}

bool is_valid(const explored_scenario& s, const std::string& path, const std::string& value) {
  return s.with({{path, value}}).ok();
}

/// Whether a field takes only whole numbers: if a value between two of them is refused.
bool is_whole(const explored_scenario& s, const std::string& path, const sweep::value_range& r) {
  const double between = std::floor(r.from) + 0.5;
  return r.unit.empty() && r.to >= 2 && r.from == std::floor(r.from) &&
         !is_valid(s, path, text::print_real(between)) &&
         is_valid(s, path, text::print_real(std::ceil(r.to)));
}

/// The first digits of round numbers, so many to a decade that a slider has some thirty stops.
std::span<const int> round_numbers(double decades) {
  static constexpr std::array many{10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28,
                                   30, 35, 40, 45, 50, 55, 60, 65, 70, 80, 90};
  static constexpr std::array some{10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
  static constexpr std::array few{10, 20, 50};
  constexpr double decades_of_many = 1.5;
  constexpr double decades_of_some = 4;
  return decades <= decades_of_many   ? std::span<const int>(many)
         : decades <= decades_of_some ? std::span<const int>(some)
                                      : std::span<const int>(few);
}

/// The power of ten at or just below a number. Requires: above 0.
double decade_of(double x) {
  double size = 1;
  for (; size > x; size /= 10) {
  }
  for (; size * 10 <= x; size *= 10) {
  }
  return size;
}

/// Round numbers strictly between the ends, evenly by ratio.
std::vector<double> between_by_ratio(const sweep::value_range& r) {
  constexpr double digits = 10;
  const double decades = real::log(r.to / r.from) / real::log(10.0);
  std::vector<double> all;
  for (double size = decade_of(r.from); size < r.to; size *= 10) {
    for (const int first : round_numbers(decades)) {
      const double x = sweep::rounded(size * first / digits, 3);
      if (x > r.from && x < r.to) {
        all.push_back(x);
      }
    }
  }
  return all;
}

/// Multiples of a round step strictly between the ends.
std::vector<double> between_by_step(const sweep::value_range& r) {
  constexpr double stops = 25;
  constexpr std::array steps{1.0, 2.0, 2.5, 5.0, 10.0};
  const double raw = (r.to - r.from) / stops;
  const double size = decade_of(raw);
  const double step =
      size * *std::ranges::find_if(steps, [&](double s) { return s * size >= raw * (1 - 1e-9); });
  std::vector<double> all;
  for (double n = std::floor(r.from / step) + 1; n * step < r.to; n += 1) {
    const double x = sweep::rounded(n * step, 12);
    if (x > r.from && x < r.to) {
      all.push_back(x);
    }
  }
  return all;
}

/// The ends as they are, and round numbers between.
std::vector<std::string> stops_between(const sweep::value_range& r, bool whole) {
  std::vector<double> values = r.logarithmic ? between_by_ratio(r) : between_by_step(r);
  values.insert(values.begin(), r.from);
  values.push_back(r.to);
  std::vector<std::string> stops;
  double last = 0;
  for (double x : values) {
    x = whole ? std::round(x) : x;
    if (stops.empty() || x > last) {
      last = x;
      stops.push_back(text::print_real(x) + r.unit);
    }
  }
  return stops;
}

/// A range whose ends are a decade or so apart is divided evenly by ratio, else by difference.
bool is_wide(double from, double to) {
  constexpr double ratio = 4;
  return from > 0 && to / from >= ratio;
}

result<slider> between(const std::string& path,
                       const std::string& from,
                       const std::string& to,
                       const explored_scenario& s) {
  auto r = sweep::read_value_range(from, to, false);
  if (!r || !(r->from < r->to)) {
    return refuse(path,
                  fmt::format("`{}..{}` is no range: write the lower end first, both of one kind, "
                              "as in 5s..60s",
                              text::display_text(from),
                              text::display_text(to)));
  }
  r->logarithmic = is_wide(r->from, r->to);
  return slider{path, stops_between(*r, is_whole(s, path, *r))};
}

/// The scenario's own value becomes a stop, at its place among quantities, else in front.
result<slider> with_own(slider made, const std::string& own) {
  const auto r = sweep::read_value_range(made.stops.front(), made.stops.front(), false);
  const auto at = r ? sweep::in_unit_of(*r, own) : std::nullopt;
  const bool is_quantity = at.has_value();
  const double own_value = at.value_or(0);
  const auto value_of = [&](const std::string& stop) {
    return is_quantity ? sweep::in_unit_of(*r, stop) : std::nullopt;
  };
  const auto is_own = [&](const std::string& stop) {
    const auto value = value_of(stop);
    return stop == own || (value && *value == own_value);
  };
  const auto size_of = [&](const std::string& stop) { return value_of(stop).value_or(HUGE_VAL); };
  if (is_quantity) {
    std::ranges::stable_sort(made.stops, std::ranges::less(), size_of);
  }
  auto place = std::ranges::find_if(made.stops, is_own);
  if (place == made.stops.end()) {
    const auto is_above = [&](const std::string& stop) { return size_of(stop) > own_value; };
    place = made.stops.insert(std::ranges::find_if(made.stops, is_above), own);
  } else {
    *place = own;
  }
  made.own = static_cast<std::size_t>(place - made.stops.begin());
  if (made.stops.size() > stops_max) {
    return refuse(made.path, fmt::format("has more than {} values", stops_max));
  }
  return made.stops.size() > 1 ? result<slider>(std::move(made))
                               : refuse(made.path, "needs two values to move between");
}

/// Ends that make no scenario, with what follows from them and all else as it is, are no use.
void trim(slider& s, const explored_scenario& at) {
  const auto is_scenario = [&](std::size_t stop) {
    const auto changed = changes_at({stop}, {s}, at);
    return changed && at.with(*changed).ok();
  };
  while (s.own + 1 < s.stops.size() && !is_scenario(s.stops.size() - 1)) {
    s.stops.pop_back();
  }
  std::size_t first = 0;
  while (first < s.own && !is_scenario(first)) {
    ++first;
  }
  s.stops.erase(s.stops.begin(), s.stops.begin() + static_cast<std::ptrdiff_t>(first));
  s.own -= first;
}

result<slider> around(const std::string& path, const std::string& own, const explored_scenario& s) {
  constexpr double least = 0.25;
  constexpr double most = 4;
  const auto at = sweep::read_value_range(own, own, false);
  if (!at || !(at->from > 0)) {
    return refuse(path,
                  fmt::format("is {}, so there is no range around it; name one, as in {}=0s..10s, "
                              "or list values",
                              text::display_text(own),
                              path));
  }
  const bool whole = is_whole(s, path, {at->from, at->from * most, at->unit});
  const sweep::value_range r{
      whole ? std::max(1.0, at->from * least) : at->from * least, at->from * most, at->unit, true};
  auto made = with_own({path, stops_between(r, whole)}, own);
  if (made) {
    trim(*made, s);
  }
  return made && made->stops.size() < 2 ? refuse(path, "no other value near makes a scenario")
                                        : std::move(made);
}

result<slider> typed_slider(const std::string& path,
                            const std::string& values,
                            const explored_scenario& s) {
  const std::size_t dots = values.find("..");
  if (dots != std::string::npos && values.find_first_of(":,{[\"'") == std::string::npos) {
    return between(path, values.substr(0, dots), values.substr(dots + 2), s);
  }
  auto axis = sweep::axis_of(path, sweep::split_list(values));
  if (!axis) {
    return tl::unexpected<error>(axis.error());
  }
  return slider{path, std::move(axis->values)};
}

}  // namespace

result<slider> slider_of(const std::string& typed, const explored_scenario& s) {
  const std::size_t equals = typed.find('=');
  const std::string path = sweep::unquoted(typed.substr(0, equals));
  const auto own = s.fields().find(path);
  if (!own) {
    const std::string near = s.fields().nearest(path);
    return refuse(path,
                  "is no field of the scenario" +
                      (near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  sweep::grid_spec alone;
  alone.grid.push_back({path, {*own}});
  if (const auto may_vary = sweep::check(alone); !may_vary) {
    return tl::unexpected<error>(may_vary.error());
  }
  if (equals == std::string::npos) {
    return around(path, *own, s);
  }
  auto made = typed_slider(path, typed.substr(equals + 1), s);
  return made ? with_own(std::move(*made), *own) : made;
}

result<std::vector<slider>> sliders_of(const std::vector<std::string>& typed,
                                       const explored_scenario& s) {
  std::vector<slider> all;
  for (const std::string& each : typed) {
    auto made = slider_of(each, s);
    if (!made) {
      return tl::unexpected<error>(made.error());
    }
    if (std::ranges::find(all, made->path, &slider::path) != all.end()) {
      return refuse(made->path, "is named twice");
    }
    all.push_back(std::move(*made));
  }
  if (all.size() > sliders_max) {
    return failure(exit_code::usage, fmt::format("at most {} fields can be moved", sliders_max));
  }
  const auto is_set = [&](std::string_view path) {
    return std::ranges::any_of(s.set(), [&](const auto& o) { return o.path == path; });
  };
  for (auto c = candidates.begin(); typed.empty() && c != candidates.end(); ++c) {
    const std::string path(c->path);
    if (all.size() == sliders_max || is_set(path) || scenario::why_idle(s.base(), path)) {
      continue;
    }
    auto made = slider_of(path, s);
    if (!made && !c->range_from_0.empty()) {
      made = slider_of(fmt::format("{}={}", c->path, c->range_from_0), s);
    }
    if (made) {
      all.push_back(std::move(*made));
    }
  }
  return all.empty() ? result<std::vector<slider>>(failure(
                           exit_code::usage, "name a field to move, as in --field lease.ttl"))
                     : std::move(all);
}

}  // namespace dibs::explore
