#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;

TEST_CASE("run checker: an empty history keeps every promise", "[checkers]") {
  const check_result j = judged({}, fenced(), 100s);
  CHECK(j.kept());
  CHECK(j.judged == fenced().promises);
  CHECK(j.violation_count == 0);
}

TEST_CASE("run checker: what was never promised is not judged", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(1s).grant(2, 3, 11).confirm(1).commit(1).commit(2);
  options nothing_promised = fenced();
  nothing_promised.promises = 0;
  const check_result j = judged(h.events(), nothing_promised, 100s);
  CHECK(j.kept());
  CHECK(j.violation_count == 0);
  CHECK(j.violations.empty());
  CHECK_FALSE(judged(h.events(), fenced(), 100s).kept());
}

TEST_CASE("run checker: a violation says when, where and what", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).grant(2, 4, 11).at(7s).grant(3, 3, 12).end(3).at(9s).end(2);
  const check_result j = judged(h.events(), under(lease::protocol::lease), 10s);
  REQUIRE_FALSE(j.violations.empty());
  CHECK(j.violations[0].broken == invariant::one_live_lease);
  CHECK(j.violations[0].t == at(7s));
  CHECK(j.violations[0].event_index == 2);
  CHECK(j.violations[0].what == "driver 4 is held by rides 11 and 13 (tokens 1 and 3)");
}

TEST_CASE("run checker: all violations are counted, the first twenty told, in order",
          "[checkers]") {
  history h;
  for (std::uint32_t i = 0; i < 50; ++i) {
    h.at(i * 1s).commit_new(i + 1, i, i);
  }
  const check_result j = judged(h.events(), fenced(), 100s);
  CHECK(j.violation_count == 50);
  REQUIRE(j.violations.size() == 20);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(j.violations[i].event_index == i);
  }
}

TEST_CASE("run checker: what happened long ago counts as if it were just now", "[checkers]") {
  history h;
  h.at(0s).commit_new(1, 0, 0);
  const std::uint32_t many = 300'000;
  for (std::uint32_t i = 2; i < many; ++i) {
    h.at(i * 1ms).grant(i, 1 + i % 7, i).end(i);
  }
  const bool only_touch = GENERATE(false, true);
  h.at(600s).commit_new(many, 0, many);
  if (only_touch) {
    h.trip_end(1);
  }
  run_checker one_by_one(fenced());
  for (const events::event& e : h.events()) {
    one_by_one.observe({&e, 1});
  }
  const check_result j = one_by_one.finish(at(700s));
  CHECK(j.violation_count > 0);
  const auto bit = static_cast<int>(invariant::no_double_commit);
  CHECK((j.broken >> bit & 1U) == (only_touch ? 0U : 1U));
}

TEST_CASE("run checker: how events are batched changes nothing", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).confirm(1).commit(1).grant(2, 4, 10).confirm(2).commit(2);
  h.at(5s).grant(3, 3, 11).at(9s).end(3).end(3);
  run_checker one_by_one(fenced());
  for (const events::event& e : h.events()) {
    one_by_one.observe({&e, 1});
  }
  const check_result a = one_by_one.finish(at(20s));
  const check_result b = judged(h.events(), fenced(), 20s);
  CHECK(a.broken == b.broken);
  CHECK(a.violation_count == b.violation_count);
  REQUIRE(a.violations.size() == b.violations.size());
  for (std::size_t i = 0; i < a.violations.size(); ++i) {
    CHECK(a.violations[i].what == b.violations[i].what);
    CHECK(a.violations[i].event_index == b.violations[i].event_index);
  }
}

// The nine micro-histories of the metrics' tests, as far as they are about invariants.

TEST_CASE("run checker: micro 1, a clean commit", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).at(1s).grant(1, 1, 1).at(6s).confirm(1).commit(1).promise(1).at(60s).trip_end(
      1);
  CHECK(broken_in(h) == nothing);
}

TEST_CASE("run checker: micro 2, expiry at the exact deadline", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(15s).expire(1).refuse(1, events::confirm_refusal::no_lease);
  CHECK(broken_in(h) == nothing);
}

TEST_CASE("run checker: micro 3, an accept lost to latency", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(15s).expire(1);
  CHECK(broken_in(h.at(15300ms).refuse(1, events::confirm_refusal::no_lease)) == nothing);
}

TEST_CASE("run checker: micro 4, a double commit without fencing", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(15s).expire(1).grant(2, 1, 2).at(16s).confirm(2).commit(2);
  h.promise(2).at(17s).confirm(1).commit(1).promise(1);
  h.at(17500ms).revoke(1, events::revocation::no_show).at(50s).trip_end(2);
  CHECK(broken_in(h) == codes{"S3", "S4", "S10"});
}

TEST_CASE("run checker: micro 5, the same history with fencing", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(15s).expire(1).grant(2, 1, 2).at(16s).confirm(2).commit(2);
  h.promise(2).at(17s).refuse(1, events::confirm_refusal::other_token).at(50s).trip_end(2);
  CHECK(broken_in(h) == nothing);
}

TEST_CASE("run checker: micro 6, a zombie and a sweeper", "[checkers][micro]") {
  auto swept = fenced();
  swept.overstay = 10s;
  history h;
  h.at(0s).online(1).at(2s).grant(1, 1, 1).at(20s).end(1, lease_ending::swept);
  CHECK(broken_in(h, swept) == nothing);
}

TEST_CASE("run checker: micro 7, an early clean-up", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(12s).end(1).at(13s);
  CHECK(broken_in(h.refuse(1, events::confirm_refusal::no_lease)) == nothing);
}

TEST_CASE("run checker: micro 8, touching trips and a repeated confirm", "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(1, 1, 1).at(4s).confirm(1).commit(1).at(4200ms).confirm_again(1);
  h.at(40s).trip_end(1).grant(2, 1, 2).at(41s).confirm(2).commit(2).at(70s).trip_end(2);
  CHECK(broken_in(h) == nothing);
}

TEST_CASE("run checker: micro 9, two live leases, an old token, a second end",
          "[checkers][micro]") {
  history h;
  h.at(0s).online(1).grant(5, 1, 1).at(1s).grant(4, 1, 2).at(15s).expire(5);
  h.at(16s).expire(4).at(17s).expire(4);
  const codes broken = broken_in(h);
  CHECK(broken.contains("S1"));
  CHECK(broken.contains("S2"));
  CHECK(broken.contains("S7"));
}
