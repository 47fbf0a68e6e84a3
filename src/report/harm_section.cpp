#include "report/harm_section.hpp"

#include "metrics/titles.hpp"
#include "report/assignment_levels.hpp"
#include "stats/confidence_interval.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dibs::report {
namespace {

constexpr int bar_width = 10;
constexpr std::size_t causes_max = 6;

struct section_cells {
  std::string label;
  std::string seen;
  std::string rate;
  text::text_colour colour = text::text_colour::plain;
};

std::string per_thousand(const results::metric_estimate& rate, const text::terminal_style& l) {
  results::metric_estimate scaled = rate;
  scaled.value *= 1000;
  if (auto& margin = scaled.margin) {
    margin = {1000 * margin->below, 1000 * margin->above, margin->lopsided};
  }
  return shown(scaled, l);
}

std::string bound_text(double n) {
  const double bound = stats::zero_event_bound(n);
  return bound <= 1 ? fmt::format("< {} *", text::significant(bound * 1000)) : "-";
}

section_cells cells_of(const assignment_level& level,
                       const results::metric_estimates& f,
                       const text::terminal_style& l,
                       bool& bounds) {
  section_cells c{std::string(level.label), "0", "", text::text_colour::dim};
  const std::vector<std::string> cases{std::string(level.seen)};
  const std::vector<std::string> all{std::string(level.among)};
  const double seen = f.total(cases);
  const double among = level.among.empty() ? 0 : f.total(all);
  if (seen > 0) {
    results::metric_estimate mean =
        f.find(level.seen)
            .value_or(results::metric_estimate{{seen / static_cast<double>(f.replications())},
                                               text::unit::count});
    c.seen = shown(mean, l);
    c.colour = text::text_colour::bad;
    if (const auto rate = f.ratio(cases, all); rate && among > 0) {
      c.rate = per_thousand(*rate, l);
    }
  } else if (among > 0) {
    c.rate = bound_text(among);
    bounds = bounds || c.rate.ends_with('*');
  }
  return c;
}

std::vector<std::string> double_assignment(const results::metric_estimates& f,
                                           const text::terminal_style& l,
                                           bool many) {
  std::vector<section_cells> rows{
      {"Double assignment", many ? "a run" : "seen", "per 1,000", text::text_colour::bold}};
  bool bounds = false;
  for (const assignment_level& each : assignment_levels) {
    if (each.if_seen && f.total({std::string(each.seen)}) == 0) {
      continue;
    }
    rows.push_back(cells_of(each, f, l, bounds));
  }
  int seen_width = 0;
  int rate_width = 0;
  for (const section_cells& c : rows) {
    seen_width = std::max(seen_width, text::columns(c.seen));
    rate_width = std::max(rate_width, text::columns(c.rate));
  }
  constexpr int label_width = 22;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const section_cells& c = rows[i];
    const std::string numbers =
        text::right(c.seen, seen_width) + "  " + text::right(c.rate, rate_width);
    const std::string label = text::left((i == 0 ? "" : "  ") + c.label, label_width);
    lines.push_back(i == 0 ? text::coloured(l, text::text_colour::bold, label) + " " +
                                 text::coloured(l, text::text_colour::dim, numbers)
                           : label + " " + text::coloured(l, c.colour, numbers));
  }
  if (bounds) {
    lines.push_back(
        text::coloured(l, text::text_colour::dim, "  * none seen: at most this, at 99.9 %"));
  }
  return lines;
}

struct cause {
  std::string name;
  results::metric_estimate share;
};

/// What the title says of the cause, as in "hidden, declined" or "hidden past the lease's end".
std::string cause_label(const std::string& name) {
  const std::string title = metrics::title_of(name);
  const std::size_t hidden = std::string_view("hidden").size();
  return title.substr(std::min(title.find_first_not_of(", ", hidden), title.size()));
}

