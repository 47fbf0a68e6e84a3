/// What the bounds on clocks and delays promise of drivers' phones: no two offers of different
/// rides on one screen and no two accepts that bind at once (B1), and no lease that runs out under
/// an accept that was in time (B2).
///
/// Fencing protects the record and not the phone. B1 and B2 hold only where the offer leaves the
/// screen before the lease can end, and where the answer has time to arrive. The bounds of a
/// scenario say whether it leaves that time. A token is judged no more once a message about it was
/// lost or one of its nodes was down.
#pragma once

#include "base/prefetch.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <boost/container/small_vector.hpp>
#include <vector>

namespace dibs::checkers {

class phone_bound_checker {
 public:
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::lease_ended& f, const event_context& s);
  void judge(const events::confirm_refused& f, const event_context& s);
  void judge(const events::offer_shown& f, const event_context& s);
  void judge(const events::offer_dismissed& f, const event_context& s);
  void judge(const events::offer_answered& f, const event_context& s);
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::trip_ended& f, const event_context&) { end_trip(f.driver, f.token); }
  void judge(const events::assignment_revoked& f, const event_context& s);

  /// The instant is over: what meets now meets for longer than nothing.
  void judge_instant(const observed_state& so_far, violation_log& violations) {
    if (!meetings_.empty()) {
      report_overlaps(so_far, violations);
    }
  }

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < deals_.size()) {
      fetch_line(&deals_[d.value]);
    }
  }

 private:
  /// One token on its way through a driver's phone.
  struct shown_offer_state {
    token_id token;
    ride_id ride;
    sim_time granted{};
    sim_time ended_early = sim_time::max();  ///< its lease, and not for want of time
    bool lease_over = false;
    bool ran_out = false;
    bool visible = false;
    bool accepted = false;  ///< in time
    bool committed = false;
    bool excused = false;    ///< refused for a reason of its own
    bool overtaken = false;  ///< shown after its lease had ended early

    [[nodiscard]] bool binds() const { return accepted && (committed || !lease_over); }
    [[nodiscard]] bool is_done() const { return lease_over && !visible && !committed; }
  };

  struct meeting {
    driver_id driver;
    token_id first;
    token_id second;
    bool accepts = false;
    sim_time t{};
    std::uint64_t index = 0;
  };

  void report_overlaps(const observed_state& so_far, violation_log& violations);
  [[nodiscard]] bool is_off(const event_context& s) const;
  /// Of one driver; nearly always the last that is over and the one that is not.
  using deals = boost::container::small_vector<shown_offer_state, 2>;

  deals& of(driver_id d);
  shown_offer_state* find(driver_id d, token_id token);
  void close_done(driver_id d);
  void end_trip(driver_id d, token_id token);
  /// Whether no message of it was lost and none of its nodes was down so far.
  static bool is_within_bounds(driver_id d,
                               const shown_offer_state& o,
                               const observed_state& so_far);
  void blame_expiry(driver_id d, const shown_offer_state& accepted, const event_context& s) const;

  std::vector<deals> deals_;  ///< by driver
  std::vector<meeting> meetings_;
};

}  // namespace dibs::checkers
