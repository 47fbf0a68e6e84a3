#include "matching.hpp"

using namespace dibs;
using namespace dibs::match;
using events::lease_ending;
using events::try_ending;

TEST_CASE("search: from the request to the driver's name, one thing after another") {
  matching m(plain_rules());
  m.want(the_ride);
  CHECK(m.last<messages::acquire>().driver == first_choice);
  CHECK(m.count<messages::offer>() == 0);
  m.hear(messages::lease_given{the_ride, first_choice, 1, first_token, 15s});
  CHECK(m.last<messages::offer>().deadline == 15s);
  CHECK(facts<events::offer_sent>(m.done).size() == 1);
  m.hear(messages::offer_answer{
      the_ride, first_choice, first_token, events::offer_response::accepted});
  CHECK(m.last<messages::confirm>().token == first_token);
  CHECK(m.count<messages::write>() == 0);
  m.hear(messages::confirm_taken{the_ride, first_choice, first_token});
  CHECK(m.last<messages::write>().token == first_token);
  CHECK(all_of<tell_of_driver>(m.done).empty());
  m.hear(messages::write_taken{the_ride, first_choice, first_token});
  REQUIRE(all_of<tell_of_driver>(m.done).size() == 1);
  CHECK(m.endings() == std::vector{try_ending::committed});
  m.want(the_ride);  // she had asked once more before she was told
  CHECK(m.done.empty());
}

TEST_CASE("search: who declines gives her lease back and is not asked again for the ride") {
  matching m(plain_rules());
  m.offer(the_ride, first_token);
  m.hear(messages::offer_answer{
      the_ride, first_choice, first_token, events::offer_response::declined});
  CHECK(m.last<messages::release>().cause == lease_ending::declined);
  CHECK(m.endings() == std::vector{try_ending::declined});
  CHECK(m.last<messages::acquire>().driver == second_choice);
  m.hear(messages::lease_refused{the_ride, second_choice, 2});
  m.view = {first_choice};
  m.now += 1s;
  m.hear(messages::retry_due{the_ride, 6});
  CHECK(m.count<messages::acquire>() == 0);
}

TEST_CASE("search: two rides of one matcher are not offered to one driver at once") {
  matching m(plain_rules());
  m.view = {first_choice};
  m.want(the_ride);
  m.want(ride_id{8});
  CHECK(m.count<messages::acquire>() == 0);
  CHECK(timers<messages::retry_due>(m.done).size() == 1);
}

TEST_CASE("search: a lease that comes too late is given back, and a copy of one in use is not") {
  matching m(plain_rules());
  m.offer(the_ride, first_token);
  m.hear(messages::lease_given{the_ride, first_choice, 1, first_token, 15s});
  CHECK(m.done.empty());
  m.hear(messages::lease_given{the_ride, first_choice, 1, token_id{12}, 15s});
  CHECK(m.last<messages::release>().token == token_id{12});
  m.accept(the_ride, first_token);
  m.hear(messages::write_taken{the_ride, first_choice, first_token});
  m.hear(messages::confirm_taken{the_ride, first_choice, first_token});
  CHECK(m.done.empty());  // written: a copy of the yes gives nothing back
}

TEST_CASE("search: a timer of an earlier step changes nothing") {
  matching m(plain_rules());
  m.want(the_ride);
  const messages::reply_timeout_due early = timers<messages::reply_timeout_due>(m.done)[0].what;
  m.hear(messages::lease_given{the_ride, first_choice, 1, first_token, 15s});
  m.hear(early);
  CHECK(m.done.empty());
}

TEST_CASE("search: the first manager that lets a call lie loses the lead, and the rest do not") {
  matcher_rules rules = plain_rules();
  rules.lease.standby.emplace();
  rules.matching.offers.cooldown_after_decline = 0s;
  matching m(rules);
  m.want(the_ride);
  const messages::reply_timeout_due of_first = timers<messages::reply_timeout_due>(m.done)[0].what;
  m.want(ride_id{8});
  const messages::reply_timeout_due of_second = timers<messages::reply_timeout_due>(m.done)[0].what;
  m.hear(of_first);
  CHECK(sent<messages::acquire>(m.done)[0].to == node_id{node_kind::lease_manager, 1});
  m.hear(of_second);
  CHECK(sent<messages::acquire>(m.done)[0].to == node_id{node_kind::lease_manager, 1});
}

