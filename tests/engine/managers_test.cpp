/// What becomes of leases, rides and zones when matchers and the lease manager fail, seen through
/// whole runs: restarts, standbys, claims, zones.
#include "catch.hpp"
#include "engine/run.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace dibs;
using namespace dibs::test;

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

/// How many drivers were refused for each ride because it had one.
std::map<ride_id, int> refused_for(const keeper& k) {
  std::map<ride_id, int> refused;
  for (const events::event& e : k.all) {
    if (const auto* no = std::get_if<events::confirm_refused>(&e.what);
        no != nullptr && no->cause == events::confirm_refusal::ride_taken) {
      ++refused[no->ride];
    }
  }
  return refused;
}

TEST_CASE("commit at the manager: a matcher that missed the word of a ride's driver hears of her") {
  auto s = small_town();
  s.lease.commit = scenario::commit_at::manager;
  s.matchers.reply_timeout = 1s;
  // So many drivers and tries that nobody gives up before a second driver says yes.
  s.clock.duration = 1h;
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.05, .from = {}, .until = {}}};
  s.matchers.offers.max = 50;
  s.matchers.offers.total_wait = 10min;
  const auto check = [&](scenario::confirmer who, const char* word) {
    s.lease.confirm_by = who;
    sim::trigger lost;
    lost.message = sim::message_word(word);
    lost.every = 3;
    s.faults = {{"lost", scenario::drop_fault{lost}}};
    keeper k;
    run_of(s, {&k});
    INFO(word);
    const auto refused = refused_for(k);
    CHECK(refused.size() > 10);
    CHECK(std::all_of(refused.begin(), refused.end(), [](const auto& r) { return r.second == 1; }));
  };
  check(scenario::confirmer::driver, "lease_converted");
  check(scenario::confirmer::matcher, "confirm_taken");
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

TEST_CASE("standby: the word of a grant that comes after that of its confirm is no news") {
  auto s = slow_answers();
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.matchers.reply_timeout = 1s;
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = false};
  // Every word has come when the first manager is gone, and so the second knows all that it knew.
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.5, .from = {}, .until = 9min}};
  sim::trigger half;
  half.message = sim::message_word("follow_lease");
  half.share = 0.5;
  s.faults = {{"late", scenario::delay_fault{half, constant_duration{15s}}},
              crash("dead", node_kind::lease_manager, 0, 10min)};
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::leader_changed>() == 1);
  std::set<token_id> trips;
  for (const auto& [t, f] : k.facts<events::trip_committed>()) {
    trips.insert(f.token);
  }
  CHECK(trips.size() > 100);
  CHECK(k.count<events::lease_ended>(
            [&trips](const auto& f, sim_time) { return trips.contains(f.token); }) == 0);
}

/// How many leases were granted with a token that another had before.
int tokens_given_again(const keeper& k) {
  std::set<token_id> given;
  return k.count<events::lease_granted>(
      [&given](const auto& f, sim_time) { return !given.insert(f.token).second; });
}

TEST_CASE("standby: two managers that come back at once never give one token twice") {
  auto s = slow_answers();
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.matchers.reply_timeout = 1s;
  s.faults = {
      {"both",
       scenario::crash_fault{{node_kind::lease_manager, {}}, 5min, 0, sim_duration{3s}, {}}}};
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = false};
  keeper k;
  const auto r = run_of(s, {&k});
  CHECK(tokens_given_again(k) == 0);
  CHECK(r.checks.kept());
  CHECK(value_of(r, "rides.match_rate") > 0.95);
}

