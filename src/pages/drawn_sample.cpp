#include "pages/drawn_sample.hpp"

#include "engine/run.hpp"
#include "pages/columns.hpp"

#include <algorithm>

namespace dibs::pages {
namespace {

using metrics::try_index;
using metrics::try_record;

void keep_those_of(const history::indexed_run& c,
                   const std::vector<explain::harm>& harms,
                   std::vector<bool>& drivers,
                   std::vector<bool>& rides) {
  for (const explain::harm& b : harms) {
    if (b.ride.is_some() && b.ride.value < rides.size()) {
      rides[b.ride.value] = true;
    }
    for (const try_index i : b.tries) {
      drivers[c.tries()[i].driver.value] = true;
      rides[c.tries()[i].ride.value] = true;
    }
  }
}

void keep_those_of(const history::indexed_run& c,
                   const explain::explanation& explanation,
                   std::vector<bool>& drivers,
                   std::vector<bool>& rides) {
  for (const try_index i : explanation.tries) {
    drivers[c.tries()[i].driver.value] = true;
    rides[c.tries()[i].ride.value] = true;
  }
}

/// A story's drivers may have driven all day: only what touches its time.
bool is_in(const explain::explanation& explanation, const try_record& t) {
  constexpr auto around = 5min;
  const sim_time over = std::max(t.over == never ? sim_time::min() : t.over,
                                 t.trip_over == never ? sim_time::min() : t.trip_over);
  return over >= explanation.span.begin - around && t.begin() <= explanation.span.end + around;
}

}  // namespace

std::int64_t drawn_sample::row_of(try_index i) const { return i < rows.size() ? rows[i] : missing; }

std::int64_t drawn_sample::starved_ms(ride_id r) const {
  const auto found = starved.find(r);
  return found == starved.end() ? 0 : found->second.length.count() / 1'000'000;
}

nlohmann::ordered_json drawn_sample::json_of() const {
  return {{"every", every},
          {"drivers", std::count(drivers.begin(), drivers.end(), true)},
          {"drivers_in_all", drivers.size()},
          {"tries", tries.size()},
          {"tries_in_all", tries_in_all},
          {"rides", rides.size()},
          {"rides_in_all", rides_in_all}};
}

drawn_sample sample_of(const history::indexed_run& c,
                       const std::vector<explain::harm>& harms,
                       const sample_options& how) {
  drawn_sample s;
  const auto& all = c.tries();
  s.tries_in_all = all.size();
  const std::size_t rides_max = how.tries_max;
  const std::size_t crowd = std::max(all.size() / std::max<std::size_t>(how.tries_max, 1),
                                     c.rides().size() / std::max<std::size_t>(rides_max, 1));
  s.every = static_cast<std::uint32_t>(crowd + 1);
  s.drivers.assign(c.of().scenario.drivers.count, false);
  std::vector<bool> rides(c.rides().size(), false);
  if (how.story != nullptr) {
    keep_those_of(c, *how.story, s.drivers, rides);
  } else {
    for (std::size_t d = 0; d < s.drivers.size(); d += s.every) {
      s.drivers[d] = true;
    }
    for (std::size_t r = 0; r < rides.size(); r += s.every) {
      rides[r] = true;
    }
    keep_those_of(c, harms, s.drivers, rides);
  }
  s.rows.assign(all.size(), missing);
  for (try_index i = 0; i < all.size(); ++i) {
    const bool is_told = how.story == nullptr || is_in(*how.story, all[i]);
    if (is_told && all[i].begin() != never && s.drivers[all[i].driver.value]) {
      s.tries.push_back(i);
      rides[all[i].ride.value] = rides[all[i].ride.value] || how.story != nullptr;
    }
  }
  std::stable_sort(s.tries.begin(), s.tries.end(), [&](try_index a, try_index b) {
    return all[a].begin() < all[b].begin();
  });
  for (std::size_t row = 0; row < s.tries.size(); ++row) {
    s.rows[s.tries[row]] = static_cast<std::int64_t>(row);
  }
  for (std::uint32_t r = 0; r < rides.size(); ++r) {
    const bool is_there = c.rides()[r].requested != never;
    s.rides_in_all += is_there ? 1 : 0;
    if (rides[r] && is_there) {
      s.rides.push_back(ride_id{r});
    }
  }
  const auto radius_m = engine::metrics_options_of(c.of().scenario).search_radius_m;
  s.starved = metrics::starve(c.story(), c.window(), radius_m).by_ride;
  return s;
}

}  // namespace dibs::pages
