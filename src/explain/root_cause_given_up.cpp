// Root causes of leases that were gone while a driver could still say yes: the ride of its holder
// was given to another, the lease manager forgot it, its holder gave it back for its margin.

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "metrics/worst_harms.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// How its holder was done with it; null if it never was.
const events::event* closing_of(const history::indexed_run& c, const try_record& t) {
  return history::first_of<events::try_closed>(c.of(), [&](const auto& done, sim_time) {
    return done.token == t.token && done.driver == t.driver;
  });
}

bool is_closed_for(const events::event* closed, events::try_ending cause) {
  return closed != nullptr && std::get<events::try_closed>(closed->what).cause == cause;
}

/// The confirm of her yes came when the lease manager knew of no lease any more.
bool is_unknown_at_confirm(const history::indexed_run& c, const try_record& t) {
  return t.accepted &&
         history::first_of<events::confirm_refused>(c.of(), [&](const auto& no, sim_time at) {
           return no.token == t.token && at >= t.over &&
                  no.cause == events::confirm_refusal::no_lease;
         }) != nullptr;
}

/// A claim that outlasts the outage of its holder, or the time for which it went without one.
remedy longer_claim(const history::indexed_run& c,
                    const std::optional<outage>& out,
                    sim_duration without,
                    const std::string& metric) {
  const bool is_known = out && out->when.end != never;
  const sim_duration ttl =
      c.of().scenario.matchers.claims->ttl + (is_known ? out->when.length() : without) + 1s;
  return {
      "claims that last for longer than a matcher is out (`claims`): it comes back to its rides",
      {{"matchers.claims.ttl", tenths_up(ttl)}},
      metric};
}

/// `, while matcher/1 stood still from 5:00.000 to 5:10.000`.
std::string told_of_absence(const std::optional<outage>& out) {
  return out ? fmt::format(", while {} {}", history::name_of(out->node), told_of_outage(*out)) : "";
}

}  // namespace

std::optional<root_cause> root_cause_of_displaced(const history::indexed_run& c,
                                                  const try_record& t,
                                                  const std::string& metric) {
  const events::event* closed = closing_of(c, t);
  if (!c.of().scenario.matchers.claims || !is_closed_for(closed, events::try_ending::displaced) ||
      closed->t > t.over) {
    return std::nullopt;
  }
  const auto* over =
      history::last_of<events::ride_claim_ended>(c.of(), [&](const auto& each, sim_time at) {
        return each.ride == t.ride && each.matcher == t.matcher && at <= closed->t &&
               each.cause == events::claim_ending::expired;
      });
  if (over == nullptr) {
    return std::nullopt;
  }
  const auto* taken =
      history::first_of<events::ride_claimed>(c.of(), [&](const auto& each, sim_time at) {
        return each.ride == t.ride && each.taken_over && at >= over->t && at <= closed->t;
      });
  const node_id holder = node_of(t.matcher);
  const auto out = outage_at(c, holder, over->t);
  root_cause l;
  l.decided = over->t;
  l.reason = fmt::format(
      "the claim of {} to {} ran out at {}{}, and {}; at {} it heard of that, and gave {} up",
      history::name_of(holder),
      history::name_of(t.ride),
      told_at(over->t),
      told_of_absence(out),
      taken == nullptr ? "the ride was no longer its to serve"
                       : history::name_of(std::get<events::ride_claimed>(taken->what).matcher) +
                             " took the ride over",
      told_at(closed->t),
      history::name_of(t.driver));
  l.remedies.push_back(longer_claim(c, out, closed->t - over->t, metric));
  add_measures(c, {remedy_kind::driver_confirms}, metric, l.remedies);
  add(l.remedies, without_outage(c, holder, over->t, metric));
  return l;
}

std::optional<root_cause> root_cause_of_forgotten(const history::indexed_run& c,
                                                  const try_record& t,
                                                  const std::string& metric) {
  const bool is_forgotten = t.ended && t.ending == events::lease_ending::forgotten;
  const bool is_under_way = t.decided < t.over;
  if (!is_forgotten || t.closed < t.over || (is_under_way && !is_unknown_at_confirm(c, t))) {
    return std::nullopt;
  }
  const auto* crashed =
      history::last_of<events::node_crashed>(c.of(), [&](const auto& down, sim_time at) {
        return is_manager(down.node) && at >= t.granted && at <= t.over;
      });
  const sim_time leads_since = c.lead().changed_by(t.over);
  const bool is_replaced = leads_since != never && leads_since >= t.granted;
  if (crashed == nullptr && !is_replaced) {
    return std::nullopt;
  }
  const node_id who = crashed == nullptr ? c.lead().of(token_id::none(), t.over)
                                         : std::get<events::node_crashed>(crashed->what).node;
  root_cause l;
  l.decided = crashed == nullptr ? leads_since : crashed->t;
  l.reason =
      fmt::format("{} {} at {}, and {} {}{}",
                  metrics::describe(who),
                  crashed == nullptr ? "came to lead" : "crashed",
                  told_at(*l.decided),
                  crashed == nullptr || is_replaced ? "who leads since does not know of" : "forgot",
                  history::name_of(t.token),
                  c.of().scenario.lease.restart.leases == lease::after_restart::forgotten
                      ? " (`restart: {leases: forgotten}`)"
                      : ", of which there was no record yet");
  l.reason += fmt::format(", so that it was over at {}", told_at(t.over));
  if (is_under_way) {
    l.reason += ", while her answer was under way";
  } else if (t.decided != never) {
    l.reason += fmt::format(", {} before she {}",
                            text::duration(t.decided - t.over),
                            t.accepted ? "said yes" : "declined");
  }
  add_measures(c, {remedy_kind::leases_kept, remedy_kind::leases_checkpointed}, metric, l.remedies);
  if (crashed != nullptr) {
    add(l.remedies, without_outage(c, who, crashed->t, metric));
  }
  return l;
}

std::optional<root_cause> root_cause_of_margin(const history::indexed_run& c,
                                               const try_record& t,
                                               const std::string& metric) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const events::event* closed = closing_of(c, t);
  const bool has_margin =
      lease.judge != lease::judge::manager && lease.margin > lease.margin.zero();
  if (!has_margin || !t.is_leased() || !t.accepted || t.deadline == never ||
      !is_closed_for(closed, events::try_ending::timed_out) || closed->t < t.decided ||
      closed->t >= t.over) {
    return std::nullopt;
  }
  // Its holder counts the lease from when it asked for it, which a delay before the grant shortens.
  constexpr sim_duration delays = 1s;
  const sim_duration left = t.deadline - closed->t;
  if (left < 1ms || left > lease.margin + delays) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = t.decided;
  l.by_rule = true;
  l.took = std::min(left, lease.margin);
  l.reason = fmt::format(
      "{} heard her yes at {}, when {} had {} left, and gave it back: it does not trust a lease in "
      "the last {} before its end (`margin`)",
      history::name_of(t.matcher),
      told_at(closed->t),
      history::name_of(t.token),
      text::duration(left),
      text::duration(lease.margin));
  add_measures(c, {remedy_kind::no_margin}, metric, l.remedies);
  return l;
}

}  // namespace dibs::explain
