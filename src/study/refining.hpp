/// From the winner among the values of a grid to the best value between and beside them: a
/// quadratic in the logarithms of what has a range, through values around the winner.
///
/// The first look reaches as far as what is clearly worse, a second one, where enough bends, is
/// narrower. The least value of a fit is taken unless it is shown to be worse than the best so far,
/// and is told with its interval: see `study/surface.hpp`.
#pragma once

#include "base/result.hpp"
#include "study/quest.hpp"
#include "study/surface.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::study {

struct refined {
  std::uint32_t point = 0;
  std::vector<std::optional<std::array<std::string, 2>>> interval;  ///< of each parameter
  bool cut_short = false;  ///< the budget was spent before the first fit
};

class refining {
 public:
  /// Each value that is tried runs on so many seeds of the first block.
  refining(const quest& q, std::uint32_t from, std::size_t seeds);

  /// Errors: the experiment's.
  [[nodiscard]] result<refined> run();

 private:
  using points = std::vector<std::uint32_t>;
  /// Where a search for the least goes on, in shares of each ranged parameter.
  struct bracket {
    double low = 0;
    double middle = 0.5;
    double high = 1;
  };
  /// Where a fit put the least value, and half the bracket that it was made over; in shares.
  struct placed {
    double at = 0;
    double half = 1;
  };

  [[nodiscard]] std::vector<bracket> first_brackets() const;
  [[nodiscard]] std::string clearly_worse(std::size_t parameter, std::ptrdiff_t step) const;
  [[nodiscard]] bool costs_clearly_more(std::uint32_t point) const;
  [[nodiscard]] std::vector<bracket> narrowed(const std::vector<bracket>& brackets,
                                              const least_place& fitted) const;
  [[nodiscard]] points design_in(const std::vector<bracket>& brackets, std::vector<place>& places);
  [[nodiscard]] result<std::optional<least_place>> refine_in(const std::vector<bracket>& brackets);
  [[nodiscard]] result<void> take(std::uint32_t point, double errors);
  [[nodiscard]] double misfit_of(std::size_t i, double at, double half) const;
  void note_interval(const least_place& least, const std::vector<bracket>& brackets);
  [[nodiscard]] double share_in(std::uint32_t point, std::size_t parameter) const;

  quest quest_;
  std::size_t seeds_ = 0;
  std::vector<std::size_t> ranged_;  ///< parameters with a range
  std::vector<placed> fitted_;       ///< by the last fit, of these
  refined found_;
};

}  // namespace dibs::study
