/// The least that tells the two harms of the offer race (`race_model.hpp`) from its facts, and
/// whether its leases kept drivers apart.
///
/// It takes facts at their word: each comes once and in its order, whoever is named is on line, and
/// what is over stays over. So it keeps a line of the cache for each driver, and judges on the
/// spot. Metrics and checkers may assume none of it, since scenarios lose, repeat and delay what is
/// said; the time that this takes is less than any that theirs could.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dibs::bench {

/// Of a whole run, by the names of `dibs metrics`.
struct least_figures {
  std::uint64_t double_offers = 0;
  std::uint64_t double_commits = 0;
  std::uint64_t breaches = 0;  ///< a grant of a driver who was not free, or a commit without lease
  sim_duration converted{};
  /// Hidden by leases that came to nothing, by what had become of their offers when they ended;
  /// metrics count for `lost_accept` also who accepted later, by a phone that was behind.
  sim_duration undelivered{};
  sim_duration ignored{};
  sim_duration declined{};
  sim_duration lost_accept{};

  friend bool operator==(const least_figures&, const least_figures&) = default;
};

class minimal_observer final : public events::observer {
 public:
  explicit minimal_observer(std::uint32_t drivers) : drivers_(drivers) {}

  void observe(std::span<const events::event> batch) override;

  [[nodiscard]] const least_figures& figures() const { return figures_; }

 private:
  enum class state : std::uint8_t { free, leased, on_trip };
  enum class reaction : std::uint8_t { none, shown, declined, accepted };

  struct alignas(64) driver {
    std::array<token_id, 2> screen{};  ///< offers that she sees
    token_id newest;                   ///< of those under which she was leased
    sim_time leased_at{};
    sim_time shown_until{};  ///< the newest lease's offer
    state is = state::free;
    reaction to_offer = reaction::none;  ///< of the newest lease, in time
  };

  template <class Fact>
  void on(const Fact&) {}
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

  std::vector<driver> drivers_;
  least_figures figures_;
  sim_time now_{};
};

}  // namespace dibs::bench
