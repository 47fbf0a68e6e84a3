/// The calls of clients to the lease manager and the ledger, and how long each answer took: the
/// columns from which a page draws its arrows.
#pragma once

#include "history/indexed_run.hpp"
#include "pages/drawn_sample.hpp"

#include <string>

namespace dibs::pages {

/// Calls about tries that are drawn, by the instant at which they were made: `made` (ms since the
/// one before), `try` (rows since the one before), `took` (ms until the answer; -1: none came) and
/// `what`: the call (acquire, confirm, renew, release, write), and 5 times the answer (yes, no,
/// heard, none), and 20 if the driver's phone made it.
[[nodiscard]] std::string calls_json(const history::indexed_run& c, const drawn_sample& kept);

/// Acquires that brought no lease on drivers who are drawn: denied, or without an answer.
[[nodiscard]] std::string denials_json(const history::indexed_run& c, const drawn_sample& kept);

}  // namespace dibs::pages
