/// Whether a store answers as the lease machine and the ledger do: the same random sequences to
/// both, every answer compared, the time given so that nothing sleeps.
///
/// A store that cannot be told the time gets sequences in which none passes, and whose answers are
/// compared without their times; then some in which it passes once, in truth.
///
/// A token of the store stands for the machine's of the same grant, and has to grow like it. A
/// disagreement is cut to a sequence from which no command can be left out.
#pragma once

#include "base/result.hpp"
#include "store/command_sequence.hpp"
#include "store/connection.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dibs::store {

struct conformance_options {
  std::uint32_t sequences = 3000;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> only{};  ///< this one alone, from 1
  std::uint32_t waited = 32;            ///< so many at most with a wait in truth, all at once
  std::uint32_t shown_max = 3;          ///< disagreements that are cut short and kept
  bool stops_at_first = false;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint32_t done)> on_progress{};
};

/// One command of a played sequence, with both answers as text.
struct played_step {
  step what;
  std::string machine;
  std::string store;

  [[nodiscard]] bool agrees() const { return machine == store; }
};

struct disagreement {
  std::uint32_t sequence = 0;  ///< from 1; 0: one with a wait, not cut short
  terms leases;
  std::vector<played_step> steps;  ///< the last one is answered differently
};

struct conformance {
  std::uint32_t sequences = 0;
  std::uint32_t waited = 0;  ///< besides, in which time passed in truth
  std::uint64_t commands = 0;
  std::uint32_t disagreements = 0;
  std::vector<disagreement> shown;
  std::map<std::string, std::uint64_t> answers;  ///< how often each, as "acquire: granted"
};

/// Errors: the store has gone away (exit code 6).
[[nodiscard]] result<conformance> check_conformance(connection& to, const conformance_options& how);

}  // namespace dibs::store
