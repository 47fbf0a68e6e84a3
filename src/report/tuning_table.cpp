#include "report/tuning_table.hpp"

#include "report/tuning_harm_cells.hpp"
#include "text/number.hpp"
#include "text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

namespace dibs::report {
namespace {

using cells = std::vector<std::string>;

/// As many lines as it takes.
std::string folded(const std::string& words, const text::terminal_style& l) {
  std::string text;
  for (const std::string& each : text::word_wrapped(words, l.width, "    ")) {
    text += each + "\n";
  }
  return text;
}

/// Which one, its columns say.
bool is_harm(const std::string& why) {
  return std::any_of(sweep::forbidden_metrics.begin(),
                     sweep::forbidden_metrics.end(),
                     [&](auto& m) { return why.starts_with(m.what); });
}

std::string_view word_of(const tune::row& r) {
  switch (r.status) {
    case tune::row_status::best:
      return "";
    case tune::row_status::better:
      return "better";
    case tune::row_status::within:
      return r.regret && r.regret->high() < 0 ? "better" : "near-optimal";
    case tune::row_status::open:
      return "open";
    case tune::row_status::worse:
      return "";
    case tune::row_status::unusable:
      return r.why.starts_with(sweep::forbidden_metrics.back().what) ? "broken promises"
             : is_harm(r.why)                                        ? "unsafe"
                                                                     : std::string_view(r.why);
  }
  return "";
}

std::string values_of(const tune::row& r, const std::vector<std::string>& paths) {
  if (paths.size() == 1) {
    return paths[0] + "=" + r.values[0];
  }
  std::string text;
  for (std::size_t i = 0; i < r.values.size(); ++i) {
    text += (text.empty() ? "" : " ") + r.values[i];
  }
  return text;
}

std::string laid_out(const std::vector<cells>& lines, const text::terminal_style& l) {
  constexpr int indent = 2;
  std::vector<int> widths;
  for (const cells& c : lines) {
    widths.resize(std::max(widths.size(), c.size()), 0);
    for (std::size_t i = 0; i < c.size(); ++i) {
      widths[i] = std::max(widths[i], text::columns(c[i]));
    }
  }
  std::string text;
  int needed = 0;
  for (const int width : widths) {
    needed += indent + width;
  }
  if (needed > l.width) {
    std::istringstream parts(text::in_columns(lines, {.width = l.width - indent, .repeated = 2}));
    for (std::string each; std::getline(parts, each);) {
      text += (each.empty() ? "" : "  ") + each + "\n";
    }
    return text;
  }
  for (const cells& c : lines) {
    std::string row;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const bool to_left = i == 0 || i == 1 || i + 1 == c.size();
      row += (i > 0 ? "  " : "") +
             (to_left ? text::left(c[i], widths[i]) : text::right(c[i], widths[i]));
    }
    text += folded("  " + row.substr(0, row.find_last_not_of(' ') + 1), l);
  }
  return text;
}

std::string weight_of(const tune::trade_off_point& e) {
  if (e.from <= 0 && e.to) {
    return fmt::format("for less than {}", text::duration(*e.to));
  }
  if (!std::isfinite(e.from_within.high)) {
    return fmt::format("from {} (not known nearer)", text::duration(e.from));
  }
  return fmt::format("from {} ({} to {})",
                     text::duration(e.from),
                     text::duration(e.from_within.low),
                     text::duration(e.from_within.high));
}

}  // namespace

std::string regret_of(const tune::row& r,
                      const tune::tuning& t,
                      text::unit objective,
                      const text::terminal_style& l) {
  if (r.status == tune::row_status::best) {
    return "best";
  }
  if (!r.regret) {
    return "-";
  }
  const stats::estimate& by = *r.regret;
  const std::string sign = text::plus_minus(l);
  return t.in_unit ? text::format_difference(by.value, by, objective, sign)
                   : text::format_value(by.value, *by.margin, text::unit::share, sign);
}

std::string table_of_values(const tune::tuning& t,
                            const tune::tuning& chosen,
                            const text::terminal_style& l) {
  std::vector<cells> lines{{"", "", "worse by", "doubles"}};
  bool bounds = false;
  bool elsewhere = false;
  for (const sweep::shown_metric& m : sweep::shown_metrics) {
    lines[0].emplace_back(m.title);
  }
  lines[0].emplace_back("seeds");
  lines[0].emplace_back("");
  for (const tune::row& r : t.rows) {
    cells c{r.status == tune::row_status::best ? "*" : "",
            values_of(r, chosen.paths),
            regret_of(r, t, chosen.unit, l)};
    const harm_cell harm = doubles_cell(r);
    c.push_back(harm.text);
    bounds = bounds || harm.is_bound;
    elsewhere = elsewhere || harm.is_elsewhere;
    for (std::size_t m = 0; m < sweep::shown_metrics.size(); ++m) {
      const text::unit u = metrics::find(sweep::shown_metrics[m].metric)->unit;
      c.push_back(r.harms[m] ? text::format_value(r.harms[m]->value, u) : "-");
    }
    c.push_back(text::with_thousands(r.seeds));
    c.push_back(std::string(word_of(r)) +
                (r.is_today ? (word_of(r).empty() ? "today" : ", today") : ""));
    lines.push_back(std::move(c));
  }
  std::string text = laid_out(lines, l);
  const auto line = [&](const std::string& words) { text += folded(words, l); };
  line("  doubles: drivers on 2 trips and rides with 2 drivers, a run");
  if (bounds) {
    line("  * none seen: at most this, at 99.9 %");
  }
  if (elsewhere) {
    line("  seen: in a run of the search, though in none of these");
  }
  if (t.in_unit) {
    line("  The best is about 0, so what others are worse by is in the objective's own unit.");
  }
  return text;
}

std::string trade_off_of(const tune::tuning& t, const text::terminal_style& l) {
  if (t.exchanges.size() < 2) {
    return "";
  }
  const std::string title = fmt::format(
      "The trade-off of a ride, on {} fresh seeds: best, if a missed accept is worth "
      "hiding a driver",
      text::with_thousands(t.exchange_seeds));
  std::vector<cells> lines;
  for (const tune::trade_off_point& e : t.exchanges) {
    const tune::row& r = t.rows[e.row];
    lines.push_back({"",
                     values_of(r, t.paths),
                     fmt::format("{} missed", text::significant(e.missed_per_ride.value)),
                     fmt::format("{} hidden", text::duration(e.hidden_per_ride.value)),
                     weight_of(e)});
  }
  return "\n" + folded(coloured(l, text::text_colour::bold, title), l) + laid_out(lines, l);
}

}  // namespace dibs::report
