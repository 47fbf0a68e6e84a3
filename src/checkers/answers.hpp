/// What a driver says to an offer she says once, however many copies of it her phone gets (S15).
///
/// No protocol can keep or break this: it is a property of the simulated drivers. A driver who
/// answered a copy again would make a history that no real driver could. Copies can be told from
/// new offers only where no token is given twice.
#pragma once

#include "base/ids.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>

namespace dibs::checkers {

class answers {
 public:
  void judge(const events::offer_answered& f, const event_context& s);

 private:
  /// Whether it was there before.
  bool enter(token_id token);

  /// A bit for each token, 64 neighbours in one word: a run has millions.
  tsl::hopscotch_map<std::uint64_t, std::uint64_t, spread_hash> answered_;
};

}  // namespace dibs::checkers
