/// A run while it runs: supply, harms so far and matching, in a few lines.
///
/// A fold over the events that have come, in true time; never part of a result. Rides and harms are
/// counted as in the summary, in the measured time alone, and at the end are the same numbers. The
/// harms are those that are plain at once: a hidden second is known only when its lease is over.
#pragma once

#include "events/observer.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/worst_harms.hpp"
#include "scenario/scenario.hpp"
#include "text/terminal.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::report {

class live_status final : public events::observer {
 public:
  explicit live_status(const scenario::scenario& s);

  void observe(std::span<const events::event> batch) override;

  /// Four lines that are drawn again and again, for a terminal; more where it is narrow. None is as
  /// wide as it.
  [[nodiscard]] std::vector<std::string> lines(sim_time reached,
                                               const text::terminal_style& l) const;
  /// The same in one line, for anything else.
  [[nodiscard]] std::string line(sim_time reached) const;

  struct counts {
    std::uint64_t asked = 0;
    std::uint64_t matched = 0;  ///< rides with a driver, once each
    std::uint64_t gave_up = 0;  ///< abandoned
    std::uint64_t doubled = 0;  ///< pairs of rides that were on one driver at once
    std::uint64_t broken = 0;   ///< promises withdrawn because nobody came
    std::uint64_t in_vain = 0;  ///< leases that ended without a trip
  };
  [[nodiscard]] const counts& so_far() const { return counts_; }

 private:
  /// A trip that is under way.
  struct trip {
    token_id token;
    ride_id ride;
  };

  void count(const events::event& e);
  void count_commit(const events::trip_committed& f, sim_time t);
  void end_trip(driver_id d, token_id token);
  /// Rides that are on one driver as the measured time begins.
  void count_open_pairs();
  [[nodiscard]] std::string phase(sim_time reached) const;

  time_interval window_;
  sim_time ends_;
  bool has_begun_ = false;
  metrics::worst_harms found_;
  metrics::run_tables tables_;
  counts counts_;
  std::vector<std::vector<trip>> trips_;  ///< by driver
  std::vector<bool> matched_;             ///< by ride
};

}  // namespace dibs::report
