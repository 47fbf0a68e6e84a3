/// How much more some drivers are wanted than others: Zipf's law over the fleet.
///
/// The driver of rank k is drawn with a probability in proportion to k^-exponent; driver 0 has rank
/// 1. An exponent of 0 draws uniformly. One table of cumulative weights: a draw takes log2(drivers)
/// steps, and the same bits give the same driver on every machine.
#pragma once

#include "base/ids.hpp"
#include "base/random.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::match {

class popularity {
 public:
  /// `candidates`: how many drivers a matcher looks at for one try, at most. Requires: drivers > 0,
  /// exponent >= 0, candidates > 0.
  popularity(std::uint32_t drivers, double exponent, std::uint32_t candidates);

  [[nodiscard]] driver_id draw(stream& random) const;
  /// The probability with which a draw gives the driver.
  [[nodiscard]] double share_of(driver_id d) const;

  /// The first of the candidates drawn for whom `is_wanted`.
  template <class Wanted>
  [[nodiscard]] std::optional<driver_id> pick(const Wanted& is_wanted, stream& random) const {
    for (std::uint32_t i = 0; i < candidates_; ++i) {
      if (const driver_id d = draw(random); is_wanted(d)) {
        return d;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<double> up_to_;  ///< by driver: the weight of all up to her
  std::uint32_t candidates_;
};

}  // namespace dibs::match
