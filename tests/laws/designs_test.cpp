// Designs that people run: each scenario of scenarios/designs with its cause and without, against a
// figure worked out by hand or by a small simulation that shares nothing with the run. The two in
// which the way to the pick-up counts are in batches_test.cpp and pickup_answers_test.cpp.

#include "catch.hpp"
#include "design_runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::designs;

namespace {

/// How long each lease that came to nothing was held.
std::vector<sim_duration> held_in_vain(const design& d) {
  std::map<token_id, sim_time> granted;
  std::vector<sim_duration> all;
  d.each<events::lease_granted>([&](const auto& f, sim_time t) { granted[f.token] = t; });
  d.each<events::lease_ended>(
      [&](const auto& f, sim_time t) { all.push_back(t - granted.at(f.token)); });
  return all;
}

}  // namespace

TEST_CASE("designs: a least hold of 6 s holds whoever declines after 2 s for 6 s, not 2") {
  const auto all_are = [](const std::vector<sim_duration>& all, sim_duration expected) {
    return all.size() > 200 &&
           std::all_of(all.begin(), all.end(), [&](sim_duration d) { return d == expected; });
  };
  const design with = run_with("least-hold");
  const design without = run_without("least-hold");
  CHECK(all_are(held_in_vain(with), 6s));
  CHECK(all_are(held_in_vain(without), 2s));
  // The hidden seconds are three times as many a declined offer.
  const auto per_decline = [](const design& d) {
    return d.value("supply.hidden_s.declined") /
           (d.value("leases.granted") - d.value("rides.committed"));
  };
  CHECK(per_decline(with) == Approx(3 * per_decline(without)).epsilon(0.02));
}

TEST_CASE("designs: pauses whose tail outlasts the lease write late as often as the tail says") {
  const auto share_late = [](const design& d) {
    std::set<token_id> over;
    double late = 0;
    double all = 0;
    for (const events::event& e : d.facts) {
      if (const auto* end = std::get_if<events::lease_ended>(&e.what)) {
        over.insert(end->token);
      } else if (const auto* trip = std::get_if<events::trip_committed>(&e.what)) {
        ++all;
        late += over.count(trip->token) != 0 ? 1 : 0;
      }
    }
    CHECK(all > 3000);
    return std::pair(late / all, all);
  };
  // Eight of the twelve seconds are left when the pause begins.
  const double tail = std::exp(-std::sqrt(8.0 / 3.0));
  const auto [late, all] = share_late(run_with("pauses-with-a-tail"));
  CHECK(std::abs(late - tail) < 3.3 * std::sqrt(tail * (1 - tail) / all));
  CHECK(share_late(run_without("pauses-with-a-tail")).first == 0);
}

namespace {

/// Offers by a matcher while another had the zone, or nobody.
std::size_t offers_without_zone(const design& d) {
  std::set<matcher_id> holders;
  std::size_t strays = 0;
  for (const events::event& e : d.facts) {
    if (const auto* g = std::get_if<events::zone_granted>(&e.what)) {
      holders.insert(g->matcher);
    } else if (const auto* over = std::get_if<events::zone_ended>(&e.what)) {
      holders.erase(over->matcher);
    } else if (const auto* o = std::get_if<events::offer_sent>(&e.what)) {
      strays += holders.count(o->matcher) == 0 ? 1U : 0U;
    }
  }
  return strays;
}

/// The rides that were the first matcher's to serve in [from, until): every third one.
std::size_t rides_of_first(const design& d, sim_time from, sim_time until) {
  std::size_t all = 0;
  d.each<events::ride_requested>([&](const auto& r, sim_time t) {
    all += r.ride.value % 3 == 0 && t >= from && t < until ? 1U : 0U;
  });
  return all;
}

}  // namespace

TEST_CASE(
    "designs: a leader that relies on being told serves on, one that looks at its clock not") {
  const design with = run_with("leader-past-its-deadline",
                               {{"faults",
                                 "[{kind: partition, at: 3m, for: 1m, between: "
                                 "[matcher/1, lease_manager]}]"}});
  // It is cut off at 3:00, and its zone ends within 20 s. Each of its rides from then to 4:00 is
  // offered, and none after it has asked again, within 5 s.
  sim_time ended = sim_time::max();
  with.each<events::zone_ended>([&](const auto& f, sim_time t) {
    ended = f.matcher == matcher_id{0} ? std::min(ended, t) : ended;
  });
  REQUIRE(ended > at(3min + 9s));
  REQUIRE(ended <= at(3min + 20s));
  const std::size_t strays = offers_without_zone(with);
  CHECK(strays >= rides_of_first(with, ended, at(4min)));
  CHECK(strays <= rides_of_first(with, ended, at(4min + 6s)));
  CHECK(strays > 4);
  CHECK(run_with("leader-past-its-deadline").value("double.offers") > 0);
  const design without = run_without("leader-past-its-deadline");
  CHECK(offers_without_zone(without) == 0);
  CHECK(without.value("double.offers") == 0);
}