TEST_CASE("search: a holder that judges trusts its lease up to the margin before its end") {
  const auto confirms = [](sim_duration before_end) {
    matcher_rules rules = plain_rules();
    rules.lease.judge = lease::judge::both;
    rules.lease.margin = 2s;
    matching m(rules);
    m.offer(the_ride, first_token);
    m.now += 15s - before_end;
    m.hear(messages::offer_answer{
        the_ride, first_choice, first_token, events::offer_response::accepted});
    return m.count<messages::confirm>() == 1;
  };
  CHECK(confirms(2s + 1ns));
  CHECK_FALSE(confirms(2s));
}

TEST_CASE("search: a matcher that was stopped goes on where it stood, or not at all") {
  matching m(plain_rules());
  m.offer(the_ride, first_token);
  m.is_stopped = true;
  m.hear(messages::offer_answer{
      the_ride, first_choice, first_token, events::offer_response::accepted});
  CHECK(m.count<messages::confirm>() == 0);
  const messages::resume_step rest{
      the_ride, first_choice, m.steps.back().search->step, m.steps.back().here, first_token, {}};
  REQUIRE(m.machine.stopped(rest) != nullptr);
  turn t(m.now);
  m.machine.go_on(t, *m.machine.stopped(rest), rest.after, rest.left, zone_id::none());
  CHECK(sent<messages::confirm>(t.actions()).size() == 1);
  CHECK(m.machine.stopped(rest) == nullptr);
}

TEST_CASE("search: an error loses the ride, and a tidy one gives the lease back") {
  for (const bool is_tidy : {false, true}) {
    matching m(plain_rules());
    m.offer(the_ride, first_token);
    turn t(m.now);
    m.machine.break_off(t, *m.steps.back().search, is_tidy);
    CHECK(sent<messages::release>(t.actions()).size() == (is_tidy ? 1U : 0U));
    m.hear(messages::offer_answer{
        the_ride, first_choice, first_token, events::offer_response::accepted});
    CHECK(m.done.empty());
  }
}

TEST_CASE("search: rides in line are tried again when somebody may be free, one after another") {
  matcher_rules rules = plain_rules();
  rules.matching.queue = true;
  matching m(rules);
  m.view = {};
  m.want(the_ride);
  m.want(ride_id{8});
  m.view = {first_choice};
  m.hear(messages::someone_free{});
  CHECK(m.last<messages::acquire>().ride == the_ride);
  m.hear(messages::lease_refused{the_ride, first_choice, 1});
  CHECK(all_of<call_line>(m.done).size() == 1);  // for ride 8 she was engaged here
}

TEST_CASE("search: a ride whose claim is lost is dropped, and its lease given back") {
  matcher_rules rules = plain_rules();
  rules.matching.claims.emplace();
  matching m(rules);
  m.want(the_ride);
  CHECK(m.count<messages::acquire>() == 0);
  m.hear(messages::claim_given{the_ride});
  m.hear(messages::lease_given{the_ride, first_choice, 1, first_token, 15s});
  m.accept(the_ride, first_token);
  CHECK(m.last<messages::claim_ride>().must_hold);
  CHECK(m.count<messages::write>() == 0);
  m.hear(messages::claim_refused{the_ride});
  CHECK(m.last<messages::release>().token == first_token);
  CHECK(m.endings() == std::vector{try_ending::displaced});
  m.hear(messages::claim_given{the_ride});
  CHECK(m.done.empty());
}

TEST_CASE("search: who only looks hands a ride on as soon as it has found somebody") {
  matcher_rules rules = plain_rules();
  rules.matching.count = 4;
  rules.lease.zones = lease::zone_options{.readers = 2};  // self is the third
  matching m(rules);
  m.want(the_ride);
  m.hear(messages::zone_given{zone_id{0}});
  CHECK(m.last<messages::want_ride>().ride == the_ride);
  CHECK(sent<messages::want_ride>(m.done)[0].to == node_of(matcher_id{0}));
  CHECK(m.count<messages::acquire>() == 0);
  m.hear(messages::withdraw_ride{the_ride});
  CHECK(m.last<messages::withdraw_ride>().ride == the_ride);
}
