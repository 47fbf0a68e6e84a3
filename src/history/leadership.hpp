/// Which of two lease managers did what, where there is a standby. Facts of leases do not say.
///
/// Each term has tokens of its own, so a grant tells its manager. Any other fact of a lease belongs
/// to the manager that granted it, as long as that is up and still grants leases; else to the
/// manager that took the lead last.
#pragma once

#include "base/time_interval.hpp"
#include "history/event_text.hpp"
#include "history/recorded_run.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace dibs::history {

class leadership {
 public:
  explicit leadership(const recorded_run& of);

  /// `about`: of the fact. Its own place where that is no lease manager's, or there is one alone.
  [[nodiscard]] node_id place_of(const events::event& e, const subjects& about) const;

  /// Who has the say of a lease at `t`; with no token who leads.
  [[nodiscard]] node_id of(token_id token, sim_time t) const;

  /// When another manager took the lead, at or before `t`; never if none did.
  [[nodiscard]] sim_time changed_by(sim_time t) const;

 private:
  struct leadership_term {
    sim_time from{};
    node_id who;
    std::uint64_t term = 1;
    sim_time last_grant = sim_time::min();
  };

  void note_outage(const events::event& e);
  [[nodiscard]] bool is_out(node_id manager, sim_time t) const;

  std::vector<leadership_term> terms_;
  std::array<std::vector<time_interval>, 2> out_;  ///< by manager: paused, or down
};

}  // namespace dibs::history
