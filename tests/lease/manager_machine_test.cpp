#include "lease/manager_machine.hpp"

#include "catch.hpp"
#include "lease/some_ids.hpp"
#include "listed_actions.hpp"

using namespace dibs;
using namespace dibs::lease;
using namespace dibs::lease::test;

namespace {

const asker matcher_1{node_of(m1)};

manager_rules two_drivers() { return {.drivers = 2, .matchers = 2}; }

/// A manager whose turns a test takes.
class managing {
 public:
  explicit managing(const manager_rules& rules = two_drivers()) : machine_(rules) {}

  template <class M, class... By>
  const std::vector<action>& hear(const M& m, const By&... by) {
    return take([&](turn& t) { machine_.on(t, m, by...); });
  }
  token_id grant(driver_id d, ride_id r, zone_id z = zone_id::none()) {
    const auto given =
        all_of<answer<messages::lease_given>>(hear(messages::acquire{r, d, m1, 1, z}, matcher_1));
    REQUIRE(given.size() == 1);
    return given[0].what.token;
  }
  const std::vector<action>& restart() {
    return take([&](turn& t) { machine_.restart(t); });
  }
  template <class Decision>
  const std::vector<action>& take(Decision decision) {
    turn t(now);
    decision(t);
    actions_.assign(t.actions().begin(), t.actions().end());
    return actions_;
  }

  local_time now = local_time{} + 1h;

 private:
  manager_machine machine_;
  std::vector<action> actions_;
};

template <class Fact, class Actions>
std::size_t count(const Actions& actions) {
  return facts<Fact>(actions).size();
}

}  // namespace

TEST_CASE("manager: a grant is a fact, a fence, a timer and an answer, in this order") {
  managing m;
  const auto& done = m.hear(messages::acquire{r1, d1, m1, 1, {}}, matcher_1);
  REQUIRE(done.size() == 4);
  CHECK(std::holds_alternative<fact<events::lease_granted>>(done[0]));
  CHECK(std::holds_alternative<message<messages::raise_fence>>(done[1]));
  CHECK(std::get<timer<messages::lease_due>>(done[2]).wait == 15s);
  CHECK(std::get<answer<messages::lease_given>>(done[3]).what.deadline == 15s);
}

TEST_CASE("manager: a retry of an acquire gets its answer again, and nothing else") {
  managing m;
  const token_id token = m.grant(d1, r1);
  const auto& again = m.hear(messages::acquire{r1, d1, m1, 1, {}}, matcher_1);
  REQUIRE(again.size() == 1);
  CHECK(std::get<answer<messages::lease_given>>(again[0]).what.token == token);
}

TEST_CASE("manager: a lease that runs out is reported to its holder, at the instant of expiry") {
  managing m;
  const token_id token = m.grant(d1, r1);
  m.now += 15s - 1ns;
  CHECK(m.hear(messages::lease_due{d1, token}).empty());
  m.now += 1ns;
  const auto& over = m.hear(messages::lease_due{d1, token});
  CHECK(count<events::lease_ended>(over) == 1);
  REQUIRE(sent<messages::lease_over>(over).size() == 1);
  CHECK(sent<messages::lease_over>(over)[0].to == node_of(m1));
}

TEST_CASE("manager: where leases are noticed late, the next acquire ends what is over") {
  manager_rules rules = two_drivers();
  rules.lease.cleanup.kind = cleanup::lazy;
  managing m(rules);
  (void)m.grant(d1, r1);
  m.now += 15s;
  const auto& done = m.hear(messages::acquire{r2, d2, m2, 1, {}}, asker{node_of(m2)});
  CHECK(count<events::lease_ended>(done) == 1);
  CHECK(all_of<lapse>(done).size() == 1);
  CHECK(timers<messages::lease_due>(done).empty());
}