TEST_CASE("designs: a leader that carries on works beside the next one for as long as it lives") {
  const design d = run_with("leader-past-its-deadline",
                            {{"faults",
                              "[{kind: partition, at: 3m, for: 1m, between: "
                              "[matcher/1, lease_manager]}]"},
                             {"lease.zones.on_loss", "carry-on"}});
  const std::size_t strays = offers_without_zone(d);
  CHECK(strays > rides_of_first(d, at(4min), at(20min)));
}

TEST_CASE("designs: a requester whose clock is ahead by the TTL gets what another holds") {
  // Of each of the 20 pairs of rides the second matcher's comes second, to a driver just granted.
  CHECK(run_with("requesters-clock").value("double.offers") == 20);
  CHECK(run_without("requesters-clock").value("double.offers") == 0);
  const auto ahead = [](const std::string& offset) {
    return run_with("requesters-clock", {{"clocks.1.offset", offset}}).value("double.offers");
  };
  CHECK(ahead("15s") == 20);
  CHECK(ahead("14999ms") == 0);
}

TEST_CASE("designs: work that outlives its claim is done twice, and beaten hearts prevent it") {
  const design with = run_with("work-outlives-its-claim");
  // Each ride is claimed anew after 6 s, while its first matcher waits for 10 s; and after 12 s no
  // more, since by then it has a driver.
  const double rides = 200;
  CHECK(with.value("double.workers") == rides);
  CHECK(with.value("double.rides") == rides);
  const design without = run_without("work-outlives-its-claim");
  CHECK(without.value("rides.requested") == rides);
  CHECK(without.value("double.workers") == 0);
  CHECK(without.value("double.rides") == 0);
  // Under a fence both work, and one of them in vain.
  const design fenced = run_with("work-outlives-its-claim", {{"lease.protocol", "fenced"}});
  CHECK(fenced.value("double.workers") == rides);
  CHECK(fenced.value("double.rides") == 0);
  CHECK(run_with("work-outlives-its-claim", {{"drivers.classes.all.response", "5900ms"}})
            .value("double.workers") == 0);
}

