#include "store/command_sequence.hpp"

#include "catch.hpp"

#include <set>

namespace dibs::store {
namespace {

TEST_CASE("the same seed draws the same sequence, another draws another") {
  const auto a = draw_sequence(1, 1, true);
  const auto b = draw_sequence(1, 1, true);
  REQUIRE(a.steps.size() == b.steps.size());
  bool is_other = a.steps.size() != draw_sequence(2, 1, true).steps.size();
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    CHECK(lease::name_of(a.steps[i].what) == lease::name_of(b.steps[i].what));
    CHECK(a.steps[i].at == b.steps[i].at);
    CHECK(a.steps[i].token_of == b.steps[i].token_of);
  }
  for (std::uint32_t nth = 2; nth < 10 && !is_other; ++nth) {
    is_other = draw_sequence(1, nth, true).steps.size() != a.steps.size();
  }
  CHECK(is_other);
}

TEST_CASE("sequences have every command, and name only tokens that were given before") {
  std::set<std::string_view> seen;
  for (std::uint32_t nth = 1; nth <= 200; ++nth) {
    local_time before{};
    for (const step& s : draw_sequence(3, nth, true).steps) {
      seen.insert(lease::name_of(s.what));
      CHECK(s.at >= before);
      CHECK((!s.token_of || *s.token_of < s.number));
      before = s.at;
    }
  }
  CHECK(seen.size() == std::variant_size_v<lease::any_command>);
}

TEST_CASE("a store that cannot be told the time gets sequences in which none passes, or once") {
  for (std::uint32_t nth = 1; nth <= 200; ++nth) {
    for (const step& s : draw_sequence(3, nth, false, passing::none).steps) {
      CHECK(s.at == sequence_begins);
    }
    const auto waits = draw_sequence(3, nth, false, passing::one_wait);
    CHECK(waits.before_wait > 0);
    CHECK(waits.leases.ttl == waited_ttl);
    for (const step& s : waits.steps) {
      const bool is_later = &s - waits.steps.data() >= static_cast<long>(waits.before_wait);
      CHECK(s.at == sequence_begins + (is_later ? wait_for : sim_duration::zero()));
    }
  }
}

TEST_CASE("without a ledger none is asked") {
  for (std::uint32_t nth = 1; nth <= 200; ++nth) {
    for (const step& s : draw_sequence(3, nth, false).steps) {
      CHECK_FALSE(lease::is_for_ledger(s.what));
    }
  }
}

}  // namespace
}  // namespace dibs::store
