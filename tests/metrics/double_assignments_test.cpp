/// Double assignment on all levels, mostly in a world without leases.
#include "base/random.hpp"
#include "catch.hpp"
#include "metrics/evaluators.hpp"
#include "metrics/teller.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::metrics;
using events::dismissal;
using events::revocation;
using events::try_ending;

teller one_driver(std::uint32_t rides) {
  teller h;
  h.online(0, 0);
  for (std::uint32_t r = 0; r < rides; ++r) {
    h.request(0, r);
  }
  return h;
}

TEST_CASE("double offers: pairs are counted, time is counted once", "[metrics]") {
  teller h = one_driver(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    h.offer(10 + r, r + 1, 0, r);
    h.show(10 + r, r + 1, 30);
  }
  for (std::uint32_t r = 0; r < 3; ++r) {
    h.decline(20 + r, r + 1);
  }
  const report r = h.measured();
  CHECK(figure(r, "double.offers") == 3);
  CHECK(figure(r, "double.offer_s") == 10);  // from 11 to 21
  CHECK(figure(r, "offers.contended") == 3);
  CHECK(r.value("offers.contended_share") == 1);
  CHECK(r.value("double.offers_per_1000") == 1000);
}

TEST_CASE("double offers: offers that touch, or of one ride, do not conflict", "[metrics]") {
  teller touching = one_driver(2);
  touching.offer(10, 1, 0, 0);
  touching.show(10, 1, 30);
  touching.decline(15, 1);
  touching.offer(15, 2, 0, 1);
  touching.show(15, 2, 30);
  touching.decline(20, 2);
  CHECK(figure(touching.measured(), "double.offers") == 0);
  CHECK(touching.measured().series.back().double_offers == 0);

  teller same = one_driver(1);
  same.offer(10, 1, 0, 0);
  same.show(10, 1, 30);
  same.offer(11, 2, 0, 0);
  same.show(11, 2, 30);
  CHECK(figure(same.measured(), "double.offers") == 0);

  teller elsewhere = one_driver(2);
  elsewhere.online(0, 1);
  elsewhere.offer(10, 1, 0, 0);
  elsewhere.show(10, 1, 30);
  elsewhere.offer(11, 2, 1, 1);
  elsewhere.show(11, 2, 30);
  CHECK(figure(elsewhere.measured(), "double.offers") == 0);
}

TEST_CASE("double offers: a dismissal ends an offer, and a withdrawal from the lease's end",
          "[metrics]") {
  const auto second_shown_at = [](double t, dismissal cause) {
    teller h = one_driver(2);
    h.grant(10, 1, 0, 0);
    h.show(10, 1, 30);
    h.ends(15, 1, events::lease_ending::cancelled);
    h.grant(15, 2, 0, 1);
    if (t < 17) {
      h.show(t, 2, 30);
    }
    h.dismiss(17, 1, cause);
    if (t >= 17) {
      h.show(t, 2, 30);
    }
    h.decline(20, 2);
    return figure(h.measured(), "double.offer_s");
  };
  CHECK(second_shown_at(16, dismissal::timeout) == 1);
  CHECK(second_shown_at(17, dismissal::timeout) == 0);
  CHECK(second_shown_at(16, dismissal::withdrawn) == 0);
}

TEST_CASE("double offers: a phone that crashes shows nothing any more", "[metrics]") {
  teller h = one_driver(2);
  h.offer(10, 1, 0, 0);
  h.show(10, 1, 30);
  h.crash(12, {node_kind::driver, 0});
  h.offer(13, 2, 0, 1);
  h.show(13, 2, 30);
  CHECK(figure(h.measured(), "double.offers") == 0);
}

TEST_CASE("double accepts: from the accept to the trip's end, or to the end of the try",
          "[metrics]") {
  const auto pairs = [](double first_closed, double second_accepted) {
    teller h = one_driver(2);
    h.offer(10, 1, 0, 0);
    h.show(10, 1, 50);
    h.offer(10, 2, 0, 1);
    h.show(10, 2, 50);
    h.accept(15, 1);
    if (first_closed <= second_accepted) {
      h.close(first_closed, 1, try_ending::timed_out);
    }
    h.accept(second_accepted, 2);
    if (first_closed > second_accepted) {
      h.close(first_closed, 1, try_ending::timed_out);
    }
    h.close(30, 2, try_ending::timed_out);
    return figure(h.measured(), "double.accepts");
  };
  CHECK(pairs(21, 20) == 1);
  CHECK(pairs(20, 20) == 0);

  teller driving = one_driver(2);
  driving.offer(10, 1, 0, 0);
  driving.offer(10, 2, 0, 1);
  driving.show(10, 1, 50);
  driving.show(10, 2, 50);
  driving.accept(15, 1);
  driving.commit(16, 1);
  driving.close(16, 1, try_ending::committed);
  driving.accept(20, 2);
  driving.close(21, 2, try_ending::not_written);
  driving.trip_ends(40, 1);
  CHECK(figure(driving.measured(), "double.accepts") == 1);
}

