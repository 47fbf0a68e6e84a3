// Root causes of drivers hidden by a lease, and of rides that starved for it: for what drivers were
// held.

#include "explain/late_reply.hpp"
#include "explain/lost_message.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "metrics/evaluators.hpp"
#include "metrics/worst_harms.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

constexpr const char* starved_share = "supply.starved_share";
constexpr const char* hidden_share = "supply.hidden_share";
constexpr const char* overhang = "leases.overhang_s";  // of what stays beyond its deadline
constexpr const char* nobody_free = "every driver near it was on a trip or under a lease";

/// When the work of its matcher failed, with an error and without giving back the lease.
sim_time failed_at(const history::indexed_run& c, const try_record& t) {
  return history::time_of(history::first_of<events::work_failed>(
      c.of(),
      [&](const auto& error, sim_time) { return !error.gives_back && error.token == t.token; }));
}

/// When a lease manager that came back, or took over, last gave the lease time anew; never if none
/// did.
sim_time reset_at(const history::indexed_run& c, const try_record& t) {
  return history::time_of(
      history::last_of<events::lease_reset>(c.of(), [&](const auto& reset, sim_time at) {
        return reset.token == t.token && t.lease().holds(at);
      }));
}

bool is_past(const history::indexed_run& c, const try_record& t, sim_time by) {
  return t.is_leased() && t.deadline != never && t.deadline + c.of().scenario.lease.grace + 1s < by;
}

/// Until when it had run out, and nobody had ended it, while somebody waited; never if it had not.
sim_time stood_until(const history::indexed_run& c, const harm& b, const try_record& t) {
  const sim_time until = std::min(t.over, c.of().end);
  const bool has_run_out = is_past(c, t, until) && reset_at(c, t) == never;
  return has_run_out && until > b.t ? until : never;
}

/// The leases of a breach for which `holds`.
std::vector<const try_record*> leases_where(const history::indexed_run& c,
                                            const harm& b,
                                            auto holds) {
  std::vector<const try_record*> all;
  for (const metrics::try_index i : b.tries) {
    if (holds(c.tries()[i])) {
      all.push_back(&c.tries()[i]);
    }
  }
  return all;
}

/// When the holder gave the lease back to a lease manager that goes on holding it; else never.
sim_time kept_from(const history::indexed_run& c, const try_record& t) {
  if (c.of().scenario.lease.release_frees) {
    return never;
  }
  return history::time_of(
      history::first_of<events::call_made>(c.of(), [&](const auto& made, sim_time at) {
        return made.what == events::call::release && made.token == t.token && at < t.over;
      }));
}

std::string told_of_kept(const try_record& t, sim_time given_back) {
  return fmt::format("{} gave {} back at {}, and the lease manager kept {} until it ran out",
                     history::name_of(t.matcher),
                     history::name_of(t.token),
                     history::clock_time(given_back.time_since_epoch()),
                     history::name_of(t.driver));
}

root_cause of_run_out(const history::indexed_run& c,
                      const harm& b,
                      const std::vector<const try_record*>& over) {
  const try_record& first = *over.front();
  if (auto by_clock = root_cause_of_moved_end(c, first, starved_share)) {
    root_cause l;
    l.reason = fmt::format("{}; {}", nobody_free, by_clock->reason);
    l.remedies = std::move(by_clock->remedies);
    return l;
  }
  const sim_time until = stood_until(c, b, first);
  root_cause l;
  l.reason = fmt::format(
      "{}; {} held {} until {} although it had run out {} before, and nobody had cleaned it up{}",
      nobody_free,
      history::name_of(first.token),
      history::name_of(first.driver),
      history::clock_time(until.time_since_epoch()),
      text::duration(until - first.deadline),
      over.size() > 1 ? fmt::format(", and so did {} more", over.size() - 1) : "");
  return l;
}

