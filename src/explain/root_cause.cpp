#include "explain/root_cause.hpp"

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::harm_kind;
using metrics::try_record;

constexpr const char* stale_accepted = "confirms.stale_accepted";

const try_record& at(const history::indexed_run& c, const harm& b, std::size_t i) {
  return c.tries()[b.tries[i]];
}

/// The instant of her answer, or of the commit where she was not asked.
sim_time decision(const try_record& t) { return t.decided != never ? t.decided : t.committed; }

root_cause of_double_commit(const history::indexed_run& c,
                            const harm& b,
                            const std::string& metric) {
  root_cause l;
  const try_record& first = at(c, b, 0);
  const try_record& second = at(c, b, 1);
  const bool one_ride = first.ride == second.ride;
  const try_record& later = decision(first) > decision(second) ? first : second;
  l.decided = decision(later);
  if (one_ride) {
    if (auto taken = root_cause_of_taken_over(c, first, second, "double.rides")) {
      l = std::move(*taken);
      add_measures(c, {remedy_kind::ride_as_key, remedy_kind::fence}, "double.rides", l.remedies);
      return l;
    }
    l.reason = fmt::format(
        "with the answer of {} both of them had said yes to {}, and nothing between them and the "
        "ledger asks whether the ride has a driver",
        history::name_of(later.driver),
        history::name_of(later.ride));
    if (auto given_up = late_reply_cause(c, first, second, "double.rides")) {
      l = std::move(*given_up);
    } else if (rival_offer(c, later) != nullptr) {
      l.reason = fmt::format("{}; {}", told_of_broadcast(c, later.ride), l.reason);
      add_measures(c, {remedy_kind::one_offer}, "double.rides", l.remedies);
    }
    add_measures(c,
                 {remedy_kind::ride_as_key, remedy_kind::fence, remedy_kind::lease},
                 "double.rides",
                 l.remedies);
    return l;
  }
  if (auto given_up = late_reply_cause(c, first, second, metric.c_str())) {
    l = std::move(*given_up);
    add_measures(
        c, {remedy_kind::fence, remedy_kind::lease, remedy_kind::version}, metric, l.remedies);
    return l;
  }
  l.reason = fmt::format(
      "with her answer to {} she had said yes to both, and nothing between her and the ledger asks "
      "whether she is free",
      history::name_of(later.ride));
  const bool is_first_stale = first.over <= second.granted;
  const try_record& stale = is_first_stale ? first : second;
  const try_record& next = is_first_stale ? second : first;
  if (leases(c) && stale.is_leased() && next.is_leased() && stale.over <= next.granted) {
    const auto trusted = c.clocks().trusted_until(stale);
    const bool by_clock = trusted && *trusted - stale.over >= 50ms;
    l.reason = fmt::format(
        "{} had ended and {} was granted, {} still meant to write under the old one{}, and the "
        "ledger does not look at tokens",
        history::name_of(stale.token),
        history::name_of(next.token),
        history::name_of(stale.matcher),
        by_clock ? fmt::format(", whose deadline its clock reaches {} later than the lease manager",
                               text::duration(*trusted - stale.over))
                 : "");
    add_measures(c, {remedy_kind::fence}, metric, l.remedies);
    if (by_clock) {
      add_measures(c, {remedy_kind::durations}, metric, l.remedies);
    }
    return l;
  }
  add_measures(
      c, {remedy_kind::fence, remedy_kind::lease, remedy_kind::version}, metric, l.remedies);
  return l;
}

root_cause of_two_on_screen(const history::indexed_run& c,
                            const harm& b,
                            const std::string& metric) {
  root_cause l;
  const try_record& second = at(c, b, 1);
  const bool answered = b.harm == harm_kind::double_accept;
  l.decided = answered ? second.decided : second.sent;
  l.reason = answered ? "until she said yes a second time she could have declined"
                      : fmt::format(
                            "once {} had sent its offer only a quick answer to the other one "
                            "could have kept them apart",
                            history::name_of(second.matcher));
  add_measures(c, {remedy_kind::first_offer_stays, remedy_kind::lease}, metric, l.remedies);
  return l;
}

/// The word of her trip, where it was lost: the last time.
const events::event* lost_to_her(const history::indexed_run& c, const try_record& t) {
  return history::last_of<events::message_lost>(c.of(), [&](const auto& lost, sim_time at) {
    return lost.token == t.token && lost.to == node_of(t.driver) && at >= t.committed &&
           at <= t.trip_over;
  });
}

/// Another lease with the same token that was granted while this one was under way; null if there
/// was none.
const try_record* twin_of(const history::indexed_run& c, const try_record& t) {
  for (const try_record& each : c.tries()) {
    if (&each != &t && each.token == t.token && each.is_leased() && each.granted > t.granted &&
        each.granted <= t.trip_over) {
      return &each;
    }
  }
  return nullptr;
}

