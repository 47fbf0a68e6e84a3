#include "scenario/warnings.hpp"

#include "scenario/field_needs.hpp"
#include "scenario/profiles.hpp"
#include "scenario/scalar_types.hpp"
#include "scenario/trace_source.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"
#include "world/od_matrix.hpp"
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

std::string of_lost_rows(const std::string& file,
                         const std::string& how_many,
                         std::uint64_t rows,
                         const std::vector<std::string>& first) {
  return fmt::format("{}: {} left out, since they lack what is needed: {}{}",
                     file,
                     how_many,
                     text::display_text(fmt::format("{}", fmt::join(first, "; ")), 600),
                     rows > first.size() ? "; and so on" : "");
}

/// What was left out of a trace, laid together, and doubted.
void look_at_rows(const trace_demand& source,
                  const world::trace& rows,
                  std::vector<std::string>& remarks) {
  const std::string file = text::display_text(source.file.string(), 200);
  if (rows.rows_lost > 0) {
    remarks.push_back(
        of_lost_rows(file, text::plural(rows.rows_lost, "row"), rows.rows_lost, rows.lost));
  }
  if (rows.days.size() > 1) {
    remarks.push_back(
        fmt::format("{} has {} days, {} to {}: their mean is replayed; see `demand.*.day`",
                    file,
                    rows.days.size(),
                    rows.days.front(),
                    rows.days.back()));
  }
  for (const std::string& doubt : rows.doubts) {
    remarks.push_back(file + ": " + text::display_text(doubt, 400));
  }
}

