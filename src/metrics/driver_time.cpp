#include "metrics/driver_time.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::metrics {

driver_time::driver_time(const time_interval& window,
                         std::uint32_t drivers,
                         try_table& tries,
                         bool is_followed)
    : window_(window),
      tries_(tries),
      drivers_(drivers),
      available_(is_followed),
      held_(is_followed) {
  counts_[index(driver_state::offline)] = drivers;
}

driver_state driver_time::driver_record::state() const {
  if (!is_online) {
    return driver_state::offline;
  }
  if (trips > 0) {
    return driver_state::on_trip;
  }
  return held != no_try ? driver_state::leased : driver_state::available;
}

void driver_time::came_online(driver_id d, const point& place, sim_time now) {
  change(d, now, [&](driver_record& r) {
    if (!r.is_online) {
      r.online_since = now;
    }
    r.is_online = true;
    r.place = place;
  });
}

void driver_time::went_offline(driver_id d, sim_time now) {
  change(d, now, [&](driver_record& r) {
    if (r.is_online) {
      total_online_ += common({r.online_since, now}, window_).length().count();
    }
    r.is_online = false;
  });
}

void driver_time::lease_began(try_index lease, sim_time now) {
  try_record& t = tries_.at(lease);
  change(t.driver, now, [&](driver_record& r) {
    t.next_held = r.held;
    r.held = lease;
  });
}

void driver_time::lease_over(try_index lease, sim_time now) {
  const try_record& t = tries_.at(lease);
  change(t.driver, now, [&](driver_record& r) {
    try_index* link = &r.held;
    while (*link != no_try && *link != lease) {
      link = &tries_.at(*link).next_held;
    }
    ensure(*link == lease, "a lease that ends is held");
    *link = t.next_held;
  });
}

void driver_time::trip_began(driver_id d, sim_time now) {
  change(d, now, [](driver_record& r) { ++r.trips; });
}

void driver_time::trip_over(driver_id d, sim_time now) {
  change(d, now, [](driver_record& r) {
    ensure(r.trips > 0, "a trip that ends has begun");
    --r.trips;
  });
}

void driver_time::moved(driver_id d, const point& place, sim_time now) {
  if (slot(d).place != place) {
    change(d, now, [&](driver_record& r) { r.place = place; });
  }
}

void driver_time::finish(sim_time end) {
  for (std::uint32_t i = 0; i < drivers_.size(); ++i) {
    went_offline(driver_id{i}, end);
  }
  ensure(total_online_ == total(driver_state::available) + total(driver_state::leased) +
                              total(driver_state::on_trip),
         "the parts of the drivers' time add up");
}

std::uint32_t driver_time::online() const {
  return count(driver_state::available) + count(driver_state::leased) +
         count(driver_state::on_trip);
}

try_index driver_time::held(driver_id d) const {
  return d.value < drivers_.size() ? drivers_[d.value].held : no_try;
}

template <class Edit>
void driver_time::change(driver_id d, sim_time now, Edit edit) {
  driver_record& r = slot(d);
  leave(r, now);
  edit(r);
  enter(r, now);
}

void driver_time::leave(const driver_record& r, sim_time now) {
  const driver_state state = r.state();
  --counts_[index(state)];
  totals_[index(state)] += common({r.since, now}, window_).length().count();
  if (state == driver_state::available) {
    available_[r.open].when.end = now;
  } else if (state == driver_state::leased) {
    for (try_index i = r.held; i != no_try; i = tries_.at(i).next_held) {
      held_[tries_.at(i).spell].when.end = now;
    }
  }
}

void driver_time::enter(driver_record& r, sim_time now) {
  const driver_state state = r.state();
  ++counts_[index(state)];
  r.since = now;
  if (state == driver_state::available) {
    r.open = available_.begin({{now, never}, r.place, no_try});
  } else if (state == driver_state::leased) {
    for (try_index i = r.held; i != no_try; i = tries_.at(i).next_held) {
      tries_.at(i).spell = held_.begin({{now, never}, r.place, i});
    }
  }
}

driver_time::driver_record& driver_time::slot(driver_id d) {
  ensure(d.is_some(), "a fact about a driver names her");
  if (d.value >= drivers_.size()) {
    const std::size_t size = std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2);
    counts_[index(driver_state::offline)] += static_cast<std::uint32_t>(size - drivers_.size());
    drivers_.resize(size);
  }
  return drivers_[d.value];
}

}  // namespace dibs::metrics
