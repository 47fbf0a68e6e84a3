/// How leases, rides and zones are held, seen through whole runs: renewals, handshakes, claims, and
/// what becomes of them when matchers and the lease manager fail.
#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace dibs;

namespace {

/// Everything that was recorded, for questions that no metric answers.
class keeper final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    all.insert(all.end(), batch.begin(), batch.end());
  }

  template <class Fact, class Fits>
  [[nodiscard]] int count(const Fits& fits) const {
    int n = 0;
    for (const events::event& e : all) {
      const auto* f = std::get_if<Fact>(&e.what);
      n += f != nullptr && fits(*f, e.t) ? 1 : 0;
    }
    return n;
  }
  template <class Fact>
  [[nodiscard]] int count() const {
    return count<Fact>([](const Fact&, sim_time) { return true; });
  }

  std::vector<events::event> all;
};

engine::run_result run_of(const scenario::scenario& s,
                          std::vector<events::observer*> observers = {}) {
  const auto result = engine::run(s, {.seed = 1, .observers = std::move(observers)});
  REQUIRE(result);
  for (const auto& v : result->judgement.violations) {
    UNSCOPED_INFO(lease::code_of(v.broken) << " " << v.what);
  }
  CHECK(result->judgement.kept());
  return *result;
}

double value_of(const engine::run_result& r, std::string_view metric) {
  const auto value = r.metrics.value(metric);
  INFO(metric);
  REQUIRE(value);
  return *value;
}

/// Drivers who take 12 s to answer, leases of 4 s.
scenario::scenario slow_answers() {
  scenario::scenario s;
  s.name = "slow-answers";
  s.clock.duration = 20min;
  s.world.geography = scenario::geography::none;
  s.world.trip = exponential_duration{1min};
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.5, .from = {}, .until = {}}};
  s.drivers.count = 400;
  s.drivers.classes = {{.name = "all", .response = constant_duration{12s}}};
  s.matchers.count = 3;
  s.matchers.policy.kind = scenario::pick::random;
  s.lease.ttl = 4s;
  s.lease.offer_window = 20s;
  s.lease.renewal.kind = lease::renewal::eager;
  return s;
}

scenario::link_options link(node_kind from, node_kind to) {
  scenario::link_options l;
  l.from = {from, {}};
  l.to = {to, {}};
  l.both_ways = true;
  return l;
}

scenario::fault crash(std::string id, node_kind kind, std::uint32_t index, sim_duration at) {
  return {std::move(id), scenario::crash_fault{{kind, index}, at, 0, sim_duration{60s}, {}}};
}

}  // namespace

TEST_CASE("renewal: a short lease outlasts a slow answer, and is renewed as often as it must") {
  const auto renewed = run_of(slow_answers());
  CHECK(value_of(renewed, "rides.match_rate") == 1);
  // At 2, 4, 6, 8 and 10 s; the renewal at 12 s is of the instant at which she answers.
  CHECK(value_of(renewed, "leases.renewals_per_lease") > 4.99);
  CHECK(value_of(renewed, "leases.renewals_per_lease") < 6.01);
  CHECK(std::abs(value_of(renewed, "leases.hold.p99") - 12) < 0.01);
  auto s = slow_answers();
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  CHECK(value_of(run_of(s), "rides.match_rate") == 0);
}

TEST_CASE("renewal: a thread of its own renews while the rest of the matcher stands still") {
  auto s = slow_answers();
  for (std::uint32_t i = 0; i < 20; ++i) {
    s.faults.push_back(
        {"stop-" + std::to_string(i),
         scenario::pause_fault{{node_kind::matcher, {}}, 1min + i * 50s, 6s, 0, {}, {}}});
  }
  const auto expired = [&s](bool own_thread) {
    s.lease.renewal.own_thread = own_thread;
    return value_of(run_of(s), "leases.expired_rate");
  };
  CHECK(expired(false) > 0.05);
  CHECK(expired(true) == 0);
}

