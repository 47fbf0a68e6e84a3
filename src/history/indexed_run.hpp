/// The tables of a run, for explanations and drawings: every try, ride, trip and outage, and the
/// use of each second under a lease.
///
/// The same fold as that of the metrics fills them (`metrics/run_tables.hpp`), so a drawing and a
/// figure of one run cannot disagree.
#pragma once

#include "history/leadership.hpp"
#include "history/node_clocks.hpp"
#include "history/recorded_run.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/worst_harms.hpp"

namespace dibs::history {

class chronicle {
 public:
  /// `of` outlives it.
  explicit chronicle(const recorded_run& of);
  chronicle(const chronicle&) = delete;
  chronicle& operator=(const chronicle&) = delete;

  [[nodiscard]] const recorded_run& of() const { return of_; }
  [[nodiscard]] const metrics::story& story() const { return story_; }
  [[nodiscard]] const metrics::try_list& tries() const { return table_.all(); }
  [[nodiscard]] const metrics::try_table& table() const { return table_; }
  [[nodiscard]] const metrics::ride_list& rides() const { return story_.rides(); }
  [[nodiscard]] const metrics::supply& drivers() const { return story_.drivers(); }
  [[nodiscard]] const metrics::waiting& riders() const { return story_.riders(); }
  [[nodiscard]] const metrics::outages& down() const { return story_.down(); }
  [[nodiscard]] const metrics::outages& paused() const { return story_.paused(); }
  [[nodiscard]] const own_clocks& clocks() const { return clocks_; }
  [[nodiscard]] const leaders& lead() const { return leaders_; }
  /// Of the measured time, as far as the run came.
  [[nodiscard]] interval window() const { return window_; }

 private:
  const recorded_run& of_;
  interval window_;
  own_clocks clocks_;
  leaders leaders_;
  metrics::findings found_;
  metrics::story story_;
  const metrics::try_table& table_;
};

}  // namespace dibs::history
