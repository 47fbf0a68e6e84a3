/// How long a matcher waits for the answer to an offer, and how it renews the lease meanwhile.
///
/// Reads no clock; the stagger of a renewal is drawn from a stream of its own, so that it is the
/// same whatever else the run draws. What is sent and waited for goes into the `turn`.
///
/// The wait ends with the lease, or earlier, when no answer can come any more: `ride_try::ends`.
/// Each renewal that is granted sets it anew. Renewals follow each other by `ride_try::renewals`
/// (asked for), `renewals_seen` (answered) and `renewals_done` (granted): one that is repeated
/// keeps its number among those done, and an answer to an earlier one says nothing.
#pragma once

#include "lease/renewal.hpp"
#include "match/matcher_rules.hpp"
#include "match/ride_search.hpp"
#include "match/turn.hpp"

namespace dibs::match {

class lease_keeping {
 public:
  /// `rules` outlive it.
  explicit lease_keeping(const matcher_rules& rules) : rules_(rules) {}

  /// An answer to what the search asked the lease manager is there.
  void heard(const turn& t, const ride_search& p) { to_manager_.add(t.now - p.asked_at); }

  /// Sets the timers of an open offer whose lease lasts for `left` from now, unless it is renewed.
  void keep(turn& t, ride_search& p, sim_duration left) const;

  // of an open offer: the next renewal is due, and what became of the last one
  void renew(turn& t, ride_search& p, const messages::renew_due& m, node_id leader) const;
  /// `left` of the lease, from now.
  void extended(turn& t, ride_search& p, std::uint32_t attempt, sim_duration left);
  void unanswered(turn& t, const ride_search& p, std::uint32_t attempt) const;

  /// Whether a driver who still sees the offer is told that its lease is lost.
  [[nodiscard]] bool takes_offer_back(const turn& t, const ride_search& p) const;

 private:
  /// By this matcher's clock; without leases, or if they do not expire, a TTL from now all the
  /// same.
  [[nodiscard]] local_time end_of_lease(local_time now, sim_duration left) const;
  /// When an answer must have arrived: the offer was on the screen, and the answer under way.
  [[nodiscard]] local_time latest_answer(const ride_search& p, local_time lease_ends) const;
  void schedule_renewal(turn& t, const ride_search& p, sim_duration ttl) const;

  const matcher_rules& rules_;
  lease::round_trips to_manager_;
};

}  // namespace dibs::match
