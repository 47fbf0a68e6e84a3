#include "load/holding.hpp"

#include "catch.hpp"

namespace dibs::load {
namespace {

constexpr holding_terms terms{.ttl = 300ms, .margin = 2ms};
constexpr sim_time asked = at(1s);

holding of_long_work() { return {terms, asked, at(1h)}; }

TEST_CASE("holding: a lease ends a margin early, counted from before the call") {
  const holding h = of_long_work();
  CHECK(h.over_at() == asked + 298ms);
  CHECK(h.stands(asked + 298ms - 1ns));
  CHECK_FALSE(h.stands(asked + 298ms));
}

TEST_CASE("holding: it is renewed after a third of its time, and counts from before that call") {
  holding h = of_long_work();
  CHECK(h.next().what == duty::renew);
  CHECK(h.next().at == asked + 100ms);
  h.renewal_sent();
  CHECK(h.next().what == duty::finish);
  CHECK(h.next().at == asked + 298ms);
  h.renewed(asked + 100ms);
  CHECK(h.over_at() == asked + 398ms);
  CHECK(h.next().at == asked + 200ms);
}

TEST_CASE("holding: a renewal without an answer moves nothing and is asked again") {
  holding h = of_long_work();
  h.renewal_sent();
  h.unanswered(asked + 150ms);
  CHECK(h.over_at() == asked + 298ms);
  CHECK(h.next().what == duty::renew);
  CHECK(h.next().at == asked + 200ms);
  h.renewal_sent();
  h.unanswered(asked + 280ms);
  CHECK(h.next().what == duty::finish);
}

TEST_CASE("holding: after a refusal it is over at once, and no later than before") {
  holding h = of_long_work();
  h.renewal_sent();
  h.refused(asked + 120ms);
  CHECK(h.next().at == asked + 120ms);
  CHECK_FALSE(h.stands(asked + 120ms));
  h.refused(asked + 500ms);
  CHECK(h.over_at() == asked + 120ms);
}

TEST_CASE("holding: work ends with its lease, however late its holder looks") {
  holding h(terms, asked, asked + 50ms);
  CHECK(h.next().what == duty::finish);
  CHECK(h.next().at == asked + 50ms);
  CHECK(h.worked_until(asked + 60ms) == asked + 60ms);
  CHECK(h.worked_until(asked + 900ms) == asked + 298ms);
}

}  // namespace
}  // namespace dibs::load
