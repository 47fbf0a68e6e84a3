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

class indexed_run {
 public:
  /// `of` outlives it.
  explicit indexed_run(const recorded_run& of);
  indexed_run(const indexed_run&) = delete;
  indexed_run& operator=(const indexed_run&) = delete;

  [[nodiscard]] const recorded_run& of() const { return of_; }
  [[nodiscard]] const metrics::run_tables& story() const { return tables_; }
  [[nodiscard]] const metrics::try_list& tries() const { return table_.all(); }
  [[nodiscard]] const metrics::try_table& table() const { return table_; }
  [[nodiscard]] const metrics::ride_list& rides() const { return tables_.rides(); }
  [[nodiscard]] const metrics::driver_time& drivers() const { return tables_.drivers(); }
  [[nodiscard]] const metrics::waiting_riders& riders() const { return tables_.riders(); }
  [[nodiscard]] const metrics::outages& down() const { return tables_.down(); }
  [[nodiscard]] const metrics::outages& paused() const { return tables_.paused(); }
  [[nodiscard]] const node_clocks& clocks() const { return clocks_; }
  [[nodiscard]] const leadership& lead() const { return leadership_; }
  /// Of the measured time, as far as the run came.
  [[nodiscard]] time_interval window() const { return window_; }

 private:
  const recorded_run& of_;
  time_interval window_;
  node_clocks clocks_;
  leadership leadership_;
  metrics::worst_harms found_;
  metrics::run_tables tables_;
  const metrics::try_table& table_;
};

}  // namespace dibs::history
