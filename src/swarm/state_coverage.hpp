/// What a run has seen, as signs: how its drivers stood at each event, and what was refused.
///
/// A sign is a number of few: what happened (with its cause), who holds the driver then, how many
/// matchers believe that they do, whether the token is the current one, and how near the end of the
/// lease it is. Seen twice as often is a sign of its own, as in fuzzers that count branches (M.
/// Zalewski, "Technical whitepaper for afl-fuzz", 2014). Which are rare is for `guidance` to say.
#pragma once

#include "events/observer.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace dibs::swarm {

class state_coverage final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override;

  /// In ascending order. `judged`: promises, one bit each, which are the last signs.
  [[nodiscard]] std::vector<std::uint16_t> signs(std::uint32_t judged) const;

 private:
  enum class standing : std::uint8_t { free, leased, confirmed, on_trip };

  struct driver_state {
    standing lease = standing::free;
    std::uint64_t token = 0;        ///< of the lease or the trip
    local_time expires{};           ///< of the lease, on the lease manager's clock
    std::set<std::uint64_t> tries;  ///< open at some matcher, by token
  };

  void see(const events::event& e, driver_id who);
  void see_standing(const events::event& e, const driver_state& d);
  void see_fault(const events::fact& f);
  static void follow(driver_state& d, const events::fact& f);
  void count(std::size_t what);

  std::vector<driver_state> drivers_;
  std::array<std::uint8_t, 2304> counts_{};
};

}  // namespace dibs::swarm