TEST_CASE("renewal: an error and a whole interval before the next try lose the lease") {
  auto s = slow_answers();
  auto l = link(node_kind::matcher, node_kind::lease_manager);
  l.both_ways = false;
  l.loss = 0.1;
  s.network = {l};
  s.matchers.reply_timeout = 1s;
  s.lease.renewal.timeout = 200ms;
  s.lease.renewal.retry = 200ms;
  const double again = value_of(run_of(s), "leases.expired_rate");
  s.lease.renewal.then = scenario::after_silence::interval;
  const double late = value_of(run_of(s), "leases.expired_rate");
  CHECK(late > 3 * again);
}

TEST_CASE("renewal: a numbered one whose answer was lost is refused when it is repeated") {
  auto s = slow_answers();
  auto l = link(node_kind::lease_manager, node_kind::matcher);
  l.both_ways = false;
  l.loss = 0.1;
  s.network = {l};
  s.matchers.reply_timeout = 1s;
  s.lease.renewal.timeout = 200ms;
  s.lease.renewal.retry = 200ms;
  CHECK(value_of(run_of(s), "leases.renewals_refused") == 0);
  s.lease.renewal.numbered = true;
  const auto numbered = run_of(s);
  CHECK(value_of(numbered, "leases.renewals_refused") > 100);
  CHECK(value_of(numbered, "offers.per_match") > 1.2);
}

TEST_CASE("renewal: a dead holder's lease ends a short TTL later, not a long window") {
  auto s = slow_answers();
  s.faults = {crash("dead", node_kind::matcher, 0, 10min + 1s)};
  const auto renewed = run_of(s);
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.ttl = 20s;
  const auto whole = run_of(s);
  CHECK(value_of(renewed, "leases.zombie_s") > 0);
  CHECK(value_of(renewed, "leases.zombie_s") < value_of(whole, "leases.zombie_s") / 2);
}

TEST_CASE("jitter: leases that were granted together end one by one") {
  scenario::scenario s = slow_answers();
  s.demand = {
      scenario::burst_demand{.at = 1min, .within = {}, .rides = 100, .around = {}, .every = {}}};
  s.drivers.classes[0].response = never_duration{};
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  s.matchers.offers.max = 2;
  const auto ends = [](const keeper& k) {
    std::set<sim_time> instants;
    for (const events::event& e : k.all) {
      if (std::holds_alternative<events::lease_ended>(e.what)) {
        instants.insert(e.t);
      }
    }
    return instants.size();
  };
  keeper together;
  run_of(s, {&together});
  CHECK(ends(together) == 2);
  s.lease.jitter = 5s;
  keeper apart;
  run_of(s, {&apart});
  CHECK(ends(apart) > 150);
}

TEST_CASE("handshake: a phone that is not there costs the wait for it, not the lease") {
  auto s = slow_answers();
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.ttl = 20s;
  s.faults = {};
  for (std::uint32_t d = 0; d < 200; ++d) {
    s.faults.push_back({"phone-" + std::to_string(d),
                        scenario::crash_fault{{node_kind::driver, d}, 0s, 0, 30min, {}}});
  }
  const double without = value_of(run_of(s), "supply.hidden_share");
  s.lease.handshake = 1s;
  keeper k;
  const double with = value_of(run_of(s, {&k}), "supply.hidden_share");
  CHECK(with < without / 5);
  CHECK(k.count<events::try_closed>([](const auto& f, sim_time) {
    return f.cause == events::try_ending::unreachable;
  }) > 100);
}

TEST_CASE("sweeper: whose clock is ahead frees leases before their time") {
  auto s = test::small_town();
  s.lease.cleanup = {.kind = scenario::cleanup::periodic,
                     .every = 1s,
                     .by = scenario::sweep_clock::sweeper,
                     .most = {}};
  CHECK(value_of(run_of(s), "leases.early_release") == 0);
  s.clocks.resize(1);
  s.clocks[0].id = "ahead";
  s.clocks[0].node = {node_kind::sweeper, {}};
  s.clocks[0].offset = constant_duration{6s};
  const auto ahead = run_of(s);
  CHECK(value_of(ahead, "leases.early_release") > 50);
  CHECK(value_of(ahead, "double.commits") == 0);
}