TEST_CASE("manager: a driver who confirms is answered, and the holder hears of it") {
  managing m;
  const token_id token = m.grant(d1, r1);
  const auto& done = m.hear(messages::confirm{r1, d1, token}, asker{node_of(d1)});
  CHECK(count<events::confirm_accepted>(done) == 1);
  CHECK(all_of<answer<messages::answer_seen>>(done).size() == 1);
  REQUIRE(sent<messages::lease_converted>(done).size() == 1);
  CHECK(sent<messages::lease_converted>(done)[0].to == node_of(m1));
}

TEST_CASE("manager: a follower answers no command") {
  manager_rules rules = two_drivers();
  rules.self = 1;
  rules.lease.standby.emplace();
  manager_machine follower(rules);
  turn t(local_time{} + 1h);
  follower.on(t, messages::acquire{r1, d1, m1, 1, {}}, matcher_1);
  follower.on(t, messages::confirm{r1, d1, token_id{1}}, matcher_1);
  follower.on(t, messages::release{r1, d1, token_id{1}, {}}, matcher_1);
  CHECK(t.actions().empty());
}

TEST_CASE("manager: a jitter is drawn once for each grant, from a stream of the ride") {
  const auto granted_for = [](std::uint64_t seed, std::uint64_t key) {
    manager_rules rules = two_drivers();
    rules.seed = seed;
    rules.lease.jitter = 5s;
    managing m(rules);
    const auto& done = m.hear(messages::acquire{r1, d1, m1, 1, {}}, asker{node_of(m1), key});
    return timers<messages::lease_due>(done)[0].wait;
  };
  CHECK(granted_for(1, 7) == granted_for(1, 7));
  CHECK(granted_for(1, 7) != granted_for(2, 7));
  CHECK(granted_for(1, 7) != granted_for(1, 8));
  CHECK(granted_for(1, 7) >= 15s);
  CHECK(granted_for(1, 7) <= 20s);
}

TEST_CASE("manager: without its zone a matcher gets no driver, and loses those it has with it") {
  manager_rules rules = two_drivers();
  rules.lease.zones = zone_options{.ttl = 10s};
  managing m(rules);
  const zone_id z{3};
  CHECK(count<events::lease_denied>(m.hear(messages::acquire{r1, d1, m1, 1, z}, matcher_1)) == 1);
  CHECK(count<events::zone_granted>(m.hear(messages::claim_zone{z, m1})) == 1);
  const token_id token = m.grant(d1, r1, z);
  m.now += 10s - 1ns;
  CHECK(m.hear(messages::zone_due{z}).empty());
  m.now += 1ns;
  const auto& over = m.hear(messages::zone_due{z});
  CHECK(count<events::zone_ended>(over) == 1);
  REQUIRE(facts<events::lease_ended>(over).size() == 1);
  CHECK(facts<events::lease_ended>(over)[0].what.token == token);
  CHECK(sent<messages::zone_over>(over).size() == 1);
}

TEST_CASE(
    "manager: a claimed ride is another's work once its claim runs out, unless it was served") {
  for (const bool is_served : {false, true}) {
    manager_rules rules = two_drivers();
    rules.claims = claim_options{.ttl = 10s};
    managing m(rules);
    CHECK(count<events::ride_claimed>(m.hear(messages::claim_ride{r1, m1, 1, false})) == 1);
    if (is_served) {
      (void)m.hear(messages::claim_done{r1, m2, 1, true});
    }
    m.now += 10s;
    const auto& due = m.hear(messages::claim_due{r1});
    CHECK(count<events::ride_claim_ended>(due) == 1);
    const auto taken = sent<messages::take_over>(due);
    REQUIRE(taken.size() == (is_served ? 0U : 1U));
    CHECK((is_served || taken[0].to == node_of(m2)));
    const auto& again = m.hear(messages::claim_ride{r1, m2, 1, false});
    CHECK(all_of<answer<messages::claim_refused>>(again).size() == (is_served ? 1U : 0U));
  }
}