TEST_CASE("standby: one that has heard of a term's leases, and not of the term, leads in a later") {
  auto s = slow_answers();
  s.lease.protocol = lease::protocol::fenced;
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.matchers.reply_timeout = 1s;
  s.lease.standby =
      scenario::standby_options{.after = 12s, .heartbeat = 10s, .old_leader_acts = false};
  const auto down = [&s](std::uint32_t which, sim_duration from, sim_duration length) {
    s.faults.push_back(
        {"down-" + std::to_string(s.faults.size()),
         scenario::crash_fault{{node_kind::lease_manager, which}, from, 0, length, {}}});
  };
  // The first leads in term 3 from 313 s and says so every 10 s: the second is up in between, hears
  // of leases alone, and comes back when the first is gone.
  down(0, 300s, 1s);
  down(1, 299s, 15s);
  down(1, 322s, 28s);
  down(0, 330s, 60s);
  keeper k;
  const auto r = run_of(s, {&k});
  std::vector<int> terms;
  for (const events::event& e : k.all) {
    if (const auto* f = std::get_if<events::leader_changed>(&e.what)) {
      terms.push_back(f->term);
    }
  }
  CHECK(terms == std::vector<int>{3, 4});
  CHECK(tokens_given_again(k) == 0);
  CHECK((r.checks.judged & bit(lease::invariant::offers_answered_once)) != 0);
  CHECK(r.checks.kept());
}

namespace {

/// Of the heartbeats from one manager to the other over half an hour, how many were lost.
int lost_heartbeats(scenario::scenario s, std::uint64_t seed) {
  s.lease.standby =
      scenario::standby_options{.after = 1h, .heartbeat = 1s, .old_leader_acts = false};
  keeper k;
  REQUIRE(engine::run(s, {.seed = seed, .observers = {&k}}));
  return k.count<events::message_lost>([](const auto& f, sim_time t) {
    return f.from == node_id{node_kind::lease_manager, 0} && t <= at(30min);
  });
}

scenario::scenario half_an_hour_of_heartbeats() {
  auto s = slow_answers();
  s.clock.duration = 31min;
  s.demand = {scenario::burst_demand{.at = 30min + 30s, .around = {}, .every = {}}};
  return s;
}

// 1,800 draws of a loss of 0.3: four standard deviations are 78.
constexpr int fewest = 540 - 78;
constexpr int most = 540 + 78;

}  // namespace

TEST_CASE("links: each heartbeat has a draw of its own, and other nodes do not change it") {
  const sim::node_pattern first{node_kind::lease_manager, 0};
  const sim::node_pattern second{node_kind::lease_manager, 1};
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    INFO(seed);
    auto lossy = half_an_hour_of_heartbeats();
    lossy.network = {link(node_kind::lease_manager, node_kind::lease_manager)};
    lossy.network.front().loss = 0.3;
    const int lost = lost_heartbeats(lossy, seed);
    CHECK(lost > fewest);
    CHECK(lost < most);
    lossy.matchers.count = 7;
    CHECK(lost_heartbeats(lossy, seed) == lost);

    auto cut = half_an_hour_of_heartbeats();
    cut.faults.push_back({"cut", scenario::partition_fault{{first, second}, 0s, 31min, true, 0.3}});
    const int cut_off = lost_heartbeats(cut, seed);
    CHECK(cut_off > fewest);
    CHECK(cut_off < most);
  }
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

namespace {

/// Two groups of matchers, each with a leader of its own, from minute 5 to 6.
scenario::scenario two_leaders(bool old_leader_acts) {
  auto s = slow_answers();
  s.world.trip = constant_duration{10s};
  s.lease.ttl = 20s;
  s.lease.renewal.kind = lease::renewal::none;
  s.lease.standby =
      scenario::standby_options{.after = 3s, .heartbeat = 1s, .old_leader_acts = old_leader_acts};
  s.matchers.count = 4;
  s.matchers.reply_timeout = 1s;
  const sim::node_pattern first{node_kind::lease_manager, 0};
  const sim::node_pattern second{node_kind::lease_manager, 1};
  s.faults = {{"split", scenario::partition_fault{{first, second}, 5min, 1min, true, 1}}};
  for (std::uint32_t m : {0U, 1U}) {
    const sim::node_pattern matcher{node_kind::matcher, m};
    s.faults.push_back({"cut-" + std::to_string(m),
                        scenario::partition_fault{{matcher, second}, 5min, 1min, true, 1}});
  }
  return s;
}

/// The leases of the first quarter of an hour that neither ended nor became a trip.
std::set<token_id> without_end(const keeper& k) {
  std::set<token_id> open;
  for (const events::event& e : k.all) {
    if (const auto* g = std::get_if<events::lease_granted>(&e.what); g != nullptr) {
      if (e.t < at(15min)) {
        open.insert(g->token);
      }
    } else if (const auto* over = std::get_if<events::lease_ended>(&e.what)) {
      open.erase(over->token);
    } else if (const auto* trip = std::get_if<events::trip_committed>(&e.what)) {
      open.erase(trip->token);
    }
  }
  return open;
}

}  // namespace

