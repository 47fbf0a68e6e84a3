// Root causes of accepts that were lost: what stood between her yes and the trip.

#include "explain/late_reply.hpp"
#include "explain/lost_message.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// When the confirm of her yes was taken; never if it was not.
sim_time confirm_of(const history::indexed_run& c, const try_record& t) {
  return history::time_of(history::first_of<events::confirm_accepted>(
      c.of(),
      [&](const auto& yes, sim_time at) { return yes.token == t.token && at >= t.decided; }));
}

std::string told_of_pause(const history::indexed_run& c,
                          const try_record& t,
                          sim_time paused,
                          bool is_confirmed) {
  const std::string who = history::name_of(t.matcher);
  const auto out = outage_at(c, node_of(t.matcher), paused);
  if (out && out->when.end < std::min(t.over, t.closed)) {
    return fmt::format("{} {}, and {} waited for that",
                       who,
                       told_of_outage(*out),
                       is_confirmed ? "the write that only it asks for" : "her answer");
  }
  return is_confirmed
             ? fmt::format(
                   "{} stood still after its confirm was taken, and the write that only "
                   "it asks for did not come before the lease was over",
                   who)
             : fmt::format("{} stood still until the lease was over, and only it may confirm", who);
}

std::optional<root_cause> of_outage(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  const sim_time open_until = std::min(t.over, t.closed);
  // Without a lease the crash itself may be what ends the try.
  const sim_time until = t.is_leased() || open_until == never ? open_until : open_until + 1ns;
  if (const sim_time down = c.down().first_within(t.matcher, {t.begin(), until}); down != never) {
    l.decided = down;
    l.took = open_until - down;
    l.reason = fmt::format("{} forgot the ride when it crashed, and {}",
                           history::name_of(t.matcher),
                           t.is_leased() ? "nobody else may confirm what it had leased"
                                         : "nobody else takes the answer to its offer");
    if (t.is_leased() && t.deadline == never) {
      l.reason += fmt::format("; {}", told_of_endless(t));
    }
    add_measures(c, {remedy_kind::driver_confirms}, lost_rate, l.remedies);
    add(l.remedies, without_outage(c, node_of(t.matcher), down, lost_rate));
    return l;
  }
  const sim_time confirmed = confirm_of(c, t);
  const time_interval after{confirmed != never ? confirmed : t.decided, open_until};
  if (const sim_time paused = c.paused().first_within(t.matcher, after); paused != never) {
    l.decided = std::max(paused, t.begin());
    l.took = c.paused().length_within(t.matcher, after);
    l.reason = told_of_pause(c, t, paused, confirmed != never);
    add_measures(c, {remedy_kind::driver_confirms}, lost_rate, l.remedies);
    add(l.remedies, longer_hold(c, t, lost_rate));
    add(l.remedies, without_outage(c, node_of(t.matcher), paused, lost_rate));
    return l;
  }
  return std::nullopt;
}

/// What a fault that lay in wait did to a word of this try, or to the matcher's work on it.
std::optional<root_cause> of_strike(const history::indexed_run& c, const try_record& t) {
  for (const events::event& e : c.of().events) {
    if (e.t < t.begin() || e.t > std::min(t.over, t.closed)) {
      continue;
    }
    const auto* held = std::get_if<events::message_tampered>(&e.what);
    const auto* failed = std::get_if<events::work_failed>(&e.what);
    const bool is_held_up = held != nullptr && held->token == t.token &&
                            held->what == events::tampering::delayed && e.t < t.closed;
    if (is_held_up || (failed != nullptr && failed->token == t.token)) {
      root_cause l;
      l.decided = e.t;
      l.took = is_held_up ? held->by : sim_duration::zero();
      l.reason = is_held_up ? fmt::format("a fault held up what {} had to say, for {}",
                                          history::name_of(held->from),
                                          text::duration(held->by))
                            : fmt::format("what {} did for {} ended with an error",
                                          history::name_of(t.matcher),
                                          history::name_of(t.ride));
      if (is_held_up) {
        add(l.remedies, longer_hold(c, t, lost_rate));
        add(l.remedies, without_strike(c, *held, lost_rate));
      }
      add_measures(c, {remedy_kind::driver_confirms}, lost_rate, l.remedies);
      for (const scenario::fault& f : c.of().scenario.faults) {
        if (!is_held_up && std::holds_alternative<scenario::throw_fault>(f.what)) {
          l.remedies.push_back(without_fault(c, f, "error", lost_rate));
        }
      }
      return l;
    }
  }
  return std::nullopt;
}

