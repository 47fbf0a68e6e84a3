/// Where all sliders stand: one point to look at. Pure.
#pragma once

#include "explore/slider.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::explore {

/// Which stop of each slider.
using place = std::vector<std::size_t>;

/// `3.0.12`, as the page names it. Nothing if it is another text, of another number of sliders, or
/// beyond their stops.
[[nodiscard]] std::optional<place> read_place(std::string_view text,
                                              const std::vector<slider>& sliders);

/// Where each slider has the scenario's own value.
[[nodiscard]] place own_place(const std::vector<slider>& sliders);

/// What differs there from the scenario, and what follows from it: where the length of a lease is
/// moved, the offer window goes with it (`sweep/implied_fields.hpp`). Errors: an expression that
/// has no value.
[[nodiscard]] result<changes> changes_at(const place& p,
                                         const std::vector<slider>& sliders,
                                         const explored_scenario& s);

/// Why there is nothing to run, and at which slider to say so.
struct objection {
  std::optional<std::size_t> slider;  ///< nothing: of none alone
  std::string why;
};

/// Of the first diagnostic.
[[nodiscard]] objection objection_of(const std::vector<scenario::diagnostic>& all,
                                     const std::vector<slider>& sliders);

}  // namespace dibs::explore
