#include "report/sweep_tables.hpp"

#include "formats/csv_table.hpp"
#include "formats/field_columns.hpp"
#include "metrics/catalogue.hpp"
#include "report/json_cells.hpp"
#include "report/sweep_verdict.hpp"
#include "results/assessment.hpp"
#include "results/paired_difference.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/markdown.hpp"
#include "text/number.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <utility>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t rows_max = 60;                                // of the table for people
constexpr headline cost_headline{"costs.per_ride", "cost a ride"};  // where there are prices
constexpr headline rides_headline{"double.rides", "2 drivers"};     // where there are such rides

bool has_doubled_rides(const sweep::measured_point& p) {
  const auto rides = p.find(rides_headline.metric);
  return rides && rides->value > 0;
}

std::vector<std::string> values_of(const sweep::kept_point& p) {
  std::vector<std::string> all;
  for (const scenario::override_value& f : p.what.fields) {
    all.push_back(f.value);
  }
  return all;
}

/// The columns of the fields that differ between points. Requires: all points have the same.
formats::field_columns fields_of(std::span<const sweep::kept_point> points) {
  std::vector<std::string> paths;
  std::vector<std::vector<std::string>> rows;
  for (const sweep::kept_point& p : points) {
    rows.push_back(values_of(p));
  }
  if (!points.empty()) {
    for (const scenario::override_value& f : points.front().what.fields) {
      paths.push_back(f.path);
    }
  }
  return {std::move(paths), rows};
}

text::row cells_of(const sweep::kept_point& p, const formats::field_columns& fields) {
  text::row cells = fields.cells_of(values_of(p));
  cells.insert(cells.begin(), text::cell(std::uint64_t{p.number}));
  return cells;
}

text::row row_of(const sweep::kept_point& p,
                 const formats::field_columns& fields,
                 const results::run_record& r) {
  text::row cells = cells_of(p, fields);
  cells.insert(cells.end(),
               {text::cell(std::uint64_t{r.replication}),
                text::cell(r.seed),
                text::cell(r.history),
                text::cell(r.violations),
                text::cell(results::is_stuck(r))});
  for (const std::string& name : results::metric_names()) {
    const results::metric_sample* m = r.find(name);
    cells.push_back(m != nullptr && m->value ? text::cell(*m->value) : text::cell());
  }
  return cells;
}

/// A figure of a point, and of how many runs it is.
text::row figure_row(const sweep::measured_point& p,
                     const formats::field_columns& fields,
                     const std::string& metric,
                     const stats::estimate& e) {
  text::row cells = cells_of(p.what, fields);
  add_figure(cells, metric, e);
  cells.emplace_back(std::uint64_t{e.samples});
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

text::table summary_of(const std::vector<sweep::measured_point>& points,
                       std::span<const headline> figures,
                       brevity b) {
  text::table t{{text::figures("point")}, {}};
  const sweep::kept_point& first = points.front().what;
  for (const scenario::override_value& f : first.what.fields) {
    t.columns.push_back(text::figures(title_of(f.path, first, b)));
  }
  for (const headline& h : figures) {
    t.columns.push_back(text::figures(std::string(h.title)));
  }
  for (const sweep::measured_point& p : points) {
    text::row& cells = t.rows.emplace_back();
    cells.emplace_back(std::uint64_t{p.what.number});
    for (const scenario::override_value& f : p.what.what.fields) {
      cells.emplace_back(text::display_text(f.value, 30));
    }
    for (const headline& h : figures) {
      auto e = p.find(h.metric);
      if (e && b == brevity::bare) {
        e->margin.reset();
      }
      cells.emplace_back(e, metrics::unit_of(h.metric));
    }
  }
  return t;
}

/// Intervals where they fit into the terminal, and a word on it where they do not; what is too wide
/// even without them comes in parts. A file or a pipe has no edge: there only names are shortened.
std::string table_of(const std::vector<sweep::measured_point>& points,
                     std::span<const headline> figures,
                     const text::terminal_style& l) {
  for (const brevity b : {brevity::full, brevity::short_names}) {
    const text::table whole = summary_of(points, figures, b);
    if (text::width_of(whole, l, {}) <= l.width || (b == brevity::short_names && !l.redraws)) {
      return text::as_text(whole, l, {.width = INT_MAX});
    }
  }
  return text::as_text(summary_of(points, figures, brevity::bare), l, {.width = l.width}) +
         "Too wide for intervals; summary.csv has them.\n";
}

/// Every figure in a row, with a column for each point: what does not fit side by side follows.
std::string every_figure(const std::vector<sweep::measured_point>& points,
                         const text::terminal_style& l) {
  text::table t{{{.title = "point"}}, {}};
  for (const sweep::measured_point& p : points) {
    t.columns.push_back(text::figures(std::to_string(p.what.number)));
  }
  for (const std::string& metric : results::metric_names()) {
    text::row cells{metric};
    for (const sweep::measured_point& p : points) {
      cells.emplace_back(p.find(metric), metrics::unit_of(metric));
    }
    t.rows.push_back(std::move(cells));
  }
  return "\n" + text::as_text(t, l, {.width = l.width, .repeated = 1});
}

void judge(const std::vector<results::run_record>& runs,
           const std::vector<scenario::bound>& thresholds,
           sweep_outcome& out) {
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const auto e = results::estimate_of(thresholds[i].metric, runs);
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
  return {p.what.fields, {results::hash_of(all)}, results::idle_faults_of(runs)};
}

void note_violation(const std::vector<results::run_record>& runs, sweep_outcome& out) {
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
  const formats::field_columns fields = fields_of(*points);
  const std::vector<text::column> columns =
      formats::columns_of(formats::points_table, fields.columns(), results::metric_names());
  to.append(text::csv_titles(columns));
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    for (const results::run_record& r : *runs) {
      to.append(text::csv_row(columns, row_of(p, fields, r)));
    }
  }
  return {};
}

