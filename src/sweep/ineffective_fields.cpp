#include "sweep/ineffective_fields.hpp"

#include "scenario/field_needs.hpp"
#include "scenario/warnings.hpp"
#include "sweep/experiment.hpp"
#include "sweep/plan.hpp"
#include "sweep/search_space.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace dibs::sweep {
namespace {

using places = std::vector<std::size_t>;  ///< of fields in a point

bool is_same(const tried_point& a, const tried_point& b) {
  const std::size_t n = std::min(a.histories.size(), b.histories.size());
  const auto of = [n](const tried_point& p) {
    return std::span<const std::string>(p.histories).first(n);
  };
  const auto is_unknown = [](const std::string& history) { return history.empty(); };
  return n > 0 && std::equal(of(a).begin(), of(a).end(), of(b).begin()) &&
         std::ranges::none_of(of(a), is_unknown);
}

enum class effect : std::uint8_t { some, none, unknown };

/// Of varying these fields and no others: `unknown` where no two points differ so.
effect effect_of(std::span<const tried_point> points, const places& varied) {
  std::map<std::vector<std::string>, const tried_point*> first;
  bool is_tried = false;
  for (const tried_point& p : points) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < p.fields.size(); ++i) {
      if (std::ranges::find(varied, i) == varied.end()) {
        others.push_back(p.fields[i].value);
      }
    }
    const auto [known, is_new] = first.emplace(std::move(others), &p);
    if (!is_new && !is_same(*known->second, p)) {
      return effect::some;
    }
    is_tried = is_tried || !is_new;
  }
  return is_tried ? effect::none : effect::unknown;
}

bool varies(std::span<const tried_point> points, std::size_t field) {
  return std::ranges::any_of(points, [&](const tried_point& p) {
    return p.fields[field].value != points.front().fields[field].value;
  });
}

/// Why it has no effect at any of some points, across all of them; empty where that differs.
std::string reason(std::size_t points, const std::string& path, const scenario_at& at) {
  constexpr std::size_t looked_at_max = 40;
  const std::size_t stride = points / looked_at_max + 1;
  std::set<std::string> reasons;
  for (std::size_t i = 0; i < points && reasons.size() < 2; i += stride) {
    const auto s = at(i);
    reasons.insert(s ? scenario::why_idle(*s, path).value_or("") : "");
  }
  return reasons.size() == 1 ? *reasons.begin() : "";
}

/// Those that struck in no run of any point that was run.
std::vector<without_effect> faults_without_effect(std::span<const tried_point> points,
                                                  const scenario_at& at) {
  std::vector<const tried_point*> run;
  for (const tried_point& p : points) {
    if (!p.histories.empty()) {
      run.push_back(&p);
    }
  }
  const auto s = run.empty() ? std::nullopt : at(static_cast<std::size_t>(run[0] - points.data()));
  std::vector<without_effect> all;
  for (const sim::fault& f : s ? s->faults : std::vector<sim::fault>()) {
    const bool is_idle = std::ranges::all_of(run, [&](const tried_point* p) {
      return std::ranges::find(p->idle_faults, f.id) != p->idle_faults.end();
    });
    if (is_idle) {
      all.push_back(idle_fault(f.id));
    }
  }
  return all;
}

}  // namespace

std::string without_effect::text() const {
  return fmt::format("{} changed nothing: {}",
                     fmt::join(fields, ", "),
                     !why.empty()        ? why
                     : fields.size() > 1 ? "whatever they are together, every run is the same"
                                         : "whatever it is, every run is the same");
}

without_effect idle_fault(const std::string& id) {
  return {{"faults." + text::display_text(id)}, "it struck in no run"};
}

std::vector<std::string> sentences_of(std::span<const without_effect> all) {
  std::vector<std::string> sentences;
  for (const without_effect& each : all) {
    sentences.push_back(each.text());
  }
  return sentences;
}

std::vector<without_effect> fields_without_effect(std::span<const tried_point> points,
                                                  const scenario_at& at) {
  std::vector<without_effect> all;
  without_effect together;
  places never_alone;
  for (std::size_t i = 0; !points.empty() && i < points.front().fields.size(); ++i) {
    const std::string& path = points.front().fields[i].path;
    if (!scenario::is_of_runs(path) || !varies(points, i)) {
      continue;
    }
    switch (effect_of(points, {i})) {
      case effect::none:
        all.push_back({{path}, reason(points.size(), path, at)});
        break;
      case effect::unknown:
        never_alone.push_back(i);
        together.fields.push_back(path);
        break;
      case effect::some:
        break;
    }
  }
  if (!never_alone.empty() && effect_of(points, never_alone) == effect::none) {
    all.push_back(std::move(together));
  }
  const auto faults = faults_without_effect(points, at);
  all.insert(all.end(), faults.begin(), faults.end());
  return all;
}

scenario_at scenarios_of(const plan& p) {
  return [&p](std::size_t i) -> std::optional<scenario::scenario> {
    scenario::reading reading = scenario_of(p, p.points[i].what);
    return reading.ok() ? std::optional(std::move(reading.value)) : std::nullopt;
  };
}

std::vector<std::string> remarks_on(const plan& p) {
  const scenario_at at = scenarios_of(p);
  const auto first = at(0);
  const auto last = at(p.points.size() - 1);
  if (!first || !last) {
    return {};
  }
  std::vector<std::string> remarks = scenario::remarks_on(*first);
  const std::vector<std::string> others = scenario::remarks_on(*last);
  std::erase_if(remarks, [&](const std::string& each) {
    return std::ranges::find(others, each) == others.end();
  });
  return remarks;
}

std::vector<without_effect> fields_without_effect(const search_space& where,
                                                  const experiment& runs) {
  std::vector<tried_point> tried;
  for (std::uint32_t point = 1; point <= where.grid_size(); ++point) {
    const parameter_values values = where.choice_of(point);
    const auto histories = runs.histories_of(point, seed_block::first);
    tried_point p{{}, {histories.begin(), histories.end()}, runs.idle_faults(point)};
    for (std::size_t i = 0; i < values.size(); ++i) {
      p.fields.push_back({where.parameters()[i].path, values[i]});
    }
    tried.push_back(std::move(p));
  }
  return fields_without_effect(tried, scenarios_of(where.plan()));
}

}  // namespace dibs::sweep
