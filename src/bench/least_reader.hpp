/// The least that tells the two harms of the offer race (`race_model.hpp`) from its facts, and
/// whether its leases kept drivers apart.
///
/// It takes facts at their word: each comes once and in its order, whoever is named is on line, and
/// what is over stays over. So it keeps a line of the cache for a driver and an instant for a ride,
/// and judges on the spot. Metrics and checkers may assume none of it, since scenarios lose, repeat
/// and delay what is said; the time that this takes is a floor for theirs.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "metrics/histogram.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dibs::bench {

/// Named and defined as in `dibs metrics`, of a whole run.
struct least_figures {
  std::uint64_t double_offers = 0;
  std::uint64_t double_commits = 0;
  std::uint64_t granted = 0;
  std::uint64_t accepts_in_time = 0;
  std::uint64_t breaches = 0;  ///< a grant of a driver who was not free, or a commit without lease
  sim_duration converted{};
  /// Hidden by leases that came to nothing and are over, by what had become of their offers.
  sim_duration undelivered{};
  sim_duration ignored{};
  sim_duration declined{};
  sim_duration lost_accept{};
  sim_duration on_trip{};  ///< of trips that are over
  metrics::histogram ttm;
  metrics::histogram hold;
};

class least_reader final : public events::observer {
 public:
  explicit least_reader(std::uint32_t drivers) : drivers_(drivers) {}

  void observe(std::span<const events::event> batch) override;

  [[nodiscard]] const least_figures& figures() const { return figures_; }

 private:
  enum class state : std::uint8_t { free, leased, on_trip };
  enum class reaction : std::uint8_t { none, shown, declined, accepted };

  struct alignas(64) driver {
    std::array<token_id, 2> screen{};  ///< offers that she sees
    token_id newest;                   ///< of those under which she was leased
    sim_time leased_at{};
    sim_time trip_began{};
    sim_time shown_until{};  ///< the newest lease's offer
    state is = state::free;
    reaction to_offer = reaction::none;  ///< of the newest lease, in time
  };

  template <class Fact>
  void on(const Fact&) {}
  void on(const events::ride_requested& f);
  void on(const events::lease_granted& f);
  void on(const events::lease_ended& f);
  void on(const events::offer_shown& f);
  void on(const events::offer_dismissed& f);
  void on(const events::offer_answered& f);
  void on(const events::trip_committed& f);
  void on(const events::trip_ended& f);

  static void leave_screen(driver& her, token_id token);
  /// To what the time of a lease goes that comes to nothing.
  [[nodiscard]] sim_duration& hidden_by(reaction to_offer);
  void end_lease(driver& her, sim_duration& to);

  std::vector<driver> drivers_;
  std::vector<sim_time> requested_;  ///< by ride
  least_figures figures_;
  sim_time now_{};
};

}  // namespace dibs::bench