TEST_CASE("cleanup: a sweep ends so many leases at most") {
  auto s = slow_answers();
  s.demand = {
      scenario::burst_demand{.at = 1min, .within = {}, .rides = 100, .around = {}, .every = {}}};
  s.drivers.classes[0].response = never_duration{};
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  s.matchers.offers.max = 1;
  s.lease.cleanup = {.kind = scenario::cleanup::periodic, .every = 500ms, .by = {}, .most = 10};
  keeper k;
  run_of(s, {&k});
  std::map<sim_time, int> at_once;
  for (const events::event& e : k.all) {
    if (std::holds_alternative<events::lease_ended>(e.what)) {
      ++at_once[e.t];
    }
  }
  CHECK(at_once.size() == 10);
  CHECK(std::all_of(at_once.begin(), at_once.end(), [](const auto& n) { return n.second == 10; }));
}

TEST_CASE("released: a driver who declined stays hidden where a release is not looked at") {
  auto s = test::small_town();
  const double freed = value_of(run_of(s), "supply.hidden_s.declined");
  s.lease.release_frees = false;
  const double held = value_of(run_of(s), "supply.hidden_s.declined");
  CHECK(held > 2 * freed);
}

TEST_CASE("restart: extended leases outlive their time, a checkpoint bounds that") {
  auto s = slow_answers();
  s.drivers.classes[0].response = never_duration{};
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  s.lease.ttl = 15s;
  for (int i = 1; i < 150; ++i) {
    s.faults.push_back({"failover-" + std::to_string(i),
                        scenario::crash_fault{
                            {node_kind::lease_manager, 0}, 10s * i, 0, sim_duration{100ms}, {}}});
  }
  const auto hidden = [&](scenario::after_restart leases) {
    s.lease.restart.leases = leases;
    s.lease.restart.checkpoint = 1s;
    return value_of(run_of(s), "supply.hidden_share");
  };
  const double kept = hidden(scenario::after_restart::kept);
  CHECK(hidden(scenario::after_restart::extended) > 3 * kept);
  CHECK(hidden(scenario::after_restart::checkpoint) < 1.2 * kept);
}

TEST_CASE("restart: a manager without its memory breaks what rests on it, and says so") {
  auto s = test::small_town();
  s.lease.restart.leases = scenario::after_restart::forgotten;
  s.lease.restart.keeps_tokens = false;
  s.faults = {{"amnesia", scenario::crash_fault{{node_kind::lease_manager, 0}, 10min, 0, 1s, {}}}};
  keeper k;
  const auto r = run_of(s, {&k});
  CHECK(k.count<events::lease_ended>([](const auto& f, sim_time) {
    return f.cause == events::lease_ending::forgotten;
  }) > 0);
  // The ledger knows higher tokens than the manager issues now.
  CHECK(value_of(r, "writes.stale_refused") > 0);
}

TEST_CASE("standby: a second manager leads when the first is gone, and knows its leases") {
  auto s = slow_answers();
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.matchers.reply_timeout = 1s;
  s.faults = {crash("dead", node_kind::lease_manager, 0, 10min)};
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = false};
  keeper k;
  const auto r = run_of(s, {&k});
  CHECK(k.count<events::leader_changed>() == 1);
  CHECK(value_of(r, "rides.match_rate") > 0.99);
  CHECK(value_of(r, "double.commits") == 0);
  const auto is_new_term = [](const events::lease_granted& f, sim_time) {
    return f.token.value > 1'000'000'000'000;
  };
  CHECK(k.count<events::lease_granted>(is_new_term) > 100);
}

