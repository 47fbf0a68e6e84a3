#include "scenario/warnings.hpp"

#include "scenario/field_needs.hpp"
#include "scenario/trace_source.hpp"
#include "text/escape.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dibs::scenario {

namespace {

constexpr sim_duration day = 24h;

/// `18:05`, and `24:00` of the end of a day.
std::string time_of_day(sim_duration t) {
  const auto minutes = t / 1min;
  return fmt::format("{:02}:{:02}", minutes / 60, minutes % 60);
}

/// How long after `from` it is, on a clock that begins anew at midnight.
sim_duration after(sim_duration from, sim_duration t) { return (t - from + day) % day; }

bool lies_within(const world::trace_row& row, const trace_demand& t, const clock_options& c) {
  const sim_duration length = c.warmup + c.duration + 2 * t.time_jitter;
  return length >= day ||
         after((c.start - t.time_jitter + day) % day, row.time_of_day % day) < length;
}

/// From when to when, where it may lie around midnight: what is left of the day is longest.
std::string hours_of(const world::trace& trace) {
  const auto& rows = trace.rows;
  std::size_t first = 0;
  sim_duration longest{-1};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const world::trace_row& before = rows[(i + rows.size() - 1) % rows.size()];
    const sim_duration gap =
        rows.size() == 1 ? day : after(before.time_of_day % day, rows[i].time_of_day % day);
    if (gap > longest) {
      longest = gap;
      first = i;
    }
  }
  const world::trace_row& last = rows[(first + rows.size() - 1) % rows.size()];
  return fmt::format("from {} to {}",
                     time_of_day(rows[first].time_of_day % day),
                     time_of_day(last.time_of_day % day));
}

void look_at_traces(const scenario& s, std::vector<std::string>& remarks) {
  for (const demand_source& source : s.demand) {
    const auto* trace = std::get_if<trace_demand>(&source);
    const auto rows =
        trace == nullptr ? nullptr : rows_of(s, *trace, map_of(s.world)).value_or(nullptr);
    if (rows == nullptr || std::ranges::any_of(rows->rows, [&](const auto& row) {
          return lies_within(row, *trace, s.clock);
        })) {
      continue;
    }
    remarks.push_back(fmt::format(
        "no row of {} lies in the simulated hours, {} to {}: its rows are {}; see `clock.start`",
        text::display_text(trace->file.string(), 200),
        time_of_day(s.clock.start % day),
        time_of_day((s.clock.start + s.clock.warmup + s.clock.duration) % day),
        hours_of(*rows)));
  }
}

/// Whether a fault of this kind is written for a matcher, whenever it strikes.
template <class Fault>
bool strikes_matchers(const scenario& s) {
  return std::ranges::any_of(s.faults, [](const fault& f) {
    const auto* what = std::get_if<Fault>(&f.what);
    return what != nullptr && what->node.kind == node_kind::matcher;
  });
}

/// Any fault may come to that: partitions, drops, and whoever is down hears nothing.
bool may_lose_messages(const scenario& s) {
  return !s.faults.empty() ||
         std::ranges::any_of(s.network, [](const auto& l) { return l.loss > 0; });
}

bool takes_all(const scenario& s) { return s.lease.rules().ledger == lease::ledger_rule::take_all; }

/// What figures need in order to be anything but 0: of those whose names begin so.
struct needs_of_figures {
  std::string_view names;
  need what;
};

const std::vector<needs_of_figures>& needs_of_all_figures() {
  const need crashes{strikes_matchers<crash_fault>, "no matcher crashes; see `faults`"};
  const need pauses{strikes_matchers<pause_fault>, "no matcher pauses; see `faults`"};
  const need losses{may_lose_messages, "no message is lost; see `network`, `faults`"};
  const need refusals{[](const scenario& s) { return !takes_all(s); },
                      "the ledger takes whatever comes; see `lease.protocol`"};
  const need answers{[](const scenario& s) { return takes_leases(s) || !takes_all(s); },
                     "nobody refuses anything; see `lease.protocol`"};
  const need claims{[](const scenario& s) { return s.matchers.claims.has_value(); },
                    "no ride is claimed; see `matchers.claims`"};
  const need confirms{[](const scenario& s) { return s.lease.judge != judge::holder; },
                      "no lease is confirmed; see `lease.judge`"};
  static const std::vector<needs_of_figures> all{{"leases.", of_leases()},
                                                 {"confirms.", of_leases()},
                                                 {"confirms.", confirms},
                                                 {"supply.lease", of_leases()},
                                                 {"supply.hidden", of_leases()},
                                                 {"supply.starved", of_leases()},
                                                 {"supply.converted", of_leases()},
                                                 {"accepts.premature", of_leases()},
                                                 {"accepts.premature.crash", crashes},
                                                 {"accepts.premature.pause", pauses},
                                                 {"accepts.premature.loss", losses},
                                                 {"accepts.lost.crash", crashes},
                                                 {"accepts.lost.pause", pauses},
                                                 {"accepts.lost.loss", losses},
                                                 {"accepts.lost.early_cleanup", of_leases()},
                                                 {"accepts.lost.refused", answers},
                                                 {"leases.expired", of_expiry()},
                                                 {"leases.renewals", of_renewals()},
                                                 {"leases.zombie", crashes},
                                                 {"leases.orphaned", crashes},
                                                 {"supply.hidden_s.zombie", crashes},
                                                 {"supply.hidden_s.denied_by_ledger", refusals},
                                                 {"writes.stale_refused", of_fence()},
                                                 {"rides.taken_over", claims}};
  return all;
}

void look_at_thresholds(const scenario& s, std::vector<std::string>& remarks) {
  for (const bound& b : s.thresholds) {
    for (const needs_of_figures& n : needs_of_all_figures()) {
      if (b.metric.starts_with(n.names) && !n.what.is_met(s)) {
        remarks.push_back(fmt::format("the threshold {} {} says nothing: {}",
                                      b.metric,
                                      text::display_text(b.text),
                                      n.what.otherwise));
        break;
      }
    }
  }
}

}  // namespace

std::vector<std::string> remarks_on(const scenario& s) {
  std::vector<std::string> remarks;
  look_at_traces(s, remarks);
  look_at_thresholds(s, remarks);
  return remarks;
}

}  // namespace dibs::scenario
