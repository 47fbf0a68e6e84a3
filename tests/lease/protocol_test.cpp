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
  REQUIRE(all_rules().size() == 3);
  for (const rules& row : all_rules()) {
    CHECK(&rules_of(row.which) == &row);
    CHECK_FALSE(row.summary.empty());
  }
  CHECK(rules_of(protocol::none).name == "none");
  CHECK(rules_of(protocol::lease).name == "lease");
  CHECK(rules_of(protocol::fenced).name == "fenced");
}

TEST_CASE("protocols: only `none` goes without leases", "[lease]") {
  CHECK_FALSE(rules_of(protocol::none).leases);
  CHECK_FALSE(rules_of(protocol::none).checks_token);
  CHECK_FALSE(rules_of(protocol::none).checks_expiry);
  for (const protocol p : {protocol::lease, protocol::fenced}) {
    CHECK(rules_of(p).leases);
    CHECK(rules_of(p).checks_token);
    CHECK(rules_of(p).checks_expiry);
  }
}

TEST_CASE("protocols: only `fenced` has a ledger that refuses", "[lease]") {
  CHECK(rules_of(protocol::none).ledger == ledger_rule::take_all);
  CHECK(rules_of(protocol::lease).ledger == ledger_rule::take_all);
  CHECK(rules_of(protocol::fenced).ledger == ledger_rule::fence);
}

TEST_CASE("protocols: `fenced` promises all, `lease` all but S4, `none` what needs no lease",
          "[lease]") {
  const std::uint32_t all = (1U << static_cast<unsigned>(invariants)) - 1;
  CHECK(rules_of(protocol::fenced).promises == all);
  CHECK(rules_of(protocol::lease).promises == (all & ~bits({invariant::no_double_commit})));
  CHECK(rules_of(protocol::none).promises == bits({invariant::one_commit_per_token,
                                                   invariant::seconds_conserved,
                                                   invariant::promised_after_confirm}));
  CHECK(rules_of(protocol::fenced).promises_to(invariant::no_double_commit));
  CHECK_FALSE(rules_of(protocol::lease).promises_to(invariant::no_double_commit));
}

TEST_CASE("invariants: codes count from S1 to S12 and every sentence differs", "[lease]") {
  std::set<std::string_view> sentences;
  for (int i = 0; i < invariants; ++i) {
    CHECK(code_of(static_cast<invariant>(i)) == "S" + std::to_string(i + 1));
    CHECK(sentence_of(static_cast<invariant>(i)).size() > 20);
    sentences.insert(sentence_of(static_cast<invariant>(i)));
  }
  CHECK(sentences.size() == invariants);
  CHECK(code_of(invariant::promised_after_confirm) == "S12");
  CHECK(code_of(invariant::steps_change_nothing) == "S9");
}
