// Root causes of offers that nobody had a use for any more before they were answered: their ride
// had a driver, or was given up.

#include "explain/late_reply.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// The first trip of its ride while this offer was under way; null if there was none.
const try_record* trip_meanwhile(const history::indexed_run& c, const try_record& t) {
  const try_record* first = nullptr;
  for (const try_record& each : c.tries()) {
    const bool is_other = each.ride == t.ride && each.token != t.token && each.committed <= t.over;
    first = is_other && (first == nullptr || each.committed < first->committed) ? &each : first;
  }
  return first;
}

std::string told_in_vain(const try_record& t) {
  return fmt::format(
      "{} held {} in vain until then", history::name_of(t.token), history::name_of(t.driver));
}

/// Another driver of the ride said yes first, or is on her way though her matcher does not know.
std::optional<root_cause> of_other_driver(const history::indexed_run& c,
                                          const try_record& t,
                                          const std::string& metric) {
  root_cause l;
  if (const try_record* first = rival_offer(c, t)) {
    l.decided = first->decided;
    l.reason = fmt::format("{}, and {} said yes first: {}",
                           told_of_broadcast(c, t.ride),
                           history::name_of(first->driver),
                           told_in_vain(t));
    return first->decided <= t.decided ? std::optional(l) : std::nullopt;
  }
  const try_record* won = trip_meanwhile(c, t);
  if (won == nullptr) {
    return std::nullopt;
  }
  const auto late = late_reply_of(c, *won);
  l.decided = late ? late->given_up->t : won->committed;
  l.by_rule = late.has_value();
  l.reason = fmt::format("{}{} got {} at {}, and {}",
                         late ? describe(c, *won, *late) + "; " : "",
                         history::name_of(t.ride),
                         history::name_of(won->driver),
                         history::clock_time(won->committed.time_since_epoch()),
                         told_in_vain(t));
  if (late) {
    add_patience(c, *won, *late, metric, l.remedies);
  }
  return l;
}

}  // namespace

std::optional<remedy> longer_search(const history::indexed_run& c, const std::string& metric) {
  const sim_duration wait = c.of().scenario.matchers.offers.total_wait;
  if (wait == sim_duration::zero() || wait == forever) {
    return std::nullopt;
  }
  return remedy{"matchers that look for a driver for twice as long (`total_wait`)",
                {{"matchers.offers.total_wait", tenths_up(2 * wait)}},
                metric};
}

std::optional<root_cause> root_cause_of_called_off(const history::indexed_run& c,
                                                   const try_record& t,
                                                   const std::string& metric) {
  const bool is_called_off = t.ending == events::lease_ending::cancelled ||
                             t.ending == events::lease_ending::denied_by_ledger;
  if (!t.ended || !is_called_off) {
    return std::nullopt;
  }
  if (auto other = of_other_driver(c, t, metric)) {
    return other;
  }
  const auto* gone = history::first_of<events::ride_abandoned>(
      c.of(), [&](const auto& left, sim_time) { return left.ride == t.ride; });
  // Without an end of its own it is the end of the search alone that ends an offer to nobody.
  const bool is_endless = t.deadline == never && t.decided == never;
  if (gone == nullptr || is_endless || std::min(gone->t, t.closed) > t.over) {
    return std::nullopt;
  }
  const auto why = std::get<events::ride_abandoned>(gone->what).cause;
  root_cause l;
  l.decided = std::min(gone->t, t.closed);
  l.by_rule = why == events::abandonment::wait;
  const std::string who = history::name_of(t.ride);
  const bool is_unconfirmed = why == events::abandonment::unconfirmed;
  l.reason = fmt::format(
      "{} at {}, {}: {}",
      l.by_rule ? "the time for which matchers look for a driver (`total_wait`) was over for " + who
      : is_unconfirmed ? who + " had not taken a driver in time (`riders.confirm`)"
                       : who + " gave up",
      history::clock_time(l.decided->time_since_epoch()),
      is_unconfirmed && t.accepted ? "though she had accepted"
      : t.decided < *l.decided     ? "while her answer was under way"
                                   : "before she had answered",
      told_in_vain(t));
  if (is_unconfirmed) {
    add_measures(c, {remedy_kind::accept_is_enough}, metric, l.remedies);
  }
  if (l.by_rule) {
    add(l.remedies, longer_search(c, metric));
  }
  return l;
}

}  // namespace dibs::explain
