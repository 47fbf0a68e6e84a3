#include "pages/sweep_charts.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "sweep/free_fields.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* doubles = "double.commits";

bool varies(const json& sweep, const std::string& path) {
  const json& points = sweep.at("points");
  return std::any_of(points.begin(), points.end(), [&](const json& p) {
    return p.at("fields").at(path) != points.at(0).at("fields").at(path);
  });
}

std::optional<panel_mark> mark_of(const json& point, const std::string& metric, const across& a) {
  const json all = point.at("figures").value(metric, json::array());
  if (all.empty() || !all.at(0).is_number()) {
    return std::nullopt;
  }
  const double half = all.size() > 1 && all.at(1).is_number() ? all.at(1).get<double>() : 0;
  const double below = all.size() > 3 ? all.at(2).get<double>() : half;
  const double above = all.size() > 3 ? all.at(3).get<double>() : half;
  const double value = all.at(0).get<double>();
  return panel_mark{a.path.empty() ? 0 : a.at(point), value, value - below, value + above};
}

panel_line& line_named(svg_axes& p, const std::string& name, bool is_joined) {
  const auto found = std::find_if(
      p.lines.begin(), p.lines.end(), [&](const panel_line& l) { return l.name == name; });
  return found != p.lines.end() ? *found
                                : *p.lines.insert(p.lines.end(), {name, {}, is_joined, true});
}

bool is_missed(const json& point) { return point.at("safety") == "missed"; }

bool by_x(const panel_mark& a, const panel_mark& b) { return a.x < b.x; }

/// Which point it is, to who points at it and to scripts.
void tell(panel_mark& m, const json& point, mark_form form, const std::string& says) {
  m.form = form;
  m.told = point.at("name").get<std::string>() + (says.empty() ? "" : ": " + says);
  m.data = {{"data-point", text::json_as_text(point.at("n"))}};
}

panel_mark crossed_mark() {
  panel_mark m;
  m.form = mark_form::cross;
  m.colour = harm_colour;
  return m;
}

json key_to_lines(const json& sweep, const std::vector<std::string>& beside) {
  std::vector<std::string> names;
  for (const json& point : sweep.at("points")) {
    const std::string name = line_of(point, beside, true);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  json all = json::array();
  for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i) {
    all.push_back({{"words", names[i]}, {"svg", key_to_line(i)}});
  }
  return all;
}

/// Every figure of the curves, and those that the thresholds name: of few points all of them, of
/// many so few that the page stays small.
std::vector<std::string> figures_to_choose(const json& sweep) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& metric) {
    const json& points = sweep.at("points");
    const bool has_value = std::any_of(points.begin(), points.end(), [&](const json& p) {
      return p.at("texts").contains(metric);
    });
    if (has_value && std::find(all.begin(), all.end(), metric) == all.end()) {
      all.push_back(metric);
    }
  };
  for (const auto& metrics : {drawn_metrics(sweep), main_metrics(sweep)}) {
    std::ranges::for_each(metrics, add);
  }
  for (const json& bound : sweep.at("thresholds")) {
    add(bound.at("metric").get<std::string>());
  }
  constexpr std::size_t marks_max = 1500;
  while (all.size() > 2 && all.size() * (all.size() - 1) * sweep.at("points").size() > marks_max) {
    all.pop_back();
  }
  return all;
}

