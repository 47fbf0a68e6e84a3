#include "check/check.hpp"
#include "check/sound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

using namespace dibs;
using check::test::town;
using incidents::incident_outcome;

namespace {

const std::vector<check::cause>& all_causes() {
  static const std::vector<check::cause> all = [] {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(check::test::incidents_folder)) {
      if (file.path().extension() == ".yaml") {
        names.push_back(file.path().stem().string());
      }
    }
    std::ranges::sort(names);
    std::vector<check::cause> causes;
    std::ranges::transform(names, std::back_inserter(causes), &check::test::shipped);
    return causes;
  }();
  return all;
}

check::checked checked(const std::vector<std::string>& set) {
  auto found =
      check::check_scenario(town(set),
                            all_causes(),
                            {.runs = 4, .jobs = std::max(std::thread::hardware_concurrency(), 1U)});
  REQUIRE(found);
  return std::move(*found);
}

std::string told(const check::row& r) {
  std::string text = r.name + " " + std::string(incidents::name_of(r.outcome));
  for (const auto& each : r.worse) {
    text += fmt::format(" {} {} ({})", each.metric, each.with_cause, each.without);
  }
  for (const auto& each : r.mended ? r.mended->what.set : std::vector<scenario::override_value>()) {
    text += " | " + each.path + "=" + each.value;
  }
  return text;
}

struct planted {
  const char* flaw;
  std::vector<std::string> set;
  const char* mend;  ///< path of a field that the first row sets right
};

const std::vector<planted>& flaws() {
  static const std::vector<planted> all{
      {"a ledger without a fence, and holders that trust their clocks",
       {"lease.protocol=lease", "lease.judge=holder"},
       "lease.protocol"},
      {"no leases at all", {"lease.protocol=none"}, "lease.protocol"},
      {"confirms that do not look at the expiry",
       {"lease.expiry=ignored", "lease.cleanup={kind: periodic, every: 20s}"},
       "lease.expiry"},
      {"leases that end before their time", {"lease.grace=-5s"}, "lease.grace"},
      {"no clean-up", {"lease.cleanup={kind: none}"}, "lease.cleanup"},
      {"releases of anyone", {"lease.known_by=anyone"}, "lease.known_by"},
      {"a release that frees nobody", {"lease.released=held"}, "lease.released"},
      {"a store that forgets",
       {"lease.restart={leases: forgotten, tokens: forgotten}"},
       "lease.restart"},
      {"a TTL that hides drivers", {"lease.ttl=3m", "lease.offer_window=175s"}, "lease.ttl"},
      {"a TTL that no step of others comes down from",
       {"lease.ttl=10m", "lease.offer_window=597s"},
       "lease.ttl"},
      {"a TTL after which there is time for one more offer",
       {"lease.ttl=80s",
        "lease.offer_window=80s",
        "drivers.classes.prompt.accept=0.75",
        "drivers.classes.prompt.ignore=0.2",
        "matchers.offers.total_wait=2m"},
       "lease.ttl"},
      {"a TTL that few answers meet", {"lease.ttl=4s", "lease.offer_window=3s"}, "lease.ttl"},
      {"timers on a clock that is set",
       {"clocks=[{node: lease_manager, timers: wall}]"},
       "clocks.1.timers"},
      {"deadlines read off clocks that disagree",
       {"lease.deadline=absolute", "lease.judge=holder", "clocks=[{node: matcher/2, offset: 15s}]"},
       "lease.deadline"},
      {"a fence that only a write raises",
       {"lease.fence=first-write", "lease.judge=holder"},
       "lease.fence"},
  };
  return all;
}

/// Of links, offers and riders, and what else a lease may have; one function would be too long.
const std::vector<planted>& more_flaws() {
  static const std::vector<planted> all{
      {"answers that get lost, and nobody repeats",
       {"network.2={link: driver->matcher, latency: 100ms, loss: 15%}"},
       "network.2.retry"},
      {"a confirm that holds no longer than a write takes",
       {"lease.confirm_hold=5ms"},
       "lease.confirm_hold"},
      {"claims without heartbeats",
       {"matchers.claims={ttl: 4s, heartbeat: none}"},
       "matchers.claims.heartbeat"},
      {"answers that are given up before they come",
       {"matchers.reply_timeout=4ms"},
       "matchers.reply_timeout"},
      {"one try a ride", {"matchers.offers.max=1"}, "matchers.offers.max"},
      {"a window that few answers meet", {"lease.offer_window=3s"}, "lease.offer_window"},
      {"a greeting that phones cannot answer in time",
       {"lease.handshake=150ms"},
       "lease.handshake"},
      // One that is ahead costs this town less than is worth telling: 0.2 points hidden.
      {"the requester's clock, and one that is behind",
       {"lease.clock=requester", "clocks=[{node: matcher/2, offset: -15s}]"},
       "lease.clock"},
      {"riders who confirm after the lease is over",
       {"riders.confirm={share: 90%, after: 30s, within: 1min}"},
       "lease."},
      {"riders who are given up before they have confirmed",
       {"riders.confirm={share: 90%, after: 6s, within: 5s}"},
       "riders.confirm.within"},
      {"answers that are repeated too late",
       {"network.2={link: driver->matcher, latency: 100ms, loss: 15%, retry: {after: 20s, max: "
        "3}}"},
       "network.2.retry"},
      {"a key that is locked for minutes", {"lease.lock_delay=10m"}, "lease.lock_delay"},
      {"a margin that leaves no time to answer",
       {"lease.judge=holder", "lease.margin=14s"},
       "lease.margin"},
  };
  return all;
}

}  // namespace

TEST_CASE("planted flaws: the first row names the one that a scenario has, and its mend",
          "[slow]") {
  const planted p = GENERATE(from_range(flaws()), from_range(more_flaws()));
  INFO(p.flaw);
  const check::checked found = checked(p.set);
  REQUIRE_FALSE(found.rows.empty());
  for (std::size_t i = 0; i < std::min<std::size_t>(found.rows.size(), 5); ++i) {
    UNSCOPED_INFO(told(found.rows[i]));
  }
  const check::row& first = found.rows.front();
  CHECK(first.counts());
  CHECK(first.outcome >= incident_outcome::degrades);
  REQUIRE(first.mended);
  std::vector<scenario::override_value> mends = first.mended->what.set;
  for (const check::mend& each : first.also) {
    mends.insert(mends.end(), each.set.begin(), each.set.end());
  }
  CHECK(
      std::ranges::any_of(mends, [&](const auto& each) { return each.path.starts_with(p.mend); }));
  // No TTL is told to hold that the first row says does not.
  const sim_duration ttl = town(p.set).lease.ttl;
  CHECK((p.mend != std::string_view("lease.ttl") ||
         std::ranges::none_of(found.ttls,
                              [&](const auto& each) { return each.holds && each.ttl == ttl; })));
}

TEST_CASE("planted flaws: of a sound design nothing is cried", "[slow]") {
  const std::string set = GENERATE("lease.grace=0s", "lease.grace=1s");
  INFO(set);
  const check::checked found = checked({set});
  for (const check::row& each : found.rows) {
    INFO(told(each));
    CHECK((!each.counts() || each.outcome != incident_outcome::breaks));
    CHECK((each.from != check::origin::own_rule || each.worse.empty()));
    CHECK_FALSE(each.as_it_stands);
  }
  CHECK(found.code() == exit_code::done);
}