TEST_CASE("double accepts: a late accept binds nobody", "[metrics]") {
  teller h = one_driver(2);
  h.offer(10, 1, 0, 0);
  h.show(10, 1, 20);
  h.offer(10, 2, 0, 1);
  h.show(10, 2, 50);
  h.accept(19, 2);
  h.accept(20, 1);
  h.close(30, 1, try_ending::timed_out);
  h.close(30, 2, try_ending::timed_out);
  CHECK(figure(h.measured(), "double.accepts") == 0);
}

TEST_CASE("double commits: pairs of one driver, and rides with two drivers", "[metrics]") {
  teller h = one_driver(2);
  h.online(0, 1);
  h.offer(10, 1, 0, 0);
  h.offer(10, 2, 0, 1);
  h.offer(10, 3, 1, 1);
  h.commit(20, 1);
  h.commit(21, 2);
  h.commit(22, 3);
  h.revoke(25, 2, revocation::no_show);
  h.trip_ends(40, 1);
  h.trip_ends(40, 3);
  const report r = h.measured();
  CHECK(figure(r, "double.commits") == 1);
  CHECK(figure(r, "double.commit_s") == 4);
  CHECK(figure(r, "double.rides") == 1);
  CHECK(r.value("double.commits_per_million") == Approx(1e6 / 3));
  CHECK(!r.value("double.commits_bound").has_value());
}

TEST_CASE("double work: rides with offers of two matchers open at the same time", "[metrics]") {
  const auto worked_twice = [](int second_begins, bool by_another) {
    teller h = one_driver(2);
    h.online(0, 1);
    h.offer(10, 1, 0, 0);
    h.offer(second_begins, 2, 1, 0, by_another ? 1 : 0);
    h.close(20, 1, try_ending::timed_out);
    h.close(30, 2, try_ending::timed_out);
    return figure(h.measured(), "double.workers");
  };
  CHECK(worked_twice(19, true) == 1);
  CHECK(worked_twice(19, false) == 0);
  CHECK(worked_twice(20, true) == 0);
}

TEST_CASE("double commits: one driver after the other is no harm", "[metrics]") {
  teller h = one_driver(1);
  h.online(0, 1);
  h.offer(10, 1, 0, 0);
  h.commit(20, 1);
  h.revoke(25, 1, revocation::no_show);
  h.offer(25, 2, 1, 0);
  h.commit(25, 2);
  const report r = h.measured();
  CHECK(figure(r, "double.rides") == 0);
  CHECK(r.value("double.commits_bound") == 1.0);
  CHECK(figure(r, "rides.kept") == 1);
}

TEST_CASE("double commits: a ride keeps the first who is not called off", "[metrics]") {
  for (const double second : {20.0, 30.0}) {
    teller h = one_driver(1);
    h.online(0, 1);
    h.offer(10, 1, 0, 0);
    h.offer(10, 2, 1, 0);
    h.commit(20, 1);
    h.commit(second, 2);
    const auto kept = [&h] {
      CHECK(figure(h.measured(), "rides.committed") == (h.what.measured_from == at(0s) ? 2 : 1));
      return figure(h.measured(), "rides.kept");
    };
    CHECK(kept() == 1);
    if (second > 20) {
      h.what.measured_from = at(25s);
      CHECK(kept() == 0);
      h.what.measured_from = at(0s);
    }
    h.revoke(31, 1, revocation::no_show);
    CHECK(kept() == 1);
    h.revoke(32, 2, revocation::no_show);
    CHECK(kept() == 0);
  }
}

TEST_CASE("double commits: the first is who was committed first, not who was asked first",
          "[metrics]") {
  teller h = one_driver(1);
  h.online(0, 1);
  h.offer(10, 1, 0, 0);
  h.offer(10, 2, 1, 0);
  h.commit(20, 2);
  h.commit(30, 1);
  h.what.measured_from = at(25s);
  CHECK(figure(h.measured(), "rides.committed") == 1);
  CHECK(figure(h.measured(), "rides.kept") == 0);
}

TEST_CASE("double offers: a phone that crashes forgets an older offer too", "[metrics]") {
  teller h = one_driver(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    h.offer(10, r + 1, 0, r);
  }
  h.show(11, 1, 50);
  h.show(12, 2, 50);
  h.dismiss(13, 2, dismissal::replaced);
  h.crash(20, node_id{node_kind::driver, 0});
  h.show(30, 3, 60);
  CHECK(figure(h.measured(), "double.offers") == 1);
  CHECK(figure(h.measured(), "double.offer_s") == 1);
}

TEST_CASE("doubles: whoever may have met another is looked at, in whatever order they come",
          "[metrics]") {
  auto random = stream::keyed(3, purpose::pick);
  for (int round = 0; round < 300; ++round) {
    std::vector<exclusive_use> all;
    overlap_index rivals;
    for (int i = 0; i < 12; ++i) {
      exclusive_use c{.of = static_cast<std::uint32_t>(random.below(2))};
      c.when.begin = at(1s * static_cast<int>(random.below(100)));
      c.when.end = c.when.begin + 1s * static_cast<int>(1 + random.below(30));
      all.push_back(c);
      rivals.see(c);
    }
    rivals.sort();
    for (const exclusive_use& a : all) {
      const auto meets = std::count_if(all.begin(), all.end(), [&](const exclusive_use& b) {
        return b.of == a.of && !common(a.when, b.when).is_empty();
      });
      REQUIRE((meets == 1 || rivals.over(a)));  // it meets itself
    }
  }
}