/// Lines join points that differ in the field across alone.
svg_axes trade_off_of(const json& sweep,
                      const std::string& x,
                      const std::string& y,
                      const across& a,
                      const std::vector<std::string>& beside) {
  svg_axes p{.title = capital(metrics::title_of(y)),
             .across = metrics::title_of(x),
             .ticks = {},
             .across_unit = metrics::unit_of(x),
             .unit = metrics::unit_of(y),
             .lines = {},
             .told = metrics::title_of(y) + " against " + metrics::title_of(x)};
  std::vector<const json*> in_order;
  for (const json& point : sweep.at("points")) {
    in_order.push_back(&point);
    line_named(p, line_of(point, beside, true), true).banded = false;
  }
  std::stable_sort(in_order.begin(), in_order.end(), [&](const json* one, const json* other) {
    return !a.path.empty() && a.at(*one) < a.at(*other);
  });
  for (const json* point : in_order) {
    const auto at_x = mark_of(*point, x, a);
    auto mark = mark_of(*point, y, a);
    if (!at_x || !mark) {
      continue;
    }
    panel_line& line = line_named(p, line_of(*point, beside, true), true);
    mark->x = at_x->y;
    mark->x_low = at_x->y_low;
    mark->x_high = at_x->y_high;
    mark->crossed = is_missed(*point);
    mark->label = a.path.empty() ? point->at("name").get<std::string>()
                                 : label_of(point->at("fields").at(a.path));
    const auto nth = static_cast<std::size_t>(&line - p.lines.data());
    tell(*mark, *point, form_of(nth), point->at("safety").get<std::string>());
    line.marks.push_back(*mark);
  }
  return p;
}

void add_trade_offs(json& sweep, const across& a, const std::vector<std::string>& beside) {
  const std::vector<std::string> choice = figures_to_choose(sweep);
  sweep["choice"] = choice;
  sweep["trade_off"] = json::object();
  for (const std::string& x : choice) {
    for (const std::string& y : choice) {
      if (x != y) {
        sweep["trade_off"][x + " " + y] =
            drawn_for_page(trade_off_of(sweep, x, y, a, beside), 1000, 460);
      }
    }
  }
}

}  // namespace

std::string label_of(const json& value) {
  return text::display_text(
      value.is_string() ? value.get<std::string>() : text::json_as_text(value), 200);
}

