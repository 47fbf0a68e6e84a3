#include "report/run_table.hpp"

#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "stats/confidence_interval.hpp"
#include "text/csv_field.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace dibs::show {
namespace {

using json = nlohmann::ordered_json;

struct table_level {
  std::string_view label;
  std::string_view seen;
  std::string_view among;  ///< empty: it has no rate
};
constexpr std::array table_levels{
    table_level{"offers in conflict", "double.offers", "offers.sent"},
    table_level{"accepts in conflict", "double.accepts", "accepts.in_time"},
    table_level{"drivers on 2 trips", "double.commits", "rides.committed"},
    table_level{"rides with 2 drivers", "double.rides", "rides.committed"},
    table_level{"late confirms taken", "confirms.stale_accepted", ""},
    table_level{"broken promises", "promises.broken", "promises.made"}};

constexpr std::array<std::string_view, 10> service{"supply.hidden_share",
                                                   "supply.starved_share",
                                                   "rides.requested",
                                                   "rides.match_rate",
                                                   "rides.abandon_rate",
                                                   "ttm.p50",
                                                   "ttm.p95",
                                                   "offers.per_match",
                                                   "accepts.missed_rate",
                                                   "supply.utilisation"};

result<json> read(const std::string& text) {
  json all = text_as_json(text);
  if (!all.is_object() || !all.contains("metrics") || !all["metrics"].is_object()) {
    return failure(exit_code::invalid_input, "metrics.json holds no figures");
  }
  return all;
}

std::optional<double> value_of(const json& all, std::string_view name) {
  const auto found = all["metrics"].find(name);
  const bool is_number = found != all["metrics"].end() && found->is_number();
  return is_number ? std::optional(found->get<double>()) : std::nullopt;
}

/// Both sides of its interval, which need not be alike; nothing where it has none.
std::optional<stats::margins> reach_of(const json& all, const std::string& name) {
  const auto value = value_of(all, name);
  const json intervals = all.value("intervals_95", json::object());
  const json its = intervals.is_object() ? intervals.value(name, json::object()) : json::object();
  const json half = its.value("half_width", json());
  const json low = its.value("low", json());
  const json high = its.value("high", json());
  if (value && low.is_number() && high.is_number()) {
    return stats::margins{*value - low.get<double>(), high.get<double>() - *value};
  }
  return value && half.is_number()
             ? std::optional(stats::margins{half.get<double>(), half.get<double>()})
             : std::nullopt;
}

/// Out of what its interval comes; empty where it has none.
std::string source_of(const json& all, const std::string& name) {
  return reach_of(all, name) ? all["intervals_95"][name].value("of", "seeds") : "";
}

std::string shown_of(const json& all, std::string_view name) {
  const auto value = value_of(all, name);
  if (!value) {
    return "-";
  }
  const auto reach = reach_of(all, std::string(name));
  return reach && reach->half_width() > 0
             ? report::shown(*value, *reach, metrics::unit_of(name), "\u00b1")
             : report::shown(*value, metrics::unit_of(name));
}

std::string rate_of(const json& all, const table_level& l) {
  const double seen = value_of(all, l.seen).value_or(0);
  const double among = value_of(all, l.among).value_or(0);
  if (among <= 0) {
    return "";
  }
  if (seen > 0) {
    return report::significant(1000 * seen / among);
  }
  // Figures are those of a run, in the mean; none was seen in all runs together.
  const double in_all = among * std::max(all.value("runs_counted", 1.0), 1.0);
  return "< " + report::significant(1000 * std::min(1.0, report::none_seen_bound(in_all)));
}

std::string text_in(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string why_none() {
  return fmt::format(
      "Without one: counts, and figures of which some stretch holds fewer than {} rides or "
      "answers, "
      "or each the same.",
      stretch_samples_min);
}

std::string with_stretches(const std::string& metrics_json, const half_widths& within) {
  json all = text_as_json(metrics_json);
  if (!all.is_object()) {
    return metrics_json;
  }
  json& intervals = all["intervals_95"];
  for (const auto& [name, half] : within) {
    if (!intervals.contains(name)) {
      intervals[name] = {{"half_width", half}, {"of", of_stretches}};
    }
  }
  return json_as_text(all);
}

std::string cell_of(const std::string& text) {
  constexpr std::string_view special = "\\`*_{}[]()<>#+!|~&";
  std::string out;
  for (const char c : scenario::shown(text, 400)) {
    if (special.find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

result<std::string> markdown_of(const std::string& metrics_json) {
  const auto all = read(metrics_json);
  if (!all) {
    return tl::unexpected<error>(all.error());
  }
  std::string text = fmt::format(
      "## {}\n\n{}\n\n", cell_of(text_in(*all, "scenario")), cell_of(text_in(*all, "question")));
  text += "| double assignment | seen | per 1,000 |\n|---|---:|---:|\n";
  for (const table_level& l : table_levels) {
    text += fmt::format("| {} | {} | {} |\n", l.label, shown_of(*all, l.seen), rate_of(*all, l));
  }
  text += "\nWhere none was seen: at most so many, at 99.9 %.\n\n| figure | value |\n|---|---:|\n";
  for (const std::string_view name : service) {
    text += fmt::format("| `{}` | {} |\n", name, shown_of(*all, name));
  }
  const bool is_of_one_run =
      std::any_of(service.begin(), service.end(), [&](std::string_view name) {
        return source_of(*all, std::string(name)) == of_stretches;
      });
  if (is_of_one_run) {
    text += fmt::format(
        "\n\u00b1: 95 % intervals out of {} equal stretches of this one run, a little too narrow; "
        "`--runs` gives intervals over seeds. {}\n",
        stretches,
        why_none());
  }
  std::string bounds;
  for (const char* kind : {"thresholds", "expect"}) {
    for (const json& b : all->value(kind, json::array())) {
      const json met = b.value("met", json());
      bounds += fmt::format("| `{}` | {} | {} | {} |\n",
                            text_in(b, "metric"),
                            shown_of(*all, text_in(b, "metric")),
                            cell_of(text_in(b, "bound")),
                            met.is_null() ? "not judged"
                            : met == true ? "met"
                                          : "**missed**");
    }
  }
  if (!bounds.empty()) {
    text += "\n| bound | value | should be | |\n|---|---:|---:|---|\n" + bounds;
  }
  return text;
}

result<std::string> csv_of(const std::string& metrics_json) {
  const auto all = read(metrics_json);
  if (!all) {
    return tl::unexpected<error>(all.error());
  }
  std::string text = "metric,unit,value,low,high,interval\n";
  for (const auto& [name, value] : (*all)["metrics"].items()) {
    const auto reach = reach_of(*all, name);
    const auto end = [&reach, &value = value](bool is_low) {
      return reach
                 ? fmt::format("{}", value.get<double>() + (is_low ? -reach->below : reach->above))
                 : "";
    };
    text += fmt::format("{},{},{},{},{},{}\n",
                        report::csv_field(name),
                        metrics::name_of(metrics::unit_of(name)),
                        value.is_null() ? "" : json_as_text(value),
                        end(true),
                        end(false),
                        source_of(*all, name));
  }
  return text;
}

}  // namespace dibs::show
