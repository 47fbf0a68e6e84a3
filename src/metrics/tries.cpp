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

}  // namespace dibs::metrics
