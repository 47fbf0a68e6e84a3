/// Random histories of leases, trips and waiting rides, at whole seconds, well-behaved or not.
#pragma once

#include "base/random.hpp"
#include "metrics/teller.hpp"

#include <cstdint>
#include <vector>

namespace dibs::metrics {

struct random_options {
  std::uint64_t seed = 1;
  std::uint32_t drivers = 6;
  std::uint32_t rides = 12;
  double width_m = 10000;
  int seconds = 100;
  std::uint64_t steps_max = 4;  ///< in a second
  bool is_sane =
      true;  ///< the lease manager grants a driver once at a time, and only if she is free
};

class random_history {
 public:
  explicit random_history(const random_options& o) : options_(o), random_(scramble(o.seed)) {
    h_.what.drivers = o.drivers / 2;  // more appear
    drivers_.resize(o.drivers);
    rides_.resize(o.rides);
  }

  teller told() {
    h_.what.measured_until = h_.end = teller::s(options_.seconds);
    for (int t = 0; t < options_.seconds; ++t) {
      for (std::uint64_t n = random_.below(options_.steps_max + 1); n > 0; --n) {
        step(t);
      }
    }
    return h_;
  }

 private:
  struct driver {
    bool is_online = false;
    std::uint64_t lease = 0;
    std::uint64_t trip = 0;
  };
  struct ride {
    bool is_requested = false;
  };

  point anywhere() {
    return {random_.unit() * options_.width_m, random_.unit() * options_.width_m, 0};
  }

  void step(double t) {
    const auto d = static_cast<std::uint32_t>(random_.below(options_.drivers));
    const auto r = static_cast<std::uint32_t>(random_.below(options_.rides));
    driver& who = drivers_[d];
    const bool is_free = who.is_online && who.lease == 0 && who.trip == 0;
    switch (random_.below(8)) {
      case 0:
        if (!who.is_online) {
          who.is_online = true;
          h_.online(t, d, anywhere());
        } else if (is_free || !options_.is_sane) {
          who.is_online = false;
          h_.offline(t, d);
        }
        return;
      case 1:
        if (!rides_[r].is_requested) {
          rides_[r].is_requested = true;
          h_.request(t, r, anywhere());
        } else if (random_.below(4) == 0) {
          h_.abandon(t, r);
        }
        return;
      case 2:
      case 3:
      case 4:
        if (is_free || !options_.is_sane) {
          who.lease = ++token_;
          h_.grant(t, token_, d, r, static_cast<std::uint32_t>(random_.below(2)), 15s);
          h_.send(t, token_);
        }
        return;
      case 5:
        end_lease(t, who);
        return;
      case 6:
        if (who.lease != 0 && (who.trip == 0 || !options_.is_sane)) {
          h_.confirm_and_commit(t, who.lease);
          who.trip = who.lease;
          who.lease = 0;
        }
        return;
      default:
        if (who.trip != 0) {
          h_.trip_ends(t, who.trip, anywhere());
          who.trip = 0;
        }
    }
  }

  void end_lease(double t, driver& who) {
    constexpr events::lease_ending causes[] = {events::lease_ending::declined,
                                               events::lease_ending::expired,
                                               events::lease_ending::cancelled,
                                               events::lease_ending::denied_by_ledger};
    if (who.lease != 0) {
      h_.ends(t, who.lease, causes[random_.below(4)]);
      who.lease = 0;
    }
  }

  random_options options_;
  stream random_;
  teller h_;
  std::vector<driver> drivers_;
  std::vector<ride> rides_;
  std::uint64_t token_ = 0;
};

}  // namespace dibs::metrics
