#include "report/sweep_tables.hpp"

#include "metrics/catalogue.hpp"
#include "report/json_cells.hpp"
#include "results/assessment.hpp"
#include "results/paired_difference.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t rows_max = 60;  // of the table for people

/// The figures that people see of each point; all of them are in `summary.csv`.
struct headline {
  std::string_view metric;
  std::string_view title;
};
constexpr std::array summary_metrics{headline{"double.commits", "on 2 trips"},
                                     headline{"supply.hidden_share", "hidden"},
                                     headline{"accepts.missed_rate", "missed"},
                                     headline{"rides.match_rate", "matched"},
                                     headline{"ttm.p95", "ttm p95"}};

/// `point`, the fields, and what follows.
std::vector<text::column> columns_after(const std::vector<sweep::kept_point>& points,
                                        const std::vector<text::column>& rest) {
  std::vector<text::column> all{{.title = "point"}};
  if (!points.empty()) {
    for (const scenario::override_value& f : points.front().what.fields) {
      all.push_back({.title = f.path});
    }
  }
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

text::row cells_of(const sweep::kept_point& p) {
  text::row cells{text::cell(std::uint64_t{p.number})};
  for (const scenario::override_value& f : p.what.fields) {
    cells.emplace_back(f.value);
  }
  return cells;
}

const results::metric_sample* find(const results::run_record& r, const std::string& metric) {
  const auto it = std::find_if(r.measures.begin(),
                               r.measures.end(),
                               [&](const results::metric_sample& m) { return m.metric == metric; });
  return it == r.measures.end() ? nullptr : &*it;
}

std::vector<const results::metric_sample*> column_of(const std::vector<results::run_record>& runs,
                                                     const std::string& metric) {
  std::vector<const results::metric_sample*> all;
  for (const results::run_record& r : runs) {
    all.push_back(find(r, metric));
  }
  return all;
}

text::row row_of(const sweep::kept_point& p, const results::run_record& r) {
  text::row cells = cells_of(p);
  cells.insert(cells.end(),
               {text::cell(std::uint64_t{r.replication}),
                text::cell(r.seed),
                text::cell(r.history),
                text::cell(r.violations)});
  for (const std::string& name : results::metric_names()) {
    const results::metric_sample* m = find(r, name);
    cells.push_back(m != nullptr && m->value ? text::cell(*m->value) : text::cell());
  }
  return cells;
}

/// How much of the table is left away so that it fits: nothing, of the names of fields all that
/// does not tell them apart, or the intervals as well.
enum class brevity : std::uint8_t { full, short_names, bare };

/// The last words of a path, as few as no other path ends with: `offer_window` of
/// `lease.offer_window`, but `drivers.count` beside `matchers.count`.
std::string short_name(const std::string& path, const sweep::kept_point& p) {
  std::size_t dot = path.rfind('.');
  while (dot != std::string::npos) {
    const std::string_view end = std::string_view(path).substr(dot);
    const auto alike = [&](const scenario::override_value& f) {
      return f.path != path && ("." + f.path).ends_with(end);
    };
    if (std::none_of(p.what.fields.begin(), p.what.fields.end(), alike)) {
      return path.substr(dot + 1);
    }
    dot = dot == 0 ? std::string::npos : path.rfind('.', dot - 1);
  }
  return path;
}

std::string title_of(const std::string& path, const sweep::kept_point& p, brevity b) {
  return text::display_text(b == brevity::full ? path : short_name(path, p), 40);
}

/// A point with the figures that people see of it.
struct shown_point {
  sweep::kept_point what;
  std::array<std::optional<stats::estimate>, summary_metrics.size()> figures;
};

text::table summary_of(const std::vector<shown_point>& points, brevity b) {
  text::table t{{text::figures("point")}, {}};
  const sweep::kept_point& first = points.front().what;
  for (const scenario::override_value& f : first.what.fields) {
    t.columns.push_back(text::figures(title_of(f.path, first, b)));
  }
  for (const headline& h : summary_metrics) {
    t.columns.push_back(text::figures(h.title));
  }
  for (const shown_point& p : points) {
    text::row& cells = t.rows.emplace_back();
    cells.emplace_back(std::uint64_t{p.what.number});
    for (const scenario::override_value& f : p.what.what.fields) {
      cells.emplace_back(text::display_text(f.value, 30));
    }
    for (std::size_t i = 0; i < summary_metrics.size(); ++i) {
      auto e = p.figures[i];
      if (e && b == brevity::bare) {
        e->margin.reset();
      }
      cells.emplace_back(e, metrics::unit_of(summary_metrics[i].metric));
    }
  }
  return t;
}

/// Intervals where they fit into the terminal, and a word on it where they do not; what is too wide
/// even without them comes in parts. A file or a pipe has no edge: there only names are shortened.
std::string table_of(const std::vector<shown_point>& points, const text::terminal_style& l) {
  for (const brevity b : {brevity::full, brevity::short_names}) {
    const text::table whole = summary_of(points, b);
    if (text::width_of(whole, l, {}) <= l.width || (b == brevity::short_names && !l.redraws)) {
      return text::as_text(whole, l, {.width = INT_MAX});
    }
  }
  return text::as_text(summary_of(points, brevity::bare), l, {.width = l.width}) +
         "Too wide for intervals; summary.csv has them.\n";
}

void judge(const std::vector<results::run_record>& runs,
           const std::vector<scenario::bound>& thresholds,
           sweep_outcome& out) {
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const auto e =
        results::estimate_of(thresholds[i].metric, column_of(runs, thresholds[i].metric));
    if (e && results::meets(e->value - e->unsure.below, thresholds[i]) &&
        results::meets(e->value + e->unsure.above, thresholds[i])) {
      continue;
    }
    const bool is_unsure =
        e && e->margin &&
        (results::meets(e->low(), thresholds[i]) || results::meets(e->high(), thresholds[i]));
    ++out.missed[i].points;
    out.missed[i].unsure += is_unsure ? 1U : 0U;
  }
}