namespace {

struct held_lease {
  token_id token;
  sim_time from{};
  sim_time until = sim_time::max();
};

/// The leases that a sweep ended before their time, as the facts tell.
std::set<token_id> swept_early(const design& d, sim_duration ttl) {
  std::map<token_id, sim_time> granted;
  std::set<token_id> all;
  d.each<events::lease_granted>([&](const auto& f, sim_time t) { granted[f.token] = t; });
  d.each<events::lease_ended>([&](const auto& f, sim_time t) {
    if (f.cause == events::lease_ending::swept && t - granted.at(f.token) < ttl) {
      all.insert(f.token);
    }
  });
  return all;
}

/// The same worked out from when leases began, and ended of themselves: each second a sweep reads
/// whose lease is over, and two seconds later ends what is there.
std::set<token_id> swept_by_number(const design& d, sim_duration ttl) {
  std::map<driver_id, std::vector<held_lease>> leases;
  for (const events::event& e : d.facts) {
    if (const auto* g = std::get_if<events::lease_granted>(&e.what)) {
      leases[g->driver].push_back({g->token, e.t});
    } else if (const auto* over = std::get_if<events::lease_ended>(&e.what)) {
      leases[over->driver].back().until = e.t;
    } else if (const auto* trip = std::get_if<events::trip_committed>(&e.what)) {
      leases[trip->driver].back().until = e.t;
    }
  }
  std::set<token_id> all;
  for (const auto& [driver, list] : leases) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (sim_time read{}; read < list[i].until; read += 1s) {
        const sim_time acts = read + 2s;
        for (std::size_t j = i + 1; read >= list[i].from + ttl && j < list.size(); ++j) {
          if (acts > list[j].from && acts <= list[j].until && acts - list[j].from < ttl) {
            all.insert(list[j].token);
          }
        }
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("designs: a clean-up by number ends the leases that its reads are too old for") {
  const design with = run_with("clean-up-by-id");
  const auto swept = swept_early(with, 15s);
  CHECK(swept.size() > 50);
  CHECK(swept == swept_by_number(with, 15s));
  const design without = run_without("clean-up-by-id");
  CHECK(swept_early(without, 15s).empty());
}

TEST_CASE("designs: while an offer stays open the next one goes out after 8 s") {
  const design with = run_with("offers-stay-open");
  std::map<ride_id, std::vector<sim_time>> sent;
  std::map<ride_id, sim_time> requested;
  with.each<events::ride_requested>([&](const auto& f, sim_time t) { requested[f.ride] = t; });
  with.each<events::offer_sent>([&](const auto& f, sim_time t) {
    sent[f.ride].push_back(t - requested.at(f.ride) + sim_time{});
  });
  REQUIRE(sent.size() > 200);
  for (const auto& [ride, when] : sent) {
    REQUIRE(when == std::vector<sim_time>{at(0s), at(8s)});  // the first is answered after 10 s
  }
  CHECK(with.value("offers.per_match") == Approx(2).epsilon(0.01));
  const std::vector<sim_duration> held = held_in_vain(with);
  CHECK(std::all_of(held.begin(), held.end(), [](sim_duration d) { return d == 2s; }));
  const design without = run_without("offers-stay-open");
  CHECK(without.value("offers.per_match") == Approx(1).epsilon(0.01));
  CHECK(held_in_vain(without).empty());
  CHECK(
      run_with("offers-stay-open", {{"matchers.offers.stagger", "0s"}}).value("offers.per_match") ==
      Approx(3).epsilon(0.01));
}

TEST_CASE("designs: of four who are asked at once the first is four times as quick") {
  const auto until_yes = [](const design& d) {
    std::map<ride_id, sim_time> requested;
    std::vector<double> all;
    d.each<events::ride_requested>([&](const auto& f, sim_time t) { requested[f.ride] = t; });
    d.each<events::trip_committed>([&](const auto& f, sim_time t) {
      all.push_back(std::chrono::duration<double>(t - requested.at(f.ride)).count());
    });
    return all;
  };
  // Of an exponential the standard deviation is the mean.
  const auto is_mean = [](const std::vector<double>& all, double mean) {
    const double n = static_cast<double>(all.size());
    const double found = std::accumulate(all.begin(), all.end(), 0.0) / n;
    INFO(found << " of " << n);
    return n > 500 && std::abs(found - mean) < 3.3 * mean / std::sqrt(n);
  };
  const auto seconds = [](const std::vector<sim_duration>& all) {
    std::vector<double> s;
    for (const sim_duration d : all) {
      s.push_back(std::chrono::duration<double>(d).count());
    }
    return s;
  };
  const design with = run_with("broadcast");
  const design without = run_without("broadcast");
  CHECK(is_mean(until_yes(with), 2));
  CHECK(is_mean(until_yes(without), 8));
  CHECK(with.value("offers.per_match") == Approx(4).epsilon(0.01));
  CHECK(without.value("offers.per_match") == Approx(1).epsilon(0.01));
  // The three others of a ride are held alike: a third as many independent lengths.
  const std::vector<double> held = seconds(held_in_vain(with));
  std::vector<double> of_rides;
  for (std::size_t i = 0; i + 2 < held.size(); i += 3) {
    of_rides.push_back(held[i]);
  }
  CHECK(held.size() == 3 * until_yes(with).size());
  CHECK(is_mean(of_rides, 2));
  CHECK(held_in_vain(without).empty());
}

TEST_CASE("designs: a fifth of the riders do not confirm, and each holds a driver for 65 s") {
  const auto confirmed = [](const design& d) {
    std::set<ride_id> said;
    std::set<ride_id> asked;
    d.each<events::rider_asked>([&](const auto& f, sim_time) { asked.insert(f.ride); });
    d.each<events::rider_confirmed>([&](const auto& f, sim_time) { said.insert(f.ride); });
    return std::pair(static_cast<double>(said.size()), static_cast<double>(asked.size()));
  };
  const design with = run_with("rider-confirms");
  const auto [said, asked] = confirmed(with);
  CHECK(asked > 200);
  CHECK(std::abs(said - 0.8 * asked) < 3.3 * std::sqrt(0.16 * asked));
  const std::vector<sim_duration> held = held_in_vain(with);
  CHECK(static_cast<double>(held.size()) == asked - said);
  CHECK(std::all_of(held.begin(), held.end(), [](sim_duration d) { return d == 65s; }));
  const design without = run_without("rider-confirms");
  CHECK(confirmed(without).second == 0);
  CHECK(held_in_vain(without).empty());
  // A lease that is over before the rider has said a word; and one that is renewed until she has.
  const design too_short = run_with("rider-confirms", {{"lease.ttl", "15s"}});
  CHECK(confirmed(too_short).first > 0);
  CHECK(too_short.value("rides.committed") == 0);
  const design renewed =
      run_with("rider-confirms", {{"lease.ttl", "15s"}, {"lease.renewal.kind", "eager"}});
  CHECK(renewed.value("rides.committed") == Approx(with.value("rides.committed")).epsilon(0.03));
}