result<sweep_outcome> write_summary(const sweep::journal& j,
                                    const std::vector<scenario::bound>& thresholds,
                                    results::pending_file& to,
                                    const text::terminal_style& l,
                                    const figure_choice& choice) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  sweep_outcome out;
  for (const scenario::bound& b : thresholds) {
    out.missed.push_back({.text = b.metric + " " + b.text});
  }
  std::vector<sweep::measured_point> shown;
  sweep_verdict verdict;
  const formats::field_columns fields = fields_of(*points);
  const std::vector<text::column> columns =
      formats::columns_of(formats::summary_table, fields.columns());
  to.append(text::csv_titles(columns));
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    sweep::measured_point m = sweep::measured(p, *runs);
    for (const auto& [metric, e] : m.estimates) {
      to.append(text::csv_row(columns, figure_row(m, fields, metric, e)));
    }
    if (shown.size() < rows_max) {
      shown.push_back(std::move(m));
    }
    out.runs += runs->size();
    note_violation(*runs, out);
    if (auto stuck = sweep::stuck_in(*runs, sweep::label_of(p.what))) {
      out.stuck.push_back(std::move(*stuck));
    }
    out.tried.push_back(tried_at(p, *runs));
    judge(*runs, thresholds, out);
    verdict.add(p, *runs);
  }
  out.verdict = verdict.text();
  if (!shown.empty()) {
    auto figures = headlines_or(choice.metrics);
    if (choice.metrics.empty() && std::ranges::any_of(shown, has_doubled_rides)) {
      figures.insert(figures.begin() + 1, rides_headline);
    }
    if (choice.metrics.empty() && shown.front().find(cost_headline.metric)) {
      figures.push_back(cost_headline);
    }
    out.table = table_of(shown, figures, l);
  }
  if (points->size() > rows_max) {
    out.table +=
        fmt::format("and {} more points\n", text::with_thousands(points->size() - rows_max));
  }
  if (choice.all && !shown.empty()) {
    out.table += every_figure(shown, l);
  }
  return out;
}

result<std::string> json_of(const sweep::journal& j,
                            std::span<const sweep::stuck_point> stuck,
                            std::span<const sweep::without_effect> idle) {
  const auto points = sweep::measured_points(j);
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  json list = json::array();
  for (const sweep::measured_point& p : *points) {
    json one{{"point", p.what.number}, {"fields", json::object()}, {"runs", p.runs}};
    for (const scenario::override_value& f : p.what.what.fields) {
      one["fields"][f.path] = f.value;
    }
    for (const auto& [metric, e] : p.estimates) {
      one["metrics"][metric] = {{"value", e.value},
                                {"half_width_95", e.margin ? json(e.half_width()) : json()},
                                {"low_95", e.margin ? json(e.low()) : json()},
                                {"high_95", e.margin ? json(e.high()) : json()},
                                {"runs", e.samples}};
    }
    list.push_back(std::move(one));
  }
  json without = json::array();
  for (const sweep::without_effect& each : idle) {
    without.push_back({{"fields", each.fields}, {"why", each.why}});
  }
  json all{{"points", list}, {"without_effect", without}};
  if (!stuck.empty()) {
    all["stuck"] = sweep::json_of(stuck);
  }
  return text::json_as_text(all, 2) + "\n";
}

std::string csv_of(const std::vector<sweep::measured_point>& points) {
  std::vector<sweep::kept_point> kept;
  for (const sweep::measured_point& p : points) {
    kept.push_back(p.what);
  }
  const formats::field_columns fields = fields_of(kept);
  text::table t{formats::columns_of(formats::summary_table, fields.columns()), {}};
  for (const sweep::measured_point& p : points) {
    for (const auto& [metric, e] : p.estimates) {
      t.rows.push_back(figure_row(p, fields, metric, e));
    }
  }
  return text::as_csv(t);
}

std::string markdown_of(const std::vector<sweep::measured_point>& points,
                        const std::string& name,
                        const std::string& question,
                        const std::vector<std::string>& metrics) {
  text::table t;
  const auto figures = headlines_or(metrics);
  for (const scenario::override_value& f : points.front().what.what.fields) {
    t.columns.push_back({.title = f.path, .mark = text::emphasis::code});
  }
  for (const headline& h : figures) {
    t.columns.push_back(column_of(h.metric));
  }
  t.columns.push_back(text::figures("runs"));
  for (const sweep::measured_point& p : points) {
    text::row& line = t.rows.emplace_back();
    for (const scenario::override_value& f : p.what.what.fields) {
      line.emplace_back(f.value);
    }
    for (const headline& h : figures) {
      line.emplace_back(p.find(h.metric), metrics::unit_of(h.metric));
    }
    line.emplace_back(fmt::format(
        "{}{}", p.runs, p.broken > 0 ? fmt::format(", promises broken in {}", p.broken) : ""));
  }
  return fmt::format("## {}\n\n{}\n\n{}\nWith 95 % intervals over the runs of a point.\n",
                     text::markdown_cell(name),
                     text::markdown_cell(question),
                     text::as_markdown(t));
}

}  // namespace dibs::report
