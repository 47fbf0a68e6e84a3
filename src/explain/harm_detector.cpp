#include "explain/harm_detector.hpp"

#include "engine/run.hpp"
#include "history/event_text.hpp"
#include "metrics/evaluators.hpp"

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// Of harms that are a matter of time: whether one is as bad as the other, nearly. A ride may
/// starve for half as long; half a lease is what its remedy leaves.
bool is_as_long(const metrics::harm_case& n, const harm& b) {
  if (n.kind == metrics::harm_kind::starved_ride) {
    return metrics::size_of(n) * 2 >= b.size;
  }
  return n.kind != metrics::harm_kind::hiding_lease || metrics::size_of(n) * 3 >= b.size * 2;
}

metrics::options options_of(const harm& b, const scenario::scenario& s, sim_time from) {
  metrics::options o = engine::metrics_options_of(s);
  o.series_step = sim_duration::zero();
  o.only = b.ride;
  o.measured_from = std::min(from, o.measured_from);
  o.measured_until = b.counts ? o.measured_until : s.ends();
  return o;
}

/// As the scenario is judged, and by the promise that was broken, whether it is given there or not.
checkers::options options_of(lease::invariant broken,
                             const scenario::scenario& s,
                             std::uint64_t seed) {
  checkers::options o = engine::checkers_options_of(s, seed);
  o.promises |= 1U << static_cast<unsigned>(broken);
  return o;
}

bool is_lost_yes(const harm& b) {
  return !b.broken && b.harm == metrics::harm_kind::lost_accept && !b.tries.empty();
}

}  // namespace

harm_detector::harm_detector(const history::indexed_run& c,
                             const harm& b,
                             const scenario::scenario& s,
                             const options& how)
    : harm_(b), how_(how) {
  if (b.broken) {
    promises_ = std::make_unique<promise_watch>(options_of(*b.broken, s, c.of().seed));
  } else if (is_lost_yes(b)) {
    yes_ = std::make_unique<accept_watch>(options_of(b, s, how.from));
    yes_->whose = c.tries()[b.tries.back()].driver;
    for (const try_record& t : c.tries()) {
      if (t.ride == b.ride && t.accepted && t.committed == never) {
        yes_->known.insert(t.driver);
      }
    }
  } else if (!b.broken && b.harm == metrics::harm_kind::double_commit && !b.tries.empty()) {
    trips_ = std::make_unique<trip_watch>(options_of(b, s, how.from));
  } else {
    harms_.emplace(options_of(b, s, how.from));
  }
}

void harm_detector::observe_yes(const events::event& e) {
  yes_->tries.write(e);
  const auto* confirm = std::get_if<events::confirm_refused>(&e.what);
  const auto* write = std::get_if<events::write_refused>(&e.what);
  if (confirm != nullptr && confirm->cause == events::confirm_refusal::ride_taken) {
    yes_->came_second.insert(confirm->token);
  }
  if (write != nullptr && write->cause == events::write_refusal::ride_taken) {
    yes_->came_second.insert(write->token);
  }
}

void harm_detector::observe(std::span<const events::event> batch) {
  const auto past = std::upper_bound(
      batch.begin(), batch.end(), how_.until, [](sim_time t, const events::event& e) {
        return t < e.t;
      });
  const auto seen = batch.first(static_cast<std::size_t>(past - batch.begin()));
  if (harms_) {
    harms_->observe(seen);
  } else if (yes_) {
    for (const events::event& e : seen) {
      observe_yes(e);
    }
  } else if (trips_) {
    for (const events::event& e : seen) {
      trips_->tries.write(e);
    }
  } else {
    promises_->judges.observe(seen);
    promises_->seen.insert(promises_->seen.end(), seen.begin(), seen.end());
  }
  if (past != batch.end() || (how_.stopped != nullptr && how_.stopped->load())) {
    stop_ = true;
  }
}

bool harm_detector::found() {
  if (promises_) {
    return saw_the_promise_broken();
  }
  if (yes_) {
    return saw_a_yes_lost();
  }
  if (trips_) {
    return saw_two_trips();
  }
  const metrics::report r = harms_->finish(how_.until);
  bool is_there = false;
  for (const metrics::harm_case& n : r.notables) {
    if (n.kind == harm_.harm) {
      longest_ = std::max(longest_, metrics::size_of(n));
      is_there = is_there || is_as_long(n, harm_);
    }
  }
  return is_there;
}

bool harm_detector::saw_a_yes_lost() {
  metrics::run_tables& all = yes_->tries;
  all.finish(how_.until);
  const time_interval window{how_.from, how_.until};
  const auto& tries = all.tries().all();
  return std::ranges::any_of(tries, [&](const try_record& t) {
    if (t.ride != harm_.ride || !window.holds(t.decided) || fate_of(t) != metrics::fate::lost) {
      return false;
    }
    const bool has_driver =
        all.rides()[t.ride.value].first_commit <= t.decided || yes_->came_second.contains(t.token);
    return t.driver == yes_->whose || (!has_driver && !yes_->known.contains(t.driver));
  });
}

bool harm_detector::saw_two_trips() {
  trips_->tries.finish(how_.until);
  const auto& all = trips_->tries.tries().all();
  const time_interval window = common(trips_->window, {sim_time::min(), how_.until});
  return std::any_of(all.begin(), all.end(), [&](const try_record& own) {
    const time_interval trip = common(own.commitment(), window);
    return own.ride == harm_.ride && std::any_of(all.begin(), all.end(), [&](const auto& other) {
             const bool clashes =
                 harm_.of_one_ride ? for_one_ride(own, other) : on_one_driver(own, other);
             return clashes && !common(trip, other.commitment()).is_empty();
           });
  });
}

bool harm_detector::saw_the_promise_broken() {
  const checkers::check_result found = promises_->judges.finish(how_.until);
  return std::ranges::any_of(found.violations, [&](const checkers::violation& v) {
    if (v.broken != *harm_.broken) {
      return false;
    }
    if (v.event_index >= promises_->seen.size() || !harm_.driver.is_some()) {
      return true;
    }
    return history::subjects_of(promises_->seen[v.event_index].what, false).driver == harm_.driver;
  });
}

}  // namespace dibs::explain
