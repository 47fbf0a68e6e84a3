#include "drawn/drawn_leaf.hpp"

#include "base/ensure.hpp"
#include "metrics/catalogue.hpp"
#include "scenario/scalar_types.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace dibs::drawn {
namespace {

using scenario::field_description;
using scenario::node;
using scenario::plain;
using scenario::quoted;
using text::unit_family;

/// The ends of a range, and what people write within it.
struct span {
  double least = 0;
  double most = 0;
  double usual_least = 0;
  double usual_most = 0;
};

/// What follows `messages` in "at least 1ms, at most 24h"; nothing if they are not there.
std::optional<std::string> after(const std::string& range, std::string_view words) {
  const std::size_t at = range.find(words);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t begin = at + words.size();
  return range.substr(begin, range.find(',', begin) - begin);
}

/// Narrows the span to what the table says. `step`: the least difference of two values.
template <class Read>
span within(const std::string& range, span s, double step, Read read) {
  if (const auto text = after(range, "at least ")) {
    s.least = read(*text);
  }
  if (const auto text = after(range, "above ")) {
    s.least = read(*text) + step;
  }
  if (const auto text = after(range, "at most ")) {
    s.most = read(*text);
  }
  s.usual_least = std::clamp(s.usual_least, s.least, s.most);
  s.usual_most = std::clamp(s.usual_most, s.least, s.most);
  return s;
}

/// Evenly by its logarithm where both ends are above 0, else evenly.
double between(double least, double most, dice& d) {
  if (least > 0) {
    return std::clamp(least * std::pow(most / least, d.unit()), least, most);
  }
  return least + (most - least) * d.unit();
}

double value_in(const span& s, double step, dice& d) {
  if (!d.is_wild()) {
    return between(s.usual_least, s.usual_most, d);
  }
  switch (d.below(6)) {
    case 0:
      return s.least;
    case 1:
      return s.most;
    case 2:
      return std::min(s.least + step, s.most);
    case 3:
      return std::max(s.most - step, s.least);
    case 4:
      return between(std::max(s.least, step), std::max(s.most, step), d);
    default:
      return between(s.least, s.most, d);
  }
}

node draw_duration(const std::string& range, dice& d) {
  const auto ns = [](const std::string& text) {
    return static_cast<double>(text::read_duration(text).value_or(sim_duration{}).count());
  };
  const span s =
      within(range, {0, static_cast<double>(scenario::duration_max.count()), 5e6, 240e9}, 1, ns);
  double value = value_in(s, 1, d);
  if (s.least < 0 && d.happens(0.5)) {
    value = std::max(-std::fabs(value), s.least);
  }
  // Nobody writes nanoseconds, but at the ends of a range.
  const double coarse = std::fabs(value) > 1e9 && value < s.usual_most ? 1e7 : 1;
  const double whole = std::clamp(std::round(value / coarse) * coarse, s.least, s.most);
  return plain(text::print_duration(sim_duration{static_cast<std::int64_t>(whole)}));
}

struct quantity_type {
  std::string_view name;
  std::string_view unit;  ///< in the range, where two families have one name
  const unit_family& (*family)();
  span usual;
};

node draw_quantity(const std::string& type, const std::string& range, dice& d) {
  static const std::array<quantity_type, 6> types{{
      {"distance", "", text::distances, {0, 1e6, 50, 5000}},
      {"speed", "", text::speeds, {0, 300, 1, 30}},
      {"rate", "/h", text::hourly_rates, {0, 3600, 1, 120}},
      {"rate", "/s", text::rates, {0, 1e6, 0.05, 2}},
      {"drift", "", text::drifts, {-500'000, 500'000, 0, 300}},
      {"share", "", text::shares, {0, 1, 0, 1}},
  }};
  const auto* found = std::find_if(types.begin(), types.end(), [&](const quantity_type& t) {
    return t.name == type && range.find(t.unit) != std::string::npos;
  });
  ensure(found != types.end(), "the type of every field is known to who draws it: " + type);
  const unit_family& family = found->family();
  const auto number = [&](const std::string& text) {
    return text::read_quantity(text, family).value_or(0);
  };
  constexpr double step = 1e-9;
  const span s = within(range, found->usual, step, number);
  return plain(text::print_quantity(std::clamp(value_in(s, step, d), s.least, s.most), family));
}

node draw_number(const std::string& range, dice& d) {
  const auto number = [](const std::string& text) { return text::read_real(text).value_or(0); };
  constexpr double step = 1e-9;
  const span s = within(range, {0, 1e4, 0.1, 5}, step, number);
  return plain(text::print_real(std::clamp(value_in(s, step, d), s.least, s.most)));
}

node draw_whole(const std::string& range, dice& d) {
  constexpr double whole_max = std::numeric_limits<std::uint32_t>::max();
  const auto number = [](const std::string& text) {
    return static_cast<double>(text::read_whole(text).value_or(0));
  };
  const span s = within(range, {0, whole_max, 1, 12}, 1, number);
  return plain(fmt::format("{:.0f}", std::floor(value_in(s, 1, d))));
}

std::string draw_node(dice& d) {
  static constexpr std::array<const char*, 13> nodes{"driver/*",
                                                     "driver/*",
                                                     "driver/1",
                                                     "driver/3",
                                                     "rider/*",
                                                     "matcher/*",
                                                     "matcher/*",
                                                     "matcher/1",
                                                     "matcher/2",
                                                     "lease_manager",
                                                     "lease_manager/2",
                                                     "ledger",
                                                     "sweeper"};
  return d.one_of(nodes);
}

node draw_sides(dice& d) {
  node sides = scenario::empty_list();
  sides.in_line = true;
  for (int i = 0; i < 2; ++i) {
    if (d.happens(0.8)) {
      sides.items.push_back(plain(draw_node(d)));
      continue;
    }
    node group = scenario::empty_list();
    group.in_line = true;
    for (std::size_t k = d.below(2) + 1; k > 0; --k) {
      group.items.push_back(plain(draw_node(d)));
    }
    sides.items.push_back(std::move(group));
  }
  return sides;
}

std::string draw_metric(dice& d) {
  const metrics::entry& e = d.one_of(metrics::catalogue());
  static constexpr std::array<const char*, 5> stats{"mean", "p50", "p99.9", "max", "min"};
  return e.is_family() ? e.with(d.one_of(stats)) : std::string(e.name);
}

node draw_text(const field_description& about, dice& d) {
  const auto length_max = about.schema.value("maxLength", std::size_t{100});
  static const std::array<std::string, 4> texts{
      "", "why", "a: b # c \"d\" 'e'", "Zürich, 5 h: 東京"};
  return quoted(d.is_wild() ? std::string(length_max, 'x') : d.one_of(texts));
}

node draw_override(dice& d) {
  static constexpr std::array<const char*, 4> overrides{
      "faults=[]", "lease.ttl=20s", "drivers.phone=first", "network=[]"};
  return quoted(d.one_of(overrides));
}

node draw_name(dice& d) {
  std::string name(d.is_wild() ? 64 : 1 + d.below(6), 'a');
  for (char& c : name) {
    c = static_cast<char>('a' + d.below(26));
  }
  return plain(name);
}

}  // namespace

