/// Goal: starvation that is joined while a run goes on is what it is when all is joined at the end,
/// and what is joined is kept no longer.
/// Method: one story is followed and the other kept whole; `supply_test.cpp` holds the figures
/// against the definition.
#include "metrics/starvation.hpp"

#include "catch.hpp"
#include "metrics/random_history.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/starvation_follower.hpp"
#include "metrics/teller.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace {

using namespace dibs;
using namespace dibs::metrics;

/// A story that is followed while it is told.
struct followed_story {
  explicit followed_story(const options& what)
      : tables(what, found, true),
        follower(tables, {what.measured_from, what.measured_until}, what.search_radius_m) {}

  void tell(const teller& h) {
    for (const events::event& e : h.history) {
      follower.follow(e.t);
      tables.write(e);
      most_spells = std::max({most_spells,
                              tables.riders().spells().size(),
                              tables.drivers().available_spells().size(),
                              tables.drivers().held_spells().size()});
    }
    tables.finish(h.end);
  }

  worst_harms found;
  run_tables tables;
  starvation_follower follower;
  std::uint32_t most_spells = 0;
};

starvation joined_at_the_end(const teller& h) {
  worst_harms found;
  run_tables tables(h.what, found);
  for (const events::event& e : h.history) {
    tables.write(e);
  }
  tables.finish(h.end);
  const time_interval window{h.what.measured_from, std::min(h.what.measured_until, h.end)};
  return starve(tables, window, h.what.search_radius_m);
}

void require_equal(const starvation& a, const starvation& b) {
  REQUIRE(a.total == b.total);
  REQUIRE(a.upper == b.upper);
  REQUIRE(a.worst == b.worst);
  REQUIRE(a.by_ride.size() == b.by_ride.size());
  for (const auto& [ride, starvation_share] : a.by_ride) {
    REQUIRE(b.by_ride.count(ride) == 1);
    REQUIRE(b.by_ride.at(ride).length == starvation_share.length);
    REQUIRE(b.by_ride.at(ride).since == starvation_share.since);
  }
}

/// One driver after the other is held for ten seconds in vain while a ride waits for two.
teller told_of_many_leases(std::uint32_t leases, bool one_never_ends) {
  teller h;
  h.what.drivers = 3;
  h.what.measured_until = h.end = teller::s(20.0 * leases + 100);
  h.online(0, 0);
  h.online(0, 1);
  if (one_never_ends) {
    h.request(0, 0);
    h.grant(0, 1, 1, 0);
  } else {
    h.offline(0, 1);
  }
  for (std::uint32_t n = 0; n < leases; ++n) {
    const double t = 1 + 20.0 * n;
    h.request(t, 2 * n + 1);
    h.grant(t, n + 2, 0, 2 * n + 1);
    h.request(t + 3, 2 * n + 2);
    h.abandon(t + 5, 2 * n + 2);
    h.ends(t + 10, n + 2, events::lease_ending::declined);
    h.abandon(t + 11, 2 * n + 1);
  }
  return h;
}

}  // namespace

TEST_CASE("starvation: joined as it goes it is what it is joined at the end", "[metrics]") {
  wide_ns total = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    random_options o{.seed = seed, .drivers = 40, .rides = 2000, .seconds = 150, .steps_max = 60};
    o.is_sane = seed % 3 != 0;
    teller h = random_history(o).told();
    if (seed % 2 == 0) {
      h.what.search_radius_m = seed % 4 == 0 ? 1500 : 200;
    }
    if (seed % 5 == 0) {
      h.what.measured_from = at(60s);
      h.what.measured_until = at(110s);
    }
    CAPTURE(seed);
    followed_story s(h.what);
    s.tell(h);
    const starvation& as_it_goes = s.follower.finish(h.end);
    require_equal(as_it_goes, joined_at_the_end(h));
    total += as_it_goes.total;
  }
  CHECK(total > wide_ns{1'000'000'000'000});
}

TEST_CASE("starvation: what is joined is kept no longer", "[metrics]") {
  constexpr std::uint32_t leases = 5000;
  const teller h = told_of_many_leases(leases, false);
  SECTION("in the measured time") {
    followed_story s(h.what);
    s.tell(h);
    CHECK(s.most_spells < 100);
    CHECK(s.follower.finish(h.end).total == wide_ns{2'000'000'000} * leases);
  }
  SECTION("before it and after it") {
    options what = h.what;
    what.measured_from = teller::s(40'001);
    what.measured_until = teller::s(60'001);
    const wide_ns starved = wide_ns{2'000'000'000} * 1000;
    followed_story s(what);
    s.tell(h);
    CHECK(s.most_spells < 250);
    CHECK(s.follower.finish(h.end).total == starved);
    // Nor does who waits all day make it keep the others, or a lease that held somebody in vain
    // before the measured time and never ended.
    teller longer = h;
    longer.what = what;
    longer.history.clear();
    longer.request(0, 2 * leases + 1);
    longer.online(0, 1);
    longer.grant(0, leases + 2, 1, 2 * leases + 2);
    longer.offline(0.5, 1);
    longer.history.insert(longer.history.end(), h.history.begin(), h.history.end());
    std::stable_sort(longer.history.begin(),
                     longer.history.end(),
                     [](const auto& a, const auto& b) { return a.t < b.t; });
    followed_story t(what);
    t.tell(longer);
    CHECK(t.most_spells < 250);
    require_equal(t.follower.finish(h.end), joined_at_the_end(longer));
  }
}

TEST_CASE("starvation: a lease that never ends is waited for", "[metrics]") {
  const teller h = told_of_many_leases(200, true);
  followed_story s(h.what);
  s.tell(h);
  CHECK(s.most_spells > 200);
  require_equal(s.follower.finish(h.end), joined_at_the_end(h));
}
