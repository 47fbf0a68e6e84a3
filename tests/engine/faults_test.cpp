/// What faults do to whole runs: clocks that are set, triggers, partitions, and people who leave.
#include "catch.hpp"
#include "engine/run.hpp"
#include "events/enum_names.hpp"
#include "events/history_hash.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

using namespace dibs;
using test::history;
using test::keeper;
using test::rough_town;
using test::small_town;

namespace {

struct whole_run {
  history seen;
  engine::run_result result;
};

whole_run whole_run_of(const scenario::scenario& s,
                       engine::delivery how = engine::delivery::direct) {
  keeper keep;
  auto result = test::run_of(s, {&keep}, how);
  return {std::move(keep), std::move(result)};
}

sim::trigger at_step(sim::life_step step) {
  sim::trigger t;
  t.step = step;
  return t;
}

sim::trigger at_message(std::string_view word) {
  sim::trigger t;
  t.message = sim::message_word(word);
  REQUIRE(t.message);
  return t;
}

const sim::node_pattern matchers{node_kind::matcher, {}};

scenario::clock_error stepped(sim::timebase timers) {
  scenario::clock_error c;
  c.id = "manager";
  c.node = {node_kind::lease_manager, {}};
  c.timers = timers;
  c.steps = {{5min, constant_duration{20s}},
             {8min, constant_duration{20s}},
             {11min, constant_duration{-90s}}};
  return c;
}

}  // namespace

TEST_CASE("clocks: on the monotonic clock a step of the wall clock changes no byte of a history") {
  auto s = small_town();
  const auto calm = whole_run_of(s);
  s.clocks = {stepped(sim::timebase::monotonic)};
  CHECK(whole_run_of(s).result.history == calm.result.history);
}

TEST_CASE("clocks: on the wall clock a step forward ends leases early, a step back keeps them") {
  auto s = small_town();
  for (scenario::driver_class& c : s.drivers.classes) {
    c.accept = 0.3;
    c.ignore = 0.7;
  }
  s.clocks = {stepped(sim::timebase::wall)};
  const auto o = whole_run_of(s);
  std::map<token_id, sim_time> granted;
  int early = 0;
  int late = 0;
  for (const auto& [t, f] : o.seen.facts<events::lease_granted>()) {
    granted[f.token] = t;
  }
  for (const auto& [t, f] : o.seen.facts<events::lease_ended>()) {
    const bool ran_out = f.cause == events::lease_ending::expired;
    early += ran_out && t - granted.at(f.token) < 15s ? 1 : 0;
    late += ran_out && t - granted.at(f.token) > 15s ? 1 : 0;
  }
  CHECK(early > 0);
  CHECK(late > 0);
}

TEST_CASE("triggers: the third confirm is dropped, and no other") {
  auto s = small_town();
  auto third = at_message("confirm");
  third.nth = 3;
  s.faults = {{"drop", scenario::drop_fault{third}}};
  const auto o = whole_run_of(s);
  const auto lost = o.seen.facts<events::message_lost>();
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].second.to.kind() == node_kind::lease_manager);
  const auto struck = o.seen.facts<events::message_tampered>();
  REQUIRE(struck.size() == 1);
  CHECK(struck[0].first == lost[0].first);
  CHECK(struck[0].second.what == events::tampering::dropped);
  CHECK(struck[0].second.token == lost[0].second.token);
  CHECK(events::name_of(struck[0].second.message) == "confirm");
  const auto confirmed = o.seen.facts<events::confirm_accepted>();
  REQUIRE(confirmed.size() > 3);
  CHECK(confirmed[1].first <= lost[0].first);
  CHECK(confirmed[2].first >= lost[0].first);
  for (const auto& [t, f] : confirmed) {
    CHECK(f.token != lost[0].second.token);
  }
}

