/// What looks wrong about the rows of a trace, though each of them can be read: the unit or the
/// column may be another one than is meant.
#pragma once

#include "text/clock_time.hpp"
#include "world/trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::world {

class trace_doubts {
 public:
  /// Both must outlive it.
  trace_doubts(const trace_columns& columns, const geography& map) : columns_(columns), map_(map) {}

  void look_at_time(const text::clock_time& when);
  /// Of a trip that two times tell.
  void look_at_length(sim_duration trip);
  void look_at_trip(const point& from, const point& to, sim_duration trip);

  /// Of times since midnight: those since 1970 are dates.
  [[nodiscard]] bool has_met_numbers() const { return has_met_numbers_; }

  /// Whether the times are numbers as spreadsheets write them, days since 1900 with their fraction.
  [[nodiscard]] bool look_like_days() const;

  /// A sentence for each doubt, with its evidence.
  [[nodiscard]] std::vector<std::string> found() const;

 private:
  [[nodiscard]] std::string source_of_lengths() const;
  void doubt_lengths(std::vector<std::string>& into) const;

  const trace_columns& columns_;
  const geography& map_;
  std::uint64_t times_ = 0;
  bool has_met_numbers_ = false;
  bool all_are_numbers_ = true;  ///< of seconds, not since 1970
  bool all_are_minutes_ = true;  ///< or of minutes since then
  bool all_are_early_ = true;    ///< numbers of the first minutes of a day
  sim_duration latest_{};
  std::uint64_t with_fraction_ = 0;  ///< numbers
  sim_duration earliest_ = 24h;
  std::uint64_t lengths_ = 0;   ///< that two times tell
  std::uint64_t of_hours_ = 0;  ///< of these such as take more than one
  double lengths_s_ = 0;
  std::uint64_t trips_ = 0;  ///< long enough to tell a speed
  std::uint64_t too_fast_ = 0;
  std::uint64_t too_slow_ = 0;
};

}  // namespace dibs::world
