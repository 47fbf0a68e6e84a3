// Rides of which a matcher has several offers open, and riders who have the last word.

#include "matching.hpp"

using namespace dibs;
using namespace dibs::match;
using events::lease_ending;
using events::offer_response;
using events::try_ending;

namespace {

constexpr token_id second_token{12};

matcher_rules two_at_once() {
  matcher_rules rules = plain_rules();
  rules.matching.offers.open = 2;
  return rules;
}

/// The second try begins with a timer, be it at once.
messages::retry_due start_of_second(const matching& m) {
  const auto all = timers<messages::retry_due>(m.done);
  REQUIRE(all.size() == 1);
  return all[0].what;
}

/// Up to two open offers.
void offer_to_both(matching& m) {
  m.want(the_ride);
  const auto second = start_of_second(m);
  const std::uint32_t request = m.last<messages::acquire>().request;
  m.hear(second);
  const auto asked = m.last<messages::acquire>();
  REQUIRE(asked.driver == second_choice);
  m.hear(messages::lease_given{the_ride, second_choice, asked.request, second_token, 15s});
  m.hear(messages::lease_given{the_ride, first_choice, request, first_token, 15s});
  REQUIRE(m.last<messages::offer>().token == first_token);
}

}  // namespace

TEST_CASE("tries: two offers of a ride go out, the second after the stagger") {
  matcher_rules rules = two_at_once();
  rules.matching.offers.stagger = 8s;
  matching m(rules);
  m.want(the_ride);
  CHECK(timers<messages::retry_due>(m.done)[0].wait == 8s);
  CHECK(m.last<messages::acquire>().driver == first_choice);
  m.hear(start_of_second(m));
  CHECK(m.last<messages::acquire>().driver == second_choice);
}

TEST_CASE("tries: the first accept counts, and the other offer is taken back when it is written") {
  for (const bool is_second : {false, true}) {
    matching m(two_at_once());
    offer_to_both(m);
    const driver_id quick = is_second ? second_choice : first_choice;
    const driver_id slow = is_second ? first_choice : second_choice;
    const token_id taken = is_second ? second_token : first_token;
    const token_id other = is_second ? first_token : second_token;
    m.hear(messages::offer_answer{the_ride, quick, taken, offer_response::accepted});
    CHECK(m.last<messages::confirm>().token == taken);
    m.hear(messages::confirm_taken{the_ride, quick, taken});
    CHECK(m.last<messages::write>().driver == quick);
    CHECK(m.count<messages::withdraw_offer>() == 0);
    m.hear(messages::write_taken{the_ride, quick, taken});
    CHECK(sent<messages::withdraw_offer>(m.done)[0].to == node_of(slow));
    CHECK(m.last<messages::release>().token == other);
    CHECK(m.last<messages::release>().cause == lease_ending::cancelled);
    CHECK(m.endings() == std::vector{try_ending::committed, try_ending::withdrawn});
  }
}

TEST_CASE("tries: who accepts second is turned away, and may be asked again if the first fails") {
  matching m(two_at_once());
  offer_to_both(m);
  m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::accepted});
  m.hear(messages::offer_answer{the_ride, second_choice, second_token, offer_response::accepted});
  CHECK(m.last<messages::release>().token == second_token);
  CHECK(m.endings() == std::vector{try_ending::withdrawn});
  CHECK(m.count<messages::acquire>() == 0);  // nobody is asked while an accept is under way
  const auto waits = timers<messages::retry_due>(m.done)[0].what;
  m.hear(messages::confirm_denied{the_ride, first_choice, first_token, token_id::none()});
  CHECK(m.last<messages::acquire>().driver == second_choice);
  m.hear(waits);
  CHECK(m.count<messages::acquire>() == 0);  // both drivers are out
}

TEST_CASE("tries: together they are no more than the maximum, and the last one fails the ride") {
  matcher_rules rules = two_at_once();
  rules.matching.offers.max = 2;
  matching m(rules);
  offer_to_both(m);
  m.view = {driver_id{3}, driver_id{4}};
  m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::declined});
  CHECK(m.count<messages::acquire>() == 0);
  CHECK(all_of<messages::unserved>(m.done).empty());  // the second still has her offer
  m.hear(messages::offer_answer{the_ride, second_choice, second_token, offer_response::declined});
  CHECK(m.count<messages::acquire>() == 0);
  CHECK(all_of<messages::unserved>(m.done).size() == 1);
}

