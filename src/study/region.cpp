#include "study/region.hpp"

#include "report/number.hpp"
#include "scenario/complaints.hpp"
#include "scenario/lookup.hpp"
#include "scenario/quantity.hpp"
#include "study/counted.hpp"
#include "study/goal.hpp"
#include "study/record.hpp"
#include "study/tables.hpp"
#include "study/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dibs::study {
namespace {

/// Of either end of a two-sided 95 % interval.
constexpr double tail = 0.025;

/// How one requirement stands in a cell.
struct judged {
  std::optional<double> room;
  std::optional<double> half;
  bool met = false;
  bool sure = true;  ///< also where there is no interval
  bool only_refutable = false;
};

judged judged_by(const requirement& r, std::span<const sample> runs) {
  judged j;
  j.room = r.room.of(runs);
  j.met = j.room && r.room.is_met(*j.room);
  if (const auto found = standing_of(r.room, runs, tail)) {
    j.half = std::max(*j.room - found->least, found->most - *j.room);
    j.only_refutable = found->only_refutable;
    j.sure = j.only_refutable || r.room.is_met(found->least) == r.room.is_met(found->most);
  }
  return j;
}

cell_of_region judge(const space& where,
                     std::uint32_t point,
                     const std::vector<requirement>& required,
                     const lab& runs,
                     double quantile) {
  cell_of_region c;
  const auto scenario = scenario_of(where.plan(), where.plan().points[point - 1].what).value;
  c.bound = bound_of(scenario, quantile);
  c.long_enough = scenario.lease.ttl >= c.bound.ttl();
  c.found = finding_of_cell::holds;
  std::vector<judged> all;
  for (const requirement& r : required) {
    all.push_back(judged_by(r, runs.of(point, block::first)));
    c.room.push_back(all.back().room);
    c.half.push_back(all.back().half);
    c.only_refutable.push_back(all.back().only_refutable);
  }
  const auto misses = [](const judged& j) { return !j.met; };
  const auto surely_misses = [](const judged& j) { return !j.met && j.sure; };
  const auto surely_holds = [](const judged& j) { return j.met && j.sure; };
  if (std::any_of(all.begin(), all.end(), misses)) {
    c.found = finding_of_cell::misses;
    c.sure = std::any_of(all.begin(), all.end(), surely_misses);
  } else {
    c.sure = std::all_of(all.begin(), all.end(), surely_holds);
  }
  if (const broken_promise* b = runs.broken(point); b != nullptr) {
    c.broken = *b;
    c.found = finding_of_cell::breaks;
    c.sure = true;
  }
  return c;
}

/// The map's signs: large where the runs and the bound agree.
std::string_view sign_of(const cell_of_region& c) {
  if (!c.sure) {
    return "?";
  }
  switch (c.found) {
    case finding_of_cell::holds:
      return c.long_enough ? "#" : "+";
    case finding_of_cell::misses:
      return c.long_enough ? "!" : ".";
    case finding_of_cell::breaks:
      return "X";
    case finding_of_cell::invalid:
      return "-";
  }
  return "-";
}

report::ink ink_of(const cell_of_region& c) {
  if (!c.sure) {
    return report::ink::plain;
  }
  switch (c.found) {
    case finding_of_cell::holds:
      return report::ink::good;
    case finding_of_cell::misses:
      return c.long_enough ? report::ink::warn : report::ink::dim;
    case finding_of_cell::breaks:
      return report::ink::bad;
    case finding_of_cell::invalid:
      return report::ink::plain;
  }
  return report::ink::plain;
}

class writer {
 public:
  writer(const region& r, const report::look& l) : r_(r), l_(l) {}