TEST_CASE("triggers: a fault that waited in vain is named, one that struck is not") {
  auto s = small_town();
  auto third = at_message("confirm");
  third.nth = 3;
  auto nobody = at_message("confirm");
  nobody.from = sim::node_pattern{node_kind::ledger, {}};
  s.faults = {{"none", scenario::drop_fault{nobody}},
              {"crash", scenario::crash_fault{{node_kind::matcher, 0}, 10min, 0, 10s, {}}},
              {"third", scenario::drop_fault{third}},
              {"far", scenario::drop_fault{[] {
                 auto far = at_message("confirm");
                 far.nth = 1'000'000;
                 return far;
               }()}}};
  CHECK(whole_run_of(s).result.idle_faults == std::vector<std::string>{"none", "far"});
}

TEST_CASE("faults: a partition or a slowdown that changed no message is named, others are not") {
  auto s = small_town();
  s.network.clear();
  const sim::node_pattern manager{node_kind::lease_manager, {}};
  const sim::node_pattern ledger{node_kind::ledger, {}};
  const sim::node_pattern drivers{node_kind::driver, {}};
  const auto cut = [](sim::node_pattern a, sim::node_pattern b) {
    return scenario::partition_fault{{a, b}, 10min, 1min, true, 1};
  };
  const auto slow = [drivers](double factor, sim_duration plus) {
    return scenario::slow_fault{
        {matchers, drivers}, 10min, 1min, true, factor, constant_duration{plus}};
  };
  s.faults = {{"unused", cut(drivers, manager)},
              {"cut", cut(matchers, manager)},
              {"no latency", slow(3, 0s)},
              {"slow", slow(1, 1s)},
              {"same latency", slow(1, 0s)}};
  CHECK(whole_run_of(s).result.idle_faults ==
        std::vector<std::string>{"unused", "no latency", "same latency"});
  // What the matchers see of supply may be late for one, whether or not a message is lost.
  const auto instant = [](sim::node_pattern a, sim::node_pattern b, double loss = 1) {
    return scenario::partition_fault{{a, b}, 10min, 1ns, true, loss};
  };
  const sim::node_pattern riders{node_kind::rider, {}};
  s.faults = {{"instant", instant(drivers, manager)},
              {"supply", instant(matchers, ledger)},
              {"no loss", instant(matchers, ledger, 0)},
              {"of drivers", instant(drivers, ledger)},
              {"of riders", instant(riders, ledger)}};
  CHECK(whole_run_of(s).result.idle_faults ==
        std::vector<std::string>{"instant", "no loss", "of drivers", "of riders"});
}

TEST_CASE("faults: a rate that comes to nothing is named, one that is 0 or strikes is not") {
  auto s = small_town();
  s.faults = {{"rare", scenario::crash_fault{{node_kind::matcher, 0}, {}, 1e-6, 10s, {}}},
              {"off", scenario::pause_fault{matchers, {}, constant_duration{10s}, 0, {}, {}}},
              {"often", scenario::pause_fault{matchers, {}, constant_duration{10s}, 60, {}, {}}},
              {"slow",
               scenario::pause_fault{
                   {node_kind::lease_manager, {}}, {}, constant_duration{1s}, 1e-6, {}, {}}}};
  CHECK(whole_run_of(s).result.idle_faults == std::vector<std::string>{"rare", "slow"});
}

TEST_CASE("triggers: a matcher that crashes after a grant sends no offer for it") {
  auto s = small_town();
  auto fifth = at_step(sim::life_step::after_grant);
  fifth.nth = 5;
  s.faults = {{"die", scenario::crash_fault{matchers, {}, 0, 30s, fifth}}};
  const auto o = whole_run_of(s);
  const auto granted = o.seen.facts<events::lease_granted>();
  const auto crashed = o.seen.facts<events::node_crashed>();
  REQUIRE(crashed.size() == 1);
  CHECK(crashed[0].second.node == node_of(granted[4].second.matcher));
  CHECK(crashed[0].first == granted[4].first);
  std::set<token_id> offered;
  for (const auto& [t, f] : o.seen.facts<events::offer_sent>()) {
    offered.insert(f.token);
  }
  CHECK_FALSE(offered.contains(granted[4].second.token));
  CHECK(offered.contains(granted[3].second.token));
  const auto restarted = o.seen.facts<events::node_restarted>();
  REQUIRE(restarted.size() == 1);
  CHECK(restarted[0].first == crashed[0].first + 30s);
}