TEST_CASE(
    "standby: a matcher with many requests under way finds the new leader and stays with it") {
  auto s = slow_answers();
  s.demand = {scenario::poisson_demand{.rate_per_s = 5, .from = {}, .until = {}}};
  s.drivers.count = 4000;
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.matchers.reply_timeout = 1s;
  s.faults = {crash("dead", node_kind::lease_manager, 0, 5min)};
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = false};
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::try_closed>([](const auto& f, sim_time t) {
    return t > at(6min) && f.cause == events::try_ending::no_reply;
  }) == 0);
}

TEST_CASE("standby: two leaders grant one driver twice, and the fence alone parts her trips") {
  auto s = slow_answers();
  s.drivers.count = 20;
  s.world.trip = constant_duration{10s};
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = false};
  s.matchers.view = scenario::view::blind;
  s.matchers.count = 4;
  s.matchers.reply_timeout = 1s;
  const sim::node_pattern first{node_kind::lease_manager, 0};
  const sim::node_pattern second{node_kind::lease_manager, 1};
  s.faults.push_back({"split", scenario::partition_fault{{first, second}, 5min, 10min, true, 1}});
  for (std::uint32_t m : {0U, 1U}) {
    const sim::node_pattern matcher{node_kind::matcher, m};
    s.faults.push_back({"cut-" + std::to_string(m),
                        scenario::partition_fault{{matcher, second}, 5min, 10min, true, 1}});
  }
  const auto fenced = run_of(s);
  CHECK(value_of(fenced, "double.offers") > 0);
  CHECK(value_of(fenced, "double.commits") == 0);
  s.lease.protocol = lease::protocol::lease;
  CHECK(value_of(run_of(s), "double.commits") > 0);
}

TEST_CASE("claims: a dead matcher's rides are taken over") {
  auto s = slow_answers();
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.riders.ask_again.reset();
  s.faults = {crash("dead", node_kind::matcher, 0, 10min + 1s)};
  s.faults.back().what = scenario::crash_fault{{node_kind::matcher, 0}, 10min, 0, 20min, {}};
  const double lost = 1 - value_of(run_of(s), "rides.match_rate");
  s.matchers.claims = scenario::claim_options{};
  const auto r = run_of(s);
  CHECK(value_of(r, "rides.taken_over") > 0);
  // Those that asked a dead matcher in the first place were claimed by nobody.
  CHECK(1 - value_of(r, "rides.match_rate") < lost);
  CHECK(value_of(r, "double.rides") == 0);
}

TEST_CASE("zones: one matcher at a time takes the drivers of a zone, also a single one") {
  auto s = test::small_town();
  const double anywhere = value_of(run_of(s), "rides.match_rate");
  for (const std::uint32_t grid : {1U, 3U}) {
    s.lease.zones = scenario::zone_options{
        .grid = grid, .ttl = 20s, .renew_at = 0.5, .mode = events::zone_mode::write};
    keeper k;
    const auto r = run_of(s, {&k});
    CHECK(value_of(r, "rides.match_rate") > 0.9 * anywhere);
    CHECK(k.count<events::zone_granted>() > 0);
    std::map<zone_id, matcher_id> holder;
    for (const events::event& e : k.all) {
      if (const auto* g = std::get_if<events::zone_granted>(&e.what)) {
        CHECK(!holder.contains(g->zone));
        holder[g->zone] = g->matcher;
      } else if (const auto* over = std::get_if<events::zone_ended>(&e.what)) {
        holder.erase(over->zone);
      }
    }
  }
}