TEST_CASE("standby: what a replaced leader granted to the end ends with its lead") {
  for (const bool old_leader_acts : {false, true}) {
    INFO("old leader acts: " << old_leader_acts);
    keeper k;
    run_of(two_leaders(old_leader_acts), {&k});
    std::set<token_id> forgotten;
    bool is_any_confirmed = false;
    for (const events::event& e : k.all) {
      if (const auto* over = std::get_if<events::lease_ended>(&e.what);
          over != nullptr && over->cause == events::lease_ending::forgotten) {
        CHECK(forgotten.insert(over->token).second);
      } else if (const auto* yes = std::get_if<events::confirm_accepted>(&e.what)) {
        is_any_confirmed = is_any_confirmed || forgotten.contains(yes->token);
      }
    }
    CHECK_FALSE(forgotten.empty());
    CHECK_FALSE(is_any_confirmed);
    CHECK(without_end(k).empty());
  }
}

TEST_CASE("standby: what its successor knows a replaced leader leaves alone") {
  auto s = two_leaders(false);
  s.faults = {{"stop",
               scenario::pause_fault{
                   {node_kind::lease_manager, 0}, 5min, constant_duration{6s}, 0, {}, {}}}};
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::leader_changed>() == 1);
  CHECK(k.count<events::lease_ended>([](const auto& f, sim_time) {
    return f.cause == events::lease_ending::forgotten;
  }) == 0);
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

// Document 003's task service: a worker that was stopped too long finishes nothing twice.
TEST_CASE("claims: a matcher that stood still takes its own rides over where there is no other") {
  auto s = small_town();
  s.matchers.count = 1;
  s.matchers.claims.emplace();
  s.matchers.claims->ttl = 5s;
  s.riders.ask_again.reset();
  scenario::pause_fault pause{{node_kind::matcher, {}}, 100s, constant_duration{20s}};
  s.faults = {{"pause", pause}};
  const auto r = engine::run(s, {});
  REQUIRE(r);
  CHECK((r->checks.judged >> static_cast<unsigned>(lease::invariant::service_recovers) & 1U) == 1);
  CHECK(r->checks.kept());
}

TEST_CASE("claims: a completion renews only what its matcher still has") {
  auto s = slow_answers();
  s.drivers.classes.front().response = constant_duration{2s};
  s.lease.protocol = lease::protocol::lease;
  s.lease.judge = scenario::judge::holder;
  s.lease.ttl = 60s;
  s.lease.renewal.kind = lease::renewal::none;
  s.riders.ask_again.reset();
  s.matchers.reply_timeout = 60s;
  s.matchers.claims = scenario::claim_options{.ttl = 6s, .heartbeat = 0.33};
  sim::trigger accepted;
  accepted.step = sim::life_step::after_accept;
  accepted.every = 20;
  s.faults = {{"stop",
               scenario::pause_fault{
                   {node_kind::matcher, {}}, {}, constant_duration{12s}, 0, accepted, {}}}};
  const auto finished_twice = [&s] {
    keeper k;
    CHECK(value_of(run_of(s, {&k}), "rides.taken_over") > 0);
    std::map<ride_id, int> commits;
    for (const events::event& e : k.all) {
      if (const auto* c = std::get_if<events::trip_committed>(&e.what)) {
        ++commits[c->ride];
      }
    }
    return std::count_if(
        commits.begin(), commits.end(), [](auto& each) { return each.second > 1; });
  };
  CHECK(finished_twice() == 0);
  s.matchers.claims->at_completion = false;
  CHECK(finished_twice() > 0);
}

TEST_CASE("claims: a ride that has a driver is nobody's work any more") {
  auto s = small_town();
  s.lease.protocol = lease::protocol::lease;
  s.matchers.claims = scenario::claim_options{.ttl = 5s, .heartbeat = 0.33};
  s.faults = {
      {"stop",
       scenario::pause_fault{{node_kind::matcher, {}}, {}, constant_duration{25s}, 60, {}, {}}}};
  const auto r = run_of(s);
  CHECK(value_of(r, "rides.taken_over") > 0);
  CHECK(value_of(r, "double.rides") == 0);
}