/// One hash over all that its runs came to.
sweep::tried_point tried_at(const sweep::kept_point& p,
                            const std::vector<results::run_record>& runs) {
  std::string all;
  for (const results::run_record& r : runs) {
    all += fmt::format("{} {}\n", r.history, r.violations);
  }
  return {p.what.fields, {results::hash_of(all)}};
}

void note_breach(const std::vector<results::run_record>& runs, sweep_outcome& out) {
  for (const results::run_record& r : runs) {
    if (r.violations == 0) {
      continue;
    }
    if (++out.broken == 1) {
      out.broken_point = r.point;
      out.broken_seed = r.seed;
      out.violation = r.violation;
    }
  }
}

}  // namespace

result<void> write_points(const sweep::journal& j, results::pending_file& to) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  std::vector<text::column> rest{
      {.title = "replication"}, {.title = "seed"}, {.title = "history"}, {.title = "violations"}};
  for (const std::string& name : results::metric_names()) {
    rest.push_back({.title = name});
  }
  const std::vector<text::column> columns = columns_after(*points, rest);
  to.append(text::csv_titles(columns));
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    for (const results::run_record& r : *runs) {
      to.append(text::csv_row(columns, row_of(p, r)));
    }
  }
  return {};
}

result<sweep_outcome> write_summary(const sweep::journal& j,
                                    const std::vector<scenario::bound>& thresholds,
                                    results::pending_file& to,
                                    const text::terminal_style& l) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  sweep_outcome out;
  for (const scenario::bound& b : thresholds) {
    out.missed.push_back({.text = b.metric + " " + b.text});
  }
  std::vector<shown_point> shown;
  const std::vector<text::column> columns =
      columns_after(*points, figure_columns({}, "mean", {"replications"}));
  to.append(text::csv_titles(columns));
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    for (const std::string& name : results::metric_names()) {
      if (const auto e = results::estimate_of(name, column_of(*runs, name))) {
        text::row cells = cells_of(p);
        cells.insert(cells.end(),
                     {text::cell(name),
                      text::cell(std::string(text::name_of(metrics::unit_of(name)))),
                      text::cell(e),
                      text::cell(std::uint64_t{e->samples})});
        to.append(text::csv_row(columns, cells));
      }
    }
    if (shown.size() < rows_max) {
      shown.push_back({p, {}});
      for (std::size_t i = 0; i < summary_metrics.size(); ++i) {
        const std::string name(summary_metrics[i].metric);
        shown.back().figures[i] = results::estimate_of(name, column_of(*runs, name));
      }
    }
    out.runs += runs->size();
    note_breach(*runs, out);
    out.tried.push_back(tried_at(p, *runs));
    judge(*runs, thresholds, out);
  }
  if (!shown.empty()) {
    out.table = table_of(shown, l);
  }
  if (points->size() > rows_max) {
    out.table +=
        fmt::format("and {} more points\n", text::with_thousands(points->size() - rows_max));
  }
  return out;
}

result<std::string> json_of(const sweep::journal& j, std::span<const sweep::without_effect> idle) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  json list = json::array();
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    json one{{"point", p.number}, {"fields", json::object()}, {"runs", runs->size()}};
    for (const scenario::override_value& f : p.what.fields) {
      one["fields"][f.path] = f.value;
    }
    for (const std::string& name : results::metric_names()) {
      if (const auto e = results::estimate_of(name, column_of(*runs, name))) {
        one["metrics"][name] = {{"value", e->value},
                                {"half_width_95", e->margin ? json(e->half_width()) : json()},
                                {"low_95", e->margin ? json(e->low()) : json()},
                                {"high_95", e->margin ? json(e->high()) : json()},
                                {"replications", e->samples}};
      }
    }
    list.push_back(std::move(one));
  }
  json without = json::array();
  for (const sweep::without_effect& each : idle) {
    without.push_back({{"fields", each.fields}, {"why", each.why}});
  }
  return text::json_as_text({{"points", list}, {"without_effect", without}}, 2) + "\n";
}

}  // namespace dibs::report
