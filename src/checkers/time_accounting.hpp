/// Every second of a driver is counted once (S11): online = available + leased + on trip.
///
/// Double entry. What a fact says of its driver is charged to her account, by the state that she
/// was in; what it says of its token closes the interval of that lease or trip. The two sides are
/// kept from different fields of the facts, and agree exactly if no second is counted twice, left
/// out or made up.
#pragma once

#include "base/prefetch.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace dibs::checkers {

class time_accounting {
 public:
  void judge(const events::driver_came_online& f, const event_context& s);
  void judge(const events::driver_went_offline& f, const event_context& s);
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::lease_ended& f, const event_context& s);
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::trip_ended& f, const event_context& s);
  void judge(const events::assignment_revoked& f, const event_context& s);

  /// At the end of the run, with these leases live: do the sides agree?
  void finish(const event_context& s, std::span<const record_index> live);

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < accounts_.size()) {
      fetch_line(&accounts_[d.value]);
    }
  }

 private:
  struct alignas(64) account {
    sim_time since{};       ///< charged up to here
    sim_duration online{};  ///< each leaving counts its instant, each coming takes its own off
    sim_duration available{};
    sim_duration leased{};
    sim_duration on_trip{};
    sim_duration by_driver{};  ///< leases and trips, online or not, by what the facts say of her
    sim_duration by_token{};   ///< the same by what they say of their tokens
    std::int16_t leases = 0;   ///< open, by driver; below 0 if the facts make no sense
    std::int16_t trips = 0;
    bool is_online = false;
  };

  /// The driver's account, charged up to now.
  account& charged(driver_id d, const event_context& s);

  std::vector<account> accounts_;
};

}  // namespace dibs::checkers
