// Root causes of accepts that were lost to a second lease manager.

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// The expiry of the lease as it was known before an instant.
sim_time expiry_known_at(const history::indexed_run& c, const try_record& t, sim_time by) {
  const auto* last = history::last_of<events::lease_renewed>(
      c.of(),
      [&](const auto& renewed, sim_time at) { return renewed.token == t.token && at < by; });
  return last == nullptr
             ? t.granted + c.of().scenario.lease.granted_ttl()
             : last->t + (std::get<events::lease_renewed>(last->what).expires - last->local);
}

/// A lease manager that was replaced had a lease ended that the new one had renewed.
std::optional<root_cause> of_old_leader(const history::indexed_run& c, const try_record& t) {
  const auto& standby = c.of().scenario.lease.standby;
  const sim_time since = c.lead().changed_by(t.over);
  if (!is_ended_early(t) || !standby || !standby->old_leader_acts || since == never) {
    return std::nullopt;
  }
  const sim_time known = expiry_known_at(c, t, since);
  root_cause l;
  l.decided = known;
  l.then = fmt::format("{} runs out by what the lease manager that was replaced remembers",
                       history::name_of(t.token));
  l.reason = fmt::format(
      "the lease manager that was replaced at {} remembers {} as it was then, until {}, and has it "
      "ended {} before its time: the new one had renewed it until {}",
      history::clock_time(since.time_since_epoch()),
      history::name_of(t.token),
      history::clock_time(known.time_since_epoch()),
      text::duration(t.deadline - t.over),
      history::clock_time(t.deadline.time_since_epoch()));
  add_measures(c, {remedy_kind::old_leader_yields}, lost_rate, l.remedies);
  return l;
}

/// Another lease on her, that another manager granted while this one was live.
const try_record* granted_beside(const history::indexed_run& c, const try_record& t) {
  const node_id own = c.lead().of(t.token, t.granted);
  for (const try_record& each : c.tries()) {
    const bool is_beside = each.driver == t.driver && each.is_leased() && each.token != t.token &&
                           t.lease().holds(each.granted);
    if (is_beside && c.lead().of(each.token, each.granted) != own) {
      return &each;
    }
  }
  return nullptr;
}

/// What was said of this lease to another manager, and lost, before that granted one of its own.
const events::event* unknown_since(const history::indexed_run& c,
                                   const try_record& t,
                                   const try_record& by) {
  return history::last_of<events::message_lost>(c.of(), [&](const auto& lost, sim_time at) {
    return lost.token == t.token && is_manager(lost.from) && is_manager(lost.to) &&
           at <= by.granted;
  });
}

/// A lease manager that did not know of her lease granted another one on her.
std::optional<root_cause> of_other_leader(const history::indexed_run& c, const try_record& t) {
  const try_record* beside = c.of().scenario.lease.standby ? granted_beside(c, t) : nullptr;
  if (beside == nullptr || refused_write(c, t) == never) {
    return std::nullopt;
  }
  const events::event* lost = unknown_since(c, t, *beside);
  const node_id other = c.lead().of(beside->token, beside->granted);
  root_cause l;
  l.decided = lost != nullptr ? lost->t : beside->granted;
  l.reason = fmt::format("{}, {}, granted {} on her at {}, and the ledger refuses the older one",
                         history::name_of(other),
                         lost != nullptr
                             ? fmt::format("which was to hear of {} and did not, for that was "
                                           "lost at {}",
                                           history::name_of(t.token),
                                           history::clock_time(lost->t.time_since_epoch()))
                             : fmt::format("which does not know of {}", history::name_of(t.token)),
                         history::name_of(beside->token),
                         history::clock_time(beside->granted.time_since_epoch()));
  add(l.remedies, patient_standby(c, lost_rate));
  return l;
}

}  // namespace

bool is_ended_early(const try_record& t) {
  return t.is_leased() && t.ended && t.over < t.deadline &&
         (t.ending == events::lease_ending::expired || t.ending == events::lease_ending::swept);
}

std::optional<remedy> patient_standby(const history::indexed_run& c, const char* metric) {
  sim_duration longest{};
  for (const scenario::fault& f : c.of().scenario.faults) {
    const auto* cut = std::get_if<scenario::partition_fault>(&f.what);
    longest = cut != nullptr ? std::max(longest, cut->length) : longest;
  }
  const auto& standby = c.of().scenario.lease.standby;
  if (!standby || longest == sim_duration::zero() || standby->after > longest) {
    return std::nullopt;
  }
  return remedy{"a standby that waits for longer than a partition lasts before it leads",
                {{"lease.standby.after", tenths_up(longest + standby->after)}},
                metric};
}

std::optional<root_cause> root_cause_of_leaders(const history::indexed_run& c,
                                                const try_record& t) {
  const auto old = of_old_leader(c, t);
  return old ? old : of_other_leader(c, t);
}

}  // namespace dibs::explain