std::optional<root_cause> of_lost_word(const history::indexed_run& c, const try_record& t) {
  // What its holder says when it gives the try up decides nothing any more.
  const auto lost = lost_message_of(c, t, std::min(t.over, t.closed - 1ns));
  if (!lost) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = lost->last;
  l.reason = describe(*lost);
  add(l.remedies, retries_for(c, lost->how, lost_rate));
  add(l.remedies, without_drop(c, *lost, lost_rate));
  return l;
}

/// The answer to its confirm or write came when its holder had given it up.
std::optional<root_cause> of_late_reply(const history::indexed_run& c, const try_record& t) {
  const auto late = late_reply_of(c, t);
  if (!late) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = late->given_up->t;
  l.by_rule = true;
  l.reason = describe(c, t, *late);
  add_patience(c, t, *late, lost_rate, l.remedies);
  return l;
}

/// Another driver of the ride, whom it was offered at the same time, was there first.
std::optional<root_cause> of_rival_yes(const history::indexed_run& c, const try_record& t) {
  const try_record* first = rival_offer(c, t);
  if (first == nullptr) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = std::max(t.decided, (*first).decided);
  l.reason = fmt::format("{}, and {} said yes to it at {}, {} {}: it takes one of them",
                         told_of_broadcast(c, t.ride),
                         history::name_of((*first).driver),
                         history::clock_time((*first).decided.time_since_epoch()),
                         (*first).decided < t.decided ? "before" : "after",
                         history::name_of(t.driver));
  add_measures(c, {remedy_kind::one_offer}, lost_rate, l.remedies);
  return l;
}

/// The rider had left before her yes was heard.
std::optional<root_cause> of_called_off(const history::indexed_run& c, const try_record& t) {
  const metrics::ride_record& ride = c.rides()[t.ride.value];
  if (ride.gone == never || ride.gone < t.sent || ride.gone > t.over) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = ride.gone;
  const bool is_before = ride.gone < t.decided;
  l.reason =
      fmt::format("{} was given up {} {} she said yes, {}",
                  history::name_of(t.ride),
                  text::duration(is_before ? t.decided - ride.gone : ride.gone - t.decided),
                  is_before ? "before" : "after",
                  is_before ? "and her screen did not know yet" : "while her answer was under way");
  add(l.remedies, longer_search(c, lost_rate));
  return l;
}

/// The lease was live when its holder looked, and over when the write was there: as after a pause
/// between the two.
std::optional<root_cause> of_late_write(const history::indexed_run& c, const try_record& t) {
  const late_write w = write_of(c, t);
  if (!t.is_leased() || w.asked >= t.over || (w.there != never && w.there <= t.over)) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = w.asked;
  const std::string came = w.there == never
                               ? std::string("and the ledger had not answered when it was over")
                               : fmt::format(
                                     "and the ledger had it {} later, when the lease was "
                                     "over: as after a pause between the look and the write",
                                     text::duration(w.there - w.asked));
  l.reason = fmt::format("{} looked at the lease, which had {} left, and asked for the write, {}",
                         history::name_of(t.matcher),
                         text::duration(t.over - w.asked),
                         came);
  add_measures(c, {remedy_kind::confirm_is_commit}, lost_rate, l.remedies);
  return l;
}

}  // namespace

bool leases(const history::indexed_run& c) { return c.of().scenario.lease.rules().leases; }

