#include "world/driver_phone.hpp"

#include "catch.hpp"

#include <cmath>

using namespace dibs;
using namespace dibs::world;
using events::offer_response;

namespace {

constexpr ride_id ride{1};
constexpr node_id matcher{node_kind::matcher, 0};

driver_phone::shown_offer offer_of(std::uint64_t token, bool is_due = true) {
  return {token_id{token}, ride, matcher, offer_response::accepted, true, is_due};
}

answer_plan plan_for(const answer_habits& habits, sim_duration response, sim_duration window) {
  auto draws = stream::keyed(1, purpose::answer, 2, 3, 0);
  return plan_answer(habits, constant_duration{response}, draws, window);
}

}  // namespace

TEST_CASE("driver phone: an answer is in time before the deadline, and late from there on") {
  const answer_habits willing{.accept = 1};
  const auto in_time = plan_for(willing, 10s - 1ns, 10s);
  CHECK(in_time.in_time);
  CHECK(in_time.answer == offer_response::accepted);
  CHECK(in_time.after == 10s - 1ns);
  const auto late = plan_for(willing, 10s, 10s);
  CHECK_FALSE(late.in_time);
  CHECK(late.is_due);  // an accept is given all the same
  CHECK_FALSE(plan_for(willing, forever, forever).is_due);
}

TEST_CASE("driver phone: a late no is given only where late answers are sent") {
  CHECK_FALSE(plan_for({.accept = 0}, 10s, 10s).is_due);
  CHECK(plan_for({.accept = 0, .answers_late = true}, 10s, 10s).is_due);
  CHECK(plan_for({.accept = 0}, 9s, 10s).answer == offer_response::declined);
  CHECK_FALSE(plan_for({.accept = 0, .ignore = 1, .answers_late = true}, 9s, 10s).is_due);
}

TEST_CASE("driver phone: what would fail may be declined at once, and nothing else is") {
  const answer_habits hasty{.accept = 1, .fails_at_once = true};
  const auto foregone = plan_for(hasty, 10s, 10s);
  CHECK(foregone.is_foregone);
  CHECK(foregone.answer == offer_response::declined);
  CHECK(foregone.after == 0s);
  CHECK_FALSE(plan_for(hasty, 9s, 10s).is_foregone);
}

TEST_CASE("driver phone: an offer is answered once, and copies of it are known") {
  for (const bool copies_come : {false, true}) {
    driver_phone phone;
    phone.show(offer_of(1));
    CHECK(phone.knows(token_id{1}));
    REQUIRE(phone.answer(token_id{1}, copies_come));
    CHECK_FALSE(phone.answer(token_id{1}, copies_come));
    phone.show(offer_of(2));
    CHECK(phone.answer(token_id{2}, copies_come)->from == matcher);
    CHECK(phone.knows(token_id{2}));
    CHECK(phone.knows(token_id{1}) == copies_come);
  }
}

TEST_CASE("driver phone: an offer that ran out is not seen, but may be answered") {
  driver_phone phone;
  phone.show(offer_of(1));
  CHECK(phone.is_looked_at());
  CHECK(phone.time_out(token_id{1}));
  CHECK_FALSE(phone.is_looked_at());
  CHECK_FALSE(phone.time_out(token_id{2}));
  CHECK_FALSE(phone.answer(token_id{1}, false)->visible);
}

TEST_CASE("driver phone: of what she ignored the last eight are kept, for copies") {
  driver_phone phone;
  for (std::uint64_t n = 1; n <= 8; ++n) {
    phone.show(offer_of(n, false));
    REQUIRE(phone.time_out(token_id{n}));
  }
  CHECK(phone.knows(token_id{1}));
  phone.show(offer_of(9, false));
  CHECK_FALSE(phone.knows(token_id{1}));
  CHECK(phone.knows(token_id{2}));
}

TEST_CASE("driver phone: an offer is taken back from who still sees it") {
  driver_phone phone;
  phone.show(offer_of(1));
  phone.show(offer_of(2));
  REQUIRE(phone.time_out(token_id{2}));
  CHECK(phone.take_back(token_id{1}));
  CHECK_FALSE(phone.take_back(token_id{2}));
  CHECK_FALSE(phone.answer(token_id{2}, false));
}

TEST_CASE("driver phone: what she sees is dropped in the order in which it came") {
  driver_phone phone;
  phone.show(offer_of(3));
  phone.show(offer_of(1));
  phone.show(offer_of(2));
  REQUIRE(phone.time_out(token_id{1}));
  CHECK(phone.drop_visible() == driver_phone::tokens{token_id{3}, token_id{2}});
  CHECK(phone.answer(token_id{1}, false));
}

TEST_CASE("driver phone: each minute to the pick-up changes the odds and the time of an answer") {
  const answer_habits near{.accept = 0.8, .ignore = 0.05};
  const pickup_effect effect{.accept_odds = 0.8, .response = 1.5};
  const answer_habits far = near.asked_from(2min, effect);
  CHECK(far.accept == Approx(2.56 / 3.56));  // odds of 4, times 0.64
  CHECK(far.ignore == Approx(0.05 * (1 - far.accept) / 0.2));
  CHECK(far.slower == Approx(2.25));
  CHECK(near.asked_from(0s, effect).accept == Approx(0.8));
  CHECK(near.asked_from(30s, effect).accept ==
        Approx(4 * std::sqrt(0.8) / (1 + 4 * std::sqrt(0.8))));
  CHECK(near.asked_from(9h, effect).slower == near.asked_from(1h, effect).slower);
  CHECK(near.asked_from(1h, pickup_effect{}).accept == 0.8);
  CHECK(answer_habits{.accept = 1}.asked_from(1h, effect).accept == 1);
  CHECK(answer_habits{.accept = 0, .ignore = 0.4}.asked_from(1h, effect).ignore == Approx(0.4));
}

TEST_CASE("driver phone: who takes longer to answer may be late") {
  const answer_habits slow{.accept = 1, .slower = 1.5};
  CHECK(plan_for(slow, 6s, 9s + 1ns).after == 9s);
  CHECK(plan_for(slow, 6s, 9s + 1ns).in_time);
  CHECK_FALSE(plan_for(slow, 6s, 9s).in_time);
  CHECK_FALSE(plan_for(slow, forever, forever).is_due);
}
