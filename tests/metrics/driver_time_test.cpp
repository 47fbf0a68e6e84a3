/// Goal: every driver's seconds and every rider's wait are measured as the definitions say.
/// Method: random histories at whole seconds are measured a second time, in the plainest way: the
/// middle of each second is looked at, and everyone's state is found from the whole history.
#include "metrics/driver_time.hpp"

#include "catch.hpp"
#include "metrics/random_history.hpp"
#include "metrics/teller.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace {

using namespace dibs;
using namespace dibs::metrics;

constexpr double open_end = 1e9;

struct plain_lease {
  std::uint32_t driver = 0;
  std::uint32_t ride = 0;
  double granted = 0;
  double over = open_end;
  double committed = open_end;
  double trip_over = open_end;
  bool converted = false;
};

/// What the plainest reading of a history remembers.
struct plain_reader {
  std::map<std::uint64_t, plain_lease> leases;
  std::map<std::uint32_t, std::vector<std::pair<double, bool>>> online;
  std::map<std::uint32_t, std::vector<std::pair<double, point>>> places;
  std::map<std::uint32_t, std::pair<double, point>> requests;
  std::map<std::uint32_t, double> gone;
  double t = 0;

  explicit plain_reader(const std::vector<events::event>& history) {
    for (const events::event& e : history) {
      t = in_seconds(e.t);
      std::visit([this](const auto& f) { read(f); }, e.what);
    }
  }

  template <class Fact>
  void read(const Fact& /*f*/) {}
  void read(const events::driver_came_online& f) {
    online[f.driver.value].emplace_back(t, true);
    places[f.driver.value].emplace_back(t, f.place);
  }
  void read(const events::driver_went_offline& f) { online[f.driver.value].emplace_back(t, false); }
  void read(const events::ride_requested& f) { requests[f.ride.value] = {t, f.origin}; }
  void read(const events::ride_abandoned& f) { gone.emplace(f.ride.value, t); }
  void read(const events::lease_granted& f) {
    leases[f.token.value] = {f.driver.value, f.ride.value, t};
  }
  void read(const events::lease_ended& f) {
    plain_lease& l = leases.at(f.token.value);
    l.over = std::min(l.over, t);
  }
  void read(const events::trip_committed& f) {
    plain_lease& l = leases.at(f.token.value);
    l.committed = t;
    l.converted = l.over == open_end;
    l.over = std::min(l.over, t);
  }
  void read(const events::trip_ended& f) {
    leases.at(f.token.value).trip_over = t;
    places[f.driver.value].emplace_back(t, f.place);
  }

