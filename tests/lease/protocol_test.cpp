#include "lease/protocol.hpp"

#include "catch.hpp"

#include <set>
#include <string>

using namespace dibs::lease;

namespace {

constexpr std::uint32_t bits(std::initializer_list<invariant> of) {
  std::uint32_t all = 0;
  for (const invariant i : of) {
    all |= 1U << static_cast<unsigned>(i);
  }
  return all;
}

}  // namespace

TEST_CASE("protocols: each row stands at its place and names itself", "[lease]") {
  REQUIRE(all_rules().size() == 7);
  std::set<std::string> names;
  for (const rules& row : all_rules()) {
    CHECK(&rules_of(row.which) == &row);
    CHECK_FALSE(row.summary.empty());
    names.emplace(row.name);
  }
  CHECK(names == std::set<std::string>{
                     "none", "hold", "lease", "fenced", "optimistic", "pessimistic", "idempotent"});
}

TEST_CASE("protocols: who asks the lease manager, and how it knows them", "[lease]") {
  for (const protocol p : {protocol::none, protocol::optimistic, protocol::idempotent}) {
    CHECK_FALSE(rules_of(p).leases);
  }
  for (const protocol p : {protocol::lease, protocol::fenced}) {
    CHECK(rules_of(p).leases);
    CHECK(rules_of(p).known_by == identity::token);
    CHECK(rules_of(p).checks_expiry);
    CHECK(rules_of(p).expires);
  }
  for (const protocol p : {protocol::hold, protocol::pessimistic}) {
    CHECK(rules_of(p).leases);
    CHECK(rules_of(p).known_by == identity::holder);
    CHECK(rules_of(p).expires == (p == protocol::hold));
  }
}

TEST_CASE("protocols: what their ledgers refuse", "[lease]") {
  for (const protocol p :
       {protocol::none, protocol::hold, protocol::lease, protocol::pessimistic}) {
    CHECK(rules_of(p).ledger == ledger_rule::take_all);
  }
  CHECK(rules_of(protocol::fenced).ledger == ledger_rule::fence);
  CHECK(rules_of(protocol::optimistic).ledger == ledger_rule::compare_and_set);
  CHECK(rules_of(protocol::idempotent).ledger == ledger_rule::per_ride);
}

TEST_CASE("protocols: a variant promises what it still can", "[lease]") {
  const rules same =
      variant_of(protocol::fenced, {.known_by = identity::token, .checks_expiry = true});
  CHECK(same.promises == rules_of(protocol::fenced).promises);
  const rules by_name =
      variant_of(protocol::fenced, {.known_by = identity::holder, .checks_expiry = {}});
  CHECK_FALSE(by_name.promises_to(invariant::confirm_only_live));
  CHECK_FALSE(by_name.promises_to(invariant::stale_changes_nothing));
  CHECK_FALSE(by_name.promises_to(invariant::one_commit_per_token));
  CHECK(by_name.promises_to(invariant::no_double_commit));
  const rules blind = variant_of(protocol::lease, {.known_by = {}, .checks_expiry = false});
  CHECK_FALSE(blind.checks_expiry);
  CHECK_FALSE(blind.promises_to(invariant::confirm_only_live));
  CHECK(blind.promises_to(invariant::stale_changes_nothing));
}

TEST_CASE("protocols: `fenced` promises all, `lease` all but S4, `none` what needs no lease",
          "[lease]") {
  const std::uint32_t all = (1U << static_cast<unsigned>(invariants)) - 1;
  CHECK(rules_of(protocol::fenced).promises == all);
  CHECK(rules_of(protocol::lease).promises == (all & ~bits({invariant::no_double_commit})));
  CHECK(rules_of(protocol::none).promises == bits({invariant::one_commit_per_token,
                                                   invariant::seconds_conserved,
                                                   invariant::promised_after_confirm,
                                                   invariant::accepts_accounted}));
  CHECK(rules_of(protocol::fenced).promises_to(invariant::no_double_commit));
  CHECK_FALSE(rules_of(protocol::lease).promises_to(invariant::no_double_commit));
}

TEST_CASE("invariants: codes and sentences differ", "[lease]") {
  std::set<std::string_view> sentences;
  std::set<std::string_view> codes;
  for (int i = 0; i < invariants; ++i) {
    codes.insert(code_of(static_cast<invariant>(i)));
    CHECK(sentence_of(static_cast<invariant>(i)).size() > 20);
    sentences.insert(sentence_of(static_cast<invariant>(i)));
  }
  CHECK(sentences.size() == invariants);
  CHECK(codes.size() == invariants);
  CHECK(code_of(invariant::one_order_of_calls) == "L");
  CHECK(code_of(invariant::service_recovers) == "B6");
  CHECK(code_of(invariant::promised_after_confirm) == "S12");
  CHECK(code_of(invariant::accepts_accounted) == "S14");
  CHECK(code_of(invariant::steps_change_nothing) == "S9");
}

TEST_CASE("variants: what a manager that forgets or splits can no longer promise") {
  const rules forgets =
      variant_of(protocol::fenced, {.known_by = {}, .checks_expiry = {}, .forgets_leases = true});
  CHECK_FALSE(forgets.promises_to(invariant::one_live_lease));
  CHECK(forgets.promises_to(invariant::tokens_increase));
  CHECK(forgets.promises_to(invariant::no_double_commit));
  CHECK_FALSE(forgets.promises_to(invariant::one_commit_per_token));
  CHECK(variant_of(protocol::none, {.known_by = {}, .checks_expiry = {}, .forgets_leases = true})
            .promises == rules_of(protocol::none).promises);
  const rules all = variant_of(
      protocol::fenced,
      {.known_by = {}, .checks_expiry = {}, .forgets_leases = true, .forgets_tokens = true});
  CHECK_FALSE(all.promises_to(invariant::no_double_commit));
  const rules splits =
      variant_of(protocol::fenced, {.known_by = {}, .checks_expiry = {}, .splits = true});
  CHECK_FALSE(splits.promises_to(invariant::tokens_increase));
  CHECK(splits.promises_to(invariant::no_double_commit));
  CHECK_FALSE(splits.promises_to(invariant::one_commit_per_token));
  variation in_memory{.known_by = {}, .checks_expiry = {}, .records_trips = true};
  CHECK(variant_of(protocol::fenced, in_memory).promises_to(invariant::no_double_commit));
  in_memory.forgets_leases = true;
  CHECK_FALSE(variant_of(protocol::fenced, in_memory).promises_to(invariant::no_double_commit));
  CHECK_FALSE(variant_of(protocol::fenced,
                         {.known_by = {}, .checks_expiry = {}, .fences_every_write = false})
                  .promises_to(invariant::no_double_commit));
  const rules frozen =
      variant_of(protocol::fenced, {.known_by = {}, .checks_expiry = {}, .frozen_clock = true});
  for (const invariant i : {invariant::confirm_only_live,
                            invariant::stale_changes_nothing,
                            invariant::steps_change_nothing,
                            invariant::ended_stays_ended}) {
    CHECK_FALSE(frozen.promises_to(i));
  }
}
