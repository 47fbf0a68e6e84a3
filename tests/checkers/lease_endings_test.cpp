#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::lease_ending;

namespace {

history granted() {
  history h;
  return h.at(5s).grant(1, 3, 10);
}

const auto timer = fenced();

const auto holder_judges = [] {
  auto what = fenced();
  what.confirms = false;
  return what;
}();

}  // namespace

TEST_CASE("endings: each way to end a lease is legal once", "[checkers]") {
  CHECK(broken_in(granted().at(20s).expire(1)) == nothing);
  CHECK(broken_in(granted().at(20s).end(1, lease_ending::swept)) == nothing);
  CHECK(broken_in(granted().at(8s).decline(1)) == nothing);
  CHECK(broken_in(granted().at(8s).end(1, lease_ending::released)) == nothing);
  CHECK(broken_in(granted().at(8s).end(1, lease_ending::cancelled)) == nothing);
  CHECK(broken_in(granted().at(8s).confirm(1).commit(1)) == nothing);
  CHECK(broken_in(granted().at(8s).confirm(1).deny_write(1).end(
            1, lease_ending::denied_by_ledger)) == nothing);
  CHECK(broken_in(granted().at(8s).confirm(1).at(38s).end(1, lease_ending::unwritten)) == nothing);
}

TEST_CASE("endings: a second end breaks S7", "[checkers]") {
  CHECK(broken_in(granted().at(20s).expire(1).end(1)).contains("S7"));
}

TEST_CASE("endings: an end of a token that was never granted breaks S7", "[checkers]") {
  history unknown;
  unknown.add(events::lease_ended{token_id{9}, driver_id{3}, ride_id{1}, lease_ending::expired});
  CHECK(broken_in(unknown).contains("S7"));
  history other_driver = granted();
  other_driver.add(events::lease_ended{token_id{1}, driver_id{4}, ride_id{1}, {}}).end(1);
  CHECK(broken_in(other_driver).contains("S7"));
  history unleased;
  unleased.at(0s).commit_new(1, 3, 10).end(1);
  CHECK(broken_in(unleased).contains("S7"));
}

TEST_CASE("endings: a manager that lost the ledger's word may end a lease that became a trip",
          "[checkers]") {
  history h = granted();
  h.at(6s).confirm(1).at(7s).commit(1).lose_word(1).at(36s);
  CHECK(broken_in(history(h).end(1, lease_ending::unwritten)) == nothing);
  CHECK(broken_in(history(h).end(1, lease_ending::released)) == nothing);
  CHECK(broken_in(history(h).end(1, lease_ending::denied_by_ledger)).contains("S7"));
  CHECK(
      broken_in(
          history(h).answer(1, events::offer_response::declined).end(1, lease_ending::declined)) ==
      codes{"S7"});
  CHECK(
      broken_in(h.end(1, lease_ending::unwritten).end(1, lease_ending::unwritten)).contains("S7"));
}

TEST_CASE("endings: where the holder judges, the ledger and a timer may both end a lease",
          "[checkers]") {
  history h = granted();
  CHECK(broken_in(history(h).at(19s).commit(1).lose_word(1).at(20s).expire(1).at(40s).trip_end(1),
                  holder_judges) == nothing);
  CHECK(broken_in(history(h).at(20s).expire(1).at(21s).commit(1).at(40s).trip_end(1),
                  holder_judges) == nothing);
  // The trip is over, and the manager has not heard of it.
  h.at(6s).commit(1).lose_word(1).at(7s).trip_end(1);
  CHECK(broken_in(h.at(20s).expire(1), holder_judges) == nothing);
}

TEST_CASE("endings: where the manager commits, it knows", "[checkers]") {
  auto at_manager = fenced();
  at_manager.commit_at_manager = true;
  history h = granted();
  h.at(6s).confirm(1).commit(1);
  CHECK(broken_in(history(h).at(30s).trip_end(1), at_manager) == nothing);
  CHECK(broken_in(h.at(7s).end(1), at_manager).contains("S7"));
}

TEST_CASE("endings: a lease left open past its deadline breaks S7 at the end of the run",
          "[checkers]") {
  CHECK(broken_in(granted(), timer, 20s) == nothing);
  CHECK(broken_in(granted(), timer, 20s + 1us) == nothing);
  CHECK(broken_in(granted(), timer, 20s + 2us) == codes{"S7"});
  auto patient = timer;
  patient.grace = 2s;
  CHECK(broken_in(granted(), patient, 22s) == nothing);
  CHECK(broken_in(granted(), patient, 23s) == codes{"S7"});
}

TEST_CASE("endings: a renewal and a confirm move the day on which a lease must have ended",
          "[checkers]") {
  CHECK(broken_in(granted().at(15s).renew(1), timer, 30s) == nothing);
  CHECK(broken_in(granted().at(15s).renew(1), timer, 31s) == codes{"S7"});
  CHECK(broken_in(granted().at(15s).confirm(1), timer, 45s) == nothing);
  CHECK(broken_in(granted().at(15s).confirm(1), timer, 46s) == codes{"S7"});
}

