#include "lease/ledger_machine.hpp"

#include "catch.hpp"
#include "lease/some_ids.hpp"

using namespace dibs;
using namespace dibs::lease;
using namespace dibs::lease::test;
using events::write_refusal;

namespace {

bool is_taken(const write_outcome& o) {
  return std::holds_alternative<taken>(o) && !std::get<taken>(o).repeated;
}

write_refusal refusal_of(const write_outcome& o) {
  REQUIRE(std::holds_alternative<turned_down>(o));
  return std::get<turned_down>(o).cause;
}

}  // namespace

TEST_CASE("ledger: without a fence it takes whatever comes") {
  ledger record(ledger_rule::take_all, 2);
  CHECK(is_taken(record.write(token_id{2}, d1, r2)));
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  CHECK(is_taken(record.write(token_id{3}, d2, r1)));
}

TEST_CASE("ledger: a repeated write gets the answer of the first") {
  for (const auto rule : {ledger_rule::take_all, ledger_rule::fence}) {
    ledger record(rule, 2);
    CHECK(is_taken(record.write(token_id{1}, d1, r1)));
    const auto again = record.write(token_id{1}, d1, r1);
    REQUIRE(std::holds_alternative<taken>(again));
    CHECK(std::get<taken>(again).repeated);
    CHECK(record.close(token_id{1}));
    CHECK(std::get<taken>(record.write(token_id{1}, d1, r1)).repeated);
  }
}

TEST_CASE("ledger: a token that was given twice is no repeat of the other's write") {
  ledger fenced(ledger_rule::fence, 2);
  CHECK(is_taken(fenced.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(fenced.write(token_id{1}, d2, r2)) == write_refusal::stale_token);
  REQUIRE(fenced.close(token_id{1}));
  CHECK(refusal_of(fenced.write(token_id{1}, d1, r2)) == write_refusal::stale_token);
  CHECK(std::get<taken>(fenced.write(token_id{1}, d1, r1)).repeated);

  ledger plain(ledger_rule::take_all, 2);
  CHECK(is_taken(plain.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(plain.write(token_id{1}, d2, r2)) == write_refusal::stale_token);
  REQUIRE(plain.close(token_id{1}));
  CHECK(is_taken(plain.write(token_id{1}, d2, r2)));
  CHECK(plain.is_open(token_id{1}));
  CHECK(std::get<taken>(plain.write(token_id{1}, d1, r1)).repeated);
  REQUIRE(plain.close(token_id{1}));
  CHECK(std::get<taken>(plain.write(token_id{1}, d1, r1)).repeated);
  CHECK_FALSE(plain.is_open(token_id{1}));
}

TEST_CASE("ledger: a refusal is remembered for the driver and ride that it was about") {
  ledger record(ledger_rule::per_ride, 2);
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(record.write(token_id{2}, d2, r1)) == write_refusal::ride_taken);
  CHECK(is_taken(record.write(token_id{2}, d2, r2)));
  REQUIRE(record.close(token_id{1}));
  CHECK(refusal_of(record.write(token_id{2}, d2, r1)) == write_refusal::stale_token);
}

TEST_CASE("ledger: a fence refuses a token older than the newest granted") {
  ledger record(ledger_rule::fence, 2);
  record.raise_fence(d1, token_id{2});
  CHECK(refusal_of(record.write(token_id{1}, d1, r1)) == write_refusal::stale_token);
  CHECK(is_taken(record.write(token_id{2}, d1, r2)));
}

TEST_CASE("ledger: a fence refuses an older token after a newer one was written") {
  ledger record(ledger_rule::fence, 2);
  CHECK(is_taken(record.write(token_id{2}, d1, r2)));
  REQUIRE(record.close(token_id{2}));
  CHECK(refusal_of(record.write(token_id{1}, d1, r1)) == write_refusal::stale_token);
}

TEST_CASE("ledger: a fence refuses a driver on a trip until it is closed") {
  ledger record(ledger_rule::fence, 2);
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(record.write(token_id{2}, d1, r2)) == write_refusal::driver_busy);
  const auto closed = record.close(token_id{1});
  REQUIRE(closed);
  CHECK(closed->driver == d1);
  CHECK(is_taken(record.write(token_id{3}, d1, r2)));
}