root_cause of_broken_promise(const history::indexed_run& c, const harm& b) {
  if (b.tries.size() > 1) {
    return of_double_commit(c, b, "promises.broken");
  }
  root_cause l;
  const try_record& t = at(c, b, 0);
  if (const events::event* lost = lost_to_her(c, t); lost != nullptr) {
    l.decided = lost->t;
    l.reason = "the word of her trip never reached her";
    add(l.remedies, retries_for(c, std::get<events::message_lost>(lost->what), "promises.broken"));
  } else if (const try_record* twin = twin_of(c, t); twin != nullptr) {
    l.decided = twin->granted;
    l.reason = fmt::format(
        "{} was granted a second time, to {} for {}: the lease manager did not know its last token "
        "any more, and what was said of the one lease was taken for the other",
        history::name_of(t.token),
        history::name_of(twin->matcher),
        history::name_of(twin->ride));
    add_measures(c, {remedy_kind::tokens_kept}, "promises.broken", l.remedies);
  } else {
    l.reason = "her trip was taken back, though nobody had called off and no word to her was lost";
  }
  return l;
}

/// Another lease on the driver that was live at the instant; null if there was none.
const try_record* rival_at(const history::indexed_run& c, const try_record& own, sim_time t) {
  for (const try_record& each : c.tries()) {
    const bool is_hers = each.driver == own.driver && each.is_leased() && each.token != own.token;
    if (is_hers && each.lease().holds(t)) {
      return &each;
    }
  }
  return nullptr;
}

root_cause of_stale_confirm(const history::indexed_run& c, const harm& b) {
  root_cause l;
  const try_record& t = at(c, b, 0);
  const try_record* rival = rival_at(c, t, b.t);
  if (rival != nullptr && std::min(t.over, t.deadline) > b.t) {
    l.decided = std::max(rival->granted, t.granted);
    l.reason = fmt::format("{} and {} were live on her at once{}",
                           history::name_of(t.token),
                           history::name_of(rival->token),
                           c.of().scenario.lease.standby
                               ? ": two lease managers led, each of which grants what its own "
                                 "table says is free, and takes a confirm of what it granted"
                               : "");
    add(l.remedies, patient_standby(c, stale_accepted));
    return l;
  }
  const lease::identity by = c.of().scenario.lease.rules().known_by;
  if (rival != nullptr && by != lease::identity::token) {
    l.decided = rival->granted;
    l.reason = fmt::format(
        "{} had ended, and {} was granted on her since: the lease manager knows a holder by {}, "
        "and takes the confirm of the old lease for one of the new",
        history::name_of(t.token),
        history::name_of(rival->token),
        by == lease::identity::holder ? "its name alone" : "nothing");
  } else {
    l.decided = std::min(t.over, t.deadline);
    l.reason = c.of().scenario.lease.transactions_take_time()
                   ? "the lease was over, and the transaction of the confirm had begun before: it "
                     "was judged by the clock as it stood then (`transaction`)"
                   : "the lease was over, and a confirm of this protocol is taken all the same";
    add_measures(c, {remedy_kind::unfrozen_clock}, stale_accepted, l.remedies);
  }
  add_measures(c,
               {remedy_kind::releases_held,
                remedy_kind::token,
                remedy_kind::expiry_looked,
                remedy_kind::fence},
               stale_accepted,
               l.remedies);
  return l;
}

root_cause of_broken_invariant(const history::indexed_run& c, const harm& b) {
  if (b.broken == lease::invariant::no_double_commit && b.tries.size() > 1) {
    return of_double_commit(c, b, "double.commits");
  }
  root_cause l;
  l.reason = "the history leaves what the protocol promised; the event at which it does is marked";
  return l;
}

root_cause of_harm(const history::indexed_run& c, const harm& b) {
  const std::size_t needed = b.harm == harm_kind::double_commit ||
                                     b.harm == harm_kind::double_accept ||
                                     b.harm == harm_kind::double_offer
                                 ? 2
                                 : 1;
  if (b.harm == harm_kind::starved_ride) {
    return root_cause_of_starved(c, b);
  }
  if (b.tries.size() < needed) {
    return {};
  }
  switch (b.harm) {
    case harm_kind::double_commit:
      return of_double_commit(c, b, "double.commits");
    case harm_kind::broken_promise:
      return of_broken_promise(c, b);
    case harm_kind::double_accept:
      return of_two_on_screen(c, b, "double.accepts");
    case harm_kind::double_offer:
      return of_two_on_screen(c, b, "double.offers");
    case harm_kind::lost_accept:
      return root_cause_of_lost_accept(c, at(c, b, 0));
    case harm_kind::stale_confirm:
      return of_stale_confirm(c, b);
    case harm_kind::hiding_lease:
      return root_cause_of_hiding(c, b);
    case harm_kind::starved_ride:
      break;
  }
  return {};
}

