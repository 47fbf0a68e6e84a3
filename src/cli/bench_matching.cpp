// `dibs bench matching`: matches a second, live, from one matcher to many.

#include "cli/bench_matching.hpp"

#include "bench/matching.hpp"
#include "cli/columns.hpp"
#include "cli/noise.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "lease/protocol.hpp"
#include "report/number.hpp"
#include "study/counted.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::cli {
namespace {

using bench::matching_result;
using bench::matching_sample;
using nlohmann::ordered_json;

double per_second(const matching_sample& s, std::uint64_t count) {
  return s.seconds > 0 ? static_cast<double>(count) / s.seconds : 0;
}
double matches(const matching_sample& s) { return per_second(s, s.matches); }
double operations(const matching_sample& s) { return per_second(s, s.lease_operations); }
double conflicts(const matching_sample& s) { return per_second(s, s.denials); }
double denied_share(const matching_sample& s) {
  return s.requests == 0 ? 0 : static_cast<double>(s.denials) / static_cast<double>(s.requests);
}

std::string time_of(double seconds) { return report::duration(seconds); }

std::vector<std::string> row_of(const matching_result& r, double base) {
  const bench::spread rate = r.of(matches);
  return {std::to_string(r.matchers),
          report::compact(rate.median),
          noise_text(rate.noise(), r.samples.size()),
          base > 0 ? report::decimal(rate.median / base, 2) : "-",
          report::compact(r.of(operations).median),
          report::compact(r.of(conflicts).median),
          fmt::format("{:.2f} %", 100 * r.of(denied_share).median),
          time_of(r.of([](const auto& s) { return s.p50_s; }).median),
          time_of(r.of([](const auto& s) { return s.p99_s; }).median),
          time_of(r.of([](const auto& s) { return s.p999_s; }).median),
          report::grouped(r.sum([](const auto& s) { return s.double_assignments; })),
          report::grouped(r.sum([](const auto& s) { return s.violations; }))};
}

std::string setting_of(const bench_request& r) {
  const auto& m = r.matching;
  const std::string loop =
      m.rate > 0
          ? fmt::format("open loop at {} rides/s", report::compact(m.rate))
          : fmt::format("closed loop with {} in flight", study::counted(m.in_flight, "ride"));
  return fmt::format(
      "protocol {}, {}, Zipf {}, {}{}, {}, {},\n{} of {} at a "
      "speed of {}\n\n",
      lease::rules_of(m.protocol).name,
      study::counted(m.drivers, "driver"),
      report::significant(m.zipf),
      study::counted(m.candidates, "candidate"),
      m.blind ? ", blind" : "",
      loop,
      study::counted(m.threads, "thread"),
      study::counted(r.repeats, "repeat"),
      report::duration(m.seconds),
      report::significant(m.speed));
}

std::string notes_of(const std::vector<matching_result>& all, bool is_open) {
  std::string text =
      "\nMatches, lease operations and conflicts (denied requests for a lease) a second of real "
      "time;\n"
      "time from the instant at which a ride appears, or should have, until a driver is committed "
      "to\n"
      "it. Medians of the repeats; noise is how far the rates of the repeats lie apart. Metrics "
      "and\n"
      "checkers watched, and took their share of the machine.\n";
  for (const matching_result& r : all) {
    const auto waiting = r.sum([](const auto& s) { return s.unmatched; });
    // In a closed loop some always do.
    const auto matched = r.sum([](const auto& s) { return s.matches; });
    if (waiting > (is_open ? 0 : matched / 100)) {
      text += fmt::format("{}: {} still waited at the end; they count as that long\n",
                          study::counted(r.matchers, "matcher"),
                          study::counted(waiting, "ride"));
    }
    if (r.sum([](const auto& s) { return s.ran_out_of_rides ? 1U : 0U; }) > 0) {
      text += fmt::format("{}: all rides that one measurement may have were matched\n",
                          study::counted(r.matchers, "matcher"));
    }
  }
  return text;
}

std::string text_of(const bench_request& r, const std::vector<matching_result>& all) {
  std::vector<std::vector<std::string>> rows{{"matchers",
                                              "matches/s",
                                              "noise",
                                              "scaling",
                                              "lease ops/s",
                                              "conflicts/s",
                                              "denied",
                                              "p50",
                                              "p99",
                                              "p99.9",
                                              "doubles",
                                              "broken"}};
  const double base = all.empty() ? 0 : all.front().of(matches).median;
  for (const matching_result& each : all) {
    rows.push_back(row_of(each, base));
  }
  return setting_of(r) + in_columns(rows) + notes_of(all, r.matching.rate > 0);
}

ordered_json json_of(const bench::spread& s) {
  return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
}

ordered_json json_of(const matching_result& r) {
  return {{"matchers", r.matchers},
          {"repeats", r.samples.size()},
          {"matches_per_s", json_of(r.of(matches))},
          {"lease_operations_per_s", json_of(r.of(operations))},
          {"conflicts_per_s", json_of(r.of(conflicts))},
          {"denied_share", json_of(r.of(denied_share))},
          {"p50_s", json_of(r.of([](const auto& s) { return s.p50_s; }))},
          {"p99_s", json_of(r.of([](const auto& s) { return s.p99_s; }))},
          {"p999_s", json_of(r.of([](const auto& s) { return s.p999_s; }))},
          {"timers_late_p99_s", json_of(r.of([](const auto& s) { return s.timer_late_p99_s; }))},
          {"unmatched", r.sum([](const auto& s) { return s.unmatched; })},
          {"double_assignments", r.sum([](const auto& s) { return s.double_assignments; })},
          {"violations", r.sum([](const auto& s) { return s.violations; })},
          {"facts", r.sum([](const auto& s) { return s.facts; })}};
}

std::string json_text(const bench_request& r, const std::vector<matching_result>& all) {
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
                   {"rate_per_s", m.rate},
                   {"results", ordered_json::array()}};
  for (const matching_result& each : all) {
    out["results"].push_back(json_of(each));
  }
  return out.dump(2) + "\n";
}

/// The samples take turns, so that what else the machine does falls on all.
result<std::vector<matching_result>> measure(const bench_request& r) {
  std::vector<matching_result> all;
  for (const std::uint32_t matchers : r.matchers) {
    all.push_back({.matchers = matchers, .samples = {}});
  }
  for (std::uint32_t k = 0; k < r.repeats; ++k) {
    for (matching_result& each : all) {
      if (!r.quiet) {
        tell(fmt::format("dibs: repeat {} of {}, {}\n",
                         k + 1,
                         r.repeats,
                         study::counted(each.matchers, "matcher")));
      }
      bench::matching_options o = r.matching;
      o.matchers = each.matchers;
      o.seed = k + 1;
      o.stop = stop_flag();
      auto sample = bench::measure_matching(o);
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

int bench_matching(const bench_request& r) {
  const auto all = measure(r);
  if (!all) {
    return fail(all.error());
  }
  exit_code code = exit_code::done;
  for (const matching_result& each : *all) {
    if (each.sum([](const auto& s) { return s.violations; }) > 0) {
      code = exit_code::invariant_broke;
    }
  }
  if (const auto signal = stopped_by()) {
    code = *signal;
    tell("dibs: interrupted; only measurements that were done count\n");
  }
  if (all->empty()) {
    return static_cast<int>(code);
  }
  return finish(r.format == format::json ? json_text(r, *all) : text_of(r, *all), code);
}

}  // namespace dibs::cli
