#include "report/tuning_table.hpp"

#include "report/standing_words.hpp"
#include "report/tuning_harm_cells.hpp"
#include "text/number.hpp"
#include "text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace dibs::report {
namespace {

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
      return word_of_standing(r.regret && r.regret->high() < 0 ? "better" : "as good").word;
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

std::string laid_out(text::table t, const text::terminal_style& l) {
  const text::table_style how{.width = l.width, .repeated = 2, .indent = 2};
  if (text::width_of(t, l, how) > l.width) {
    // In parts there are fewer columns, and words stand to the right as well.
    std::ranges::for_each(t.columns, [](text::column& c) { c.to = text::side::right; });
  }
  return text::as_text(t, l, how);
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

/// A metric of the table.
struct shown_column {
  std::size_t number = 0;  ///< in `tuning::shown`
  std::string title;
  text::unit unit{};
};

/// `wanted`: in this order; if empty, those that are shown always.
std::vector<shown_column> columns_of(const tune::tuning& t, std::vector<std::string> wanted) {
  if (wanted.empty()) {
    for (const sweep::shown_metric& each : sweep::shown_metrics) {
      wanted.emplace_back(each.metric);
    }
  }
  std::vector<shown_column> all;
  for (const std::string& metric : wanted) {
    const auto at = std::ranges::find(t.shown, metric);
    if (at == t.shown.end()) {
      continue;
    }
    const auto usual =
        std::ranges::find(sweep::shown_metrics, metric, &sweep::shown_metric::metric);
    all.push_back(
        {.number = static_cast<std::size_t>(at - t.shown.begin()),
         .title = usual == sweep::shown_metrics.end() ? metric : std::string(usual->title),
         .unit = metrics::unit_of(metric)});
  }
  return all;
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
                            const std::vector<std::string>& metrics,
                            const text::terminal_style& l) {
  text::table values{
      {{.title = ""}, {.title = ""}, text::figures("worse by"), text::figures("doubles")}, {}};
  bool bounds = false;
  bool elsewhere = false;
  const std::vector<shown_column> columns = columns_of(t, metrics);
  for (const shown_column& each : columns) {
    values.columns.push_back(text::figures(each.title));
  }
  values.columns.insert(values.columns.end(), {text::figures("seeds"), {.title = ""}});
  for (const tune::row& r : t.rows) {
    const harm_cell harm = doubles_cell(r);
    text::row& line = values.rows.emplace_back(
        text::row{std::string(r.status == tune::row_status::best ? "*" : ""),
                  values_of(r, chosen.paths),
                  regret_of(r, t, chosen.unit, l),
                  harm.text});
    bounds = bounds || harm.is_bound;
    elsewhere = elsewhere || harm.is_elsewhere;
    for (const shown_column& each : columns) {
      const auto figure = r.figure(each.number);
      line.push_back(figure ? text::cell(figure->value, each.unit) : text::cell());
    }
    line.emplace_back(text::with_thousands(r.seeds));
    line.emplace_back(std::string(word_of(r)) +
                      (r.is_today ? (word_of(r).empty() ? "today" : ", today") : ""));
  }
  std::string text = laid_out(std::move(values), l);
  const auto say = [&](const char* words) { text += text::paragraph(words, l.width, "    "); };
  say("  doubles: drivers on 2 trips and rides with 2 drivers, a run");
  if (bounds) {
    say("  * none seen: at most this, at 99.9 %");
  }
  if (elsewhere) {
    say("  seen: in a run of the search, though in none of these");
  }
  if (t.in_unit) {
    say("  The best is about 0, so what others are worse by is in the objective's own unit.");
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
  text::table weights{{{}, {}, text::figures(""), text::figures(""), {}}, {}};
  for (const tune::trade_off_point& e : t.exchanges) {
    const tune::row& r = t.rows[e.row];
    weights.rows.push_back({std::string(),
                            values_of(r, t.paths),
                            fmt::format("{} missed", text::significant(e.missed_per_ride.value)),
                            fmt::format("{} hidden", text::duration(e.hidden_per_ride.value)),
                            weight_of(e)});
  }
  return "\n" + text::paragraph(coloured(l, text::text_colour::bold, title), l.width, "    ") +
         laid_out(std::move(weights), l);
}

}  // namespace dibs::report