TEST_CASE("endings: the clean-up says how long a lease may overstay", "[checkers]") {
  auto periodic = fenced();
  periodic.overstay = 4s;
  CHECK(broken_in(granted(), periodic, 24s) == nothing);
  CHECK(broken_in(granted(), periodic, 25s) == codes{"S7"});
  auto lazy = fenced();
  lazy.overstay = std::nullopt;
  CHECK(broken_in(granted(), lazy) == nothing);
}

TEST_CASE("endings: a lease without end may stay open", "[checkers]") {
  history h;
  h.manager_clock(-5s).at(0s).grant(1, 3, 10, forever);
  CHECK(broken_in(h) == nothing);
  CHECK(broken_in(h.at(90s).expire(1)) == codes{"S9"});
}

TEST_CASE("endings: a manager that is down at the end of the run is not blamed", "[checkers]") {
  CHECK(broken_in(granted().at(10s).manager_crash()) == nothing);
  CHECK(broken_in(granted().at(10s).manager_pause()) == nothing);
  CHECK(broken_in(granted().at(10s).manager_crash().at(11s).manager_restart()) == codes{"S7"});
  CHECK(broken_in(granted().at(10s).manager_pause().at(11s).manager_resume()) == codes{"S7"});
  const node_id other{node_kind::matcher, 0};
  CHECK(broken_in(granted().add(events::node_crashed{other}).add(events::node_paused{other})) ==
        codes{"S7"});
  CHECK(broken_in(granted()
                      .manager_crash()
                      .manager_pause()
                      .add(events::node_restarted{other})
                      .add(events::node_resumed{other})) == nothing);
}

TEST_CASE("endings: an expiry a nanosecond before the deadline breaks S9", "[checkers]") {
  CHECK(broken_in(granted().at(20s - 1ns).expire(1)) == codes{"S9"});
  CHECK(broken_in(granted().at(20s - 1ns).end(1, lease_ending::swept)) == codes{"S9"});
  auto patient = fenced();
  patient.grace = 2s;
  CHECK(broken_in(granted().at(22s - 1ns).expire(1), patient) == codes{"S9"});
  CHECK(broken_in(granted().at(22s).expire(1), patient) == nothing);
}

TEST_CASE("endings: a hold that is cut short breaks S9", "[checkers]") {
  CHECK(broken_in(granted().at(6s).confirm(1).at(36s - 1ns).end(1, lease_ending::unwritten)) ==
        codes{"S9"});
}

TEST_CASE("endings: an expiry may be late by any length", "[checkers]") {
  CHECK(broken_in(granted().at(60s).expire(1)) == nothing);
}

TEST_CASE("endings: the manager's own clock must have reached the deadline", "[checkers]") {
  history slow;
  slow.manager_clock(-2s).at(5s).grant(1, 3, 10);
  CHECK(broken_in(history(slow).at(20s).expire(1)) == nothing);
  CHECK(broken_in(slow.manager_clock(-3s).at(20s).expire(1)) == codes{"S9"});
}

TEST_CASE("endings: a step of the clock that cuts a lease short breaks S9", "[checkers]") {
  history h = granted();
  h.manager_clock(1min).at(7s).expire(1);
  CHECK(broken_in(h) == codes{"S9"});
  CHECK(words_of(h) ==
        "a step of the clock ended token 1 of driver 4 after 2000000000 of 15000000000 ns");
}

TEST_CASE("endings: a microsecond is left to rounding and no more", "[checkers]") {
  CHECK(broken_in(granted().manager_clock(1us).at(20s - 1us).expire(1)) == nothing);
  CHECK(broken_in(granted().manager_clock(2us).at(20s - 1us - 1ns).expire(1)) == codes{"S9"});
}

TEST_CASE("endings: drift cuts a lease short by no more than its rate", "[checkers]") {
  // A clock that gains one per cent shows 15 s after 14.8515 s.
  history h = granted();
  h.manager_clock(149ms).at(5s + 14851ms).expire(1);
  CHECK(broken_in(h) == codes{"S9"});
  auto drifting = fenced();
  drifting.drift_ppm = 10'000;
  CHECK(broken_in(h, drifting) == nothing);
  history stepped = granted();
  stepped.manager_clock(1s).at(5s + 14s).expire(1);
  CHECK(broken_in(stepped, drifting) == codes{"S9"});
}

TEST_CASE("endings: drift delays the last expiry by no more than its rate", "[checkers]") {
  auto drifting = fenced();
  drifting.drift_ppm = 10'000;
  CHECK(broken_in(granted(), drifting, 20s + 152ms) == nothing);
  CHECK(broken_in(granted(), drifting, 20s + 400ms) == codes{"S7"});
}
