#include "torment/fault_facts.hpp"

#include "catch.hpp"

#include <string>
#include <variant>

namespace dibs::torment {
namespace {

TEST_CASE("fault facts: a process that stops is all of its lanes") {
  const auto all =
      facts_of({0ms, fault_action::stop, fault_target::matcher, 1}, *all_cases().data());
  REQUIRE(all.size() == lanes_each);
  CHECK(std::get<events::node_paused>(all.front()).node == node_id{node_kind::matcher, lanes_each});
}

TEST_CASE("fault facts: PostgreSQL is the ledger, and the lease manager where it keeps leases") {
  const real_fault kill{0ms, fault_action::kill, fault_target::postgres};
  CHECK(facts_of(kill, *find_case("postgres-killed")).size() == 2);
  CHECK(facts_of(kill, *find_case("etcd-calm")).size() == 1);
}

TEST_CASE("fault facts: of a link and of a clock nothing goes on record") {
  const real_case& c = *find_case("link-cut");
  CHECK(facts_of({0ms, fault_action::cut_link, fault_target::link}, c).empty());
  CHECK(facts_of({0ms, fault_action::move_clock, fault_target::postgres, 0, 60s}, c).empty());
}

}  // namespace
}  // namespace dibs::torment
