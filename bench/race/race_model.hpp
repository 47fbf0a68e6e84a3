/// The offer race: D drivers, 10 matchers, one lease manager; rides arrive as a Poisson process of
/// 0.00132 D a second; every message takes an exponential hop of 50 ms on average. A ride asks for
/// leases of uniformly random drivers, up to 5 in all; a lease lasts 15 s; a driver answers an
/// offer after a lognormal time (median 6 s, sigma 0.8) and accepts with probability 0.7; a trip
/// takes 600 s. Timers are never cancelled.
#pragma once

#include "base/real.hpp"
#include "base/time.hpp"

#include <cstdint>

namespace dibs::bench {

struct race_model {
  static constexpr std::uint32_t matchers = 10;
  static constexpr double rides_per_driver_s = 0.00132;
  static constexpr std::uint8_t tries_max = 5;
  static constexpr sim_duration ttl = 15s;
  static constexpr sim_duration trip = 600s;
  static constexpr sim_duration hop_mean = 50ms;
  static constexpr sim_duration answer_median = 6s;
  static constexpr double answer_sigma = 0.8;
  static constexpr double acceptance = 0.7;

  // Drawn from a stream that is uniform above 0 and below 1.
  template <class Stream>
  static sim_duration hop(sim_duration mean, Stream& random) {
    return exponential(static_cast<double>(mean.count()), random);
  }
  template <class Stream>
  static sim_duration ride_gap(std::uint32_t drivers, Stream& random) {
    return exponential(1e9 / (rides_per_driver_s * drivers), random);
  }
  template <class Stream>
  static sim_duration response(Stream& random) {
    const double z = real::normal_quantile(random.unit());
    return of_ns(static_cast<double>(answer_median.count()) * real::exp(answer_sigma * z));
  }

 private:
  template <class Stream>
  static sim_duration exponential(double mean_ns, Stream& random) {
    return of_ns(-mean_ns * real::log(random.unit()));
  }
  static sim_duration of_ns(double ns) { return sim_duration{static_cast<std::int64_t>(ns)}; }
};

}  // namespace dibs::bench
