// `dibs bench matching`: matches a second, live, from one matcher to many.

#include "bench/command/bench_matching.hpp"

#include "bench/command/repeat_text.hpp"
#include "bench/live/matching.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "lease/protocol.hpp"
#include "stats/histogram.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"
#include "text/text_table.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dibs::bench {
namespace {

using bench::matching_result;
using bench::matching_sample;
using nlohmann::ordered_json;

double per_second(const matching_sample& s, std::uint64_t count) {
  return s.seconds > 0 ? static_cast<double>(count) / s.seconds : 0;
}
double matches(const matching_sample& s) { return per_second(s, s.matches); }
double operations_per_second(const matching_sample& s) { return per_second(s, s.lease_operations); }
double conflicts(const matching_sample& s) { return per_second(s, s.conflicts); }
double conflict_share(const matching_sample& s) {
  return s.attempts == 0 ? 0 : static_cast<double>(s.conflicts) / static_cast<double>(s.attempts);
}
std::uint64_t double_commits(const matching_sample& s) { return s.double_commits; }
std::uint64_t double_rides(const matching_sample& s) { return s.double_rides; }
std::uint64_t violations(const matching_sample& s) { return s.violations; }
std::uint64_t unmatched(const matching_sample& s) { return s.unmatched; }

bool has_run_out(const matching_result& r) {
  return std::ranges::any_of(r.samples,
                             [](const matching_sample& s) { return s.ran_out_of_rides; });
}

bool has_leases(const commands::bench_request& r) {
  return lease::rules_of(r.matching.protocol).leases;
}

constexpr std::array quantiles{0.5, 0.99, 0.999};

/// Of all repeats together, in real time.
std::vector<std::string> times_of(const commands::bench_request& r, const stats::histogram& times) {
  std::vector<std::string> cells;
  for (const double q : quantiles) {
    const auto value = bench::quantile_of(times, q);
    cells.push_back(value ? text::duration(*value / r.matching.speed) : "-");
  }
  return cells;
}

std::vector<std::string> row_of(const commands::bench_request& asked, const matching_result& r) {
  const bench::repeats_summary rate = r.of(matches);
  std::vector<std::string> row{
      std::to_string(r.matchers),
      text::with_si_prefix(rate.median),
      noise_text(rate.noise(), r.samples.size()),
      has_leases(asked) ? text::with_si_prefix(r.of(operations_per_second).median) : "-",
      text::with_si_prefix(r.of(conflicts).median)};
  for (const auto times : {&matching_sample::to_match, &matching_sample::in_matcher}) {
    const auto cells = times_of(asked, r.pooled(times));
    row.insert(row.end(), cells.begin(), cells.end());
  }
  row.push_back(text::with_thousands(r.sum(double_commits) + r.sum(double_rides)));
  row.push_back(text::with_thousands(r.sum(violations)));
  return row;
}

std::string setting_of(const commands::bench_request& r) {
  const auto& m = r.matching;
  const std::string loop =
      m.rate > 0 ? fmt::format("open loop at {} rides/s", text::with_si_prefix(m.rate))
                 : fmt::format("closed loop with {} in flight", text::plural(m.in_flight, "ride"));
  return fmt::format(
      "protocol {}, {}, Zipf {}, {}{}, {}, {},\n"
      "no more than {} with the matchers at once, {} of {} at a speed of {}\n\n",
      lease::rules_of(m.protocol).name,
      text::plural(m.drivers, "driver"),
      text::significant(m.zipf),
      text::plural(m.candidates, "candidate"),
      m.blind ? ", blind" : "",
      loop,
      text::plural(m.threads, "thread"),
      text::plural(m.at_once, "ride"),
      text::plural(r.repeats, "repeat"),
      text::duration(m.seconds),
      text::significant(m.speed));
}

/// Rides appeared faster than they were matched: at the end more waited than some that are always
/// under way, and many for those that were matched.
bool is_overloaded(const commands::bench_request& r, const matching_sample& s) {
  constexpr std::uint32_t under_way = 256;
  const auto& m = r.matching;
  return m.rate > 0 && s.unmatched > std::min(m.at_once, under_way) && s.unmatched > s.matches / 20;
}
bool is_overloaded(const commands::bench_request& r, const matching_result& all) {
  return std::ranges::any_of(all.samples,
                             [&](const matching_sample& s) { return is_overloaded(r, s); });
}

std::string note_of(const commands::bench_request& r, const matching_result& each) {
  const std::string who = text::plural(each.matchers, "matcher");
  const auto waiting = each.sum(unmatched);
  std::string text;
  if (is_overloaded(r, each)) {
    text += fmt::format(
        "{}: overloaded: of {} rides a second that appeared {} were "
        "matched; the longer it lasts, the longer they wait\n",
        who,
        text::with_si_prefix(r.matching.rate),
        text::with_si_prefix(each.of(matches).median));
  }
  // In a closed loop some always wait.
  const auto matched = each.sum([](const auto& s) { return s.matches; });
  if (waiting > (r.matching.rate > 0 ? 0 : matched / 100)) {
    text += fmt::format("{}: {} still waited at the end; they count as that long\n",
                        who,
                        text::plural(waiting, "ride"));
  }
  if (has_run_out(each)) {
    text += fmt::format("{}: all rides that one measurement may have were matched\n", who);
  }
  return text;
}

std::string notes_of(const commands::bench_request& r) {
  return fmt::format(
      R"(
A second of real time: matches, {}
To match: from the instant at which a ride appears, or should have, until a driver is committed to it.
In matcher: from when its request is there until it was told of the commit. Rates are medians of the
repeats, noise is how far they lie apart; times are of all repeats together, - if of too few rides.
Doubles: pairs of trips of one driver, and rides with two drivers. Metrics and checkers watched, and
took their share of the machine.
)",
      has_leases(r) ? "lease operations, conflicts (denied requests for a lease)."
                    : "conflicts (refused writes); there are no leases.");
}

