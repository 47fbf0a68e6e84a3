/// What has been told of the leases in a store outside, so that the record stays true where an
/// answer of the store was lost.
///
/// A grant whose answer was lost is told when its repeat is answered; until then nothing is told of
/// that lease, not even its end. The same holds for a confirm.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "lease/commands.hpp"

#include <cstdint>
#include <vector>

namespace dibs::lease {

class told_leases {
 public:
  explicit told_leases(std::uint32_t drivers) : last_(drivers) {}

  /// Makes of the answer to the command what there is to tell, and notes it as told. A grant to her
  /// tells as well the end of a lease whose own end was lost with an answer.
  void settle(const any_command& c, any_outcome& outcome);

  /// What is live, as far as was told, and when it is due, in driver order.
  struct live_lease {
    driver_id driver;
    token_id token;
    local_time due{};
  };
  [[nodiscard]] std::vector<live_lease> live() const;

 private:
  enum class state : std::uint8_t { over, leased, confirmed };
  struct told {
    token_id token;
    ride_id ride;
    matcher_id holder;
    local_time due{};  ///< as answered last: the expiry, or the end of the hold
    told_leases::state state = state::over;
  };

  void settle(const command::acquire& c, told& last, acquire_outcome& outcome);
  void settle(told& last, confirm_outcome& outcome);
  void settle(told& last, renew_outcome& outcome);
  void settle(told& last, std::optional<ended>& outcome);
  /// The lease has become a trip.
  static void convert(told& last, token_id trip);
  template <class Other>
  static void settle(told& /*last*/, const Other& /*outcome*/) {}

  std::vector<told> last_;  ///< by driver
};

}  // namespace dibs::lease
