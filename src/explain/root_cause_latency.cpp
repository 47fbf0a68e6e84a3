// Root causes of accepts that took too long on their way, or were refused at its end, and of links
// that a fault made slow.

#include "explain/root_cause_parts.hpp"
#include "history/event_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// The manager's no to a confirm of her accept; never if it said none.
sim_time refusal_of(const history::indexed_run& c, const try_record& t) {
  return history::time_of(history::first_of<events::confirm_refused>(
      c.of(),
      [&](const auto& each, sim_time at) { return each.token == t.token && at >= t.decided; }));
}

/// What her answer led its holder to ask for; null if that had not heard it.
const events::event* asked_after(const history::indexed_run& c, const try_record& t) {
  return history::first_of<events::call_made>(c.of(), [&](const auto& made, sim_time at) {
    return made.token == t.token && made.driver == t.driver && at >= t.decided &&
           (made.what == events::call::confirm || made.what == events::call::write);
  });
}

/// Her answer was under way to its holder when the lease was over; it may take as long as the offer
/// took to her.
bool is_unheard(const history::indexed_run& c, const try_record& t) {
  return t.is_leased() && t.decided < t.over && t.shown != never && t.sent != never &&
         asked_after(c, t) == nullptr;
}

/// The lease manager takes a confirm for so long after the end.
remedy grace_of(sim_duration d) {
  return {
      "a grace at the lease manager (`grace`): it takes a confirm for so long after a lease has "
      "run out",
      {{"lease.grace", tenths_up(d)}},
      lost_rate};
}

/// How long after the end of its lease her yes would still be on its way.
sim_duration grace_needed(const history::indexed_run& c, const try_record& t) {
  constexpr sim_duration delays = 1s;
  const sim_time refused = refusal_of(c, t);
  const sim_time shown_until = c.clocks().shown_until(t).value_or(t.decided);
  sim_time latest = refused == never ? t.decided : std::max(t.decided, refused);
  if (t.decided >= t.over) {
    latest = std::max(latest, shown_until);
  } else if (is_unheard(c, t)) {
    latest = std::max(latest, shown_until) + (t.shown - t.sent);
  }
  return std::max(latest - t.over, sim_duration::zero()) + delays;
}

/// Leaves so much more of the lease to delays; nothing where she would not have answered by then.
std::optional<remedy> shorter_window(const history::indexed_run& c,
                                     const try_record& t,
                                     sim_duration short_of) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_duration shorter = lease.offer_window.value_or(lease.ttl) - short_of - 100ms;
  const bool would_be_off = t.shown != never && t.decided - t.shown >= shorter;
  if (shorter <= 1s || lease.ttl == forever || !would_be_off) {
    return std::nullopt;
  }
  return remedy{fmt::format("an offer window that leaves {} more of the lease to delays and clocks",
                            text::duration(short_of)),
                {{"lease.offer_window", tenths_up(shorter - 100ms)}},
                lost_rate};
}

/// Her yes came in time, and no confirm of it was refused: what became of it, as far as events say.
std::string told_of_rest(const history::indexed_run& c, const try_record& t) {
  const auto* closed = history::first_of<events::try_closed>(
      c.of(),
      [&](const auto& done, sim_time) { return done.token == t.token && done.driver == t.driver; });
  if (closed != nullptr && closed->t <= t.decided) {
    return fmt::format("{} had given the offer up at {}, {} before she said yes",
                       history::name_of(t.matcher),
                       told_at(closed->t),
                       text::duration(t.decided - closed->t));
  }
  if (closed != nullptr &&
      std::get<events::try_closed>(closed->what).cause == events::try_ending::no_reply) {
    return fmt::format("{} gave it up at {}, for want of a reply (`reply_timeout`)",
                       history::name_of(t.matcher),
                       told_at(closed->t));
  }
  if (is_unheard(c, t)) {
    return fmt::format(
        "was under way to {} when the lease was over; the offer had taken {} to her phone",
        history::name_of(t.matcher),
        text::duration(t.shown - t.sent));
  }
  return "no event says what kept it from that";
}

/// Nobody said no: her answer came after the lease, or the lease was over before it was a trip.
root_cause of_unrefused(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  l.decided = std::min(t.decided, t.over);
  if (!t.is_leased() || t.over == never) {
    l.reason = "her answer did not become a trip: " + told_of_rest(c, t);
  } else if (t.decided >= t.over) {
    l.reason =
        fmt::format("she answered {} after the lease had ended, which her screen did not know",
                    text::duration(t.decided - t.over));
  } else {
    l.reason = fmt::format("her answer had {} left to become a trip, and {}",
                           text::duration(t.over - t.decided),
                           told_of_rest(c, t));
  }
  if (is_unheard(c, t)) {
    l.remedies.push_back(grace_of(grace_needed(c, t)));
    add(l.remedies, shorter_window(c, t, 2 * (t.shown - t.sent)));
  }
  return l;
}

