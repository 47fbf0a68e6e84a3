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
  /// More of them may come.
  void expect(std::size_t more) { expected_ += more; }
  [[nodiscard]] std::uint64_t replications() const { return known_.size() * how_.runs; }

 private:
  const options& how_;
  std::map<std::string, incidents::replicated> known_;  ///< by what the scenario says
  std::size_t expected_ = 0;
  std::size_t asked_ = 0;
};

}  // namespace dibs::check