/// Causes of hidden supply by their share of it, the largest first; small ones together.
std::vector<cause> causes_of(const results::metric_estimates& f) {
  std::vector<std::string> names;
  for (const auto& [name, figure] : f.all()) {
    if (name.starts_with(results::cause_prefix)) {
      names.push_back(name);
    }
  }
  std::stable_sort(names.begin(), names.end(), [&](const std::string& x, const std::string& y) {
    return f.total({x}) > f.total({y});
  });
  std::erase_if(names, [&](const std::string& name) { return f.total({name}) == 0; });
  std::vector<cause> all;
  const auto add = [&](std::string label, const std::vector<std::string>& parts) {
    if (auto share = f.ratio(parts, names)) {
      share->unit = text::unit::share;
      all.push_back({std::move(label), *share});
    }
  };
  const std::size_t shown_alone = names.size() <= causes_max ? names.size() : causes_max - 1;
  for (std::size_t i = 0; i < shown_alone; ++i) {
    add(cause_label(names[i]), {names[i]});
  }
  if (shown_alone < names.size()) {
    add("other causes", {names.begin() + static_cast<std::ptrdiff_t>(shown_alone), names.end()});
  }
  return all;
}

std::vector<std::string> supply_hiding(const results::metric_estimates& f,
                                       const text::terminal_style& l) {
  std::vector<std::string> lines{text::coloured(l, text::text_colour::bold, "Supply hiding")};
  const auto hidden = f.find("supply.hidden_share");
  const auto blocked = f.find("supply.starved_share");
  const auto causes = causes_of(f);
  int label_width = text::columns("  riders blocked");
  int width = 1;
  for (const auto& each : {hidden, blocked}) {
    width = std::max(width, each ? text::columns(shown(*each, l)) : 0);
  }
  for (const cause& c : causes) {
    width = std::max(width, text::columns(shown(c.share, l)));
    label_width = std::max(label_width, 4 + text::columns(c.name));
  }
  const auto add = [&](const std::string& label,
                       const std::optional<results::metric_estimate>& value,
                       const std::string& rest) {
    const std::string number = text::right(value ? shown(*value, l) : "-", width);
    lines.push_back(text::left("  " + label, label_width) + "  " + number +
                    (rest.empty() ? "" : "  ") + rest);
  };
  std::string drivers;
  if (const auto average = f.ratio({"supply.hidden_s"}, {"measured_s"}); hidden && average) {
    drivers = fmt::format("= {} drivers", shown(*average, l));
  }
  add("hidden share", hidden, drivers);
  for (const cause& c : causes) {
    add("  " + c.name,
        c.share,
        text::coloured(l, text::text_colour::warn, text::bar(l, c.share.value, bar_width)));
  }
  add("riders blocked", blocked, "of their waiting");
  return lines;
}

}  // namespace

std::string shown(const results::metric_estimate& f, const text::terminal_style& l) {
  return text::format_value(f, f.unit, text::plus_minus(l));
}

std::vector<std::string> harms(const results::metric_estimates& f, const text::terminal_style& l) {
  std::vector<std::string> weak = double_assignment(f, l, f.replications() > 1);
  std::vector<std::string> strong = supply_hiding(f, l);
  int weak_width = 0;
  int strong_width = 0;
  for (const std::string& line : weak) {
    weak_width = std::max(weak_width, text::columns(line));
  }
  for (const std::string& line : strong) {
    strong_width = std::max(strong_width, text::columns(line));
  }
  constexpr int gap = 3;
  if (weak_width + gap + strong_width > l.width) {
    weak.emplace_back();
    weak.insert(weak.end(), strong.begin(), strong.end());
    return weak;
  }
  const std::size_t rows = std::max(weak.size(), strong.size());
  weak.resize(rows);
  strong.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!strong[i].empty()) {
      weak[i] = text::left(weak[i], weak_width + gap) + strong[i];
    }
  }
  return weak;
}

}  // namespace dibs::report
