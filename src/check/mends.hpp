/// Changes of the user's own design that may take a harm away, cheapest to build first. Whether one
/// does, and what it costs, is tried (`check.hpp`), never guessed.
#pragma once

#include "scenario/read.hpp"

#include <string>
#include <vector>

namespace dibs::check {

struct mend {
  std::string feature;  ///< what it does, as a clause
  std::vector<scenario::override_value> set{};
  bool is_of_ttl = false;
  std::string flaw{};  ///< the setting that it puts back, `lease.hold_min=15s`
};

/// Those that change something of `mine` and leave it valid: first the features that `explain`
/// knows, then repetitions of requests, last other TTLs.
[[nodiscard]] std::vector<mend> mends_of(const scenario::scenario& mine);

/// So soon and so often that a request comes through where a third is lost.
inline constexpr std::uint32_t retries_enough = 5;
inline constexpr sim_duration retried_soon = std::chrono::milliseconds(500);

/// Whether rides are given up sooner with a change: those who are matched wait less then, and
/// nobody gains.
[[nodiscard]] bool gives_up_sooner(const scenario::scenario& mine,
                                   const scenario::scenario& mended);

/// Of a link that repeats nothing: `{after: 500ms, max: 5}`.
[[nodiscard]] std::string soon_and_often();

/// Whether its leases end after a time.
[[nodiscard]] bool has_ttl(const scenario::scenario& s);

/// A length as a scenario has it, in whole tenths of a second and at least one: `2500ms`.
[[nodiscard]] std::string in_tenths(sim_duration length);

/// `mine` with a TTL so many times as long, and what drivers are shown of it.
[[nodiscard]] mend ttl_of(const scenario::scenario& mine, double times);

}  // namespace dibs::check
