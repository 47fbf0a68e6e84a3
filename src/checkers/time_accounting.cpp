#include "checkers/time_accounting.hpp"

#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

/// Whether the driver has a trip that the manager could not know of, or two at once: then a lease
/// beside it, or the other trip, takes the same seconds and is not the manager's fault. She counts
/// as on trip.
bool has_stray_trip(driver_id d, const observed_state& so_far) {
  bool any = false;
  so_far.each_trip_of(d, [&any](const open_trip& trip) { any = any || trip.stray; });
  return any;
}

/// A lease or trip that nothing has ended.
struct stretch {
  record_index record = no_record;
  driver_id driver;
  sim_time since{};
  bool is_trip = false;
};

/// In the order in which their tokens were written down.
std::vector<stretch> under_way(const observed_state& so_far, std::span<const record_index> live) {
  std::vector<stretch> all;
  for (const record_index i : live) {
    all.push_back({i, so_far.at(i).driver, so_far.at(i).since, false});
  }
  so_far.each_trip([&all](const open_trip& t) {
    all.push_back({t.record, t.driver, t.since, true});
  });
  std::ranges::sort(all, [](const stretch& a, const stretch& b) { return a.record < b.record; });
  return all;
}

}  // namespace

void time_accounting::judge(const events::driver_came_online& f, const event_context& s) {
  account& a = charged(f.driver, s);
  a.is_online = true;
  a.online -= s.t.time_since_epoch();
}

void time_accounting::judge(const events::driver_went_offline& f, const event_context& s) {
  account& a = charged(f.driver, s);
  a.is_online = false;
  a.online += s.t.time_since_epoch();
}

void time_accounting::judge(const events::lease_granted& f, const event_context& s) {
  ++charged(f.driver, s).leases;
}

void time_accounting::judge(const events::lease_ended& f, const event_context& s) {
  account& a = charged(f.driver, s);
  const bool ended_by_commit =
      s.token() != nullptr && s.token()->committed && s.token()->at_manager != hold::over;
  if (ended_by_commit) {
    return;
  }
  --a.leases;
  if (s.token() != nullptr && s.token()->is_live()) {
    a.by_token += s.t - s.token()->since;
  }
}

void time_accounting::judge(const events::trip_committed& f, const event_context& s) {
  account& a = charged(f.driver, s);
  ++a.trips;
  if (s.token() != nullptr && s.token()->is_live()) {
    --a.leases;
    a.by_token += s.t - s.token()->since;
  }
}

void time_accounting::judge(const events::trip_ended& f, const event_context& s) {
  account& a = charged(f.driver, s);
  if (s.was_revoked()) {
    return;  // it ended when it was called off
  }
  --a.trips;
  if (const open_trip* const trip = s.trip()) {
    a.by_token += s.t - trip->since;
  }
}

void time_accounting::judge(const events::assignment_revoked& f, const event_context& s) {
  account& a = charged(f.driver, s);
  if (const open_trip* const trip = s.trip()) {
    --a.trips;
    a.by_token += s.t - trip->since;
  }
}

void time_accounting::finish(const event_context& s, std::span<const record_index> live) {
  for (const stretch& one : under_way(s.so_far, live)) {
    account& a = charged(one.driver, s);
    a.by_token += s.t - one.since;
    --(one.is_trip ? a.trips : a.leases);
  }
  for (std::uint32_t i = 0; i < accounts_.size(); ++i) {
    account& a = charged(driver_id{i}, s);
    if (a.is_online) {
      a.online += s.t.time_since_epoch();
    }
    if (a.online != a.available + a.leased + a.on_trip) {
      s.report_violation(
          invariant::seconds_conserved,
          "driver {} was online for {} ns, but available for {}, leased for {}, on trip for {}",
          i + 1,
          a.online.count(),
          a.available.count(),
          a.leased.count(),
          a.on_trip.count());
    }
    if (a.by_token != a.by_driver || a.leases != 0 || a.trips != 0) {
      s.report_violation(
          invariant::seconds_conserved,
          "the leases and trips of driver {} lasted {} ns, but she was held or driving for {}",
          i + 1,
          a.by_token.count(),
          a.by_driver.count());
    }
  }
}

time_accounting::account& time_accounting::charged(driver_id d, const event_context& s) {
  ensure(d.is_some(), "a fact about a driver names her");
  if (d.value >= accounts_.size()) {
    accounts_.resize(
        std::max({d.value + std::size_t{1}, accounts_.size() * 2, std::size_t{s.what.drivers}}));
  }
  account& a = accounts_[d.value];
  const sim_duration passed = s.t - a.since;
  if (passed == sim_duration::zero()) {
    return a;
  }
  a.since = s.t;
  const int busy = a.leases + a.trips;
  a.by_driver += passed * busy;
  if (a.is_online) {
    (a.trips > 0 ? a.on_trip : a.leases > 0 ? a.leased : a.available) += passed;
  }
  if (busy > 1 && !has_stray_trip(d, s.so_far)) {
    s.report_violation(invariant::seconds_conserved,
                       "driver {} was counted {} times for {} ns: {} leases and {} trips",
                       ordinal(d),
                       busy,
                       passed.count(),
                       a.leases,
                       a.trips);
  }
  return a;
}

}  // namespace dibs::checkers
