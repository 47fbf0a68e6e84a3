/// Works out the figures that are known only when a run is over, from the tables of the run.
///
/// The evaluators go through the tries together, one try after the other. A large run has millions
/// of tries, and fetching one from memory takes longer than evaluating it. Every evaluator enters
/// all of its figures, zeros too.
#pragma once

#include "base/time_interval.hpp"
#include "metrics/outages.hpp"
#include "metrics/rides.hpp"
#include "metrics/sums_writer.hpp"
#include "metrics/tries.hpp"
#include "metrics/worst_harms.hpp"
#include "stats/histogram.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dibs::metrics {

/// What all evaluators read, beside the tries and rides.
struct evaluation_context {
  time_interval window;
  sim_duration grace{};
  sim_time end{};  ///< of the run
  const outages& down;
  const outages& paused;
};

/// When two things first met, for the series.
struct first_conflicts {
  std::vector<sim_time> offers;
  std::vector<sim_time> commits;
};

/// For a while, one of these (a driver, or a ride) was taken by another.
struct exclusive_use {
  std::uint32_t of = 0;
  std::uint32_t by = 0;
  time_interval when{};
  try_index which = no_try;
  bool was_sent = false;  ///< its offer, in the window
};

/// Where two claims may meet: in whatever order they come, one begins before the end of one that
/// came earlier.
class overlap_index {
 public:
  void see(const exclusive_use& c);
  /// Once all were seen.
  void sort();
  [[nodiscard]] bool any() const { return !stretches_.empty(); }
  /// Whether the claim lies where some may meet. Requires: sorted.
  [[nodiscard]] bool over(const exclusive_use& c) const;

 private:
  struct stretch {
    std::uint32_t of = 0;
    time_interval when;
  };

  std::vector<sim_time> reach_;  ///< of whom: when the last of the claims so far ends
  /// The claims that began before the end of an earlier one: both of any two that meet lie on that
  /// of the later one. Once sorted, those of one that overlap are one stretch.
  std::vector<stretch> stretches_;
};

/// Double assignment on all levels.
class double_assignment_evaluator {
 public:
  /// In the order of their numbers.
  void see(try_index i, const try_record& t, const evaluation_context& e);
  /// Once all were seen.
  [[nodiscard]] first_conflicts finish(const try_table& tries,
                                       const evaluation_context& e,
                                       sums_writer& to,
                                       worst_harms& found);

  /// Screens, accepts and commits of drivers; commits of rides, and the work on them.
  static constexpr std::size_t levels = 5;

 private:
  std::array<overlap_index, levels> rivals_;
};

/// Broken promises.
class promise_evaluator {
 public:
  void see(try_index i, const try_record& t, const evaluation_context& e, worst_harms& found);
  void enter(sums_writer& figures) const;

 private:
  std::uint64_t made_ = 0;
  std::uint64_t broken_ = 0;
};

/// What became of an accept in time.
enum class fate : std::uint8_t {
  trip,      ///< whenever the commit came
  unwanted,  ///< its ride was gone, or had a driver, before it was decided against
  lost,
};

/// The fates of accepts, and to what those were lost that were.
class accept_evaluator {
 public:
  void see(try_index i, const try_record& t, const evaluation_context& e, worst_harms& found);
  void enter(sums_writer& figures) const;

  /// To what accepts are lost.
  static constexpr std::size_t reasons = 8;

 private:
  std::uint64_t in_time_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t late_trips_ = 0;
  std::array<std::uint64_t, 3> fates_{};
  std::array<std::uint64_t, reasons> by_reason_{};
  std::array<std::uint64_t, reasons> premature_{};  ///< of these, those whose lease was let go
};

/// To what hidden seconds go, as in `supply.hidden_s.<part>`: `zombie` and `overhang`, which are
/// cut out of a lease, and the causes of which one takes the rest of it.
[[nodiscard]] std::span<const std::string_view> hidden_parts();
inline constexpr std::size_t hidden_parts_count = 9;
inline constexpr std::size_t zombie_part = 0;
inline constexpr std::size_t overhang_part = 1;
/// The part that takes the rest of a lease that came to nothing.
[[nodiscard]] std::size_t hidden_part_of(const try_record& t, const evaluation_context& e);

/// The part of a lease's time, maybe none, in which its holder is dead to it: from a crash on, for
/// whoever comes back has no memory of it.
[[nodiscard]] time_interval zombie_of(const try_record& t, const evaluation_context& e);

/// Hidden supply and how leases ended.
class lease_evaluator {
 public:
  void see(try_index i, const try_record& t, const evaluation_context& e, worst_harms& found);
  /// Once: the histogram goes with it.
  void enter(sums_writer& figures);

 private:
  struct totals {
    wide_ns hidden = 0;
    wide_ns converted = 0;
    wide_ns overhang = 0;
    wide_ns zombie = 0;
    wide_ns phantom = 0;
    std::array<wide_ns, hidden_parts_count> parts{};
  };
  struct counts {
    std::uint64_t granted = 0;
    std::uint64_t censored = 0;
    std::uint64_t converted = 0;
    std::uint64_t expired = 0;
    std::uint64_t orphaned = 0;
  };

  void see_time(try_index i, const try_record& t, const evaluation_context& e, worst_harms& found);
  /// The time of a lease that came to nothing, within the window.
  void add_hidden(const try_record& t, const evaluation_context& e);
  void see_release(const try_record& t, const evaluation_context& e);
  void see_end(const try_record& t, const evaluation_context& e);

  totals time_;
  counts counts_;
  stats::histogram holds_;
  std::uint64_t released_early_ = 0;
  wide_ns left_of_early_ = 0;
};

/// Offers and commits.
class service_evaluator {
 public:
  /// In the order of their numbers.
  void see(const try_record& t, const evaluation_context& e);
  void enter(sums_writer& figures);

 private:
  struct commit {
    ride_id ride;
    sim_time at{};
    bool counts = false;  ///< it lies in the window
  };

  void keep(const commit& c) { kept_ += c.counts ? 1U : 0U; }

  std::uint64_t sent_ = 0;
  std::uint64_t shown_ = 0;
  std::uint64_t committed_ = 0;
  std::uint64_t kept_ = 0;
  std::vector<commit> shared_;  ///< not called off, of rides that have several
};

/// What became of rides.
void judge_rides(const ride_list& rides, const evaluation_context& e, sums_writer& figures);

/// Of an accept in time; nothing without one. Requires: nothing happens any more.
[[nodiscard]] std::optional<fate> fate_of(const try_record& t);
/// Whether a yes became no trip for want of time or by a failure: lost, or late and in vain.
[[nodiscard]] bool is_missed_accept(const try_record& t);
/// Whether the lease manager ended the lease for want of time or on a release; not because it was
/// declined, cancelled or refused by the ledger.
[[nodiscard]] bool is_let_go(const try_record& t);

}  // namespace dibs::metrics
