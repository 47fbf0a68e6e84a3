/// Runs variants of one scenario, each seed once however often it is asked for.
#pragma once

#include "check/check.hpp"
#include "incidents/replicated.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace dibs::check {

class variant_runs {
 public:
  /// `how` outlives it.
  explicit variant_runs(const options& how) : how_(how) {}

  /// Stays where it is. Errors: as `check_scenario`.
  [[nodiscard]] result<const incidents::replicated*> of(const scenario::scenario& s,
                                                        const std::string& at) {
    return of(s, at, how_.runs);
  }
  /// On the first seeds only, as many as tell what is far from helping.
  [[nodiscard]] result<const incidents::replicated*> of_few(const scenario::scenario& s,
                                                            const std::string& at) {
    constexpr std::uint32_t few = 2;
    return of(s, at, std::min(few, how_.runs));
  }
  /// On three times as many seeds, the others among them.
  [[nodiscard]] result<const incidents::replicated*> of_more(const scenario::scenario& s,
                                                             const std::string& at) {
    return of(s, at, 3 * how_.runs);
  }
  [[nodiscard]] std::uint64_t replications() const { return replications_; }

 private:
  [[nodiscard]] result<const incidents::replicated*> of(const scenario::scenario& s,
                                                        const std::string& at,
                                                        std::uint32_t runs);

  const options& how_;
  std::uint64_t replications_ = 0;
  /// By what the scenario says, and how many there are.
  std::map<std::string, std::map<std::uint32_t, incidents::replicated>> known_;
};

}  // namespace dibs::check