/// Nothing where no error of the scenario leaves a lease.
std::optional<remedy> last_act(const history::indexed_run& c, const char* metric) {
  const auto& faults = c.of().scenario.faults;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto* error = std::get_if<scenario::throw_fault>(&faults[i].what);
    if (error != nullptr && !error->gives_back) {
      return remedy{"a last act that gives the lease back whatever happens (`finally`)",
                    {{fmt::format("faults.{}.lease", i + 1), "released"}},
                    metric};
    }
  }
  return std::nullopt;
}

root_cause of_leaked(const history::indexed_run& c, const std::vector<const try_record*>& all) {
  const try_record& first = *all.front();
  root_cause l;
  l.reason = fmt::format(
      "{}; what {} did for {} had ended with an error, and {} on {} was left to run to its end",
      nobody_free,
      history::name_of(first.matcher),
      history::name_of(first.ride),
      history::name_of(first.token),
      history::name_of(first.driver));
  add(l.remedies, last_act(c, starved_share));
  return l;
}

/// A word that they waited for was lost, and they were left to run to their end.
root_cause of_unheard(const history::indexed_run& c, const std::vector<const try_record*>& all) {
  const try_record& first = *all.front();
  const auto lost = *lost_message_of(c, first, first.over);
  root_cause l;
  l.decided = lost.last;
  l.reason =
      fmt::format("{}; {} held {} until {}: {}{}",
                  nobody_free,
                  history::name_of(first.token),
                  history::name_of(first.driver),
                  history::clock_time(std::min(first.over, c.of().end).time_since_epoch()),
                  describe(lost),
                  all.size() > 1 ? fmt::format("; so it was with {} more", all.size() - 1) : "");
  add(l.remedies, retries_for(c, lost.how, starved_share));
  add(l.remedies, without_drop(c, lost, starved_share));
  return l;
}

/// It was confirmed, and its lease manager waited for the write.
root_cause of_unwritten(const history::indexed_run& c, const try_record& t) {
  const std::string held =
      fmt::format("{} was confirmed, and the lease manager held it for a write that never came",
                  history::name_of(t.token));
  if (auto out = root_cause_of_outage(c, t, t.over, hidden_share)) {
    out->reason = fmt::format("{}; {}", held, out->reason);
    return *out;
  }
  root_cause l;
  l.decided = t.deadline + c.of().scenario.lease.grace;
  l.reason = held;
  if (const auto lost = lost_message_of(c, t, t.over)) {
    l.decided = lost->last;
    l.reason += "; " + describe(*lost);
    add(l.remedies, retries_for(c, lost->how, hidden_share));
    add(l.remedies, without_drop(c, *lost, hidden_share));
  }
  return l;
}

/// It had run out, and nobody ended it.
root_cause of_uncleaned(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  l.decided = t.deadline + c.of().scenario.lease.grace;
  const node_id leader = c.lead().of(t.token, *l.decided);
  const auto out = outage_at(c, leader, *l.decided);
  l.reason =
      out ? fmt::format("{} ran out while {} {}, and nobody else cleans it up",
                        history::name_of(t.token),
                        metrics::describe(leader),
                        told_of_outage(*out))
          : fmt::format("{} had run out, and nobody cleaned it up", history::name_of(t.token));
  add(l.remedies, without_outage(c, leader, *l.decided, hidden_share));
  return l;
}

/// It stays past its end: given time anew, unknown to who leads, held for a write after a confirm,
/// or for want of somebody who ends it.
root_cause of_overdue(const history::indexed_run& c, const try_record& t) {
  const std::string token = history::name_of(t.token);
  const node_id granter = c.lead().of(t.token, t.granted);
  const node_id leader = c.lead().of(token_id::none(), t.granted);
  root_cause l;
  if (const sim_time reset = reset_at(c, t); reset != never) {
    l.decided = reset;
    l.reason = fmt::format(
        "a lease manager that came back, or took over, gave {} time anew at {}; it would have run "
        "out at {}",
        token,
        history::clock_time(reset.time_since_epoch()),
        history::clock_time(t.deadline.time_since_epoch()));
    add_measures(
        c, {remedy_kind::leases_kept, remedy_kind::leases_checkpointed}, hidden_share, l.remedies);
    return l;
  }
  if (granter != leader) {
    l.decided = t.granted;
    l.reason = fmt::format(
        "{} granted {} at {}, though {} had led since {}, which knows nothing of it and cannot end "
        "it",
        history::name_of(granter),
        token,
        history::clock_time(t.granted.time_since_epoch()),
        history::name_of(leader),
        history::clock_time(c.lead().changed_by(t.granted).time_since_epoch()));
    return l;
  }
  return t.ending == events::lease_ending::unwritten ? of_unwritten(c, t) : of_uncleaned(c, t);
}

