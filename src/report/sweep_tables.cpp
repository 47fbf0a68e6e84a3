#include "report/sweep_tables.hpp"

#include "metrics/catalogue.hpp"
#include "results/assessment.hpp"
#include "results/paired_difference.hpp"
#include "text/csv_field.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>

namespace dibs::study {
namespace {

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

std::string header_of(const std::vector<kept_point>& points, const char* first) {
  std::string text = first;
  if (!points.empty()) {
    for (const scenario::override_value& f : points.front().what.fields) {
      text += "," + cell(f.path);
    }
  }
  return text;
}

std::string cells_of(const kept_point& p) {
  std::string text = std::to_string(p.number);
  for (const scenario::override_value& f : p.what.fields) {
    text += "," + cell(f.value);
  }
  return text;
}

const measure* find(const run_record& r, const std::string& metric) {
  const auto it = std::find_if(
      r.measures.begin(), r.measures.end(), [&](const measure& m) { return m.metric == metric; });
  return it == r.measures.end() ? nullptr : &*it;
}

std::vector<const measure*> column(const std::vector<run_record>& runs, const std::string& metric) {
  std::vector<const measure*> all;
  for (const run_record& r : runs) {
    all.push_back(find(r, metric));
  }
  return all;
}

std::string row_of(const run_record& r) {
  std::string text = fmt::format(",{},{},{},{}", r.replication, r.seed, r.history, r.violations);
  for (const std::string& name : metric_names()) {
    const measure* m = find(r, name);
    text += m != nullptr && m->value ? "," + exact(*m->value) : ",";
  }
  return text + "\n";
}

std::string summary_row(const std::string& metric, const stats::estimate& e) {
  const auto low = e.margin ? exact(e.low()) : std::string();
  const auto high = e.margin ? exact(e.high()) : std::string();
  return fmt::format(",{},{},{},{},{},{}\n",
                     metric,
                     metrics::name_of(metrics::find(metric)->unit),
                     exact(e.value),
                     low,
                     high,
                     e.samples);
}

using lines_of_cells = std::vector<std::vector<std::string>>;

/// How much of the table is left away so that it fits: nothing, of the names of fields all that
/// does not tell them apart, or the intervals as well.
enum class brevity : std::uint8_t { full, short_names, bare };

/// The last words of a path, as few as no other path ends with: `offer_window` of
/// `lease.offer_window`, but `drivers.count` beside `matchers.count`.
std::string short_name(const std::string& path, const kept_point& p) {
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

std::string title_of(const std::string& path, const kept_point& p, brevity b) {
  return scenario::shown(b == brevity::full ? path : short_name(path, p), 40);
}

std::vector<std::string> title_row(const kept_point& p, brevity b) {
  std::vector<std::string> cells{"point"};
  for (const scenario::override_value& f : p.what.fields) {
    cells.push_back(title_of(f.path, p, b));
  }
  for (const headline& h : summary_metrics) {
    cells.emplace_back(h.title);
  }
  return cells;
}

/// A point with the figures that people see of it.
struct shown_point {
  kept_point what;
  std::array<std::optional<stats::estimate>, summary_metrics.size()> figures;
};

std::vector<std::string> figures_row(const shown_point& p, brevity b, const report::look& l) {
  std::vector<std::string> cells{std::to_string(p.what.number)};
  for (const scenario::override_value& f : p.what.what.fields) {
    cells.push_back(scenario::shown(f.value, 30));
  }
  for (std::size_t i = 0; i < summary_metrics.size(); ++i) {
    const auto& e = p.figures[i];
    const metrics::unit unit = metrics::find(summary_metrics[i].metric)->unit;
    cells.push_back(!e                   ? "-"
                    : b == brevity::bare ? report::shown(e->value, unit)
                                         : report::shown(*e, unit, report::plus_minus(l)));
  }
  return cells;
}

/// Intervals where they fit into the terminal, and a word on it where they do not; what is too wide
/// even without them comes in parts. A file or a pipe has no edge: there only names are shortened.
std::string table_of(const std::vector<shown_point>& points, const report::look& l) {
  lines_of_cells lines;
  for (const brevity b : {brevity::full, brevity::short_names, brevity::bare}) {
    lines = {title_row(points.front().what, b)};
    for (const shown_point& p : points) {
      lines.push_back(figures_row(p, b, l));
    }
    const std::string whole =
        report::in_columns(lines, {.first = report::side::right, .width = INT_MAX});
    const bool fits = report::columns(whole.substr(0, whole.find('\n'))) <= l.width;
    if (b != brevity::bare && (fits || (b == brevity::short_names && !l.redraws))) {
      return whole;
    }
  }
  return report::in_columns(lines, {.first = report::side::right, .width = l.width}) +
         "Too wide for intervals; summary.csv has them.\n";
}

void judge(const std::vector<run_record>& runs,
           const std::vector<scenario::bound>& thresholds,
           sweep_outcome& out) {
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const auto e = estimate_of(thresholds[i].metric, column(runs, thresholds[i].metric));
    if (e && report::meets(e->value - e->unsure.below, thresholds[i]) &&
        report::meets(e->value + e->unsure.above, thresholds[i])) {
      continue;
    }
    const bool is_unsure =
        e && e->margin &&
        (report::meets(e->low(), thresholds[i]) || report::meets(e->high(), thresholds[i]));
    ++out.missed[i].points;
    out.missed[i].unsure += is_unsure ? 1U : 0U;
  }
}

/// One hash over all that its runs came to.
tried_point tried_at(const kept_point& p, const std::vector<run_record>& runs) {
  std::string all;
  for (const run_record& r : runs) {
    all += fmt::format("{} {}\n", r.history, r.violations);
  }
  return {p.what.fields, {report::hash_of(all)}};
}

void note_breach(const std::vector<run_record>& runs, sweep_outcome& out) {
  for (const run_record& r : runs) {
    if (r.violations == 0) {
      continue;
    }
    if (++out.broken == 1) {
      out.broken_point = r.point;
      out.broken_seed = r.seed;
      out.breach = r.breach;
    }
  }
}

}  // namespace

std::string cell(const std::string& text) { return report::csv_field(text); }

result<void> write_points(const journal& j, report::pending_file& to) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  std::string head = header_of(*points, "point") + ",replication,seed,history,violations";
  for (const std::string& name : metric_names()) {
    head += "," + name;
  }
  to.append(head + "\n");
  for (const kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    const std::string fields = cells_of(p);
    for (const run_record& r : *runs) {
      to.append(fields + row_of(r));
    }
  }
  return {};
}

