/// Which states a run has seen, as numbers: for each event, how its driver stands then. Who holds
/// her, how many believe that they do, what is under way for her, and what happened to her last.
///
/// A state is seen or not, however often. What few runs see lies near what none has seen yet.
#pragma once

#include "events/observer.hpp"

#include <cstdint>
#include <map>
#include <set>

namespace dibs::swarm {

class state_coverage final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override;

  [[nodiscard]] const std::set<std::uint32_t>& states() const { return states_; }

 private:
  enum class standing : std::uint8_t { free, leased, confirmed, on_trip };

  struct driver_state {
    standing lease = standing::free;
    std::uint64_t token = 0;        ///< of the lease or the trip
    std::set<std::uint64_t> tries;  ///< open at some matcher, by token
    std::set<std::uint64_t> shown;  ///< on her screen, by token
    std::uint32_t last = 0;         ///< the kind of the event before
  };

  void see(const events::event& e, driver_id who);
  static void follow(driver_state& d, const events::fact& f);

  std::map<driver_id, driver_state> drivers_;
  std::set<std::uint32_t> states_;
};

}  // namespace dibs::swarm