/// It was kept past its end by more than a late look, or for a good part of the time.
bool is_largely_overdue(const history::indexed_run& c, const try_record& t) {
  const sim_duration past = std::min(t.over, c.of().end) - t.deadline;
  return t.ending == events::lease_ending::unwritten || reset_at(c, t) != never ||
         6 * past > common(t.lease(), {sim_time{}, c.of().end}).length();
}

/// She answered when the lease was over already. Without latency a decline ends it at once.
bool is_answered_late(const try_record& t) {
  const bool is_by_her = t.ended && t.ending == events::lease_ending::declined;
  return t.decided != never && (t.decided > t.over || (t.decided == t.over && !is_by_her));
}

/// What the driver made of the offer.
root_cause of_answer(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  if (auto offline = root_cause_of_offline(c, t, hidden_share)) {
    l = std::move(*offline);
  } else if (auto unrenewed = root_cause_of_unrenewed(c, t, hidden_share)) {
    l = std::move(*unrenewed);
  } else if (auto zone = root_cause_of_lost_zone(c, t)) {
    l = std::move(*zone);
  } else if (t.shown != never && t.decided == never) {
    l.decided = t.shown;
    l.reason = fmt::format(
        "she never answers this offer; to everybody else that looks like a driver who thinks it "
        "over, {}",
        t.deadline == never ? "and " + told_of_endless(t)
                            : fmt::format("until {} runs out", history::name_of(t.token)));
  } else if (t.decided < t.over && t.accepted && !t.in_time) {
    const auto gone = c.clocks().shown_until(t);
    l.decided = gone;
    l.reason = fmt::format(
        "she answered {} after the offer had left her screen, too late by her own clock",
        text::duration(t.decided - gone.value_or(t.decided)));
  } else if (is_answered_late(t)) {
    l.reason =
        fmt::format("she thought it over for longer than {} lasted, and answered {} after its end",
                    history::name_of(t.token),
                    text::duration(t.decided - t.over));
    add(l.remedies, longer_lease(c, hidden_share));
  } else if (t.decided != never && !t.accepted) {
    l.decided = t.decided;
    l.reason = fmt::format("she thought it over for {}, and declined",
                           text::duration(t.decided - std::min(t.shown, t.decided)));
  }
  return l;
}

/// Her answer came when the lease was over, or its end took the offer from her screen.
bool is_missed_by_end(const try_record& t) {
  return is_answered_late(t) || (t.decided == never && t.withdrawn);
}