TEST_CASE("zones: a ride that was handed on is served once") {
  auto s = small_town();
  s.lease.protocol = lease::protocol::lease;
  s.riders.ask_again = 5s;
  s.lease.zones = scenario::zone_options{
      .grid = 1, .ttl = 10s, .renew_at = 0.5, .mode = events::zone_mode::write};
  s.faults = {
      {"stop",
       scenario::pause_fault{{node_kind::matcher, {}}, {}, constant_duration{30s}, 30, {}, {}}}};
  CHECK(value_of(run_of(s), "double.rides") == 0);
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

TEST_CASE("zones: a living holder keeps its zone for as long as a lease is under it") {
  auto s = test::small_town();
  s.lease.ttl = 60s;
  s.lease.offer_window = 50s;
  s.demand = {scenario::poisson_demand{.rate_per_s = 0.02, .from = {}, .until = {}}};
  s.drivers.classes[0].response = constant_duration{30s};
  s.lease.zones = scenario::zone_options{
      .grid = 1, .ttl = 6s, .renew_at = 0.5, .mode = events::zone_mode::write};
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::lease_granted>() > 10);
  CHECK(k.count<events::lease_ended>([](const auto& f, sim_time) {
    return f.cause == events::lease_ending::zone_lost;
  }) == 0);
}

// Two rides for one driver: the second waits for her longer than the zone lasts unused.
TEST_CASE("zones: a ride that waits asks again for a zone that its matcher has lost") {
  for (const bool in_line : {false, true}) {
    INFO(in_line);
    auto s = slow_answers();
    s.clock.duration = 5min;
    s.demand = {scenario::burst_demand{.at = 10s, .around = {}, .every = {}},
                scenario::burst_demand{.at = 12s, .around = {}, .every = {}}};
    s.world.trip = constant_duration{30s};
    s.drivers.count = 1;
    s.drivers.classes.front().response = constant_duration{4s};
    s.matchers.count = 1;
    s.matchers.look_again = 1s;
    s.matchers.queue = in_line;
    s.lease.ttl = 15s;
    s.lease.offer_window.reset();
    s.lease.renewal.kind = lease::renewal::none;
    s.lease.zones = scenario::zone_options{
        .grid = 1, .ttl = 3s, .renew_at = 0.5, .mode = events::zone_mode::write};
    CHECK(value_of(run_of(s), "rides.match_rate") == 1);
  }
}

// The first search fails after its grant and leaves a timer of 30 s; the rider asks again at 21 s,
// and the second search has all its time.
TEST_CASE("matchers: a timer of an earlier search for a ride is none of the next one's") {
  auto s = slow_answers();
  s.clock.duration = 3min;
  s.demand = {scenario::burst_demand{.at = 1s, .around = {}, .every = {}}};
  s.riders.ask_again = 20s;
  s.drivers.count = 3;
  s.drivers.classes.front().response = constant_duration{8s};
  s.matchers.count = 1;
  s.matchers.reply_timeout = 30s;
  s.lease.ttl = 60s;
  s.lease.renewal.kind = lease::renewal::none;
  s.network = {link(node_kind::matcher, node_kind::lease_manager)};
  s.network.front().latency = constant_duration{1s};
  sim::trigger first_grant;
  first_grant.step = sim::life_step::after_grant;
  first_grant.nth = 1;
  sim::trigger second_acquire;
  second_acquire.message = static_cast<std::uint8_t>(
      std::find(sim::message_words.begin(), sim::message_words.end(), "acquire") -
      sim::message_words.begin());
  second_acquire.nth = 2;
  s.faults = {{"error", scenario::throw_fault{first_grant, true}},
              {"late", scenario::delay_fault{second_acquire, constant_duration{15s}}}};
  keeper k;
  run_of(s, {&k});
  CHECK(k.count<events::trip_committed>() == 1);
  CHECK(k.count<events::try_closed>([](const events::try_closed& f, sim_time) {
    return f.cause == events::try_ending::no_reply;
  }) == 0);
}
