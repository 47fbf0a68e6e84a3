/// Runs variants of one scenario, each once however often it is asked for.
#pragma once

#include "check/check.hpp"
#include "incidents/replicated.hpp"

#include <map>
#include <string>

namespace dibs::check {

class variant_runs {
 public:
  /// `how` outlives it.
  explicit variant_runs(const options& how) : how_(how) {}

  /// Stays where it is. Errors: as `check_scenario`.
  [[nodiscard]] result<const incidents::replicated*> of(const scenario::scenario& s,
                                                        const std::string& at);
  [[nodiscard]] std::uint64_t replications() const { return known_.size() * how_.runs; }

 private:
  const options& how_;
  std::map<std::string, incidents::replicated> known_;  ///< by what the scenario says
};

}  // namespace dibs::check
