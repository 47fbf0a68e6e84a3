#include "bench/lease_cycles.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "lease/lease_machine.hpp"

#include <array>
#include <boost/circular_buffer.hpp>
#include <utility>
#include <vector>

namespace dibs::bench {
namespace {

/// A fifth of the drivers are leased at a time; every other lease becomes a trip, which ends at
/// once. All leases are equally long, so that a line is queue enough for what runs out. What comes
/// next is known a little ahead, as it is to the manager's actor, and like it asks for the driver's
/// record before it is wanted.
class cycles {
 public:
  explicit cycles(std::uint32_t drivers)
      : drivers_(drivers),
        leases_(options(), drivers),
        random_(stream::keyed(1, purpose::pick)),
        due_(drivers / 2 + 2) {
    for (wish& w : ahead_) {
      w = draw();
    }
  }

  std::uint64_t run(std::uint64_t operations) {
    std::uint64_t done = 0;
    const sim_duration step = 2 * ttl / drivers_;
    while (done < operations) {
      now_ += step;
      for (; !due_.empty() && due_.front().when <= now_; due_.pop_front()) {
        if (due_.size() > fetched_ahead) {
          leases_.fetch(due_[fetched_ahead].driver);
        }
        ended_ += leases_.expire(due_.front().driver, due_.front().token, now_) ? 1U : 0U;
        ++done;
      }
      const auto [d, becomes_trip] = next();
      const auto outcome = leases_.acquire(d, ride_id{0}, matcher_id{0}, now_);
      ++done;
      const auto* granted = std::get_if<lease::granted>(&outcome);
      if (granted == nullptr) {
        continue;
      }
      due_.push_back({now_ + ttl, d, granted->token});
      if (becomes_trip) {
        committed_ +=
            std::holds_alternative<lease::confirmed>(leases_.confirm(d, granted->token, now_)) ? 1U
                                                                                               : 0U;
        leases_.trip_ended(d, granted->token, ride_id{0});
        done += 2;
      }
    }
    ensure(ended_ + committed_ > 0, "leases came and went");
    return done;
  }

 private:
  static constexpr sim_duration ttl = 15s;
  static constexpr std::size_t fetched_ahead = 4;

  struct wish {
    driver_id driver;
    bool becomes_trip = false;
  };

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

  struct expiry {
    local_time when{};
    driver_id driver;
    token_id token;
  };

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
  boost::circular_buffer<expiry> due_;
  local_time now_{};
  std::uint64_t ended_ = 0;
  std::uint64_t committed_ = 0;
};

}  // namespace

cycles_result lease_cycles(std::uint32_t drivers,
                           std::uint64_t operations,
                           std::uint32_t repeats,
                           const std::atomic<bool>* stop) {
  ensure(drivers > 0 && operations > 0 && repeats > 0, "there is something to measure");
  cycles_result result{.drivers = drivers, .operations = operations, .ns_per_operation = {}};
  std::vector<double> times;
  const auto is_stopped = [stop] { return stop != nullptr && stop->load(); };
  for (std::uint32_t k = 0; k == 0 || (k < repeats && !is_stopped()); ++k) {
    cycles c(drivers);
    static_cast<void>(c.run(drivers));  // fills the table
    const stopwatch watch;
    const std::uint64_t done = c.run(operations);
    times.push_back(watch.seconds() * 1e9 / static_cast<double>(done));
  }
  result.ns_per_operation = spread_of(times);
  return result;
}

}  // namespace dibs::bench