TEST_CASE("manager: a claim that must be held is not given anew") {
  manager_rules rules = two_drivers();
  rules.claims = claim_options{.ttl = 10s};
  managing m(rules);
  const auto& lost = m.hear(messages::claim_ride{r1, m1, 1, true});
  CHECK(all_of<answer<messages::claim_refused>>(lost).size() == 1);
}

TEST_CASE("manager: one that comes back sets its timers again, by what it knows of its leases") {
  const auto waits = [](after_restart leases) {
    manager_rules rules = two_drivers();
    rules.lease.restart.leases = leases;
    managing m(rules);
    (void)m.grant(d1, r1);
    m.now += 5s;
    const auto& done = m.restart();
    CHECK(count<events::lease_reset>(done) == (leases == after_restart::extended ? 1U : 0U));
    CHECK(count<events::lease_ended>(done) == (leases == after_restart::forgotten ? 1U : 0U));
    const auto due = timers<messages::lease_due>(done);
    return due.empty() ? sim_duration::zero() : due[0].wait;
  };
  CHECK(waits(after_restart::kept) == 10s);
  CHECK(waits(after_restart::extended) == 15s);
  CHECK(waits(after_restart::forgotten) == 0s);
}

TEST_CASE("manager: a lease that is given back too soon is watched until it may end") {
  auto rules = two_drivers();
  rules.lease.hold_min = 5s;
  managing m(rules);
  const token_id token = m.grant(d1, r1);
  m.now += 2s;
  const messages::release back{r1, d1, token, events::lease_ending::declined};
  const auto kept = m.hear(back, matcher_1);
  CHECK(count<events::lease_ended>(kept) == 0);
  REQUIRE(timers<messages::lease_due>(kept).size() == 1);
  CHECK(timers<messages::lease_due>(kept)[0].wait == 3s);
  m.now += 3s;
  const auto over = m.hear(messages::lease_due{d1, token});
  REQUIRE(count<events::lease_ended>(over) == 1);
  CHECK(facts<events::lease_ended>(over)[0].what.cause == events::lease_ending::released);
}

TEST_CASE("manager: expiry is judged by the requester's clock where that is said") {
  auto rules = two_drivers();
  rules.lease.clock = expiry_clock::requester;
  const auto is_granted_to_second = [&](sim_duration ahead) {
    managing m(rules);
    m.hear(messages::acquire{r1, d1, m1, 1, {}}, asker{node_of(m1), 0, m.now});
    const auto& second =
        m.hear(messages::acquire{r2, d1, m2, 1, {}}, asker{node_of(m2), 0, m.now + ahead});
    return count<events::lease_granted>(second) == 1;
  };
  CHECK_FALSE(is_granted_to_second(15s - 1ns));
  CHECK(is_granted_to_second(15s));
}

TEST_CASE("manager: a sweep on an old read ends what it read, or whatever is there by then") {
  for (const sweep_check check : {sweep_check::again, sweep_check::once}) {
    auto rules = two_drivers();
    rules.lease.cleanup.kind = cleanup::periodic;
    rules.lease.cleanup.every = 10s;
    rules.lease.cleanup.lag = 2s;
    rules.lease.cleanup.check = check;
    managing m(rules);
    const token_id old = m.grant(d1, r1);
    m.now += 20s;
    const auto read = m.hear(messages::sweep_due{});
    CHECK(count<events::lease_ended>(read) == 0);
    CHECK(timers<messages::sweep_acts_due>(read)[0].wait == 2s);
    m.now += 1s;  // its holder gives it back, late, and another ride gets her
    m.hear(messages::release{r1, d1, old, events::lease_ending::declined}, matcher_1);
    const token_id next = m.grant(d1, r2);
    m.now += 1s;
    const auto done = facts<events::lease_ended>(m.hear(messages::sweep_acts_due{}));
    if (check == sweep_check::again) {
      CHECK(done.empty());
    } else {
      REQUIRE(done.size() == 1);
      CHECK(done[0].what.token == next);
    }
  }
}
