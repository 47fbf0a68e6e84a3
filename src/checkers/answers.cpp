#include "checkers/answers.hpp"

namespace dibs::checkers {

void answers::judge(const events::offer_answered& f, const event_context& s) {
  if (s.violations.judges(invariant::offers_answered_once) && enter(f.token)) {
    s.report_violation(invariant::offers_answered_once,
                       "driver {} answered the offer of ride {} again (token {})",
                       ordinal(f.driver),
                       ordinal(f.ride),
                       f.token.value);
  }
}

bool answers::enter(token_id token) {
  constexpr std::uint64_t bits = 64;
  std::uint64_t& word = answered_[token.value / bits];
  const std::uint64_t bit = std::uint64_t{1} << token.value % bits;
  const bool was_there = (word & bit) != 0;
  word |= bit;
  return was_there;
}

}  // namespace dibs::checkers
