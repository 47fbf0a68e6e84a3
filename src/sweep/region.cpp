#include "sweep/region.hpp"

#include "results/run_record.hpp"
#include "scenario/field_paths.hpp"
#include "sweep/constraint_margin.hpp"
#include "sweep/watched_metrics.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dibs::sweep {
namespace {

/// Of either end of a two-sided 95 % interval.
constexpr double interval_tail = 0.025;

/// How one requirement stands in a cell.
struct judged {
  std::optional<stats::estimate> room;
  bool met = false;
  bool sure = true;  ///< also where there is no interval
  bool only_refutable = false;
};

judged judged_by(const requirement& r, std::span<const sample> runs) {
  judged j;
  const auto room = r.room.of(runs);
  if (room) {
    j.room = stats::estimate{*room};
    j.met = r.room.is_met(*room);
  }
  if (const auto found = constraint_margin_of(r.room, runs, interval_tail)) {
    j.room = stats::within(*room, std::max(*room - found->least, found->most - *room), runs.size());
    j.only_refutable = found->only_refutable;
    j.sure = j.only_refutable || r.room.is_met(found->least) == r.room.is_met(found->most);
  }
  return j;
}

region_cell judge(const search_space& where,
                  std::uint32_t point,
                  const std::vector<requirement>& required,
                  const experiment& runs,
                  double quantile) {
  region_cell c;
  const auto scenario = scenario_of(where.plan(), where.plan().points[point - 1].what).value;
  c.bound = bound_of(scenario, quantile);
  c.long_enough = scenario.lease.ttl >= c.bound.ttl();
  c.found = cell_status::holds;
  std::vector<judged> all;
  for (const requirement& r : required) {
    all.push_back(judged_by(r, runs.of(point, seed_block::first)));
    c.room.push_back(all.back().room);
    c.only_refutable.push_back(all.back().only_refutable);
  }
  const auto misses = [](const judged& j) { return !j.met; };
  const auto surely_misses = [](const judged& j) { return !j.met && j.sure; };
  const auto surely_holds = [](const judged& j) { return j.met && j.sure; };
  if (std::ranges::any_of(all, misses)) {
    c.found = cell_status::misses;
    c.sure = std::ranges::any_of(all, surely_misses);
  } else {
    c.sure = std::ranges::all_of(all, surely_holds);
  }
  if (runs.stuck(point) != nullptr) {
    c.found = cell_status::stuck;
    c.sure = true;
  }
  if (const broken_promise* b = runs.broken(point); b != nullptr) {
    c.broken = *b;
    c.found = cell_status::breaks;
    c.sure = true;
  }
  return c;
}

/// What has to be equal must be neither more nor less: of either there is a room.
void add_condition(const std::string& text, std::vector<std::string>& to) {
  const std::size_t equal = text.find("==");
  if (equal == std::string::npos) {
    to.push_back(text);
    return;
  }
  for (const char* sign : {"<=", ">="}) {
    to.push_back(text.substr(0, equal) + sign + text.substr(equal + 2));
  }
}

}  // namespace

std::string_view name_of(cell_status f) {
  switch (f) {
    case cell_status::holds:
      return "holds";
    case cell_status::misses:
      return "misses";
    case cell_status::breaks:
      return "breaks";
    case cell_status::stuck:
      return "stuck";
    case cell_status::invalid:
      return "invalid";
  }
  return "";
}

std::string_view verdict_of(const region_cell& c) { return c.sure ? name_of(c.found) : "unsure"; }

result<std::vector<requirement>> requirements_of(const std::vector<scenario::bound>& thresholds,
                                                 const std::vector<std::string>& conditions,
                                                 metric_index& index) {
  std::vector<std::string> texts;
  for (const scenario::bound& b : thresholds) {
    add_condition(b.is == scenario::comparison::equal
                      ? b.metric + " == " + b.text.substr(b.text.find_first_not_of("= "))
                      : b.metric + " " + b.text,
                  texts);
  }
  for (const std::string& text : conditions) {
    add_condition(text, texts);
  }
  if (texts.empty()) {
    for (const forbidden_metric& each : forbidden_metrics) {
      texts.push_back(fmt::format("{} <= 0", each.metric));
    }
  }
  std::vector<requirement> all;
  for (const std::string& text : texts) {
    auto room = metric_formula::margin(text, index);
    if (!room) {
      return tl::unexpected<error>(room.error());
    }
    all.push_back({text, std::move(*room)});
  }
  return all;
}

result<std::string> axis_with_default(const std::string& typed,
                                      const scenario::field_values& fields,
                                      std::size_t values) {
  const std::size_t equals = typed.find('=');
  if (equals != std::string::npos) {
    const bool counted =
        typed.find("..") == std::string::npos ||
        std::count(typed.begin() + static_cast<std::ptrdiff_t>(equals), typed.end(), ':') != 0;
    return counted ? typed : fmt::format("{}:lin:{}", typed, values);
  }
  const auto value = fields.find(typed);
  if (!value) {
    const std::string near = fields.nearest(typed);
    return failure(exit_code::usage,
                   fmt::format("`{}` is no field of the scenario{}",
                               text::display_text(typed),
                               near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  const auto around = read_value_range(*value, *value, false);
  if (!around) {
    return failure(exit_code::usage,
                   fmt::format("{0} is {1}, so there is no range around it; list values, as in "
                               "{0}={1},...",
                               typed,
                               text::display_text(*value)));
  }
  if (!(around->from > 0)) {
    return failure(exit_code::usage,
                   fmt::format("{} is {}, so there is no range around it; name one, as in "
                               "{}=0s..10s",
                               typed,
                               text::display_text(*value),
                               typed));
  }
  constexpr double least = 0.25;
  constexpr double most = 4;
  return fmt::format("{0}={1}{3}..{2}{3}:log:{4}",
                     typed,
                     text::print_real(around->from * least),
                     text::print_real(around->from * most),
                     around->unit,
                     values);
}

result<region> map_region(search_space& where,
                          std::vector<requirement> required,
                          experiment& runs,
                          std::uint32_t seeds,
                          double quantile,
                          std::vector<metric_formula> shown) {
  const auto& p = where.parameters();
  region r;
  r.name = where.plan().base.name;
  r.x = p[0].path;
  r.y = p[1].path;
  r.xs = p[0].values;
  r.ys = p[1].values;
  r.seeds = seeds;
  r.quantile = quantile;
  std::vector<std::uint32_t> points;
  for (std::uint32_t each = 1; each <= where.grid_size(); ++each) {
    points.push_back(each);
  }
  const auto ran = runs.extend(points, seed_block::first, seeds, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  for (const std::string& y : r.ys) {
    for (const std::string& x : r.xs) {
      const auto point = where.point_of({x, y});
      region_cell& c = r.cells.emplace_back();
      if (!point) {
        continue;
      }
      c = judge(where, *point, required, runs, quantile);
      for (const metric_formula& each : shown) {
        c.shown.push_back(each.of(runs.of(*point, seed_block::first)));
      }
    }
  }
  r.shown = std::move(shown);
  r.required = std::move(required);
  r.implied = where.implied();
  r.runs = runs.runs();
  r.idle = fields_without_effect(where, runs);
  return r;
}

}  // namespace dibs::sweep
