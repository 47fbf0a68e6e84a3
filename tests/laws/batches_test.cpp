// Batches at the least total, against all ways to assign the drivers of each batch. Who waits and
// who is seen to be free is taken from the history, and so are the places; no code is shared with
// what assigns.

#include "catch.hpp"
#include "design_runs.hpp"
#include "known_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::designs;

namespace {

struct pickup {
  driver_id driver;
  double seconds = 0;

  [[nodiscard]] bool operator==(const pickup& other) const { return driver == other.driver; }
};

/// The rides that a matcher looks at together, and what it did.
struct looked_at {
  std::vector<ride_id> rides;                 ///< in the order in which they began to wait
  std::vector<std::vector<pickup>> possible;  ///< for each ride, the nearest first
  std::map<ride_id, pickup> given;
};

/// Finds the batches in a history: who waited when one was due, and who was seen to be free.
class batch_history {
 public:
  explicit batch_history(const design& d)
      : facts_(d.facts),
        rules_(read_design("least-total-batches", {}).matchers),
        places_(read_design("least-total-batches", {}).world.travel) {
    for (const events::event& e : facts_) {
      for (; e.t >= due_; due_ += *rules_.batch) {
        look();
      }
      places_.apply(e);
      apply_fact(e);
    }
  }

  std::vector<looked_at> all;

 private:
  void look() {
    for (; facts_[seen_].t <= due_ - rules_.view_lag; ++seen_) {
      see(facts_[seen_]);
    }
    looked_at now;
    for (const ride_id r : waiting_) {
      if (tried_[r].size() < rules_.offers.max) {
        now.rides.push_back(r);
        now.possible.push_back(possible_for(r));
      }
    }
    all.push_back(std::move(now));
  }

  /// A driver is free who is online, and neither held nor on a trip.
  void see(const events::event& e) {
    if (const auto* on = std::get_if<events::driver_came_online>(&e.what)) {
      free_.insert(on->driver);
    } else if (const auto* off = std::get_if<events::trip_ended>(&e.what)) {
      free_.insert(off->driver);
    } else if (const auto* held = std::get_if<events::lease_granted>(&e.what)) {
      free_.erase(held->driver);
    } else if (const auto* over = std::get_if<events::lease_ended>(&e.what)) {
      free_.insert(over->driver);
    }
  }

  std::vector<pickup> possible_for(ride_id r) {
    std::vector<std::pair<double, driver_id>> nearest;
    for (const driver_id d : free_) {
      if (places_.metres(d, r) <= rules_.policy.radius_m) {
        nearest.emplace_back(places_.metres(d, r), d);
      }
    }
    std::sort(nearest.begin(), nearest.end());
    nearest.resize(std::min<std::size_t>(nearest.size(), rules_.policy.candidates));
    std::vector<pickup> found;
    for (const auto& [metres, d] : nearest) {
      if (tried_[r].count(d) == 0) {
        found.push_back({d, places_.seconds(d, r)});
      }
    }
    return found;
  }

  /// Who waits, and what was done about it.
  void apply_fact(const events::event& e) {
    if (const auto* asks = std::get_if<events::ride_requested>(&e.what)) {
      waiting_.push_back(asks->ride);
    } else if (const auto* g = std::get_if<events::lease_granted>(&e.what)) {
      std::erase(waiting_, g->ride);
      tried_[g->ride].insert(g->driver);
      all.back().given[g->ride] = {g->driver, places_.seconds(g->driver, g->ride)};
    } else if (const auto* over = std::get_if<events::try_closed>(&e.what)) {
      if (over->cause != events::try_ending::committed && gone_.count(over->ride) == 0) {
        waiting_.push_back(over->ride);
      }
    } else if (const auto* left = std::get_if<events::ride_abandoned>(&e.what)) {
      std::erase(waiting_, left->ride);
      gone_.insert(left->ride);
    }
  }

  const std::vector<events::event>& facts_;
  match::matcher_options rules_;
  known_places places_;
  sim_time due_ = sim_time{} + *rules_.batch;
  std::size_t seen_ = 0;
  std::set<driver_id> free_;
  std::vector<ride_id> waiting_;
  std::map<ride_id, std::set<driver_id>> tried_;
  std::set<ride_id> gone_;
};

/// A driver for each ride that gets one.
using assignment = std::map<ride_id, pickup>;

/// Each ride in turn takes the nearest who is left.
assignment nearest_in_turn(const looked_at& b) {
  std::set<driver_id> taken;
  assignment all;
  for (std::size_t i = 0; i < b.rides.size(); ++i) {
    for (const pickup& p : b.possible[i]) {
      if (taken.insert(p.driver).second) {
        all[b.rides[i]] = p;
        break;
      }
    }
  }
  return all;
}

/// Tries all ways to give drivers to the rides of a batch, and keeps the one that serves the most
/// rides and of these the one of the least total. The rides, or the drivers where these are fewer,
/// have a place each. Of ways that fill the same places only the shortest is gone on with.
class all_ways {
 public:
  explicit all_ways(const looked_at& b) : batch_(b) {
    for (std::size_t i = 0; i < b.rides.size(); ++i) {
      for (const pickup& p : b.possible[i]) {
        seconds_[{i, p.driver}] = p.seconds;
        drivers_.insert(p.driver);
      }
    }
    REQUIRE(places() <= 16);
  }

