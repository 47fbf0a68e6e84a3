/// What a driver says to an offer she says once, however many copies of it her phone gets (S15).
///
/// No protocol rests on it and none can keep it: it is how drivers are. One who answered a copy
/// again would take part in a run that no driver could bring about. It can be told apart only
/// where no token is given twice.
#pragma once

#include "base/ids.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>

namespace dibs::checkers {

class answers {
 public:
  void judge(const events::offer_answered& f, const scene& s);

 private:
  /// Whether it was there before.
  bool enter(token_id token);

  /// A bit for each token, 64 neighbours in one word: a run has millions.
  tsl::hopscotch_map<std::uint64_t, std::uint64_t, spread_hash> answered_;
};

}  // namespace dibs::checkers
