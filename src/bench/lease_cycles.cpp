#include "bench/lease_cycles.hpp"

#include "actors/runtime/event_queue.hpp"
#include "base/ensure.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "lease/lease_machine.hpp"

#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace dibs::bench {
namespace {

/// One acquire at each step, of a random driver. Every other lease is confirmed 6 s later and
/// becomes a trip of 15 s, the rest runs out: a quarter of the drivers are leased or on a trip at a
/// time, and each command finds a record that was touched thousands of commands ago. Each lease has
/// a timer in the engine's own queue, as the manager's actor has in virtual time, and like there it
/// fires even if the lease was confirmed. What comes next is known a little ahead, as it is to the
/// actor, and like it asks for the driver's record before it is wanted.
class cycles {
 public:
  explicit cycles(std::uint32_t drivers)
      : drivers_(drivers),
        leases_(options(), drivers),
        random_(stream::keyed(1, purpose::pick)),
        trips_(std::bit_ceil(std::size_t{drivers} + fetched_ahead)),
        trips_mask_(trips_.size() - 1) {
    for (wish& w : ahead_) {
      w = draw();
    }
  }

  operations run(std::uint64_t how_many) {
    did_ = {};
    const sim_duration step = 4 * ttl / drivers_;
    // Whether it is enough is asked seldom, since that takes time as well.
    for (std::uint64_t acquires = 0; acquires % 1024 != 0 || did_.all() < how_many; ++acquires) {
      now_ += step;
      while (!timers_.empty() && timers_.next_due() <= now_) {
        fire(timers_.pop());
      }
      while (ended_ < confirmed_ && trip(ended_).granted + answer_time + trip_time <= now_) {
        end_next();
      }
      while (confirmed_ < granted_ && trip(confirmed_).granted + answer_time <= now_) {
        confirm_next();
      }
      acquire_next();
    }
    ensure(did_.expired > 0 && did_.confirmed > 0, "leases came and went");
    return did_;
  }

 private:
  struct timer {
    sim_time due{};
    std::uint64_t order = 0;
    driver_id driver;
    token_id token;
  };

  struct wish {
    driver_id driver;
    bool becomes_trip = false;
  };

  struct coming_trip {
    sim_time granted{};
    driver_id driver;
    token_id token;
  };

  static constexpr sim_duration ttl = 15s;
  static constexpr sim_duration answer_time = 6s;
  static constexpr sim_duration trip_time = 15s;
  static constexpr std::size_t fetched_ahead = 4;

  void fire(const timer& t) {
    timers_.look_ahead([this](const timer& next) { leases_.fetch(next.driver); });
    ++(leases_.expire(t.driver, t.token, clock()) ? did_.expired : did_.too_late);
  }

  void acquire_next() {
    const auto [d, becomes_trip] = next();
    const auto outcome = leases_.acquire(d, ride_id{0}, matcher_id{0}, clock());
    const auto* granted = std::get_if<lease::granted>(&outcome);
    if (granted == nullptr) {
      ++did_.denied;
      return;
    }
    ++did_.granted;
    timers_.push({now_ + ttl, timers_set_++, d, granted->token});
    if (becomes_trip) {
      trip(granted_++) = {now_, d, granted->token};
    }
  }

  void confirm_next() {
    const auto [granted, d, token] = trip(confirmed_++);
    const auto answer = leases_.confirm(d, token, clock());
    ensure(std::holds_alternative<lease::confirmed>(answer), "a live lease is confirmed");
    ++did_.confirmed;
    leases_.fetch(trip(confirmed_ + fetched_ahead).driver);
  }

  void end_next() {
    const auto [granted, d, token] = trip(ended_++);
    leases_.trip_ended(d, token, ride_id{0});
    ++did_.trips_ended;
    leases_.fetch(trip(ended_ + fetched_ahead).driver);
  }

  /// A driver has one at most, so that there is room for all of them.
  [[nodiscard]] coming_trip& trip(std::size_t nth) { return trips_[nth & trips_mask_]; }

  [[nodiscard]] local_time clock() const { return local_time{now_.time_since_epoch()}; }

  wish draw() {
    const std::uint64_t bits = random_.below(2 * std::uint64_t{drivers_});
    return {driver_id{static_cast<std::uint32_t>(bits / 2)}, bits % 2 == 0};
  }

  wish next() {
    const wish now = std::exchange(ahead_[turn_], draw());
    leases_.fetch(ahead_[turn_].driver);
    turn_ = (turn_ + 1) % fetched_ahead;
    return now;
  }

  static lease::machine_options options() {
    lease::machine_options o;
    o.protocol = lease::rules_of(lease::protocol::lease);
    o.ttl = ttl;
    o.commit_on_confirm = true;
    return o;
  }

  std::uint32_t drivers_;
  lease::machine leases_;
  stream random_;
  std::array<wish, fetched_ahead> ahead_;
  std::size_t turn_ = 0;
  std::vector<coming_trip> trips_;  ///< a ring: of leases that become trips, in their order
  std::size_t trips_mask_;
  std::size_t granted_ = 0;    ///< so many leases will have become trips,
  std::size_t confirmed_ = 0;  ///< so many have, and
  std::size_t ended_ = 0;      ///< so many of these are over
  actors::runtime::event_queue<timer> timers_;
  std::uint64_t timers_set_ = 0;
  sim_time now_{};
  operations did_;
};

}  // namespace

cycles_result lease_cycles(std::uint32_t drivers,
                           std::uint64_t how_many,
                           std::uint32_t repeats,
                           const std::atomic<bool>* stop) {
  ensure(drivers > 0 && how_many > 0 && repeats > 0, "there is something to measure");
  cycles_result result{.drivers = drivers, .did = {}, .ns_per_operation = {}};
  std::vector<double> times;
  const auto is_stopped = [stop] { return stop != nullptr && stop->load(); };
  for (std::uint32_t k = 0; k == 0 || (k < repeats && !is_stopped()); ++k) {
    cycles c(drivers);
    static_cast<void>(c.run(5 * std::uint64_t{drivers}));  // timers fire, the calendar fits
    const stopwatch watch;
    result.did = c.run(how_many);
    times.push_back(watch.seconds() * 1e9 / static_cast<double>(result.did.all()));
  }
  result.ns_per_operation = spread_of(times);
  return result;
}

}  // namespace dibs::bench