/// What was said about the try from one node to another, and for how long that was under way.
std::vector<pending_call> journeys_of(const history::indexed_run& c,
                                      const try_record& t,
                                      sim_time until) {
  const node_id holder = node_of(t.matcher);
  const node_id phone = node_of(t.driver);
  std::vector<pending_call> all = calls_of(c, t, until);
  if (t.sent != never) {
    all.push_back({holder, phone, {t.sent, std::min(t.shown, until)}, "the offer"});
  }
  if (const sim_time greeted = greeted_at(c, t); greeted < until) {
    all.push_back({holder, phone, {greeted, until}, "the handshake"});
  }
  if (t.decided != never) {
    const sim_time heard = history::time_of(asked_after(c, t));
    all.push_back({phone, holder, {t.decided, std::min(heard, until)}, "her answer"});
  }
  return all;
}

/// Whether the fault holds up what is said then.
bool holds_up(const sim::slow_fault& slow, const pending_call& j) {
  const auto lies = [&](node_id from, node_id to) {
    return slow.between[0].covers(from) && slow.between[1].covers(to);
  };
  const time_interval on{sim_time{slow.at}, sim_time{slow.at + slow.length}};
  return on.holds(j.when.begin) && (lies(j.from, j.to) || (slow.both_ways && lies(j.to, j.from)));
}

root_cause of_slow_link(const history::indexed_run& c,
                        const pending_call& j,
                        const scenario::fault& f,
                        const std::string& metric) {
  const auto& slow = std::get<scenario::slow_fault>(f.what);
  root_cause l;
  l.decided = j.when.begin;
  l.took = j.when.length();
  l.lasts = true;
  l.reason = fmt::format(
      "what {} and {} say to each other was held up from {} to {} (fault `{}`), and {} was under "
      "way for {}",
      history::name_of(j.from),
      history::name_of(j.to),
      history::clock_time(slow.at),
      history::clock_time(slow.at + slow.length),
      f.id,
      j.what,
      text::duration(j.when.length()));
  l.remedies.push_back(without_fault(c, f, "delay", metric));
  return l;
}

}  // namespace

remedy grace_for(const history::indexed_run& c, const try_record& t) {
  return grace_of(grace_needed(c, t));
}

std::optional<root_cause> root_cause_of_slow_link(const history::indexed_run& c,
                                                  const try_record& t,
                                                  sim_time until,
                                                  const std::string& metric) {
  const sim_time open_until = std::min(until, t.closed);
  const sim_duration thought = time_interval{t.shown, std::min(t.decided, open_until)}.length();
  const sim_duration waited = time_interval{t.begin(), open_until}.length() - thought;
  std::optional<root_cause> longest;
  for (const pending_call& j : journeys_of(c, t, open_until)) {
    const sim_duration took = j.when.length();
    const bool is_most = 2 * took >= waited && (took >= thought || (t.accepted && t.in_time));
    for (const scenario::fault& f : c.of().scenario.faults) {
      const auto* slow = std::get_if<scenario::slow_fault>(&f.what);
      if (slow != nullptr && is_most && holds_up(*slow, j) && (!longest || took > longest->took)) {
        longest = of_slow_link(c, j, f, metric);
      }
    }
  }
  return longest;
}

root_cause root_cause_of_latency(const history::indexed_run& c, const try_record& t) {
  root_cause l;
  const sim_time refused = refusal_of(c, t);
  const auto* unwritten =
      history::first_of<events::write_refused>(c.of(), [&](const auto& each, sim_time when) {
        return each.token == t.token && each.driver == t.driver && when >= t.decided;
      });
  if (refused == never && unwritten == nullptr) {
    return of_unrefused(c, t);
  }
  if (refused == never) {
    l.decided = t.decided;
    l.reason = fmt::format("her answer did not become a trip: at {} the ledger {}",
                           told_at(unwritten->t),
                           history::describe(*unwritten, {}));
    add_measures(c, {remedy_kind::lease}, lost_rate, l.remedies);
    return l;
  }
  l.decided = t.decided;
  l.reason = fmt::format(
      "her answer needed {} to become a confirm at the lease manager, and the lease had {} left",
      text::duration(refused - t.decided),
      text::duration(std::max(t.over - t.decided, sim_duration::zero())));
  add(l.remedies, shorter_window(c, t, refused - t.over));
  return l;
}

}  // namespace dibs::explain
