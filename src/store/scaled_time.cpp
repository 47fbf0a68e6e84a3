#include "store/scaled_time.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <cmath>

namespace dibs::store {
namespace {

sim_duration times(sim_duration d, double factor) {
  return d == forever ? forever
                      : sim_duration{std::llround(static_cast<double>(d.count()) * factor)};
}

}  // namespace

sim_duration scaled_time::to_store(sim_duration of_run) const { return times(of_run, 1 / speed_); }

terms scaled_time::to_store(terms t) const {
  for (sim_duration* each : {&t.ttl, &t.grace, &t.confirm_hold, &t.lock_delay, &t.jitter}) {
    *each = to_store(*each);
  }
  return t;
}

lease::any_command scaled_time::to_store(lease::any_command c) const {
  std::visit(
      [&](auto& what) {
        if constexpr (requires { what.longer; }) {
          what.longer = to_store(what.longer);
        }
      },
      c);
  return c;
}

void scaled_time::note(sim_time came, local_time clock) {
  constexpr sim_duration set_back = 1s;
  const sim_duration seen = times(came.time_since_epoch(), 1 / speed_) - clock.time_since_epoch();
  if (!ahead_ || seen < *ahead_ || seen > *ahead_ + set_back) {
    ahead_ = seen;
  }
}

sim_time scaled_time::to_run(local_time of_store) const {
  ensure(ahead_.has_value(), "an answer has come before its times are asked for");
  return of_store == local_time::max() ? sim_time::max()
                                       : at(times(of_store.time_since_epoch() + *ahead_, speed_));
}

lease::any_outcome scaled_time::to_run(lease::any_outcome o) const {
  const lease::time_limit limit = lease::limit_in(o);
  if (limit.until != nullptr && *limit.until != local_time::max()) {
    *limit.until = at_local(to_run(*limit.until).time_since_epoch());
  }
  if (limit.left != nullptr) {
    *limit.left = times(*limit.left, speed_);
  }
  return o;
}

}  // namespace dibs::store
