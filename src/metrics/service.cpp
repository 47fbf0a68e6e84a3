#include "metrics/judges.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace dibs::metrics {
namespace {

void judge_offers(const try_table& tries, const evidence& e, sheet& figures) {
  std::uint64_t sent = 0;
  std::uint64_t shown = 0;
  std::uint64_t contended = 0;
  for (const try_record& t : tries.all()) {
    if (e.window.holds(t.shown)) {
      ++shown;
    }
    if (!e.window.holds(t.sent)) {
      continue;
    }
    ++sent;
    if (t.contended) {
      ++contended;
    }
  }
  figures.count("offers.sent", sent);
  figures.count("offers.shown", shown);
  figures.count("offers.contended", contended);
}

/// A ride that two drivers were committed to is one ride served: by the first who was not called
/// off.
bool is_first_kept(try_index which, const try_table& tries, const evidence& e) {
  const try_record& t = tries.at(which);
  if (t.revoked) {
    return false;
  }
  const try_index newest = t.ride.value < e.rides.size() ? e.rides[t.ride.value].latest : no_try;
  for (try_index i = newest; i != no_try; i = tries.at(i).earlier_of_ride) {
    const try_record& other = tries.at(i);
    if (other.committed != never && !other.revoked &&
        std::tie(other.committed, i) < std::tie(t.committed, which)) {
      return false;
    }
  }
  return true;
}

void judge_commits(const try_table& tries, const evidence& e, sheet& figures) {
  std::uint64_t committed = 0;
  std::uint64_t kept = 0;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    if (!e.window.holds(tries.at(i).committed)) {
      continue;
    }
    ++committed;
    if (is_first_kept(i, tries, e)) {
      ++kept;
    }
  }
  figures.count("rides.committed", committed);
  figures.count("rides.kept", kept);
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

}  // namespace

void judge_service(const try_table& tries, const evidence& e, sheet& figures) {
  judge_offers(tries, e, figures);
  judge_commits(tries, e, figures);
  judge_rides(e, figures);
  figures.time("measured_s", e.window.length().count());
}

}  // namespace dibs::metrics
