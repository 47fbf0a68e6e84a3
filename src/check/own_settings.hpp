/// Settings of the user's own design that differ from the defaults, each with what puts it back.
#pragma once

#include "check/mends.hpp"
#include "scenario/scenario.hpp"

#include <vector>

namespace dibs::check {

/// One for each field of the leases, the matchers and the phones that is not at its default, and
/// one for the fields of a part that has several; then one for clocks that are wrong. Left as they
/// are: what a design is about (protocol, TTL, store, how many matchers, whether rides are claimed
/// or zones leased), and what is no part of it (demand, drivers, riders). Those that make the
/// scenario contradict itself are left out.
[[nodiscard]] std::vector<mend> own_settings(const scenario::scenario& mine);

}  // namespace dibs::check