TEST_CASE("ledger: a fence refuses a ride that has a driver and names her") {
  ledger record(ledger_rule::fence, 2);
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  const auto outcome = record.write(token_id{2}, d2, r1);
  CHECK(refusal_of(outcome) == write_refusal::ride_taken);
  CHECK(std::get<turned_down>(outcome).holder_token == token_id{1});
  CHECK(std::get<turned_down>(outcome).holder_driver == d1);
}

TEST_CASE("ledger: only an open trip can be closed, and only once") {
  ledger record(ledger_rule::take_all, 2);
  CHECK_FALSE(record.close(token_id{1}));
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  CHECK(is_taken(record.write(token_id{2}, d1, r2)));
  CHECK(record.close(token_id{1}));
  CHECK_FALSE(record.close(token_id{1}));
  CHECK(record.close(token_id{2}));
}

TEST_CASE("ledger: what the manager commits once more after its end does not open it again") {
  ledger record(ledger_rule::take_all, 1);
  CHECK(record.record(token_id{1}, d1, r1));
  CHECK(record.record(token_id{1}, d1, r1));
  CHECK(record.close(token_id{1}));
  CHECK_FALSE(record.record(token_id{1}, d1, r1));
  CHECK_FALSE(record.is_open(token_id{1}));
  CHECK_FALSE(record.open_trip_of(d1).is_some());
}

TEST_CASE("ledger: a repeated write that was refused stays refused when its reason has gone") {
  ledger record(ledger_rule::fence, 2);
  CHECK(is_taken(record.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(record.write(token_id{2}, d1, r2)) == write_refusal::driver_busy);
  REQUIRE(record.close(token_id{1}));
  CHECK(refusal_of(record.write(token_id{2}, d1, r2)) == write_refusal::driver_busy);
  CHECK(is_taken(record.write(token_id{3}, d1, r2)));
}

TEST_CASE("compare and set: a write counts only if nobody was assigned since the read") {
  lease::ledger record(ledger_rule::compare_and_set, 2);
  CHECK(std::holds_alternative<taken>(record.write(token_id{1}, d1, r1, 0)));
  CHECK(refusal_of(record.write(token_id{2}, d1, r2, 0)) == write_refusal::stale_version);
  CHECK(refusal_of(record.write(token_id{2}, d1, r2, 1)) == write_refusal::driver_busy);
  REQUIRE(record.close(token_id{1}));
  // A failed write bumps nothing: the next reader's version is still 1.
  CHECK(std::holds_alternative<taken>(record.write(token_id{3}, d1, r2, 1)));
}

TEST_CASE("compare and set: a retry of a write that was taken is refused: its version is old") {
  lease::ledger record(ledger_rule::compare_and_set, 2);
  CHECK(std::holds_alternative<taken>(record.write(token_id{1}, d1, r1, 0)));
  CHECK(refusal_of(record.write(token_id{1}, d1, r1, 0)) == write_refusal::stale_version);
}

TEST_CASE("per ride: a ride gets one driver, a driver any number of rides") {
  lease::ledger record(ledger_rule::per_ride, 2);
  CHECK(std::holds_alternative<taken>(record.write(token_id{1}, d1, r1)));
  CHECK(refusal_of(record.write(token_id{2}, d2, r1)) == write_refusal::ride_taken);
  CHECK(std::holds_alternative<taken>(record.write(token_id{3}, d1, r2)));
  const auto again = record.write(token_id{1}, d1, r1);
  REQUIRE(std::holds_alternative<taken>(again));
  CHECK(std::get<taken>(again).repeated);
}
