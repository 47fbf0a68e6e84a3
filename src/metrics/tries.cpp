#include "metrics/tries.hpp"

#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::metrics {

try_index try_table::find(token_id token, driver_id d) const {
  // Nearly every event is about the driver's last try, and the map is slow to ask.
  const try_index newest = latest_of(d);
  if (newest == no_try || records_[newest].token == token) {
    return newest;
  }
  const auto found = index_.find(key{token, d});
  return found == index_.end() ? no_try : found->second;
}

try_index try_table::latest_of(driver_id d) const {
  return d.value < latest_.size() ? latest_[d.value] : no_try;
}

try_index try_table::add(token_id token, driver_id d, ride_id r) {
  ensure(d.is_some(), "a try names its driver");
  if (d.value >= latest_.size()) {
    latest_.resize(std::max<std::size_t>(d.value + std::size_t{1}, latest_.size() * 2), no_try);
  }
  const auto i = static_cast<try_index>(records_.size());
  try_record& added = records_.push_back({});
  added.token = token;
  added.driver = d;
  added.ride = r;
  added.earlier_of_driver = latest_[d.value];
  latest_[d.value] = i;
  index_.insert_or_assign(key{token, d}, i);
  return i;
}

}  // namespace dibs::metrics