  [[nodiscard]] bool is_online(std::uint32_t d, double when) const {
    bool is = false;
    if (const auto found = online.find(d); found != online.end()) {
      for (const auto& [since, now_online] : found->second) {
        is = since <= when ? now_online : is;
      }
    }
    return is;
  }
  [[nodiscard]] point place(std::uint32_t d, double when) const {
    point is;
    for (const auto& [since, there] : places.at(d)) {
      is = since <= when ? there : is;
    }
    return is;
  }
  [[nodiscard]] bool is_held(std::uint32_t d, double when, bool in_vain_only) const {
    for (const auto& [token, l] : leases) {
      if (l.driver == d && l.granted <= when && when < l.over && !(in_vain_only && l.converted)) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool is_on_trip(std::uint32_t d, double when) const {
    for (const auto& [token, l] : leases) {
      if (l.driver == d && l.committed <= when && when < l.trip_over) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool is_waiting(std::uint32_t r, double when) const {
    const auto request = requests.find(r);
    const auto left = gone.find(r);
    if (request == requests.end() || request->second.first > when ||
        (left != gone.end() && left->second <= when)) {
      return false;
    }
    for (const auto& [token, l] : leases) {
      if (l.ride == r && ((l.granted <= when && when < l.over) || l.committed <= when)) {
        return false;
      }
    }
    return true;
  }
};

/// Straight lines: at these distances a chord is a great circle to a few millimetres.
bool is_near(const point& a, const point& b, std::optional<double> radius) {
  return !radius || std::hypot(a.x - b.x, a.y - b.y) <= *radius;
}

struct plain_figures {
  int online = 0;
  int available = 0;
  int leased = 0;
  int trip = 0;
  int wait = 0;
  int starved = 0;
  int upper = 0;
};

plain_figures look_at_each_second(const teller& h, const random_options& o) {
  const plain_reader story(h.history);
  const auto radius = h.what.search_radius_m;
  plain_figures all;
  for (double t = in_seconds(h.what.measured_from) + 0.5; t < in_seconds(h.what.measured_until);
       t += 1) {
    std::set<std::uint32_t> available;
    std::set<std::uint32_t> leased;
    for (std::uint32_t d = 0; d < o.drivers; ++d) {
      if (!story.is_online(d, t)) {
        continue;
      }
      ++all.online;
      if (story.is_on_trip(d, t)) {
        ++all.trip;
      } else if (story.is_held(d, t, false)) {
        ++all.leased;
        leased.insert(d);
      } else {
        ++all.available;
        available.insert(d);
      }
    }
    for (std::uint32_t r = 0; r < o.rides; ++r) {
      if (!story.is_waiting(r, t)) {
        continue;
      }
      ++all.wait;
      const point& origin = story.requests.at(r).second;
      const auto any = [&](const std::set<std::uint32_t>& drivers, bool in_vain_only) {
        return std::any_of(drivers.begin(), drivers.end(), [&](std::uint32_t d) {
          return is_near(story.place(d, t), origin, radius) && story.is_held(d, t, in_vain_only);
        });
      };
      const bool is_bare = std::none_of(available.begin(), available.end(), [&](std::uint32_t d) {
        return is_near(story.place(d, t), origin, radius);
      });
      all.starved += is_bare && any(leased, true) ? 1 : 0;
      all.upper += is_bare && any(leased, false) ? 1 : 0;
    }
  }
  return all;
}

void compare(const teller& h, const random_options& o, plain_figures& sum) {
  const plain_figures plain = look_at_each_second(h, o);
  const report r = h.measured();
  REQUIRE(figure(r, "supply.online_s") == plain.online);
  REQUIRE(figure(r, "supply.available_s") == plain.available);
  REQUIRE(figure(r, "supply.leased_s") == plain.leased);
  REQUIRE(figure(r, "supply.trip_s") == plain.trip);
  REQUIRE(figure(r, "supply.wait_s") == plain.wait);
  REQUIRE(figure(r, "supply.starved_s") == plain.starved);
  REQUIRE(figure(r, "supply.starved_upper_s") == plain.upper);
  REQUIRE(plain.online == plain.available + plain.leased + plain.trip);
  sum.starved += plain.starved;
  sum.upper += plain.upper;
  sum.trip += plain.trip;
}

TEST_CASE("supply and waiting: random histories measure as the definitions say", "[metrics]") {
  plain_figures sum;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    random_options o{.seed = seed};
    o.is_sane = seed % 3 != 0;
    o.drivers = static_cast<std::uint32_t>(2 + seed % 9);
    o.rides = static_cast<std::uint32_t>(4 + seed % 17);
    teller h = random_history(o).told();
    CAPTURE(seed);
    switch (seed % 4) {
      case 0:
        break;  // no geography
      case 1:
        h.what.search_radius_m = 3000;
        break;
      case 2:
        h.what.search_radius_m = 40;  // the grid winds round the area several times
        for (auto& e : h.history) {
          if (auto* f = std::get_if<events::driver_came_online>(&e.what); f && seed % 8 == 2) {
            f->place = {f->place.x / 100, f->place.y / 100, 0};
          }
        }
        break;
      default:
        h.what.search_radius_m = 6000;
    }
    if (seed % 5 == 0) {
      h.what.measured_from = at(20s);
      h.what.measured_until = at(70s);
    }
    compare(h, o, sum);
  }
  // The histories are worth their while.
  CHECK(sum.starved > 1000);
  CHECK(sum.upper > sum.starved + 1000);
  CHECK(sum.trip > 1000);
}

TEST_CASE("driver time: a report of an interrupted run covers what there was", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0);
  h.end = at(20s);
  const report r = h.measured();
  CHECK(figure(r, "supply.online_s") == 20);
  CHECK(figure(r, "supply.hidden_s.censored") == 10);
  CHECK(figure(r, "measured_s") == 20);
}

TEST_CASE("driver time: a driver who moves takes her place with her", "[metrics]") {
  // Two rides far apart; the driver's trip ends near the second one.
  teller h;
  h.what.search_radius_m = 1000;
  const point far{50000, 0, 0};
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1, far);
  h.grant(0, 1, 0, 0);
  h.confirm_and_commit(5, 1);
  h.trip_ends(20, 1, far);
  h.request(30, 2);  // nobody near the first place any more, and nobody held either
  h.grant(40, 2, 0, 2);
  h.expires(55, 2);  // held at the second place for 15 s, in vain
  h.abandon(60, 1);
  h.abandon(60, 2);
  CHECK(figure(h.measured(), "supply.starved_s") == 15);
}

}  // namespace