TEST_CASE("tries: what is about to be offered counts towards the maximum") {
  matcher_rules rules = two_at_once();
  rules.matching.offers.max = 1;
  matching m(rules);
  m.want(the_ride);
  m.hear(start_of_second(m));
  CHECK(m.count<messages::acquire>() == 0);
}

TEST_CASE("tries: an error, a withdrawal and the end of the time take all of them") {
  for (const bool is_tidy : {false, true}) {
    matching m(two_at_once());
    offer_to_both(m);
    turn t(m.now);
    m.machine.break_off(t, *m.steps.back().search, is_tidy);
    CHECK(sent<messages::release>(t.actions()).size() == (is_tidy ? 2U : 0U));
  }
  matching withdrawn(two_at_once());
  offer_to_both(withdrawn);
  withdrawn.hear(messages::withdraw_ride{the_ride});
  CHECK(withdrawn.count<messages::release>() == 2);
  CHECK(withdrawn.count<messages::withdraw_offer>() == 2);
  matching over(two_at_once());
  offer_to_both(over);
  over.hear(messages::search_timeout_due{the_ride, 0});
  CHECK(over.count<messages::release>() == 2);
  CHECK(all_of<messages::unserved>(over.done).size() == 1);
}

TEST_CASE("tries: the time for a ride does not end while one of its drivers has accepted") {
  matching m(two_at_once());
  offer_to_both(m);
  m.hear(messages::offer_answer{the_ride, second_choice, second_token, offer_response::accepted});
  m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::declined});
  m.hear(messages::search_timeout_due{the_ride, 0});
  CHECK(all_of<messages::unserved>(m.done).empty());
}

TEST_CASE("tries: a copy of either yes to an acquire gives nothing back") {
  matching m(two_at_once());
  offer_to_both(m);
  m.hear(messages::lease_given{the_ride, second_choice, 2, second_token, 15s});
  CHECK(m.done.empty());
  m.hear(messages::confirm_taken{the_ride, second_choice, second_token});
  CHECK(m.done.empty());
}

TEST_CASE("rider: she is asked about who has accepted, and what she says is confirmed") {
  matcher_rules rules = plain_rules();
  rules.rider_confirms = 60s;
  matching m(rules);
  m.offer(the_ride, first_token);
  m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::accepted});
  CHECK(all_of<messages::confirm_wanted>(m.done).size() == 1);
  CHECK(m.count<messages::confirm>() == 0);
  m.hear(messages::rider_confirmed{the_ride, second_token});
  CHECK(m.done.empty());
  m.hear(messages::rider_confirmed{the_ride, first_token});
  CHECK(m.last<messages::confirm>().token == first_token);
}

TEST_CASE("rider: without her word the driver is given back, and a lease that is over is no more") {
  matcher_rules rules = plain_rules();
  rules.rider_confirms = 60s;
  const auto asked = [&] {
    matching m(rules);
    m.offer(the_ride, first_token);
    m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::accepted});
    return m;
  };
  matching silent = asked();
  const auto timeout = timers<messages::reply_timeout_due>(silent.done)[0];
  CHECK(timeout.wait == 60s + rules.matching.reply_timeout);
  silent.hear(timeout.what);
  CHECK(silent.last<messages::release>().token == first_token);
  CHECK(silent.endings() == std::vector{try_ending::no_reply});
  matching gone = asked();
  gone.hear(messages::withdraw_ride{the_ride});
  CHECK(gone.last<messages::release>().cause == lease_ending::cancelled);
  matching lost = asked();
  lost.hear(messages::lease_over{the_ride, first_choice, first_token, lease_ending::expired});
  CHECK(lost.endings() == std::vector{try_ending::lease_lost});
}

TEST_CASE("rider: a holder that judges asks its clock again when she has spoken") {
  matcher_rules rules = plain_rules();
  rules.rider_confirms = 60s;
  rules.lease.judge = lease::judge::both;
  matching m(rules);
  m.offer(the_ride, first_token);
  m.hear(messages::offer_answer{the_ride, first_choice, first_token, offer_response::accepted});
  m.now += 20s;
  m.hear(messages::rider_confirmed{the_ride, first_token});
  CHECK(m.count<messages::confirm>() == 0);
  CHECK(m.last<messages::release>().token == first_token);
}
