#include "lease/claim_table.hpp"

#include "catch.hpp"

using namespace dibs;
using lease::claim_table;

namespace {

constexpr matcher_id anna{0};
constexpr matcher_id bert{1};
constexpr matcher_id carl{2};

bool is_given(const claim_table::outcome& o) {
  return std::holds_alternative<claim_table::given>(o);
}

}  // namespace

TEST_CASE("claims: who holds a thing keeps others off until the very deadline") {
  claim_table t;
  CHECK(is_given(t.claim(7, anna, at_local(0s), 10s)));
  const auto no = t.claim(7, bert, at_local(10s - 1ns), 10s);
  REQUIRE_FALSE(is_given(no));
  CHECK(std::get<claim_table::taken>(no).holder == anna);
  CHECK(t.holds(7, anna, at_local(10s - 1ns)));
  CHECK_FALSE(t.holds(7, anna, at_local(10s)));
  CHECK(is_given(t.claim(7, bert, at_local(10s), 10s)));
}

TEST_CASE("claims: the holder's own claim renews, and one that has run out does not") {
  claim_table t;
  REQUIRE(is_given(t.claim(7, anna, at_local(0s), 10s)));
  const auto again = t.claim(7, anna, at_local(6s), 10s);
  REQUIRE(is_given(again));
  CHECK(std::get<claim_table::given>(again).renewed);
  CHECK(t.holds(7, anna, at_local(15s)));
  const auto late = t.claim(7, anna, at_local(16s), 10s);
  REQUIRE(is_given(late));
  CHECK_FALSE(std::get<claim_table::given>(late).renewed);
}

TEST_CASE("claims: what has run out is an orphan until somebody claims it") {
  claim_table t;
  REQUIRE(is_given(t.claim(7, anna, at_local(0s), 10s)));
  CHECK(t.expire(7, at_local(9s)).empty());
  CHECK(t.expire(7, at_local(10s)) == std::vector{anna});
  CHECK(t.orphan_of(7) == anna);
  const auto taken_over = t.claim(7, bert, at_local(11s), 10s);
  REQUIRE(is_given(taken_over));
  CHECK(std::get<claim_table::given>(taken_over).after == anna);
  CHECK_FALSE(t.orphan_of(7));
}

TEST_CASE("claims: a release frees at once, and only by the holder") {
  claim_table t;
  REQUIRE(is_given(t.claim(7, anna, at_local(0s), 10s)));
  CHECK_FALSE(t.release(7, bert));
  CHECK(t.release(7, anna));
  CHECK(is_given(t.claim(7, bert, at_local(1s), 10s)));
}

TEST_CASE("claims: shared ones exclude nobody and end one by one") {
  claim_table t;
  CHECK(is_given(t.claim(3, anna, at_local(0s), 10s, true)));
  CHECK(is_given(t.claim(3, bert, at_local(5s), 10s, true)));
  CHECK(t.holds(3, anna, at_local(6s)));
  CHECK(t.expire(3, at_local(10s)) == std::vector{anna});
  CHECK(t.holds(3, bert, at_local(10s)));
  CHECK(t.pending().size() == 1);
}

TEST_CASE("claims: who shares a thing and who has it alone exclude each other") {
  claim_table t;
  constexpr bool shared = true;
  CHECK(is_given(t.claim(7, anna, at_local(0s), 10s, shared)));
  CHECK(is_given(t.claim(7, bert, at_local(1s), 10s, shared)));
  const auto no = t.claim(7, carl, at_local(2s), 10s);
  REQUIRE_FALSE(is_given(no));
  CHECK(std::get<claim_table::taken>(no).holder == anna);
  CHECK_FALSE(is_given(t.claim(7, carl, at_local(11s) - 1ns, 10s)));
  CHECK(is_given(t.claim(7, carl, at_local(11s), 10s)));
  CHECK_FALSE(is_given(t.claim(7, anna, at_local(21s) - 1ns, 10s, shared)));
  CHECK(is_given(t.claim(7, anna, at_local(21s), 10s, shared)));
}

TEST_CASE("claims: who was turned away by sharers comes before any other sharer") {
  claim_table t;
  constexpr bool shared = true;
  REQUIRE(is_given(t.claim(7, anna, at_local(0s), 10s, shared)));
  REQUIRE_FALSE(is_given(t.claim(7, carl, at_local(2s), 10s)));
  const auto late = t.claim(7, bert, at_local(3s), 10s, shared);
  REQUIRE_FALSE(is_given(late));
  CHECK(std::get<claim_table::taken>(late).holder == carl);
  CHECK_FALSE(is_given(t.claim(7, anna, at_local(9s), 10s, shared)));
  CHECK(is_given(t.claim(7, carl, at_local(10s), 10s)));
  // One that never comes back loses its turn.
  claim_table left;
  REQUIRE(is_given(left.claim(7, anna, at_local(0s), 10s, shared)));
  REQUIRE_FALSE(is_given(left.claim(7, carl, at_local(2s), 10s)));
  CHECK_FALSE(is_given(left.claim(7, bert, at_local(12s) - 1ns, 10s, shared)));
  CHECK(is_given(left.claim(7, bert, at_local(12s), 10s, shared)));
}

TEST_CASE("claims: a thing goes to the next claimant that has not fallen silent") {
  constexpr std::uint32_t three = 3;
  claim_table t;
  REQUIRE(is_given(t.claim(7, anna, at_local(0s), 10s)));
  REQUIRE(is_given(t.claim(8, bert, at_local(1s), 10s)));
  REQUIRE(t.expire(7, at_local(10s)).size() == 1);
  CHECK(t.heir_of(anna, 0, three) == bert);
  CHECK(t.heir_of(anna, 1, three) == carl);
  CHECK(t.heir_of(anna, 2, three) == bert);
  REQUIRE(t.expire(8, at_local(11s)).size() == 1);
  CHECK(t.heir_of(anna, 0, three) == carl);
  CHECK(t.heir_of(anna, 1, three) == carl);
  SECTION("who asks for anything is there again, also in vain") {
    REQUIRE(is_given(t.claim(9, carl, at_local(11s), 10s)));
    REQUIRE_FALSE(is_given(t.claim(9, bert, at_local(12s), 10s)));
    CHECK(t.heir_of(anna, 0, three) == bert);
  }
  SECTION("where all are silent they are asked one after another") {
    REQUIRE(is_given(t.claim(9, carl, at_local(11s), 10s)));
    REQUIRE(t.expire(9, at_local(21s)).size() == 1);
    CHECK(t.heir_of(anna, 0, three) == bert);
    CHECK(t.heir_of(anna, 1, three) == carl);
    CHECK(t.heir_of(carl, 0, three) == anna);
  }
}