  [[nodiscard]] assignment least() const {
    std::vector<way> best(std::size_t{1} << places());
    best[0].total = 0;
    if (rides() <= drivers_.size()) {
      for (const driver_id d : drivers_) {
        best = with_one_more(best, [&](std::size_t place) { return std::pair(place, d); });
      }
    } else {
      const std::vector<driver_id> drivers(drivers_.begin(), drivers_.end());
      for (std::size_t i = 0; i < rides(); ++i) {
        best = with_one_more(best, [&](std::size_t place) { return std::pair(i, drivers[place]); });
      }
    }
    const way& least = *std::max_element(best.begin(), best.end(), [](const way& a, const way& b) {
      return std::pair(a.size(), -a.total) < std::pair(b.size(), -b.total);
    });
    return least.given;
  }

 private:
  struct way {
    double total = std::numeric_limits<double>::infinity();
    assignment given;

    /// Less than none, if there is no such way.
    [[nodiscard]] double size() const {
      return std::isinf(total) ? -1 : static_cast<double>(given.size());
    }
  };

  [[nodiscard]] std::size_t rides() const { return batch_.rides.size(); }
  [[nodiscard]] std::size_t places() const { return std::min(rides(), drivers_.size()); }

  /// One more driver, or ride, may take any of the places, or none. `pair_at(place)` are the number
  /// of the ride and the driver who meet there.
  template <class Pair>
  std::vector<way> with_one_more(const std::vector<way>& best, const Pair& pair_at) const {
    std::vector<way> next = best;
    for (std::size_t set = 0; set < best.size(); ++set) {
      for (std::size_t place = 0; place < places(); ++place) {
        const auto [ride, driver] = pair_at(place);
        const auto known = seconds_.find({ride, driver});
        const std::size_t more = set | (std::size_t{1} << place);
        if (more == set || known == seconds_.end()) {
          continue;
        }
        if (best[set].total + known->second < next[more].total) {
          next[more] = best[set];
          next[more].total += known->second;
          next[more].given[batch_.rides[ride]] = {driver, known->second};
        }
      }
    }
    return next;
  }

  const looked_at& batch_;
  std::map<std::pair<std::size_t, driver_id>, double> seconds_;
  std::set<driver_id> drivers_;
};

/// In how many batches the run did the same, and what the ways add up to, here and in the run.
struct all_batches {
  double rides = 0;
  double total = 0;
  double total_of_run = 0;
  std::size_t alike = 0;
  std::size_t others = 0;
  assignment last;  ///< what each ride would have got at last
};

template <class Assign>
all_batches assign_all(const batch_history& h, const Assign& assign) {
  all_batches all;
  for (const looked_at& b : h.all) {
    const assignment given = assign(b);
    for (const auto& [ride, p] : given) {
      ++all.rides;
      all.total += p.seconds;
      all.last[ride] = p;
    }
    for (const auto& [ride, p] : b.given) {
      all.total_of_run += p.seconds;
    }
    ++(given == b.given ? all.alike : all.others);
  }
  return all;
}

/// The mean way to those who were picked up, of the rides that count.
double mean_way(const design& d, const assignment& given) {
  const auto clock = read_design("least-total-batches", {}).clock;
  std::set<ride_id> counted;
  d.each<events::ride_requested>([&](const auto& f, sim_time t) {
    if (t >= sim_time{} + clock.warmup && t < sim_time{} + clock.warmup + clock.duration) {
      counted.insert(f.ride);
    }
  });
  double sum = 0;
  double rides = 0;
  d.each<events::rider_picked_up>([&](const auto& f, sim_time) {
    if (counted.count(f.ride) != 0) {
      sum += given.at(f.ride).seconds;
      ++rides;
    }
  });
  return sum / rides;
}

}  // namespace

TEST_CASE("designs: batches at the least total have the ways that trying all assignments finds") {
  const design with = run_with("least-total-batches");
  const batch_history together(with);
  const all_batches least =
      assign_all(together, [](const looked_at& b) { return all_ways(b).least(); });
  CHECK(least.alike > 300);
  CHECK(least.others == 0);
  CHECK(least.total == Approx(least.total_of_run));
  CHECK(mean_way(with, least.last) == Approx(with.value("pickup.mean")).epsilon(1e-6));

  const design without = run_without("least-total-batches");
  const batch_history in_turn(without);
  const all_batches nearest = assign_all(in_turn, nearest_in_turn);
  CHECK(nearest.alike > 300);
  CHECK(nearest.others == 0);
  CHECK(mean_way(without, nearest.last) == Approx(without.value("pickup.mean")).epsilon(1e-6));

  // In the same batches, and for as many rides, the nearest in turn drive twice as long and more;
  // and so it is between the two runs, where each has its own batches.
  const all_batches instead = assign_all(together, nearest_in_turn);
  CHECK(instead.rides == least.rides);
  CHECK(instead.total > 2 * least.total);
  CHECK(without.value("pickup.mean") > 2 * with.value("pickup.mean"));
  CHECK(with.value("rides.matched") >= without.value("rides.matched"));
}
