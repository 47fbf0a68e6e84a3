#include "metrics/tries.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::metrics {

try_index try_table::find(token_id token, driver_id d) const {
  // Nearly every event is about the driver's last try, and the index lies elsewhere.
  if (d.value >= drivers_.size()) {
    return no_try;
  }
  const driver_record& of = drivers_[d.value];
  if (of.newest == no_try || of.newest_token == token) {
    return of.newest;
  }
  const try_index first = index_.find(token);
  if (first == no_try || records_[first].driver == d) {
    return first;
  }
  const auto found = shared_.find(key{token, d});
  return found == shared_.end() ? no_try : found->second;
}

try_index try_table::latest_of(driver_id d) const {
  return d.value < drivers_.size() ? drivers_[d.value].newest : no_try;
}

try_index try_table::add(token_id token, driver_id d, ride_id r) {
  ensure(d.is_some(), "a try names its driver");
  if (d.value >= drivers_.size()) {
    drivers_.resize(std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2));
  }
  driver_record& of = drivers_[d.value];
  const auto i = static_cast<try_index>(records_.size());
  try_record& added = records_.push_back({});
  added.token = token;
  added.driver = d;
  added.ride = r;
  added.earlier_of_driver = std::exchange(of.newest, i);
  of.newest_token = token;
  const try_index first = index_.find(token);
  if (first == no_try || records_[first].driver == d) {
    index_.set(token, i);
  } else {
    shared_.insert_or_assign(key{token, d}, i);
  }
  return i;
}

const try_list& try_table::all() const {
  ensure(records_.packed_blocks() == 0, "tries that are looked at one by one lie open");
  return records_;
}

void try_table::begin_trip(try_index i, sim_time now) {
  records_[i].committed = now;
  trips_.grown(i).began = now;
}

bool try_table::end_trip(try_index i, sim_time now) {
  if (i >= trips_.size()) {
    return false;
  }
  trip_times& of = trips_[i];
  const bool is_under_way = of.began != never && of.over == never;
  of.over = is_under_way ? now : of.over;
  return is_under_way;
}

void try_table::finish() {
  if (records_.packed_blocks() == 0) {
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      records_[i].trip_over = std::as_const(trips_)[i].over;
    }
  }
}

}  // namespace dibs::metrics