TEST_CASE(
    "triggers: a pause after an accept ends 10 ms before the lease, and the confirm goes out") {
  auto s = small_town();
  auto every = at_step(sim::life_step::after_accept);
  every.every = 20;
  s.faults = {{"stop", scenario::pause_fault{matchers, {}, {}, 0, every, -10ms}}};
  const auto o = whole_run_of(s);
  std::map<sim_time, token_id> ends;
  for (const auto& [t, f] : o.seen.facts<events::lease_granted>()) {
    ends[t + f.ttl - 10ms] = f.token;
  }
  std::set<token_id> confirmed;
  for (const auto& [t, f] : o.seen.facts<events::confirm_accepted>()) {
    confirmed.insert(f.token);
  }
  const auto resumed = o.seen.facts<events::node_resumed>();
  REQUIRE(resumed.size() > 2);
  for (const auto& [t, f] : resumed) {
    REQUIRE(ends.contains(t));
    CHECK(confirmed.contains(ends.at(t)));
  }
}

TEST_CASE("triggers: an error leaks the lease, unless the last act is to give it back") {
  auto s = small_town();
  auto every = at_step(sim::life_step::after_grant);
  every.every = 10;
  const auto held = [&](bool gives_back) {
    s.faults = {{"error", scenario::throw_fault{every, gives_back}}};
    const auto o = whole_run_of(s);
    std::map<token_id, sim_time> granted;
    for (const auto& [t, f] : o.seen.facts<events::lease_granted>()) {
      granted[f.token] = t;
    }
    for (const auto& [t, f] : o.seen.facts<events::offer_sent>()) {
      granted.erase(f.token);
    }
    CHECK(granted.size() > 10);  // these never were an offer
    const auto failed = o.seen.facts<events::work_failed>();
    CHECK(failed.size() == granted.size());
    for (const auto& [t, f] : failed) {
      CHECK(granted.at(f.token) <= t);
      CHECK(f.gives_back == gives_back);
    }
    std::vector<sim_duration> lengths;
    for (const auto& [t, f] : o.seen.facts<events::lease_ended>()) {
      if (granted.contains(f.token)) {
        lengths.push_back(t - granted.at(f.token));
      }
    }
    return lengths;
  };
  for (const sim_duration length : held(false)) {
    CHECK(length == 15s);
  }
  for (const sim_duration length : held(true)) {
    CHECK(length == 0s);
  }
}

TEST_CASE("triggers: messages are held up and doubled one by one") {
  auto s = small_town();
  s.faults = {{"late", scenario::delay_fault{at_message("offer"), constant_duration{2s}}}};
  const auto late = whole_run_of(s);
  std::map<token_id, sim_time> sent;
  for (const auto& [t, f] : late.seen.facts<events::offer_sent>()) {
    sent[f.token] = t;
  }
  const auto shown = late.seen.facts<events::offer_shown>();
  REQUIRE(shown.size() > 50);
  for (const auto& [t, f] : shown) {
    CHECK(t == sent.at(f.token) + 2s);
  }
  const auto held_up = late.seen.facts<events::message_tampered>();
  CHECK(held_up.size() == sent.size());
  for (const auto& [t, f] : held_up) {
    CHECK(f.what == events::tampering::delayed);
    CHECK(f.by == 2s);
    CHECK(t == sent.at(f.token));
  }
  s.faults = {{"twice", scenario::duplicate_fault{at_message("confirm"), constant_duration{1s}}}};
  const auto twice = whole_run_of(s);
  int repeated = 0;
  for (const auto& [t, f] : twice.seen.facts<events::confirm_accepted>()) {
    repeated += f.repeated ? 1 : 0;
  }
  CHECK(repeated > 50);
  const auto doubled = twice.seen.facts<events::message_tampered>();
  CHECK(doubled.size() >= static_cast<std::size_t>(repeated));
  CHECK(doubled.front().second.what == events::tampering::doubled);
}

