#include "lease/leadership_machine.hpp"

#include "catch.hpp"
#include "lease/some_ids.hpp"
#include "listed_actions.hpp"

using namespace dibs;
using namespace dibs::lease;
using namespace dibs::lease::test;

namespace {

constexpr node_id second_manager{node_kind::lease_manager, 1};

manager_rules rules_of(std::uint32_t self) {
  manager_rules rules{.self = self, .drivers = 2, .matchers = 3};
  rules.lease.standby.emplace();
  return rules;
}

/// A manager with its table, one of two.
struct one_of_two {
  explicit one_of_two(std::uint32_t self)
      : rules(rules_of(self)),
        leases({.protocol = rules_of_protocol(), .ttl = 15s}, 2),
        lead(rules) {}

  static lease::rules rules_of_protocol() { return lease::rules_of(protocol::fenced); }

  manager_rules rules;
  machine leases;
  leadership_machine lead;
};

local_time after(sim_duration d) { return local_time{} + d; }

/// What the follower hears of the leader's words about a driver.
messages::follow_lease word_about(one_of_two& leader, driver_id d) {
  turn t(after(0s));
  leader.lead.tell_lease(t, leader.leases, d);
  REQUIRE(sent<messages::follow_lease>(t.actions()).size() == 1);
  return sent<messages::follow_lease>(t.actions())[0].what;
}

}  // namespace

TEST_CASE("leadership: without a standby a manager leads and tells nobody") {
  manager_rules alone = rules_of(0);
  alone.lease.standby.reset();
  leadership_machine lead(alone);
  turn t(after(0s));
  lead.start(t);
  lead.come_back();
  lead.tell_trip(t, d1, token_id{1});
  CHECK(lead.leads());
  CHECK(t.actions().empty());
}

TEST_CASE("leadership: a word that was overtaken changes nothing at the follower") {
  one_of_two leader(0);
  one_of_two follower(1);
  REQUIRE(std::holds_alternative<granted>(leader.leases.acquire(d1, r1, m1, after(0s))));
  const auto older = word_about(leader, d1);
  (void)leader.leases.release(d1, older.token, events::lease_ending::released);
  const auto newer = word_about(leader, d1);
  follower.lead.hear(newer, follower.leases);
  follower.lead.hear(older, follower.leases);
  CHECK(follower.leases.pending().empty());
  follower.lead.hear(word_about(leader, d2), follower.leases);
  CHECK(follower.leases.pending().empty());
}

TEST_CASE("leadership: a leader believes no words, and the words of a newer term count as newer") {
  one_of_two old_leader(0);
  one_of_two new_leader(1);
  one_of_two listener(1);
  REQUIRE(std::holds_alternative<granted>(old_leader.leases.acquire(d1, r1, m1, after(0s))));
  for (int i = 0; i < 5; ++i) {
    (void)word_about(old_leader, d1);
  }
  const auto old_word = word_about(old_leader, d1);
  turn t(after(5s));
  REQUIRE(new_leader.lead.takes_the_lead(t, {0}, new_leader.leases));
  listener.lead.hear(word_about(new_leader, d1), listener.leases);
  listener.lead.hear(old_word, listener.leases);
  CHECK(listener.leases.pending().empty());
  new_leader.lead.hear(old_word, new_leader.leases);
  CHECK(new_leader.leases.pending().empty());
}

TEST_CASE("leadership: the follower leads once no heartbeat has come since, in a term of its own") {
  one_of_two follower(1);
  turn t(after(0s));
  follower.lead.start(t);
  const auto silent = timers<messages::leader_silent>(t.actions());
  REQUIRE(silent.size() == 1);
  CHECK(silent[0].wait == 5s);
  turn beat(after(4s));
  follower.lead.hear(beat, messages::lead_heartbeat{1}, follower.leases);
  turn due(after(5s));
  CHECK_FALSE(follower.lead.takes_the_lead(due, silent[0].what, follower.leases));
  turn later_due(after(9s));
  CHECK(follower.lead.takes_the_lead(
      later_due, timers<messages::leader_silent>(beat.actions())[0].what, follower.leases));
  CHECK(sent<messages::leader_is>(later_due.actions()).size() == 3);
  REQUIRE(facts<events::leader_changed>(later_due.actions()).size() == 1);
  CHECK(facts<events::leader_changed>(later_due.actions())[0].what.term == 2);
}

TEST_CASE("leadership: a leader steps down before a newer term alone, and names what it granted") {
  one_of_two leader(0);
  REQUIRE(std::holds_alternative<granted>(leader.leases.acquire(d1, r1, m1, after(0s))));
  turn same(after(1s));
  leader.lead.hear(same, messages::lead_heartbeat{1}, leader.leases);
  CHECK(leader.lead.leads());
  turn newer(after(2s));
  leader.lead.hear(newer, messages::lead_heartbeat{2}, leader.leases);
  CHECK_FALSE(leader.lead.leads());
  REQUIRE(sent<messages::lease_in_doubt>(newer.actions()).size() == 1);
  CHECK(sent<messages::lease_in_doubt>(newer.actions())[0].to == second_manager);
  CHECK(sent<messages::catch_up>(newer.actions()).size() == 1);
  turn older(after(3s));
  leader.lead.hear(older, messages::lead_heartbeat{1}, leader.leases);
  CHECK(older.actions().empty());
}

TEST_CASE("leadership: a doubtful lease is forgotten once, and not if the new leader knows it") {
  one_of_two leader(1);
  const messages::lease_in_doubt doubt{r1, d1, token_id{4}, m1};
  CHECK_FALSE(leader.lead.forget_doubtful(doubt));  // it follows
  turn t(after(5s));
  REQUIRE(leader.lead.takes_the_lead(t, {0}, leader.leases));
  const auto ended = leader.lead.forget_doubtful(doubt);
  REQUIRE(ended);
  CHECK(ended->cause == events::lease_ending::forgotten);
  CHECK_FALSE(leader.lead.forget_doubtful(doubt));
  CHECK_FALSE(leader.lead.forget_doubtful({r1, d1, token_id{3}, m1}));
}

TEST_CASE("leadership: who comes back follows, and acts on expiries only where it may") {
  one_of_two leader(0);
  leader.lead.come_back();
  CHECK_FALSE(leader.lead.leads());
  CHECK_FALSE(leader.lead.acts_on_expiry());
  leader.rules.lease.standby->old_leader_acts = true;
  CHECK(leader.lead.acts_on_expiry());
}
