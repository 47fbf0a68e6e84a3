/// The world of a run and what all its nodes are subject to, as its scenario says: the same for
/// virtual time and for live runs.
#pragma once

#include "actors/lease_manager.hpp"
#include "actors/ledger.hpp"
#include "actors/matcher.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "runtime/run_conditions.hpp"
#include "runtime/shared_world.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace dibs::engine {

/// Requires: the scenario and what was prepared outlive it.
[[nodiscard]] runtime::shared_world world_of(const scenario::scenario& s,
                                             const prepared_scenario& shared,
                                             const run_options& how);

[[nodiscard]] runtime::run_condition_options terms_of(const scenario::scenario& s,
                                                      const run_options& how);

/// Adds the ids of pauses and crashes that strike no node: those that begin after the run, and
/// those at a rate that came to nothing by chance.
void add_never_struck(const scenario::scenario& s,
                      const sim::fault_plan& plan,
                      std::vector<std::string>& ids);

/// Adds the ids of partitions and slowdowns that no message was lost to or held up by, by their
/// places. Not of those
/// that a matcher's view of supply may lag for.
void add_never_felt(const scenario::scenario& s,
                    const sim::fault_plan& plan,
                    const std::set<std::size_t>& felt,
                    std::vector<std::string>& ids);

[[nodiscard]] std::vector<actors::matcher> matchers_of(const runtime::shared_world& world);
/// One, or a leader and the one that follows it. `leases`, and below `trips`: the store that keeps
/// them, if it is not the node itself.
[[nodiscard]] std::vector<actors::lease_manager> lease_managers_of(
    const runtime::shared_world& world, const actors::store_access& leases = {});
[[nodiscard]] actors::ledger ledger_of(const scenario::scenario& s,
                                       const actors::store_access& trips = {});

}  // namespace dibs::engine