/// For what a lease held its driver until it ran out, or was ended.
root_cause of_holding(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  const sim_time failed = failed_at(c, t);
  const sim_time down = c.down().first_within(t.matcher, t.lease());
  const std::string stays = t.deadline == never
                                ? "and " + told_of_endless(t)
                                : "and a lease that nobody gives back stays until it runs out";
  auto out = down == never ? root_cause_of_outage(c, t, t.over, hidden_share) : std::nullopt;
  if (!out) {
    out = root_cause_of_slow_link(c, t, t.over, hidden_share);
  }
  if (out) {
    l = std::move(*out);
  } else if (auto silent = root_cause_of_unreachable(c, t, hidden_share)) {
    l = std::move(*silent);
  } else if (auto unwritten = root_cause_of_late_write(c, t, hidden_share)) {
    l = std::move(*unwritten);
  } else if (const auto late = late_reply_of(c, t)) {
    l.decided = late->given_up->t;
    l.by_rule = true;
    l.reason = fmt::format(
        "{}, and {} was held in vain", describe(c, t, *late), history::name_of(t.driver));
    add_patience(c, t, *late, hidden_share, l.remedies);
  } else if (const sim_time given_back = kept_from(c, t); given_back != never) {
    l.decided = given_back;
    l.reason = told_of_kept(t, given_back);
    add_measures(c, {remedy_kind::release_frees}, hidden_share, l.remedies);
  } else if (failed != never) {
    l.decided = failed;
    l.reason = fmt::format("what {} did for {} ended with an error, {}",
                           history::name_of(t.matcher),
                           history::name_of(t.ride),
                           stays);
  } else if (auto screen = root_cause_of_fast_screen(c, t, hidden_share)) {
    l = std::move(*screen);
  } else if (down != never) {
    l.decided = down;
    l.reason = fmt::format("{} crashed and forgot it, {}", history::name_of(t.matcher), stays);
    add(l.remedies, without_outage(c, node_of(t.matcher), down, hidden_share));
  } else if (const auto lost = lost_message_of(c, t, t.over)) {
    l.decided = lost->last;
    l.reason = fmt::format("{}, {}", describe(*lost), stays);
    add(l.remedies, retries_for(c, lost->how, hidden_share));
    add(l.remedies, without_drop(c, *lost, hidden_share));
  } else if (metrics::fate_of(t) == metrics::fate::lost) {
    // Held for a yes that came to nothing: what that was lost to held it.
    l = root_cause_of_lost_accept(c, t);
    l.further.clear();
    for (remedy& each : l.remedies) {
      each.metric = hidden_share;
    }
  } else if (auto displaced = root_cause_of_displaced(c, t, hidden_share)) {
    l = std::move(*displaced);
  } else if (auto forgotten = root_cause_of_forgotten(c, t, hidden_share)) {
    l = std::move(*forgotten);
  } else if (auto called_off = root_cause_of_called_off(c, t, hidden_share)) {
    l = std::move(*called_off);
  } else {
    l = of_answer(c, t);
  }
  return l;
}

/// Why a lease came to nothing, or was not ended before.
root_cause of_one_lease(const history::indexed_run& c, const try_record& t) {
  const bool has_run_out = is_past(c, t, t.over);
  if (auto by_clock = root_cause_of_moved_end(c, t, is_ended_early(t) ? hidden_share : overhang);
      by_clock && (has_run_out || (is_ended_early(t) && is_missed_by_end(t)))) {
    return *by_clock;
  }
  if (auto by_clock = root_cause_of_deadline(c, t, hidden_share)) {
    return *by_clock;
  }
  if (has_run_out && is_largely_overdue(c, t)) {
    return of_overdue(c, t);
  }
  root_cause l = of_holding(c, t);
  return l.reason.empty() && has_run_out ? of_overdue(c, t) : l;
}

/// That the lease manager kept it beyond its deadline, as it was set up to.
void add_grace(const history::indexed_run& c, const try_record& t, root_cause& l) {
  const sim_duration grace = c.of().scenario.lease.grace;
  const bool is_kept = t.deadline != never && std::min(t.over, c.of().end) - t.deadline >= 1s &&
                       t.ending != events::lease_ending::unwritten;
  if (!is_kept || grace < 1s) {
    return;
  }
  l.reason += fmt::format("{}the lease manager keeps a lease for {} beyond its deadline (`grace`)",
                          l.reason.empty() ? "" : "; ",
                          text::duration(grace));
  l.decided = l.decided ? l.decided : t.deadline;
  add_measures(c, {remedy_kind::no_late_end}, hidden_share, l.remedies);
}

/// The lease near it that held longest of those without an end that no decline ended; null if there
/// is none.
const try_record* without_end(const history::indexed_run& c, const harm& b) {
  const try_record* longest = nullptr;
  for (const metrics::try_index i : b.tries) {
    const try_record& t = c.tries()[i];
    const bool is_longer = longest == nullptr || t.lease().length() > (*longest).lease().length();
    const bool is_left = t.deadline == never && (t.decided == never || t.accepted);
    longest = is_left && is_longer ? &t : longest;
  }
  return longest;
}

