/// What fields of several mappings need in order to have an effect; see `record::needs`.
#pragma once

#include "scenario/field_description.hpp"

#include <optional>
#include <string>

namespace dibs::scenario {

[[nodiscard]] bool takes_leases(const scenario& s);

[[nodiscard]] need of_leases();         ///< matchers take leases before they offer
[[nodiscard]] need of_expiry();         ///< these end for want of time
[[nodiscard]] need of_running_out();    ///< these do, or are freed where they are never written
[[nodiscard]] need of_renewals();       ///< these are renewed
[[nodiscard]] need of_lost_managers();  ///< a lease manager may crash, or another may take over
[[nodiscard]] need of_fence();          ///< the ledger compares tokens
[[nodiscard]] need of_map();            ///< there is geography
[[nodiscard]] need of_trace();          ///< rides come from a trace
[[nodiscard]] need of_wall_clocks();    ///< something is judged by a wall clock

/// Why the field at `path`, as `--set` takes it, changes no run of `s`; nothing where it may, or
/// where there is no such field.
[[nodiscard]] std::optional<std::string> why_idle(const scenario& s, const std::string& path);

/// Whether the field at `path` is about runs at all, and not about how they are called, measured,
/// judged or kept.
[[nodiscard]] bool is_of_runs(const std::string& path);

}  // namespace dibs::scenario
