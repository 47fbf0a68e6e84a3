/// The figures that are known only when a run is over, each judged from what the tables say.
///
/// Every judge enters all of its figures, zeros too.
#pragma once

#include "metrics/findings.hpp"
#include "metrics/interval.hpp"
#include "metrics/outages.hpp"
#include "metrics/rides.hpp"
#include "metrics/sheet.hpp"
#include "metrics/tries.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace dibs::metrics {

/// All that a judge may look at.
struct evidence {
  interval window;
  sim_duration grace{};
  sim_time end{};  ///< of the run
  const ride_list& rides;
  const outages& down;
  const outages& paused;
};

/// When two things first met, for the series.
struct meetings {
  std::vector<sim_time> offers;
  std::vector<sim_time> commits;
};

/// Double assignment on all levels. Marks the offers that met another one on the screen.
[[nodiscard]] meetings judge_doubles(try_table& tries,
                                     const evidence& e,
                                     sheet& figures,
                                     findings& harms_found);

/// Broken promises.
void judge_promises(const try_table& tries, const evidence& e, sheet& figures, findings& found);

/// Lost, late and premature accepts.
void judge_accepts(const try_table& tries, const evidence& e, sheet& figures, findings& found);

/// To what hidden seconds go, as in `supply.hidden_s.<part>`: `zombie` and `overhang`, which are
/// cut out of a lease, and the causes of which one takes the rest of it.
[[nodiscard]] std::span<const std::string_view> hidden_parts();
inline constexpr std::size_t zombie_part = 0;
inline constexpr std::size_t overhang_part = 1;
/// The part that takes the rest of a lease that came to nothing.
[[nodiscard]] std::size_t hidden_part_of(const try_record& t, const evidence& e);

/// Hidden supply and how leases ended.
void judge_leases(const try_table& tries, const evidence& e, sheet& figures, findings& found);

/// Offers and rides.
void judge_service(const try_table& tries, const evidence& e, sheet& figures);

/// Whether the driver accepted in time, in vain, a ride that was still wanted.
[[nodiscard]] bool is_lost_accept(const try_record& t, const evidence& e);
/// Whether the lease manager ended the lease for want of time or on a release; not because it was
/// declined, cancelled or refused by the ledger.
[[nodiscard]] bool is_let_go(const try_record& t);
[[nodiscard]] bool is_gone_by(ride_id r, sim_time t, const evidence& e);

}  // namespace dibs::metrics