  std::string all() {
    say(fmt::format("{}   {} across, {} down; {} a cell",
                    painted(l_, report::ink::bold, scenario::shown(r_.name, 80)),
                    r_.x,
                    r_.y,
                    counted(r_.seeds, "seed")));
    for (const derivation& d : r_.implied) {
      say(fmt::format("{} follows: {}", d.path, d.expression));
    }
    line();
    map();
    line();
    legend();
    line();
    differences();
    for (const without_effect& each : r_.idle) {
      say(each.text());
    }
    return text_;
  }

 private:
  void line(const std::string& text = "") { text_ += text + "\n"; }

  void say(const std::string& text) {
    constexpr int text_width = 100;
    for (const std::string& each : report::wrapped(text, std::min(l_.width, text_width), "  ")) {
      line(each);
    }
  }

  /// Where titles would be too wide together, every second or third is shown.
  void map() {
    int left = 0;
    for (const std::string& y : r_.ys) {
      left = std::max(left, report::columns(y));
    }
    std::size_t widest = 1;
    for (const std::string& x : r_.xs) {
      widest = std::max(widest, x.size());
    }
    constexpr std::size_t room = 96;
    const std::size_t each = std::max<std::size_t>(
        2, std::min(widest + 2, (room - static_cast<std::size_t>(left)) / r_.xs.size()));
    const std::size_t step = (widest + 2 + each - 1) / each;
    std::string head = "  " + report::left("", left);
    for (std::size_t i = 0; i < r_.xs.size(); i += step) {
      head += report::right(r_.xs[i], static_cast<int>(each));
      const std::size_t skipped = std::min(step, r_.xs.size() - i) - 1;
      head += std::string(skipped * each, ' ');
    }
    line(head.substr(0, head.find_last_not_of(' ') + 1));
    for (std::size_t iy = 0; iy < r_.ys.size(); ++iy) {
      std::string row = "  " + report::right(r_.ys[iy], left);
      for (std::size_t ix = 0; ix < r_.xs.size(); ++ix) {
        const cell_of_region& c = r_.at(ix, iy);
        row += std::string(each - 1, ' ') + painted(l_, ink_of(c), sign_of(c));
      }
      line(row);
    }
  }

  void legend() {
    const auto entry = [&](const char* sign, const char* what) {
      const std::size_t count = static_cast<std::size_t>(std::count_if(
          r_.cells.begin(), r_.cells.end(), [&](const auto& c) { return sign_of(c) == sign; }));
      if (count > 0) {
        line(fmt::format("  {}  {:>3}  {}", sign, count, what));
      }
    };
    entry("#", "all holds, as the bound says");
    entry("+", "all holds, though the TTL is below the bound");
    entry("!", "something is missed, though the TTL is long enough by the bound");
    entry(".", "something is missed, as the bound says");
    entry("?", "too near to what has to hold for so few seeds: 95 % intervals reach across it");
    entry("X", "a promise of the protocol is broken");
    entry("-", "no scenario: its fields contradict each other, or a condition excludes it");
    for (std::size_t i = 0; i < r_.required.size(); ++i) {
      say("  " + how_often(i));
    }
  }

  /// `double.commits <= 0 is missed in 3 of 77, with none seen elsewhere: at most 0.74 there (95
  /// %)`
  [[nodiscard]] std::string how_often(std::size_t i) const {
    const requirement& q = r_.required[i];
    std::size_t missed = 0;
    std::optional<double> unseen;
    for (const cell_of_region& c : r_.cells) {
      if (i >= c.room.size()) {
        continue;
      }
      missed += !c.room[i] || !q.room.is_met(*c.room[i]) ? 1U : 0U;
      if (c.only_refutable[i]) {
        unseen = std::max(unseen.value_or(0), *c.half[i]);
      }
    }
    const std::string text = fmt::format("{} is missed in {} of {}", q.text, missed, valid());
    return !unseen ? text
                   : fmt::format("{}, with none seen elsewhere: at most {}{} there (95 %)",
                                 text,
                                 report::shown(*unseen, q.room.unit()),
                                 q.room.unit() == metrics::unit::count ? " a run" : "");
  }

