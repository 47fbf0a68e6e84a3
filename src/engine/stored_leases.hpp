/// What a live run asks of a store outside, and what a store cannot do.
#pragma once

#include "base/result.hpp"
#include "engine/live_run.hpp"
#include "scenario/scenario.hpp"
#include "store/client.hpp"

#include <memory>

namespace dibs::engine {

/// Opens the store, if the run has one. Null: leases are kept here. Errors: see `run_live`.
[[nodiscard]] result<std::unique_ptr<store::client>> open_store(const scenario::scenario& s,
                                                                const live_options& live);

}  // namespace dibs::engine