std::string tenths_up(sim_duration d) {
  constexpr sim_duration tenth = 100ms;
  const std::int64_t tenths = std::max<std::int64_t>((d + tenth - 1ns) / tenth, 1);
  return tenths % 10 == 0 ? fmt::format("{}s", tenths / 10) : fmt::format("{}ms", tenths * 100);
}

std::optional<remedy> retries_for(const history::indexed_run& c,
                                  const events::message_lost& lost,
                                  const char* metric) {
  constexpr sim_duration soon = 250ms;
  const auto& links = c.of().scenario.network;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const scenario::link_options& l = links[i];
    const bool is_there = l.from.covers(lost.from) && l.to.covers(lost.to);
    const bool is_back = l.both_ways && l.from.covers(lost.to) && l.to.covers(lost.from);
    if (!is_there && !is_back) {
      continue;
    }
    const std::string path = fmt::format("network.{}.retry.", i + 1);
    const sim_duration after = l.retry ? std::min(soon, l.retry->after / 2) : soon;
    return remedy{"a link that repeats what is not acknowledged, sooner and more often (`retry`)",
                  {{path + "after", fmt::format("{}ms", std::max<std::int64_t>(after / 1ms, 1))},
                   {path + "max", "12"}},
                  metric};
  }
  return std::nullopt;
}

namespace {

/// Whatever else lets a yes through, the cheapest first.
void add_ways(const history::indexed_run& c, const try_record& t, std::vector<remedy>& to) {
  add_measures(c,
               {remedy_kind::old_leader_yields,
                remedy_kind::token,
                remedy_kind::renewal_repeats,
                remedy_kind::confirm_is_commit,
                remedy_kind::holder_judges,
                remedy_kind::driver_confirms,
                remedy_kind::durations,
                remedy_kind::unfrozen_clock,
                remedy_kind::monotonic_timers,
                remedy_kind::one_offer,
                remedy_kind::claim_renewed,
                remedy_kind::fence_at_grant,
                remedy_kind::leases_kept,
                remedy_kind::leases_checkpointed,
                remedy_kind::leases_forgotten},
               lost_rate,
               to);
  if (!leases(c)) {
    return;
  }
  add(to, longer_hold(c, t, lost_rate));
  to.push_back(grace_for(c, t));
  remedy judged = grace_for(c, t);
  judged.feature += ", and is the one who judges";
  judged.set.push_back({"lease.judge", "manager"});
  to.push_back(std::move(judged));
  add(to, longer_lease(c, lost_rate));
}

}  // namespace

root_cause root_cause_of_lost_accept(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  for (auto& known :
       {root_cause_of_displaced(c, t, lost_rate), root_cause_of_forgotten(c, t, lost_rate)}) {
    if (known) {
      l = *known;
      add_ways(c, t, l.further);
      return l;
    }
  }
  // Of all that took time the one that took most of it.
  for (auto& known : {root_cause_of_deadline(c, t, lost_rate),
                      root_cause_of_slow_screen(c, t, lost_rate),
                      root_cause_of_fast_holder(c, t, lost_rate),
                      root_cause_of_margin(c, t, lost_rate),
                      of_outage(c, t),
                      of_strike(c, t),
                      root_cause_of_outage(c, t, std::min(t.over, c.of().end), lost_rate),
                      root_cause_of_slow_link(c, t, std::min(t.over, c.of().end), lost_rate)}) {
    if (known && (l.reason.empty() || known->took > l.took)) {
      l = *known;
    }
  }
  if (!l.reason.empty()) {
    add_ways(c, t, l.further);
    return l;
  }
  for (const auto& known :
       {root_cause_of_leaders(c, t),
        of_lost_word(c, t),
        of_late_reply(c, t),
        is_ended_early(t) ? root_cause_of_moved_end(c, t, lost_rate) : std::nullopt,
        of_rival_yes(c, t),
        of_called_off(c, t),
        root_cause_of_late_write(c, t, lost_rate),
        of_late_write(c, t),
        std::optional(root_cause_of_latency(c, t))}) {
    if (known) {
      l = *known;
      break;
    }
  }
  add_ways(c, t, l.further);
  return l;
}

}  // namespace dibs::explain
