#include "check/transplant.hpp"

#include "check/scale.hpp"
#include "check/sound.hpp"

#include <algorithm>
#include <string>
#include <variant>

using namespace dibs;
using check::origin;
using check::test::shipped;
using check::test::town;

namespace {

check::transplant put(const std::string& incident, const scenario::scenario& mine) {
  const check::cause c = shipped(incident);
  return check::transplanted(c, mine, check::scale_of(c, mine));
}

const sim::partition_fault& first_cut(const scenario::scenario& s) {
  return std::get<sim::partition_fault>(s.faults.at(0).what);
}

}  // namespace

TEST_CASE("transplant: times are counted in the TTL of the scenario") {
  // The incident has a TTL of 10 s and cuts of 25 s, a minute after its warm-up and each minute.
  const auto t = put("32-lock-without-fence-partition", town({"lease.ttl=20s"}));
  REQUIRE(t.why_not.empty());
  CHECK(t.from == origin::environment);
  CHECK(first_cut(t.with.value).at == 2min + 2min);
  CHECK(first_cut(t.with.value).length == 50s);
  CHECK(t.without.value.faults.empty());
}

TEST_CASE("transplant: what strikes at set times strikes until the scenario is over") {
  const auto once =
      put("32-lock-without-fence-partition", town({"lease.ttl=10s", "lease.offer_window=9s"}));
  const auto longer = put("32-lock-without-fence-partition",
                          town({"lease.ttl=10s", "lease.offer_window=9s", "clock.duration=40m"}));
  CHECK(once.with.value.faults.size() == 36);
  CHECK(longer.with.value.faults.size() == 72);
}

TEST_CASE("transplant: a matcher that the scenario lacks is one that it has") {
  const auto t = put("32-lock-without-fence-partition", town({"matchers.count=2"}));
  for (const scenario::fault& each : t.with.value.faults) {
    const auto& cut = std::get<sim::partition_fault>(each.what);
    CHECK(cut.between[0].nodes[0].index.value() < 2);
  }
}

TEST_CASE("transplant: a lossy link keeps what the scenario says of it otherwise") {
  const auto t = put("06-retry-confirm-after-change", town());
  REQUIRE(t.why_not.empty());
  const scenario::link_options& first = t.with.value.network.at(0);
  CHECK(first.text == "lease_manager->matcher");
  CHECK(first.loss == 0.2);
  CHECK(mean_of(first.latency) == 2ms);
  CHECK(first.retry.has_value());
  CHECK(t.without.value.network.size() == 4);
}

TEST_CASE("transplant: a rule that is right is got wrong on one side, as long as its TTL is") {
  const auto t = put("07-cleanup-grace-negative", town());
  CHECK(t.from == origin::other_rule);
  CHECK(t.with.value.lease.grace == check::scaled(-5s, 20.0 / 15));
  CHECK(t.without.value.lease.grace == 0s);
}

TEST_CASE("transplant: a rule that is as wrong is set right on the other side") {
  const auto t = put("08-cleanup-missing", town({"lease.cleanup={kind: none}"}));
  CHECK(t.from == origin::own_rule);
  CHECK(t.with.value.lease.cleanup.kind == lease::cleanup::none);
  CHECK(t.without.value.lease.cleanup.kind == lease::cleanup::timer);
  REQUIRE(t.cure.size() == 1);
  CHECK(t.cure[0].path == "lease.cleanup.kind");
}

TEST_CASE("transplant: timers on a wall clock are the scenario's own only if it has them") {
  CHECK(put("14-clock-step-jump", town()).from == origin::other_rule);
  const auto own =
      put("14-clock-step-jump", town({"clocks=[{node: lease_manager, timers: wall}]"}));
  CHECK(own.from == origin::own_rule);
  REQUIRE(own.cure.size() == 1);
  CHECK(own.cure[0].path == "clocks.1.timers");
  CHECK(own.with.value.clocks.back().timers == sim::timebase::wall);
  CHECK(own.without.value.clocks.back().timers == sim::timebase::monotonic);
}

TEST_CASE("transplant: what has nothing to strike says why") {
  CHECK(put("04-late-confirm-before-sweep", town({"lease.protocol=none"})).why_not ==
        "`none` takes no leases");
  CHECK(put("23-old-leader-revokes", town({"lease.standby=none"})).why_not ==
        "no second lease manager stands by (`lease.standby`)");
  CHECK(put("01-naive-race", town({"matchers.count=1"})).why_not ==
        "there is one matcher (`matchers.count`)");
  CHECK(put("07-cleanup-too-early", town()).why_not ==
        "no sweeper with a clock of its own ends leases (`lease.cleanup.by`)");
  CHECK_FALSE(put("21-renew-ack-lost", town()).why_not.empty());
}

TEST_CASE("transplant: every cause that ships can be put into the town, or says why not") {
  for (const auto& file : std::filesystem::directory_iterator(check::test::incidents_folder)) {
    if (file.path().extension() == ".yaml") {
      const auto t = put(file.path().stem().string(), town());
      INFO(file.path().stem().string() << ": " << t.why_not);
      // A diagnostic of the reader has a path and a colon; a reason has neither.
      CHECK(t.why_not.find(": ") == std::string::npos);
    }
  }
}
