#include "history/holder_belief.hpp"

#include <algorithm>
#include <variant>

namespace dibs::history {
namespace {

using metrics::try_index;
using metrics::try_record;

/// When each matcher was done with each try, by try.
std::vector<sim_time> closed_at_all(const indexed_run& c) {
  std::vector<sim_time> closed(c.tries().size(), never);
  for (const events::event& e : c.of().events) {
    const auto* done = std::get_if<events::try_closed>(&e.what);
    const try_index i =
        done == nullptr ? metrics::no_try : c.table().find(done->token, done->driver);
    if (i != metrics::no_try) {
      closed[i] = std::min(closed[i], e.t);
    }
  }
  return closed;
}

/// The first crash of a matcher from an instant on.
sim_time crash_after(const indexed_run& c, matcher_id m, sim_time t) {
  const auto& all = c.down().all();
  if (m.value >= all.size()) {
    return never;
  }
  const auto found = std::ranges::find_if(
      all[m.value], [&](const time_interval& spell) { return spell.begin >= t; });
  return found == all[m.value].end() ? never : found->begin;
}

/// The tries that became trips, by driver.
std::vector<std::vector<try_index>> trips_of(const indexed_run& c) {
  std::vector<std::vector<try_index>> trips(c.of().scenario.drivers.count);
  for (try_index i = 0; i < c.tries().size(); ++i) {
    const try_record& t = c.tries()[i];
    if (t.committed != never && t.driver.value < trips.size()) {
      trips[t.driver.value].push_back(i);
    }
  }
  return trips;
}

/// When another ride's trip began on her whom the try took for free.
sim_time taken_from(const indexed_run& c,
                    const try_record& t,
                    const std::vector<try_index>& trips) {
  sim_time from = never;
  for (const try_index i : trips) {
    const try_record& other = c.tries()[i];
    const sim_time begin = std::max(other.committed, t.sent);
    if (other.ride != t.ride && other.trip_over > begin) {
      from = std::min(from, begin);
    }
  }
  return from;
}

}  // namespace

std::vector<holder_belief> holder_beliefs_of(const indexed_run& c) {
  const std::vector<sim_time> closed = closed_at_all(c);
  const auto trips = trips_of(c);
  std::vector<holder_belief> all(c.tries().size());
  for (try_index i = 0; i < c.tries().size(); ++i) {
    const try_record& t = c.tries()[i];
    if (t.sent == never) {
      continue;
    }
    holder_belief& b = all[i];
    const sim_time end = std::min(closed[i], crash_after(c, t.matcher, t.sent));
    b.when = {t.sent, std::min(end, c.of().end)};
    const bool is_trip_in_time = t.committed != never && t.committed <= t.over;
    sim_time turns = is_trip_in_time ? never : t.over;
    if (!t.is_leased()) {
      turns = t.driver.value < trips.size() ? taken_from(c, t, trips[t.driver.value]) : never;
    }
    b.false_from = turns < b.when.end ? std::max(turns, b.when.begin) : never;
  }
  return all;
}

}  // namespace dibs::history