void look_at_traces(const scenario& s, std::vector<std::string>& remarks) {
  for (const demand_source& source : s.demand) {
    const auto* trace = std::get_if<trace_demand>(&source);
    const auto rows =
        trace == nullptr ? nullptr : rows_of(s, *trace, map_of(s.world)).value_or(nullptr);
    if (rows == nullptr) {
      continue;
    }
    look_at_rows(*trace, *rows, remarks);
    if (std::ranges::any_of(rows->rows,
                            [&](const auto& row) { return lies_within(row, *trace, s.clock); })) {
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

/// What was left out of a matrix, and whether it is silent in the hours of the run.
void look_at_matrices(const scenario& s, std::vector<std::string>& remarks) {
  for (const demand_source& source : s.demand) {
    const auto* asked = std::get_if<matrix_demand>(&source);
    const auto matrix =
        asked == nullptr ? nullptr : matrix_of(s, *asked, map_of(s.world)).value_or(nullptr);
    if (matrix == nullptr) {
      continue;
    }
    const std::string file = text::display_text(asked->file.string(), 200);
    if (matrix->rows_lost > 0) {
      const bool is_square = asked->format.form == matrix_form::square;
      remarks.push_back(of_lost_rows(file,
                                     text::plural(matrix->rows_lost, is_square ? "cell" : "row"),
                                     matrix->rows_lost,
                                     matrix->lost));
    }
    if (matrix->days > 1) {
      remarks.push_back(
          fmt::format("{} has {} days: its rates are their mean", file, matrix->days));
    }
    for (const std::string& doubt : matrix->doubts) {
      remarks.push_back(file + ": " + text::display_text(doubt, 400));
    }
    const sim_duration length = s.clock.warmup + s.clock.duration;
    if (matrix->rides_within(s.clock.start, length) <= 0) {
      remarks.push_back(fmt::format(
          "no rate of {} is above 0 in the simulated hours, {} to {}; see `clock.start`",
          file,
          time_of_day(s.clock.start % day),
          time_of_day((s.clock.start + length) % day)));
    }
  }
}

/// Traces are looked at by their rows.
void look_at_other_demand(const scenario& s, std::vector<std::string>& remarks) {
  const sim_duration end = s.clock.warmup + s.clock.duration;
  for (const demand_source& source : s.demand) {
    const auto* burst = std::get_if<burst_demand>(&source);
    const auto* poisson = std::get_if<poisson_demand>(&source);
    const sim_duration begin = burst ? burst->at : poisson ? poisson->from : sim_duration::zero();
    if (begin >= end) {
      remarks.push_back(
          fmt::format("no ride comes from the {} at {}: rides end after {}; see "
                      "`clock.duration`",
                      burst ? "burst" : "poisson source",
                      text::duration(begin),
                      text::duration(end)));
    }
  }
}

void look_at_clocks(const scenario& s, std::vector<std::string>& remarks) {
  const sim_duration end = s.ends().time_since_epoch();
  const auto look = [&](const sim::clock_error& e, const char* what, sim_duration at) {
    if (at >= end) {
      remarks.push_back(
          fmt::format("{} of the clock of {} at {} comes to nothing: the run ends after {}; see "
                      "`clock.duration`",
                      what,
                      print(e.node),
                      text::duration(at),
                      text::duration(end)));
    }
  };
  for (const sim::clock_error& e : s.clocks) {
    for (const sim::clock_step& step : e.steps) {
      look(e, "the step", step.at);
    }
    if (e.strobe) {
      look(e, "the strobe", e.strobe->from);
    }
    look(e, "what is wrong", e.from);
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

/// Where the lease manager takes assignments, it is asked without a lease too.
bool may_confirm(const scenario& s) {
  return takes_leases(s) || s.lease.commit == commit_at::manager;
}

/// A wrong clock; or none, where not all know one end: an extension that was not heard of, a lease
/// that its holder stops trusting early, an instant that was read before.
bool may_differ_in_time(const scenario& s) {
  const lease_options& l = s.lease;
  const auto* begun = std::get_if<constant_duration>(&l.transaction);
  return !s.clocks.empty() || of_renewals().is_met(s) || of_lost_managers().is_met(s) ||
         l.margin > sim_duration::zero() || begun == nullptr || begun->value > sim_duration::zero();
}

bool may_repeat_messages(const scenario& s) {
  return std::ranges::any_of(s.network, [](const auto& l) { return l.duplicate > 0 || l.retry; }) ||
         std::ranges::any_of(s.faults, [](const fault& f) {
           return std::holds_alternative<duplicate_fault>(f.what);
         });
}

bool may_cancel(const scenario& s) {
  return s.riders.cancel_after_match.share > 0 || s.riders.cancel_at_accept.share > 0;
}

bool takes_all(const scenario& s) { return s.lease.rules().ledger == lease::ledger_rule::take_all; }

/// What figures need in order to be anything but 0: of those whose names begin so.
struct needs_of_figures {
  std::string_view names;
  need what;
};

/// Without a map a driver is there at once, unless she drives another rider first.
need of_pickups() {
  return {[](const scenario& s) {
            return s.world.geography == geography::map ||
                   !s.lease.rules().promises_to(lease::invariant::no_double_commit);
          },
          of_map().otherwise};
}

const std::vector<needs_of_figures>& needs_of_all_figures() {
  const need crashes{strikes_matchers<crash_fault>, "no matcher crashes; see `faults`"};
  const need failures{[](const scenario& s) {
                        return strikes_matchers<crash_fault>(s) ||
                               std::ranges::any_of(s.faults, [](const fault& f) {
                                 return std::holds_alternative<throw_fault>(f.what);
                               });
                      },
                      "no matcher crashes or fails; see `faults`"};
  const need pauses{strikes_matchers<pause_fault>, "no matcher pauses; see `faults`"};
  const need losses{may_lose_messages, "no message is lost; see `network`, `faults`"};
  const need refusals{[](const scenario& s) { return !takes_all(s); },
                      "the ledger takes whatever comes; see `lease.protocol`"};
  const need answers{[](const scenario& s) { return may_confirm(s) || !takes_all(s); },
                     "nobody refuses anything; see `lease.protocol`"};
  const need claims{[](const scenario& s) { return s.matchers.claims.has_value(); },
                    "no ride is claimed; see `matchers.claims`"};
  const need confirms{[](const scenario& s) { return s.lease.judge != judge::holder; },
                      "no lease is confirmed; see `lease.judge`"};
  const need cancels{may_cancel,
                     "no rider cancels; see `riders.cancel_after_match`, "
                     "`riders.cancel_at_accept`"};
  const need skews{may_differ_in_time, "all clocks are right; see `clocks`"};
  const need repeats{may_repeat_messages, "no message comes twice; see `network`, `faults`"};
  const need deadlines{
      [](const scenario& s) { return s.lease.offer_window.value_or(s.lease.ttl) != forever; },
      "an offer waits for ever; see `lease.offer_window`"};
  const need late_answers{
      [](const scenario& s) { return s.drivers.late_answer == late_answer::sent; },
      "late answers are not sent; see `drivers.late_answer`"};
  const need ends{[](const scenario& s) { return s.lease.ttl != forever; },
                  "leases have no end; see `lease.ttl`"};
  static const std::vector<needs_of_figures> all{
      {"leases.", of_leases()},
      {"confirms.", {may_confirm, of_leases().otherwise}},
      {"confirms.", confirms},
      {"confirms.duplicate", repeats},
      {"writes.stale", of_leases()},
      {"accepts.late", deadlines},
      {"accepts.late_committed", late_answers},
      {"supply.lease", of_leases()},
      {"supply.hidden", of_leases()},
      {"supply.starved", of_leases()},
      {"supply.converted", of_leases()},
      {"accepts.premature", of_leases()},
      {"accepts.premature.crash", failures},
      {"accepts.premature.pause", pauses},
      {"accepts.premature.loss", losses},
      {"accepts.premature.skew", skews},
      {"accepts.lost.crash", failures},
      {"accepts.lost.pause", pauses},
      {"accepts.lost.loss", losses},
      {"accepts.lost.skew", skews},
      {"accepts.lost.early_cleanup", of_leases()},
      {"accepts.lost.refused", answers},
      {"leases.expired", of_expiry()},
      {"leases.renewals", of_renewals()},
      {"leases.zombie", crashes},
      {"leases.orphaned", crashes},
      {"leases.overhang", ends},
      {"supply.hidden_s.overhang", ends},
      {"supply.hidden_s.zombie", crashes},
      {"supply.hidden_s.denied_by_ledger", refusals},
      {"writes.stale_refused", of_fence()},
      {"rides.taken_over", claims},
      {"rides.cancelled", cancels},
      {"pickup.", of_pickups()}};
  return all;
}

/// Expected on purpose of what cannot be anything else: that a protocol without leases hides
/// nobody.
bool is_none(const bound& b) { return b.text == "== 0"; }

void look_at_bounds(const scenario& s,
                    const std::vector<bound>& bounds,
                    const char* what,
                    std::vector<std::string>& remarks) {
  for (const bound& b : bounds) {
    if (const auto why = why_zero(s, b.metric)) {
      remarks.push_back(fmt::format(
          "{} {} {} says nothing: {}", what, b.metric, text::display_text(b.text), *why));
    }
  }
}

void look_at_profile(const scenario& s, std::vector<std::string>& remarks) {
  const std::vector<std::string> kept = kept_from_profile(s);
  if (!kept.empty()) {
    remarks.push_back(
        fmt::format("the profile {} says otherwise of {}, and has no effect there: the scenario "
                    "gives {}, and what is given wins",
                    s.lease.profile,
                    text::word_list(kept),
                    kept.size() == 1 ? "this field" : "these fields"));
  }
}

}  // namespace

std::optional<std::string> why_zero(const scenario& s, std::string_view metric) {
  for (const needs_of_figures& n : needs_of_all_figures()) {
    if (metric.starts_with(n.names) && !n.what.is_met(s)) {
      return n.what.otherwise;
    }
  }
  return std::nullopt;
}

std::vector<std::string> remarks_on(const scenario& s) {
  std::vector<std::string> remarks;
  look_at_traces(s, remarks);
  look_at_matrices(s, remarks);
  look_at_other_demand(s, remarks);
  look_at_clocks(s, remarks);
  look_at_profile(s, remarks);
  look_at_bounds(s, s.thresholds, "the threshold", remarks);
  std::vector<bound> expected = s.expect;
  std::erase_if(expected, is_none);
  look_at_bounds(s, expected, "the expectation", remarks);
  return remarks;
}

}  // namespace dibs::scenario
