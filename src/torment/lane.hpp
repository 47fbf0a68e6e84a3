/// One lane of a matcher process: one ride after the other, each from the acquire of a driver to
/// the close of its trip.
///
/// A trip counts from the answer of the write to before its close is sent, so that an overlap of
/// two trips on record is an overlap.
#pragma once

#include "base/random.hpp"
#include "events/calls.hpp"
#include "torment/fact_file.hpp"
#include "torment/keep_alive.hpp"
#include "torment/lease_access.hpp"
#include "torment/ledger_client.hpp"
#include "torment/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace dibs::torment {

/// What one lane talks to.
struct lane_links {
  std::unique_ptr<lease_access> leases;
  std::unique_ptr<server_link> ledger;
  std::unique_ptr<lease_access> renewals;  ///< none where leases are not renewed

  /// Whether all of them are connected, or could be.
  [[nodiscard]] bool connect() const;
};

/// Errors: an address that cannot be read.
[[nodiscard]] result<lane_links> links_of(const matcher_plan& p, std::uint32_t number);

/// Who works in a lane, from 0 over all processes, and the first ride of it that is new.
struct lane_number {
  std::uint32_t lane = 0;
  std::uint32_t first_ride = 0;
};

/// Not copied. The facts and the links outlive it.
class lane {
 public:
  lane(const matcher_plan& p, lane_number number, fact_file& facts, const lane_links& links);

  /// Until the run is over.
  void run();

 private:
  [[nodiscard]] node_id node() const { return node_of(me_); }
  sim_duration drawn(sim_duration least, sim_duration most);
  void made(events::call what, const task& t, sim_time when);
  void answered(events::call what, events::call_answer said, const task& t);

  void serve(task t);
  bool acquire(task& t);
  bool still_has(const task& t);
  bool write(const task& t);
  void drive(const task& t);
  void tell(const lease::any_command& word);
  void give_back(const task& t);

  const real_case& what_;
  matcher_id me_;
  stream draw_;
  fact_file& facts_;
  lease_access& leases_;
  lease_access* renewals_;
  ledger_client ledger_;
  std::optional<keep_alive> kept_;  ///< while a lease is renewed
  sim_time until_;
  std::uint32_t next_;
};

}  // namespace dibs::torment