TEST_CASE(
    "triggers: a copy of the word of a trip that comes when it is over sends nobody out again") {
  auto s = small_town();
  s.faults = {
      {"twice", scenario::duplicate_fault{at_message("drive"), constant_duration{20min}}},
      {"late", scenario::duplicate_fault{at_message("write_outcome"), constant_duration{9min}}},
      {"off", scenario::delay_fault{at_message("trip_closed"), constant_duration{1s}}}};
  s.clock.drain = 30min;
  const auto o = whole_run_of(s);
  std::set<token_id> ended;
  for (const auto& [t, f] : o.seen.facts<events::trip_ended>()) {
    CHECK(ended.insert(f.token).second);
  }
  CHECK(ended.size() > 100);
}

TEST_CASE("triggers: a copy of the word of her driver ends no rider's trip") {
  auto s = small_town();
  for (const sim_duration late : {sim_duration{10s}, sim_duration{20min}}) {
    s.faults = {
        {"here", scenario::duplicate_fault{at_message("arrived"), constant_duration{late}}},
        {"told", scenario::duplicate_fault{at_message("assigned"), constant_duration{late}}}};
    const auto o = whole_run_of(s);
    CHECK(o.seen.facts<events::rider_picked_up>().size() > 100);
    CHECK(o.seen.facts<events::assignment_revoked>().empty());
  }
}

TEST_CASE("faults: a driver who is paused when she is assigned comes late, and that is no lie") {
  auto s = small_town();
  s.riders.no_show_after = 1min;
  s.faults = {{"stall",
               scenario::pause_fault{{node_kind::driver, {}},
                                     {},
                                     constant_duration{12min},
                                     0,
                                     at_step(sim::life_step::after_confirm),
                                     {}}}};
  std::get<scenario::pause_fault>(s.faults[0].what).when->every = 10;
  const auto o = whole_run_of(s);
  CHECK(*o.result.metrics.value("promises.broken") > 0);
}

TEST_CASE("faults: a cut of one direction stops nothing that goes the other way") {
  auto s = small_town();
  const sim::node_group manager(sim::node_pattern{node_kind::lease_manager, {}});
  s.faults = {{"deaf", scenario::partition_fault{{manager, matchers}, 5min, 2min, false, 1}}};
  const auto o = whole_run_of(s);
  const auto lost = o.seen.facts<events::message_lost>();
  REQUIRE(lost.size() > 5);
  for (const auto& [t, f] : lost) {
    CHECK(f.from.kind() == node_kind::lease_manager);
  }
  int granted_meanwhile = 0;
  for (const auto& [t, f] : o.seen.facts<events::lease_granted>()) {
    granted_meanwhile += t >= at(5min) && t < at(7min) ? 1 : 0;
  }
  CHECK(granted_meanwhile > 5);
}

TEST_CASE("faults: a slow link takes so many times as long, for its time") {
  auto s = small_town();
  scenario::link_options l;
  l.from = matchers;
  l.to = {node_kind::driver, {}};
  l.latency = constant_duration{100ms};
  s.network = {l};
  s.faults = {{"slow",
               scenario::slow_fault{{sim::node_group(matchers),
                                     sim::node_group(sim::node_pattern{node_kind::driver, {}})},
                                    5min,
                                    5min,
                                    true,
                                    8,
                                    constant_duration{200ms}}}};
  const auto o = whole_run_of(s);
  std::map<token_id, sim_time> sent;
  for (const auto& [t, f] : o.seen.facts<events::offer_sent>()) {
    sent[f.token] = t;
  }
  for (const auto& [t, f] : o.seen.facts<events::offer_shown>()) {
    const sim_time when = sent.at(f.token);
    CHECK(t - when == (when >= at(5min) && when < at(10min) ? 1000ms : 100ms));
  }
}

