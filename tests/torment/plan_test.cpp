#include "torment/plan.hpp"

#include "catch.hpp"

namespace dibs::torment {
namespace {

TEST_CASE("plan: what a process is told reads back") {
  matcher_plan p;
  p.what = find_case("redlock-clock-jump");
  p.process = 2;
  p.life = 3;
  p.seed = UINT64_MAX;
  p.length = 5s;
  p.space = "dibs_1";
  p.leases = {"redis://127.0.0.1:1", "redis://127.0.0.1:2"};
  p.ledger = "postgres://dibs@127.0.0.1:3/postgres";
  p.clocks = {"a clock"};
  p.out = "out";
  const auto read = plan_from_json(to_json(p));
  REQUIRE(read);
  CHECK(read->what == p.what);
  CHECK(to_json(*read) == to_json(p));
}

TEST_CASE("plan: what is no plan is refused") {
  matcher_plan p;
  p.what = find_case("redis-calm");
  p.leases = {"redis://127.0.0.1:1"};
  REQUIRE(plan_from_json(to_json(p)));
  CHECK_FALSE(plan_from_json(""));
  CHECK_FALSE(plan_from_json("{}"));
  p.leases.clear();
  CHECK_FALSE(plan_from_json(to_json(p)));
}

TEST_CASE("plan: the task of a queue is part of its token") {
  CHECK(task_of(token_id{5 * 1024 + 11}) == driver_id{11});
}

}  // namespace
}  // namespace dibs::torment
