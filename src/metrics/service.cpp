#include "metrics/judges.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace dibs::metrics {
namespace {

/// A ride that two drivers were committed to is one ride served: by the first who was not called
/// off.
bool is_first_kept(try_index which, const try_table& tries, const evidence& e) {
  const try_record& t = tries.at(which);
  if (t.revoked || !t.shares_ride) {
    return !t.revoked;
  }
  for (try_index i = e.rides[t.ride.value].latest; i != no_try; i = tries.at(i).earlier_of_ride) {
    const try_record& other = tries.at(i);
    if (other.committed != never && !other.revoked &&
        std::tie(other.committed, i) < std::tie(t.committed, which)) {
      return false;
    }
  }
  return true;
}

}  // namespace

void service_judge::see(try_index i,
                        const try_record& t,
                        const try_table& tries,
                        const evidence& e) {
  shown_ += e.window.holds(t.shown) ? 1U : 0U;
  sent_ += e.window.holds(t.sent) ? 1U : 0U;
  if (e.window.holds(t.committed)) {
    ++committed_;
    kept_ += is_first_kept(i, tries, e) ? 1U : 0U;
  }
}

void service_judge::enter(sheet& figures) const {
  figures.count("offers.sent", sent_);
  figures.count("offers.shown", shown_);
  figures.count("rides.committed", committed_);
  figures.count("rides.kept", kept_);
}

void judge_rides(const evidence& e, sheet& figures) {
  std::uint64_t requested = 0;
  std::uint64_t matched = 0;
  std::uint64_t abandoned = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t offers = 0;
  histogram& ttm = figures.durations("ttm");
  histogram& pickup = figures.durations("pickup");
  for (const ride_record& r : e.rides) {
    if (!e.window.holds(r.requested)) {
      continue;
    }
    ++requested;
    offers += r.offers;
    if (r.first_commit != never) {
      ++matched;
      // A history that commits a ride before anyone asked for it made nobody wait.
      ttm.add(std::max(r.first_commit - r.requested, sim_duration::zero()));
    }
    if (r.pickup >= sim_duration::zero()) {
      pickup.add(r.pickup);
    }
    if (r.gone != never) {
      ++(r.abandoned ? abandoned : cancelled);
    }
  }
  figures.count("rides.requested", requested);
  figures.count("rides.matched", matched);
  figures.count("rides.abandoned", abandoned);
  figures.count("rides.cancelled", cancelled);
  figures.count("offers.of_rides", offers);
}

}  // namespace dibs::metrics
