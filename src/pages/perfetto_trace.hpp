/// A run as a Chrome trace: JSON that ui.perfetto.dev and chrome://tracing open.
///
/// Tracks of its own for each node. Leases, offers and trips are async events with ids of their
/// own, since they overlap; a flow leads from each ride's request by way of its offers to its trip;
/// counters show supply. Times are true times, to the nanosecond.
/// Format: "Trace Event Format", Google, 2016, as Perfetto's importer reads it.
#pragma once

#include "history/indexed_run.hpp"

#include <string>

namespace dibs::pages {

[[nodiscard]] std::string trace_of(const history::indexed_run& c);

}  // namespace dibs::pages