TEST_CASE("faults: riders can be paused and crash, and ask again when they are back") {
  auto s = small_town();
  const double calm = *whole_run_of(s).result.metrics.value("rides.match_rate");
  s.faults = {
      {"dark", scenario::crash_fault{{node_kind::rider, {}}, 5min, 0, 10s, {}}},
      {"stall",
       scenario::pause_fault{{node_kind::rider, {}}, 8min, constant_duration{10s}, 0, {}, {}}}};
  const auto o = whole_run_of(s);
  CHECK(o.seen.facts<events::node_crashed>().size() > 3);
  CHECK(o.seen.facts<events::node_resumed>().size() > 3);
  CHECK(*o.result.metrics.value("rides.match_rate") > 0.9 * calm);
}

TEST_CASE("faults: a trigger strikes the driver whom a step is about") {
  auto s = small_town();
  auto every = at_step(sim::life_step::after_offer);
  every.every = 25;
  s.faults = {{"dark", scenario::crash_fault{{node_kind::driver, {}}, {}, 0, 20s, every}}};
  const auto o = whole_run_of(s);
  const auto offers = o.seen.facts<events::offer_sent>();
  const auto crashed = o.seen.facts<events::node_crashed>();
  REQUIRE(crashed.size() == offers.size() / 25);
  CHECK(crashed[0].second.node == node_of(offers[24].second.driver));
}

TEST_CASE("people: a cancel that races an accept leaves nobody with a promise") {
  auto s = small_town();
  s.riders.cancel_at_accept = {.share = 0.5, .after = normal_duration{0s, 50ms}};
  for (auto* link : {&s.network}) {
    scenario::link_options l;
    l.from = matchers;
    l.to = {node_kind::driver, {}};
    l.both_ways = true;
    l.latency = constant_duration{40ms};
    link->push_back(l);
  }
  const auto o = whole_run_of(s);
  CHECK(o.seen.facts<events::ride_cancelled>().size() > 5);
  const auto abandoned = o.seen.facts<events::ride_abandoned>();
  CHECK(std::count_if(abandoned.begin(), abandoned.end(), [](const auto& each) {
          return each.second.cause == events::abandonment::cancelled;
        }) > 5);
  CHECK(*o.result.metrics.value("promises.broken") == 0);
}

TEST_CASE("people: a driver who loses her connection leaves her lease to run out") {
  auto s = small_town();
  s.drivers.drop_out = {
      .share = 0.3, .after = constant_duration{1s}, .back_after = constant_duration{40s}};
  const auto o = whole_run_of(s);
  std::map<token_id, sim_time> gone;
  for (const auto& [t, f] : o.seen.facts<events::offer_dismissed>()) {
    if (f.cause == events::dismissal::went_offline) {
      gone[f.token] = t;
    }
  }
  CHECK(gone.size() > 20);
  int ran_out = 0;
  for (const auto& [t, f] : o.seen.facts<events::lease_ended>()) {
    ran_out += gone.contains(f.token) && f.cause == events::lease_ending::expired ? 1 : 0;
  }
  CHECK(ran_out > 20);
}