  void differences() {
    say(fmt::format(
        "The bound: TTL >= decision + 2 latency + skew + clean-up, with p{:.4g} of what "
        "is drawn ({} draws).",
        100 * r_.quantile,
        report::grouped(bound_draws)));
    for (const std::size_t iy : {std::size_t{0}, r_.ys.size() - 1}) {
      std::size_t ix = 0;
      while (ix < r_.xs.size() && r_.at(ix, iy).found == finding_of_cell::invalid) {
        ++ix;
      }
      if (ix == r_.xs.size()) {
        continue;
      }
      const lease_bound& b = r_.at(ix, iy).bound;
      line(fmt::format("  {}={}: {} + {} + {} + {} = {}",
                       r_.y,
                       r_.ys[iy],
                       report::duration(b.decision),
                       report::duration(b.latency),
                       report::duration(b.skew),
                       report::duration(b.cleanup),
                       b.decision == forever ? "never" : report::duration(b.ttl())));
    }
    std::size_t differ = 0;
    for (const cell_of_region& c : r_.cells) {
      differ += c.differs() ? 1U : 0U;
    }
    say(fmt::format("It says otherwise than the runs in {} of {} cells{}.",
                    differ,
                    valid(),
                    r_.seeds > 1 ? ", those of which the runs are sure" : ""));
  }

  [[nodiscard]] std::size_t valid() const {
    return static_cast<std::size_t>(std::count_if(r_.cells.begin(), r_.cells.end(), [](auto& c) {
      return c.found != finding_of_cell::invalid;
    }));
  }

  const region& r_;
  const report::look& l_;
  std::string text_;
};

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

std::string_view name_of(finding_of_cell f) {
  switch (f) {
    case finding_of_cell::holds:
      return "holds";
    case finding_of_cell::misses:
      return "misses";
    case finding_of_cell::breaks:
      return "breaks";
    case finding_of_cell::invalid:
      return "invalid";
  }
  return "";
}

std::string_view verdict_of(const cell_of_region& c) {
  return c.sure ? name_of(c.found) : "unsure";
}

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
    auto room = formula::room(text, index);
    if (!room) {
      return tl::unexpected<error>(room.error());
    }
    all.push_back({text, std::move(*room)});
  }
  return all;
}

result<std::string> completed_axis(const std::string& typed,
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
                               scenario::shown(typed),
                               near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  const auto around = read_stretch(*value, *value, false);
  if (!around) {
    return failure(exit_code::usage,
                   fmt::format("{0} is {1}, so there is no range around it; list values, as in "
                               "{0}={1},...",
                               typed,
                               scenario::shown(*value)));
  }
  if (!(around->from > 0)) {
    return failure(exit_code::usage,
                   fmt::format("{} is {}, so there is no range around it; name one, as in "
                               "{}=0s..10s",
                               typed,
                               scenario::shown(*value),
                               typed));
  }
  constexpr double least = 0.25;
  constexpr double most = 4;
  return fmt::format("{0}={1}{3}..{2}{3}:log:{4}",
                     typed,
                     scenario::print_real(around->from * least),
                     scenario::print_real(around->from * most),
                     around->unit,
                     values);
}

result<region> explore(space& where,
                       std::vector<requirement> required,
                       lab& runs,
                       std::uint32_t seeds,
                       double quantile) {
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
  const auto ran = runs.extend(points, block::first, seeds, 0);
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  for (const std::string& y : r.ys) {
    for (const std::string& x : r.xs) {
      const auto point = where.point_of({x, y});
      r.cells.push_back(point ? judge(where, *point, required, runs, quantile) : cell_of_region{});
    }
  }
  r.required = std::move(required);
  r.implied = where.implied();
  r.runs = runs.runs();
  r.idle = fields_without_effect(where, runs);
  return r;
}

std::string text_of(const region& r, const report::look& l) { return writer(r, l).all(); }

}  // namespace dibs::study