std::string capital(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

double across::at(const json& point) const {
  if (is_number) {
    return point.at("numbers").at(path).get<double>();
  }
  const std::string value = label_of(point.at("fields").at(path));
  const auto found =
      std::find_if(ticks.begin(), ticks.end(), [&](const tick& t) { return t.text == value; });
  return found->at;
}

across across_of(const json& sweep) {
  across a;
  const json& points = sweep.at("points");
  for (const json& field : sweep.at("fields")) {
    const std::string path = field.get<std::string>();
    const bool is_number = std::all_of(points.begin(), points.end(), [&](const json& p) {
      return p.at("numbers").value(path, json()).is_number();
    });
    if (varies(sweep, path) && (a.path.empty() || (is_number && !a.is_number))) {
      a.path = path;
      a.is_number = is_number;
    }
  }
  if (a.path.empty() && !sweep.at("fields").empty()) {
    a.path = sweep.at("fields").at(0).get<std::string>();
  }
  for (const json& p : points) {
    const std::string value = a.path.empty() ? "" : label_of(p.at("fields").at(a.path));
    const bool is_new = std::none_of(
        a.ticks.begin(), a.ticks.end(), [&](const tick& t) { return t.text == value; });
    if (is_new && !a.path.empty()) {
      const double place = static_cast<double>(a.ticks.size());
      a.ticks.push_back({a.is_number ? p.at("numbers").at(a.path).get<double>() : place, value});
    }
  }
  std::sort(
      a.ticks.begin(), a.ticks.end(), [](const tick& x, const tick& y) { return x.at < y.at; });
  return a;
}

std::vector<std::string> main_metrics(const json& sweep) {
  std::vector<std::string> drawn{
      "supply.hidden_share", "accepts.missed_rate", "rides.match_rate", "ttm.p95"};
  const json& points = sweep.at("points");
  const bool some = std::any_of(points.begin(), points.end(), [](const json& point) {
    const json all = point.at("figures").value(doubles, json::array());
    return !all.empty() && all.at(0).is_number() && all.at(0).get<double>() > 0;
  });
  if (some) {
    drawn.insert(drawn.begin(), doubles);
  }
  return drawn;
}

std::vector<std::string> drawn_metrics(const json& sweep) {
  return sweep.contains("chosen") ? sweep.at("chosen").get<std::vector<std::string>>()
                                  : main_metrics(sweep);
}

std::vector<std::string> varying_fields(const json& sweep, const across& a) {
  std::vector<std::string> all;
  for (const json& field : sweep.at("fields")) {
    const std::string path = field.get<std::string>();
    if (varies(sweep, path)) {
      all.insert(path == a.path ? all.begin() : all.end(), path);
    }
  }
  return all;
}

std::vector<std::string> free_fields(const json& sweep, const across& a) {
  const std::vector<std::string> varying = varying_fields(sweep, a);
  std::vector<std::vector<std::string>> points;
  for (const json& p : sweep.at("points")) {
    std::vector<std::string>& values = points.emplace_back();
    for (const std::string& field : varying) {
      values.push_back(text::json_as_text(p.at("fields").at(field)));
    }
  }
  std::vector<std::string> all;
  for (const std::size_t place : sweep::free_fields(points)) {
    all.push_back(varying[place]);
  }
  return all;
}

std::string line_of(const json& point, const std::vector<std::string>& fields, bool is_short) {
  std::string name;
  for (const std::string& path : fields) {
    const std::string field = is_short ? path.substr(path.rfind('.') + 1) : path;
    name += (name.empty() ? "" : ", ") + field + " " + label_of(point.at("fields").at(path));
  }
  return name;
}

svg_axes curve_of(const json& sweep,
                  const std::string& metric,
                  const across& a,
                  const std::vector<std::string>& beside,
                  bool for_page) {
  svg_axes p{.title = for_page ? "" : capital(metrics::title_of(metric)),
             .across = a.path,
             .ticks = a.ticks,
             .unit = metrics::unit_of(metric),
             .lines = {},
             .told = metrics::title_of(metric) + " against " + a.path};
  for (const json& point : sweep.at("points")) {
    const std::string name = line_of(point, beside, for_page);
    const bool is_known = std::any_of(
        p.lines.begin(), p.lines.end(), [&](const panel_line& l) { return l.name == name; });
    if (!is_known && p.lines.size() == panel_lines_max && !for_page) {
      continue;
    }
    panel_line& line = line_named(p, name, for_page || a.is_number);
    if (auto mark = mark_of(point, metric, a)) {
      if (for_page) {
        const auto nth = static_cast<std::size_t>(&line - p.lines.data());
        tell(*mark, point, form_of(nth), point.at("texts").at(metric).get<std::string>());
        mark->data.emplace_back("data-value",
                                text::json_as_text(point.at("figures").at(metric).at(0)));
      }
      line.marks.push_back(*mark);
    }
  }
  for (panel_line& line : p.lines) {
    std::sort(line.marks.begin(), line.marks.end(), by_x);
  }
  return p;
}

void add_charts(json& sweep) {
  const across a = across_of(sweep);
  const std::vector<std::string> free = free_fields(sweep, a);
  for (json& point : sweep.at("points")) {
    const std::string name = line_of(point, free, true);
    point["name"] = name.empty() ? "point " + text::json_as_text(point.at("n")) : name;
  }
  sweep["across"] = a.path;
  sweep["varying"] = varying_fields(sweep, a);
  sweep["free"] = free;
  sweep["curves"] = json::object();
  const std::vector<std::string> beside(free.empty() ? free.end() : free.begin() + 1, free.end());
  for (const std::string& metric : drawn_metrics(sweep)) {
    sweep["curves"][metric] =
        a.path.empty() ? json::array()
                       : json(drawn_for_page(curve_of(sweep, metric, a, beside, true), 560, 320));
  }
  add_trade_offs(sweep, a, beside);
  sweep["curve_key"] = key_to_lines(sweep, beside);
  sweep["trade_key"] = sweep["curve_key"];
  sweep["trade_key"].push_back({{"words", "95 % intervals"}, {"svg", key_to_intervals()}});
  const auto& points = sweep.at("points");
  if (std::any_of(points.begin(), points.end(), is_missed)) {
    sweep["trade_key"].push_back({{"words", "misses a threshold, or a promise was broken"},
                                  {"svg", key_to_mark(crossed_mark())}});
  }
}

}  // namespace dibs::pages