/// Whatever else keeps leases from holding drivers in vain.
void add_holding(const history::indexed_run& c, const char* metric, std::vector<remedy>& to) {
  add_measures(c,
               {remedy_kind::release_frees,
                remedy_kind::leases_kept,
                remedy_kind::leases_checkpointed,
                remedy_kind::leases_forgotten,
                remedy_kind::timed_cleanup,
                remedy_kind::monotonic_timers,
                remedy_kind::unfrozen_clock,
                remedy_kind::durations,
                remedy_kind::one_offer,
                remedy_kind::claim_renewed,
                remedy_kind::old_leader_yields},
               metric,
               to);
  add(to, longer_lease(c, metric));
}

}  // namespace

root_cause root_cause_of_hiding(const history::indexed_run& c, const harm& b) {
  const try_record& t = c.tries()[b.tries.front()];
  root_cause l = of_one_lease(c, t);
  const bool has_run_out =
      l.decided && t.deadline != never && *l.decided >= t.deadline && reset_at(c, t) == never;
  add_grace(c, t, l);
  if (l.reason.empty()) {
    l.reason = fmt::format("no event says why {} came to nothing", history::name_of(t.token));
  }
  if (has_run_out) {
    add_measures(c, {remedy_kind::timed_cleanup}, overhang, l.remedies);
  }
  add(l.remedies, lease_with_end(c, hidden_share));
  if (failed_at(c, t) != never) {
    add(l.remedies, last_act(c, hidden_share));
  }
  if (!has_run_out) {
    add(l.remedies, shorter_lease(c, hidden_share));
  }
  add_holding(c, hidden_share, l.further);
  return l;
}

root_cause root_cause_of_starved(const history::indexed_run& c, const harm& b) {
  const auto over =
      leases_where(c, b, [&](const try_record& t) { return stood_until(c, b, t) != never; });
  const auto leaked =
      leases_where(c, b, [&](const try_record& t) { return failed_at(c, t) != never; });
  // Their holder had given them up before it heard of them.
  const auto late =
      leases_where(c, b, [&](const try_record& t) { return late_reply_of(c, t).has_value(); });
  const auto back =
      leases_where(c, b, [&](const try_record& t) { return kept_from(c, t) != never; });
  const auto unheard = leases_where(
      c, b, [&](const try_record& t) { return lost_message_of(c, t, t.over).has_value(); });
  root_cause l;
  if (!over.empty() && over.size() >= leaked.size()) {
    l = of_run_out(c, b, over);
  } else if (!leaked.empty()) {
    l = of_leaked(c, leaked);
  } else if (!late.empty()) {
    l.reason = fmt::format("{}; {}", nobody_free, of_one_lease(c, *late.front()).reason);
    l.reason += late.size() > 1 ? fmt::format(", and so were {} more", late.size() - 1) : "";
    l.by_rule = true;
    add_patience(c, *late.front(), *late_reply_of(c, *late.front()), starved_share, l.remedies);
  } else if (!back.empty()) {
    l.reason = fmt::format("{}; {}{}",
                           nobody_free,
                           told_of_kept(*back.front(), kept_from(c, *back.front())),
                           back.size() > 1 ? fmt::format(", and {} more", back.size() - 1) : "");
    add_measures(c, {remedy_kind::release_frees}, starved_share, l.remedies);
  } else if (const try_record* endless = without_end(c, b)) {
    l.reason = fmt::format("{}; {}", nobody_free, of_one_lease(c, *endless).reason);
  } else if (!unheard.empty() && 2 * unheard.size() >= b.tries.size()) {
    l = of_unheard(c, unheard);
  } else {
    l.reason = nobody_free;
  }
  add(l.remedies, lease_with_end(c, starved_share));
  add_measures(c, {remedy_kind::timed_cleanup, remedy_kind::one_offer}, starved_share, l.remedies);
  if (over.empty()) {
    add(l.remedies, shorter_lease(c, starved_share));
  }
  add_holding(c, starved_share, l.further);
  return l;
}

}  // namespace dibs::explain