result<sweep_outcome> write_summary(const journal& j,
                                    const std::vector<scenario::bound>& thresholds,
                                    report::pending_file& to,
                                    const report::look& l) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  sweep_outcome out;
  for (const scenario::bound& b : thresholds) {
    out.missed.push_back({.text = b.metric + " " + b.text});
  }
  std::vector<shown_point> shown;
  to.append(header_of(*points, "point") + ",metric,unit,mean,low_95,high_95,replications\n");
  for (const kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    const std::string fields = cells_of(p);
    for (const std::string& name : metric_names()) {
      if (const auto e = estimate_of(name, column(*runs, name))) {
        to.append(fields + summary_row(name, *e));
      }
    }
    if (shown.size() < rows_max) {
      shown.push_back({p, {}});
      for (std::size_t i = 0; i < summary_metrics.size(); ++i) {
        const std::string name(summary_metrics[i].metric);
        shown.back().figures[i] = estimate_of(name, column(*runs, name));
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
    out.table += fmt::format("and {} more points\n", report::grouped(points->size() - rows_max));
  }
  return out;
}

result<std::string> json_of(const journal& j, std::span<const without_effect> idle) {
  using json = nlohmann::ordered_json;
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  json list = json::array();
  for (const kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    json one{{"point", p.number}, {"fields", json::object()}, {"runs", runs->size()}};
    for (const scenario::override_value& f : p.what.fields) {
      one["fields"][f.path] = f.value;
    }
    for (const std::string& name : metric_names()) {
      if (const auto e = estimate_of(name, column(*runs, name))) {
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
  for (const without_effect& each : idle) {
    without.push_back({{"fields", each.fields}, {"why", each.why}});
  }
  return json_as_text({{"points", list}, {"without_effect", without}}, 2) + "\n";
}

}  // namespace dibs::study
