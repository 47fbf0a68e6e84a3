/// Random histories of the calls about one driver, told by a small service that knows nothing of
/// the search: calls overlap, are never answered, or find her free without a call.
#pragma once

#include "base/random.hpp"
#include "checkers/linearizability.hpp"

#include <cstddef>
#include <vector>

namespace dibs::checkers::test {

/// What happens around one driver, in its order.
struct mark {
  enum class kind { called, takes_effect, answered, may_be_free, may_be_free_of_any };

  sim_time t{};
  kind what{};
  std::size_t which = 0;  ///< of the calls
  token_id token{};

  [[nodiscard]] bool operator>(const mark& other) const { return t > other.t; }
};

struct told_calls {
  std::vector<operation> calls;
  std::vector<mark> marks;  ///< all but those of effects
};

struct service_options {
  int calls = 14;
  double wrong = 0.02;    ///< share of answers that are other ones
  double renewals = 0.2;  ///< share of the calls; half of the others are acquires
  double unheard = 0.4;   ///< share of confirms, renewals and releases that are never answered
  sim_duration ttl = 15s;
  bool excuses = true;  ///< other reasons are given for answers, and let go of her
};

/// Has the order begin the call, as it is put there in a run.
linear_order::place_number begun(linear_order& order, const operation& a);

[[nodiscard]] told_calls random_calls(stream& random, const service_options& how);

}  // namespace dibs::checkers::test