TEST_CASE("triggers: mailboxes give the same history as the direct path, whatever strikes") {
  auto s = rough_town();
  const auto some = [](sim::trigger t) {
    t.share = 0.05;
    return t;
  };
  s.faults.push_back(
      {"a",
       scenario::crash_fault{matchers, {}, 0, 5s, some(at_step(sim::life_step::after_confirm))}});
  s.faults.push_back(
      {"b",
       scenario::pause_fault{
           matchers, {}, constant_duration{8s}, 0, some(at_step(sim::life_step::after_pick)), {}}});
  s.faults.push_back(
      {"c", scenario::crash_fault{{node_kind::ledger, {}}, {}, 0, 1s, some(at_message("write"))}});
  s.faults.push_back(
      {"d", scenario::throw_fault{some(at_step(sim::life_step::after_write)), true}});
  const auto direct = whole_run_of(s);
  const auto mailbox = whole_run_of(s, engine::delivery::mailbox);
  CHECK(direct.result.history == mailbox.result.history);
}

namespace {

std::string digest_of(const history& h, std::size_t count) {
  events::history_hash hash;
  hash.observe(std::span(h.all).first(count));
  return hash.digest();
}

/// Whether an offer that is sent then or later takes any time on its way.
bool is_any_late_after(const history& h, sim_time t) {
  std::map<std::pair<token_id, driver_id>, sim_time> sent;
  for (const auto& [when, f] : h.facts<events::offer_sent>()) {
    if (when >= t) {
      sent.emplace(std::pair{f.token, f.driver}, when);
    }
  }
  const auto shown = h.facts<events::offer_shown>();
  return std::any_of(shown.begin(), shown.end(), [&](const auto& each) {
    const auto its = sent.find({each.second.token, each.second.driver});
    return its != sent.end() && each.first > its->second;
  });
}

}  // namespace

// Goal: a branch that is healed from some instant on is the same run until then, and whole after.
// Method: a rough town with everything wrong, healed at several instants; compare the histories
// event for event up to the instant, and look for what must not be there after it.
// Healed to the ordinary, messages still take their time, and none is lost.
TEST_CASE("a run that is healed from an instant on is the same one before it") {
  const bool to_ordinary = GENERATE(false, true);
  scenario::scenario s = rough_town();
  s.drivers.drop_out = {
      .share = 0.1, .after = constant_duration{2s}, .back_after = constant_duration{2min}};
  s.clocks[0].timers = sim::timebase::wall;
  s.clocks[0].steps = {{8min, constant_duration{700ms}}, {14min, constant_duration{-2s}}};
  s.clocks[0].strobe = scenario::clock_strobe{
      .every = 1s, .by = constant_duration{150ms}, .from = 4min, .until = 18min};
  const whole_run whole = whole_run_of(s);
  for (const sim_duration healed :
       {sim_duration{0s}, sim_duration{5min + 300ms}, sim_duration{10min + 7s}}) {
    keeper branch;
    REQUIRE(engine::run(s,
                        {.seed = 1,
                         .fault_free_from = at(healed),
                         .keeps_ordinary_delays = to_ordinary,
                         .observers = {&branch}}));
    const auto count_before = [&](const history& h) {
      const auto end = std::find_if(
          h.all.begin(), h.all.end(), [&](const events::event& e) { return e.t >= at(healed); });
      return static_cast<std::size_t>(end - h.all.begin());
    };
    const std::size_t before = count_before(whole.seen);
    REQUIRE(count_before(branch) == before);
    CHECK(digest_of(branch, before) == digest_of(whole.seen, before));
    bool back = true;
    for (std::size_t i = before; i < branch.all.size(); ++i) {
      const events::event& e = branch.all[i];
      CHECK_FALSE(std::holds_alternative<events::message_lost>(e.what));
      CHECK_FALSE(std::holds_alternative<events::node_paused>(e.what));
      CHECK_FALSE(std::holds_alternative<events::node_crashed>(e.what));
      const bool returns = std::holds_alternative<events::node_resumed>(e.what) ||
                           std::holds_alternative<events::node_restarted>(e.what);
      back = back && (!returns || e.t == at(healed));
    }
    CHECK(back);
    CHECK_FALSE(branch.facts<events::trip_committed>().empty());
    CHECK(is_any_late_after(branch, at(healed)) == to_ordinary);
  }
}