TEST_CASE("doubles: who met once is not looked at ever after", "[metrics]") {
  overlap_index rivals;
  const auto claimed = [](int from, int to) {
    return exclusive_use{.of = 7, .when = {at(1s * from), at(1s * to)}};
  };
  for (const auto& [from, to] : {std::pair(0, 10), {5, 15}, {20, 30}, {40, 50}}) {
    rivals.see(claimed(from, to));
  }
  rivals.sort();
  REQUIRE(rivals.any());
  CHECK(rivals.over(claimed(0, 10)));
  CHECK(rivals.over(claimed(5, 15)));
  CHECK_FALSE(rivals.over(claimed(20, 30)));
  CHECK_FALSE(rivals.over(claimed(40, 50)));
}

TEST_CASE("doubles: only what meets in the window counts", "[metrics]") {
  teller h = one_driver(2);
  h.offer(10, 1, 0, 0);
  h.offer(10, 2, 0, 1);
  h.show(10, 1, 30);
  h.show(10, 2, 30);
  h.commit(20, 1);
  h.commit(20, 2);
  h.decline(20, 1);
  h.decline(20, 2);
  h.revoke(30, 1, revocation::no_show);
  h.trip_ends(60, 2);
  h.what.measured_from = at(20s);
  h.what.measured_until = at(25s);
  CHECK(figure(h.measured(), "double.offers") == 0);
  CHECK(figure(h.measured(), "double.commits") == 1);
  CHECK(figure(h.measured(), "double.commit_s") == 5);
  h.what.measured_from = at(30s);
  h.what.measured_until = at(40s);
  CHECK(figure(h.measured(), "double.commits") == 0);
}

/// What is claimed of one by another for a while, in whole seconds.
struct plain_claim {
  std::uint32_t of = 0;
  std::uint32_t by = 0;
  int begin = 0;
  int end = 0;
};

/// Each two by different ones on the same at one time.
int meetings_among(const std::vector<plain_claim>& all) {
  int met = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const bool overlap = std::max(all[i].begin, all[j].begin) < std::min(all[i].end, all[j].end);
      met += all[i].of == all[j].of && all[i].by != all[j].by && overlap ? 1 : 0;
    }
  }
  return met;
}

// Goal: however few claims are looked at, none that meets another is left out. Method: tries in any
// order and at any time, each shown and committed for a while, beside all pairs, plainly; from a
// world in which hardly any two meet to one in which most do.
TEST_CASE("doubles: as many meet as among all pairs, in random worlds", "[metrics]") {
  const std::uint32_t drivers = GENERATE(1U, 4U, 60U);
  auto random = stream::keyed(drivers, purpose::pick);
  for (int world = 0; world < 50; ++world) {
    constexpr std::uint32_t tries = 30;
    std::vector<plain_claim> screens;
    std::vector<plain_claim> commits;
    std::multimap<int, std::pair<std::uint64_t, int>> steps;  // by time: a try, and which step
    for (std::uint32_t nth = 1; nth <= tries; ++nth) {
      const auto d = static_cast<std::uint32_t>(random.below(drivers));
      const auto r = static_cast<std::uint32_t>(random.below(15));
      const int shown = 1 + static_cast<int>(random.below(40));
      const int answered = shown + static_cast<int>(random.below(10));
      const int committed = answered + static_cast<int>(random.below(30));
      const int ended = committed + static_cast<int>(random.below(20));
      screens.push_back({d, r, shown, answered});
      commits.push_back({d, r, committed, ended});
      for (int step = 0; const int t : {0, shown, answered, committed, ended}) {
        steps.insert({t, {nth << 16 | d << 8 | r, step++}});
      }
    }
    teller h;
    h.what.drivers = drivers;
    for (std::uint32_t d = 0; d < drivers; ++d) {
      h.online(0, d);
    }
    for (std::uint32_t r = 0; r < 15; ++r) {
      h.request(0, r);
    }
    for (const auto& [t, what] : steps) {
      const auto [names, step] = what;
      const std::uint64_t nth = names >> 16;
      switch (step) {
        case 0:
          h.offer(t, nth, names >> 8 & 0xff, names & 0xff);
          break;
        case 1:
          h.show(t, nth, 90);
          break;
        case 2:
          h.accept(t, nth);
          break;
        case 3:
          h.commit(t, nth);
          break;
        default:
          h.trip_ends(t, nth);
      }
    }
    const report r = h.measured();
    REQUIRE(figure(r, "double.offers") == meetings_among(screens));
    REQUIRE(figure(r, "double.commits") == meetings_among(commits));
  }
}

}  // namespace
