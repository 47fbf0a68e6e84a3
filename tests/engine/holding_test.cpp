/// How leases are held, seen through whole runs: renewals, handshakes, clean-up, fences.
#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <cmath>
#include <map>
#include <set>

using namespace dibs;
using namespace dibs::test;

namespace {

/// Slow answers, renewals that are in doubt after 200 ms, and a link, one way, that loses a tenth.
scenario::scenario renewals_lost_on(scenario::link_options lossy) {
  auto s = slow_answers();
  lossy.both_ways = false;
  lossy.loss = 0.1;
  s.network = {lossy};
  s.matchers.reply_timeout = 1s;
  s.lease.renewal.timeout = 200ms;
  return s;
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
         scenario::pause_fault{
             {node_kind::matcher, {}}, 1min + i * 50s, constant_duration{6s}, 0, {}, {}}});
  }
  const auto expired = [&s](bool own_thread) {
    s.lease.renewal.own_thread = own_thread;
    return value_of(run_of(s), "leases.expired_rate");
  };
  CHECK(expired(false) > 0.05);
  CHECK(expired(true) == 0);
}

TEST_CASE("renewal: an error and a whole interval before the next try lose the lease") {
  auto s = renewals_lost_on(link(node_kind::matcher, node_kind::lease_manager));
  s.lease.renewal.retry = 200ms;
  const double again = value_of(run_of(s), "leases.expired_rate");
  s.lease.renewal.then = scenario::after_silence::interval;
  const double late = value_of(run_of(s), "leases.expired_rate");
  CHECK(late > 3 * again);
}

TEST_CASE("renewal: the offer of a lease that its holder lost by its own clock is taken back") {
  auto s = renewals_lost_on(link(node_kind::lease_manager, node_kind::matcher));
  s.lease.renewal.then = scenario::after_silence::interval;
  const auto withdrawn = run_of(s);
  CHECK(value_of(withdrawn, "leases.expired_rate") > 0.05);
  CHECK(value_of(withdrawn, "double.offers") == 0);
  s.lease.renewal.on_loss = scenario::on_loss::carry_on;
  const auto silent = run_of(s);
  CHECK(value_of(silent, "double.offers") > 0);
  // What is lost even so: accepts whose confirm, or the answer to it, is.
  CHECK(value_of(silent, "accepts.lost") > 3 * value_of(withdrawn, "accepts.lost"));
}

TEST_CASE("renewal: a numbered one whose answer was lost is refused when it is repeated") {
  auto s = renewals_lost_on(link(node_kind::lease_manager, node_kind::matcher));
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

TEST_CASE(
    "zombies: what a crash leaked is held by the dead to its end, though the holder is back") {
  auto s = slow_answers();
  s.demand = {
      scenario::burst_demand{.at = 1s, .within = {}, .rides = 1, .around = {}, .every = {}}};
  s.drivers.classes = {
      {.name = "never", .share = 1, .response = never_duration{}, .accept = 0, .ignore = 1}};
  s.matchers.count = 1;
  s.riders.ask_again.reset();
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.offer_window.reset();
  s.lease.ttl = forever;
  s.faults = {crash("dead", node_kind::matcher, 0, 31s)};  // for a minute of twenty
  for (const auto p : {lease::protocol::pessimistic, lease::protocol::fenced}) {
    CAPTURE(lease::rules_of(p).name);
    s.lease.protocol = p;
    const auto leaked = run_of(s);
    CHECK(value_of(leaked, "supply.hidden_s") == 20 * 60 - 1);
    CHECK(value_of(leaked, "leases.zombie_s") == 20 * 60 - 31);
    CHECK(value_of(leaked, "supply.hidden_s.zombie") == 20 * 60 - 31);
  }
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

TEST_CASE("releases: what is unlocked after a refusal is whatever lease the manager takes it for") {
  auto s = test::small_town();
  s.matchers.view_lag = 2s;
  s.lease.releases_refused = true;
  const auto releases_of_nothing = [&] {
    keeper k;
    const auto r = run_of(s, {&k});
    const int n = k.count<events::call_made>([](const events::call_made& f, sim_time) {
      return f.what == events::call::release && !f.token.is_some();
    });
    return std::pair(n, r.checks.violation_count);
  };
  const auto [by_token, broken] = releases_of_nothing();
  CHECK(by_token > 0);
  CHECK(broken == 0);
  const double early = value_of(run_of(s), "leases.early_release");
  s.lease.known_by = lease::identity::anyone;
  CHECK(value_of(run_of(s), "leases.early_release") > early);
  CHECK(releases_of_nothing().second == 0);
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