TEST_CASE("zones: who reads a zone and who takes drivers there keep each other off") {
  auto s = slow_answers();
  s.drivers.classes.front().response = constant_duration{500ms};
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  s.matchers.count = 4;
  s.lease.zones = scenario::zone_options{
      .grid = 2, .ttl = 2s, .renew_at = 0.5, .mode = events::zone_mode::write, .readers = 2};
  keeper k;
  const auto r = run_of(s, {&k});
  std::map<zone_id, std::set<matcher_id>> readers;
  std::map<zone_id, matcher_id> writer;
  for (const events::event& e : k.all) {
    if (const auto* g = std::get_if<events::zone_granted>(&e.what)) {
      const bool reads = g->mode == events::zone_mode::read;
      CHECK(reads == (g->matcher.value >= 2));
      CHECK(!writer.contains(g->zone));
      CHECK((reads || readers[g->zone].empty()));
      if (reads) {
        readers[g->zone].insert(g->matcher);
      } else {
        writer[g->zone] = g->matcher;
      }
    } else if (const auto* over = std::get_if<events::zone_ended>(&e.what)) {
      writer.erase(over->zone);
      readers[over->zone].erase(over->matcher);
    } else if (const auto* lease = std::get_if<events::lease_granted>(&e.what)) {
      CHECK(lease->matcher.value < 2);
    }
  }
  CHECK(k.count<events::zone_granted>(
            [](const auto& f, sim_time) { return f.mode == events::zone_mode::read; }) > 50);
  CHECK(value_of(r, "rides.match_rate") > 0.9);
}

TEST_CASE("zones: answers that come later than the matcher waits do not multiply its claims") {
  auto s = test::small_town();
  s.lease.zones = scenario::zone_options{
      .grid = 1, .ttl = 20s, .renew_at = 0.5, .mode = events::zone_mode::write};
  const auto quick = run_of(s).events;
  scenario::link_options slow;
  slow.from = {node_kind::lease_manager, {}};
  slow.to = {node_kind::matcher, {}};
  slow.latency = constant_duration{s.matchers.reply_timeout + 1s};
  s.network = {slow};
  CHECK(run_of(s).events < 2 * quick);
}

TEST_CASE(
    "renewals: a deadline that is over by the holder's clock is not renewed without a pause") {
  auto s = test::small_town();
  s.lease.deadline = scenario::deadline::absolute;
  s.lease.grace = 20s;
  s.lease.renewal.kind = lease::renewal::eager;
  s.clocks.push_back(
      {.id = "late", .node = {node_kind::lease_manager, {}}, .offset = constant_duration{-20s}});
  const auto r = run_of(s);
  CHECK_FALSE(r.stuck);
  CHECK(r.reached == s.ends());
}

TEST_CASE("zones: the leases on drivers end with the zone of a dead holder") {
  auto s = test::small_town();
  s.lease.ttl = 60s;
  s.lease.offer_window = 50s;
  s.drivers.classes[0].response = exponential_duration{30s};
  s.lease.zones = scenario::zone_options{
      .grid = 1, .ttl = 6s, .renew_at = 0.5, .mode = events::zone_mode::write};
  for (std::uint32_t m = 0; m < 4; ++m) {
    s.faults.push_back(crash("dead-" + std::to_string(m), node_kind::matcher, m, 8min));
  }
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::lease_ended>([](const auto& f, sim_time) {
    return f.cause == events::lease_ending::zone_lost;
  }) > 0);
}

TEST_CASE("batch: rides are tried together") {
  auto s = test::small_town();
  s.matchers.batch = 5s;
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::lease_granted>([](const auto&, sim_time t) {
    return t.time_since_epoch() % sim_duration{5s} != sim_duration::zero();
  }) == 0);
}

TEST_CASE("fence: a trip's end without its token closes whichever trip the driver is on") {
  auto s = slow_answers();
  s.drivers.count = 20;
  s.drivers.classes[0].response = constant_duration{2s};
  s.world.trip = constant_duration{20s};
  s.matchers.view = scenario::view::blind;
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  auto l = link(node_kind::driver, node_kind::ledger);
  l.both_ways = false;
  l.latency = uniform_duration{0s, 30s};
  l.duplicate = 1;
  s.network = {l};
  const auto every = run_of(s);
  CHECK(value_of(every, "double.commits") == 0);
  s.lease.fences_every_write = false;
  CHECK(value_of(run_of(s), "double.commits") > 0);
}