std::string told_of(const commands::bench_request& r, const std::vector<matching_result>& all) {
  std::string text;
  for (const matching_result& each : all) {
    text += note_of(r, each);
  }
  return text;
}

std::string text_of(const commands::bench_request& r, const std::vector<matching_result>& all) {
  std::vector<std::vector<std::string>> rows{{"",
                                              "matches",
                                              "",
                                              "lease",
                                              "conflicts",
                                              "to match",
                                              "",
                                              "",
                                              "in matcher",
                                              "",
                                              "",
                                              "doubles",
                                              "broken"},
                                             {"matchers",
                                              "/s",
                                              "noise",
                                              "ops/s",
                                              "/s",
                                              "p50",
                                              "p99",
                                              "p99.9",
                                              "p50",
                                              "p99",
                                              "p99.9",
                                              "",
                                              ""}};
  for (const matching_result& each : all) {
    rows.push_back(row_of(r, each));
  }
  const int width = text::terminal_style_of(STDOUT_FILENO).width;
  return text::fitted(setting_of(r), width) + text::in_columns(rows, {.width = width}) +
         text::fitted_paragraphs(notes_of(r), width) + text::fitted(told_of(r, all), width);
}

ordered_json json_of(const commands::bench_request& r, const stats::histogram& times) {
  ordered_json out{{"samples", times.count()}};
  for (const auto& [name, q] : {std::pair{"p50_s", 0.5}, {"p99_s", 0.99}, {"p999_s", 0.999}}) {
    const auto value = bench::quantile_of(times, q);
    out[name] = value ? ordered_json(*value / r.matching.speed) : ordered_json();
  }
  return out;
}

ordered_json json_of(const commands::bench_request& asked, const matching_result& r, double base) {
  const double rate = r.of(matches).median;
  return {
      {"matchers", r.matchers},
      {"repeats", r.samples.size()},
      {"matches_per_s", spread_json(r.of(matches))},
      {"scaling", base > 0 ? ordered_json(rate / base) : ordered_json()},
      {"lease_operations_per_s",
       has_leases(asked) ? spread_json(r.of(operations_per_second)) : ordered_json()},
      {"conflicts_per_s", spread_json(r.of(conflicts))},
      {"conflict_share", spread_json(r.of(conflict_share))},
      {"time_to_match", json_of(asked, r.pooled(&matching_sample::to_match))},
      {"time_in_matcher", json_of(asked, r.pooled(&matching_sample::in_matcher))},
      {"timers_late_p99_s", spread_json(r.of([](const auto& s) { return s.timer_late_p99_s; }))},
      {"unmatched", r.sum(unmatched)},
      {"overloaded", is_overloaded(asked, r)},
      {"ran_out_of_rides", has_run_out(r)},
      {"double_commits", r.sum(double_commits)},
      {"double_rides", r.sum(double_rides)},
      {"violations", r.sum(violations)},
      {"facts", r.sum([](const auto& s) { return s.facts; })}};
}

std::string json_text(const commands::bench_request& r, const std::vector<matching_result>& all) {
  const auto& m = r.matching;
  ordered_json out{{"protocol", lease::rules_of(m.protocol).name},
                   {"drivers", m.drivers},
                   {"zipf", m.zipf},
                   {"candidates", m.candidates},
                   {"blind", m.blind},
                   {"threads", m.threads},
                   {"seconds", m.seconds},
                   {"speed", m.speed},
                   {"rides_in_flight", m.rate > 0 ? 0 : m.in_flight},
                   {"rides_at_once", m.at_once},
                   {"rate_per_s", m.rate},
                   {"results", ordered_json::array()}};
  const double base = all.empty() ? 0 : all.front().of(matches).median;
  for (const matching_result& each : all) {
    out["results"].push_back(json_of(r, each, base));
  }
  return text::json_as_text(out, 2) + "\n";
}

/// The samples take turns, so that what else the machine does falls on all.
result<std::vector<matching_result>> measure(const commands::bench_request& r) {
  std::vector<matching_result> all;
  for (const std::uint32_t matchers : r.matchers) {
    all.push_back({.matchers = matchers, .samples = {}});
  }
  for (std::uint32_t k = 0; k < r.repeats; ++k) {
    for (matching_result& each : all) {
      if (!r.quiet) {
        commands::print_diagnostics(fmt::format("dibs: repeat {} of {}, {}\n",
                                                k + 1,
                                                r.repeats,
                                                text::plural(each.matchers, "matcher")));
      }
      auto sample = bench::measure_matching(
          {r.matching, each.matchers, std::uint64_t{k} + 1, commands::stop_flag()});
      if (!sample) {
        return tl::unexpected(sample.error());
      }
      if (sample->interrupted) {
        std::erase_if(all, [](const matching_result& m) { return m.samples.empty(); });
        return all;
      }
      each.samples.push_back(*sample);
    }
  }
  return all;
}

}  // namespace

int bench_matching(const commands::bench_request& r) {
  const auto all = measure(r);
  if (!all) {
    return commands::fail(all.error());
  }
  exit_code code = exit_code::done;
  for (const matching_result& each : *all) {
    if (each.sum(violations) > 0) {
      code = exit_code::invariant_broke;
    }
  }
  if (const auto signal = commands::stopped_by()) {
    code = *signal;
    commands::print_diagnostics("dibs: interrupted; only measurements that were done count\n");
  }
  if (all->empty()) {
    return static_cast<int>(code);
  }
  return commands::finish(
      r.format == commands::format::json ? json_text(r, *all) : text_of(r, *all), code);
}

}  // namespace dibs::bench
