#include "metrics/evaluators.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace dibs::metrics {

void service_evaluator::see(const try_record& t, const evaluation_context& e) {
  shown_ += e.window.holds(t.shown) ? 1U : 0U;
  sent_ += e.window.holds(t.sent) ? 1U : 0U;
  const bool counts = e.window.holds(t.committed);
  committed_ += counts ? 1U : 0U;
  if (t.committed == never || t.revoked) {
    return;
  }
  const commit c{t.ride, t.committed, counts};
  if (t.shares_ride) {
    shared_.push_back(c);
  } else {
    keep(c);
  }
}

// A ride that two drivers were committed to is one ride served: by the first who was not called
// off.
void service_evaluator::enter(sums_writer& figures) {
  std::ranges::stable_sort(shared_, [](const commit& a, const commit& b) {
    return std::tie(a.ride, a.at) < std::tie(b.ride, b.at);
  });
  ride_id last;
  for (const commit& c : shared_) {
    if (c.ride != last) {
      keep(c);
    }
    last = c.ride;
  }
  figures.count("offers.sent", sent_);
  figures.count("offers.shown", shown_);
  figures.count("rides.committed", committed_);
  figures.count("rides.kept", kept_);
}

void judge_rides(const ride_list& rides, const evaluation_context& e, sums_writer& figures) {
  std::uint64_t requested = 0;
  std::uint64_t matched = 0;
  std::uint64_t abandoned = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t offers = 0;
  stats::histogram& ttm = figures.durations("ttm");
  stats::histogram& pickup = figures.durations("pickup");
  for (const ride_record& r : rides) {
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
