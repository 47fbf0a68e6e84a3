#include "check/own_settings.hpp"

#include "check/sound.hpp"

#include <algorithm>
#include <string>

using namespace dibs;
using check::test::town;

namespace {

/// What puts the setting of that name back, as `path=value`, one after the other; "-" if nothing.
std::string puts_back(const std::string& flaw, const std::vector<std::string>& set) {
  for (const check::mend& m : check::own_settings(town(set))) {
    if (m.flaw == flaw) {
      std::string all;
      for (const scenario::override_value& each : m.set) {
        all += (all.empty() ? "" : " ") + each.path + "=" + each.value;
      }
      return all;
    }
  }
  return "-";
}

}  // namespace

TEST_CASE("own settings: what is not at its default is put back") {
  CHECK(puts_back("lease.hold_min=15s", {"lease.hold_min=15s"}) == "lease.hold_min=0s");
  CHECK(puts_back("matchers.view=blind", {"matchers.view=blind"}) == "matchers.view=facts");
  CHECK(
      puts_back("matchers.claims.heartbeat=none", {"matchers.claims={ttl: 4s, heartbeat: none}"}) ==
      "matchers.claims.heartbeat=0.3");
  CHECK(puts_back("lease.standby.old_leader=acts", {"lease.standby.old_leader=acts"}) ==
        "lease.standby.old_leader=yields");
  CHECK(puts_back("clocks", {"clocks=[{node: matcher/2, offset: 20s}]"}) == "clocks=[]");
  CHECK(puts_back("lease.standby.after=30s", {"lease.standby={after: 30s}"}) ==
        "lease.standby.after=5s");
  CHECK(puts_back("lease.zones.ttl=10min", {"lease.zones={grid: 3, ttl: 10m}"}) ==
        "lease.zones.ttl=1min");
  CHECK(puts_back("matchers.claims.ttl=5min", {"matchers.claims={ttl: 5m}"}) ==
        "matchers.claims.ttl=10s");
  CHECK(puts_back("riders.confirm.within=7s",
                  {"riders.confirm={share: 90%, after: 5s, within: 7s}"}) ==
        "riders.confirm.within=1min");
  CHECK(puts_back("network.2.retry.after=1s", {}) == "network.2.retry.after=500ms");
  CHECK(puts_back("lease.ttl=never", {"lease.ttl=never"}) == "lease.ttl=34s");
  // What is a word by default is put back as a whole.
  CHECK(puts_back("matchers.offers.next_try_after={dist: exponential, mean: 2s}",
                  {"matchers.offers.next_try_after={dist: exponential, mean: 2s}"}) ==
        "matchers.offers.next_try_after=0s");
}

TEST_CASE("own settings: fields that belong together are put back one by one and together") {
  const std::vector<std::string> both{"lease.standby=none",
                                      "lease.restart={leases: forgotten, tokens: forgotten}"};
  CHECK(puts_back("lease.restart.tokens=forgotten", both) == "lease.restart.tokens=kept");
  CHECK(puts_back("lease.restart.leases=forgotten lease.restart.tokens=forgotten", both) ==
        "lease.restart.leases=kept lease.restart.tokens=kept");
  CHECK(puts_back("lease.restart.leases=forgotten", both) == "-");  // it contradicts the other
}

TEST_CASE("own settings: of what renews and what cleans up a number is put back by itself") {
  CHECK(puts_back("lease.cleanup.every=90s", {"lease.cleanup={kind: periodic, every: 90s}"}) ==
        "lease.cleanup.every=1s");
  CHECK(puts_back("lease.renewal.retry=9s", {"lease.renewal={kind: eager, retry: 9s}"}) ==
        "lease.renewal.retry=1s");
}

TEST_CASE("own settings: repetitions that are both late and few are mended together") {
  const std::vector<std::string> set{
      "network.2={link: driver->matcher, loss: 10%, retry: {after: 4s, max: 1}}"};
  CHECK(puts_back("network.2.retry={after: 4s, max: 1}", set) ==
        "network.2.retry={after: 500ms, max: 5}");
}

TEST_CASE("own settings: riders who never ask again are of the design") {
  CHECK(puts_back("riders.ask_again=never", {"riders.ask_again=never"}) == "riders.ask_again=20s");
}

TEST_CASE("own settings: what the design is about stays") {
  for (const check::mend& m : check::own_settings(town({"lease.ttl=40s", "lease.protocol=hold"}))) {
    INFO(m.flaw);
    for (const scenario::override_value& each : m.set) {
      CHECK(each.path != "lease.ttl");
      CHECK(each.path != "lease.protocol");
      CHECK(each.path != "matchers.count");
      CHECK_FALSE(each.path.starts_with("riders."));
      CHECK_FALSE(each.path.starts_with("drivers.classes"));
    }
  }
}