/// The figures of harms that guards may prevent; for others all that may help is told with the
/// cause.
constexpr std::array guarded{std::pair{harm_kind::double_commit, "double.commits"},
                             std::pair{harm_kind::broken_promise, "promises.broken"},
                             std::pair{harm_kind::stale_confirm, stale_accepted},
                             std::pair{harm_kind::double_accept, "double.accepts"},
                             std::pair{harm_kind::double_offer, "double.offers"}};

/// Whatever else keeps confirms and writes of old leases from being taken.
void add_guards(const history::indexed_run& c, const std::string& metric, std::vector<remedy>& to) {
  add_measures(c,
               {remedy_kind::old_leader_yields,
                remedy_kind::token,
                remedy_kind::expiry_looked,
                remedy_kind::fence,
                remedy_kind::lease,
                remedy_kind::fence_at_grant,
                remedy_kind::every_write_fenced,
                remedy_kind::leases_kept,
                remedy_kind::leases_checkpointed,
                remedy_kind::leases_forgotten,
                remedy_kind::confirm_is_commit,
                remedy_kind::durations,
                remedy_kind::monotonic_timers,
                remedy_kind::unfrozen_clock,
                remedy_kind::one_offer,
                remedy_kind::claim_renewed},
               metric,
               to);
}

}  // namespace

root_cause root_cause_of(const history::indexed_run& c, const harm& b) {
  root_cause l = b.broken ? of_broken_invariant(c, b) : of_harm(c, b);
  const bool is_double_ride = b.harm == harm_kind::double_commit && b.of_one_ride;
  for (const auto& [harm, metric] : guarded) {
    if (b.harm == harm) {
      add_guards(c, is_double_ride ? "double.rides" : metric, l.further);
    }
  }
  return l;
}

namespace {

std::optional<remedy> lease_of(const history::indexed_run& c,
                               sim_duration ttl,
                               const char* feature,
                               const char* metric) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_duration margin = lease.offer_window
                                  ? std::max(lease.ttl - *lease.offer_window, sim_duration::zero())
                                  : sim_duration::zero();
  remedy other{feature, {{"lease.ttl", tenths_up(ttl)}}, metric};
  // A window that is longer than the lease lives on renewals, and stays as it is.
  if (lease.offer_window && *lease.offer_window <= lease.ttl && ttl > margin + 200ms) {
    other.set.push_back({"lease.offer_window", tenths_up(ttl - margin)});
  }
  return other;
}

}  // namespace

std::optional<remedy> shorter_lease(const history::indexed_run& c, const char* metric) {
  const sim_duration ttl = c.of().scenario.lease.ttl;
  const bool has_length = leases(c) && ttl != forever && ttl >= 2s;
  return has_length ? lease_of(c, ttl / 2, "a lease of half the length", metric) : std::nullopt;
}

std::optional<remedy> lease_with_end(const history::indexed_run& c, const char* metric) {
  const scenario::lease_options& lease = c.of().scenario.lease;
  const bool expires = lease.rules().expires;
  if (!leases(c) || (expires && lease.ttl != forever)) {
    return std::nullopt;
  }
  remedy ended{
      "a lease that runs out (`ttl`): what its holder forgets, or never gives back, ends "
      "by itself",
      {},
      metric};
  if (!expires) {
    ended.set.push_back({"lease.protocol", "lease"});
  }
  if (lease.ttl == forever) {
    constexpr sim_duration usual = 15s;
    ended.set.push_back(
        {"lease.ttl", tenths_up(std::max(lease.offer_window.value_or(usual), usual))});
  }
  return ended;
}

std::optional<remedy> longer_lease(const history::indexed_run& c, const char* metric) {
  const sim_duration ttl = c.of().scenario.lease.ttl;
  const bool has_length = leases(c) && ttl != forever;
  return has_length ? lease_of(c, 2 * ttl, "a lease of twice the length", metric) : std::nullopt;
}

void add(std::vector<remedy>& to, std::optional<remedy> r) {
  if (r) {
    to.push_back(std::move(*r));
  }
}

void add_measures(const history::indexed_run& c,
                  std::initializer_list<remedy_kind> measures,
                  const std::string& metric,
                  std::vector<remedy>& to) {
  for (remedy& each : remedies_by(measures, c.of().scenario, metric)) {
    to.push_back(std::move(each));
  }
}

}  // namespace dibs::explain