node draw_leaf(const field_description& about, dice& d) {
  if (!about.word.empty() && d.happens(0.3)) {
    return plain(about.word);
  }
  if (about.schema.contains("enum")) {
    const auto& words = about.schema["enum"];
    const auto& word = words[d.below(words.size())];
    return plain(word.is_string() ? word.get<std::string>() : word.dump());
  }
  const std::string& type = about.type;
  if (type == "duration") {
    return draw_duration(about.range, d);
  }
  if (type == "number") {
    return draw_number(about.range, d);
  }
  if (type == "whole number") {
    return about.range.find("64 bits") == std::string::npos
               ? draw_whole(about.range, d)
               : plain(fmt::format("{}", d.is_wild() ? UINT64_MAX : d.below(1'000'000)));
  }
  if (type == "name") {
    return draw_name(d);
  }
  if (type == "text") {
    return draw_text(about, d);
  }
  if (type == "path=value") {
    return draw_override(d);
  }
  if (type == "column") {
    return plain("seconds");
  }
  if (type == "address") {
    return quoted(d.happens(0.5) ? "127.0.0.1" : "db.example:7000");
  }
  if (type == "file") {
    return plain("rows.csv");
  }
  if (type == "day") {
    return plain("day 1");
  }
  if (type == "node") {
    return plain(draw_node(d));
  }
  if (type == "link") {
    return plain(draw_node(d) + (d.happens(0.5) ? "->" : "<->") + draw_node(d));
  }
  if (type == "two sides") {
    return draw_sides(d);
  }
  if (type == "metric") {
    return plain(draw_metric(d));
  }
  return draw_quantity(type, about.range, d);
}

node draw_bounds(dice& d) {
  static constexpr std::array<const char*, 5> signs{"<", "<=", "==", ">=", ">"};
  node all = scenario::empty_mapping();
  for (std::size_t i = d.below(4); i > 0; --i) {
    const std::string name = draw_metric(d);
    std::string value = "5";
    switch (metrics::find(name)->unit) {
      case text::unit::share:
        value = "50%";
        break;
      case text::unit::seconds:
      case text::unit::driver_s:
      case text::unit::rider_s:
        value = "45s";
        break;
      case text::unit::per_hour:
      case text::unit::count:
      case text::unit::ratio:
        break;
    }
    if (all.find(name) == nullptr) {
      all.add(name, quoted(fmt::format("{} {}", d.one_of(signs), value)));
    }
  }
  return all;
}

bool is_greater(const std::string& a, const std::string& b) {
  const auto one = text::read_duration(a);
  const auto other = text::read_duration(b);
  if (one && other) {
    return *one > *other;
  }
  for (const auto* family : {&text::drifts(), &text::shares()}) {
    const auto x = text::read_quantity(a, *family);
    const auto y = text::read_quantity(b, *family);
    if (x && y) {
      return *x > *y;
    }
  }
  return false;
}

}  // namespace dibs::drawn
