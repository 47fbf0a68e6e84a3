/// What the holder of a lease does next, by its own clock alone.
///
/// Pure: times come in. A lease counts from before its call was sent, and ends a margin early. So a
/// holder has stopped before the lease can be over at a service that keeps its word.
///
/// A third of the TTL after it was last granted it is renewed. A renewal without an answer is asked
/// again after a sixth. After a refusal the lease is over.
#pragma once

#include "base/time.hpp"

#include <cstdint>

namespace dibs::load {

enum class duty : std::uint8_t { renew, finish };

struct next_duty {
  duty what{};
  sim_time at{};
};

struct holding_terms {
  sim_duration ttl{};
  sim_duration margin{};
};

class holding {
 public:
  holding() = default;
  /// `asked`: when the call that was granted was sent. `until`: when the work is done.
  holding(const holding_terms& t, sim_time asked, sim_time until)
      : terms_(t), over_at_(end_of(asked)), until_(until), renews_at_(asked + t.ttl / 3) {}

  /// From this instant on the holder does not count on it.
  [[nodiscard]] sim_time over_at() const { return over_at_; }
  /// When the work ended that ends at `now`: no later than the lease.
  [[nodiscard]] sim_time worked_until(sim_time now) const {
    return now < over_at_ ? now : over_at_;
  }
  [[nodiscard]] bool stands(sim_time now) const { return now < over_at_; }

  [[nodiscard]] next_duty next() const {
    const sim_time end = until_ < over_at_ ? until_ : over_at_;
    return !renewal_under_way_ && renews_at_ < end ? next_duty{duty::renew, renews_at_}
                                                   : next_duty{duty::finish, end};
  }

  void renewal_sent() { renewal_under_way_ = true; }
  [[nodiscard]] bool awaits_renewal() const { return renewal_under_way_; }
  void renewed(sim_time asked) {
    renewal_under_way_ = false;
    over_at_ = end_of(asked);
    renews_at_ = asked + terms_.ttl / 3;
  }
  void unanswered(sim_time now) {
    renewal_under_way_ = false;
    renews_at_ = now + terms_.ttl / 6;
  }
  void refused(sim_time now) {
    renewal_under_way_ = false;
    over_at_ = worked_until(now);
    renews_at_ = sim_time::max();
  }
  /// The work ends now.
  void cut_short(sim_time now) { until_ = now; }

 private:
  [[nodiscard]] sim_time end_of(sim_time asked) const { return asked + terms_.ttl - terms_.margin; }

  holding_terms terms_;
  sim_time over_at_{};
  sim_time until_{};
  sim_time renews_at_{};
  bool renewal_under_way_ = false;
};

}  // namespace dibs::load
