/// The signs of a region's map, and what each says: the same in text, pictures and pages.
#pragma once

#include <array>
#include <string_view>

namespace dibs::report {

struct region_sign {
  char sign;
  std::string_view says;
};

/// In the order of a legend. Large ones are where the runs and the bound of the closed form agree.
inline constexpr std::array region_signs{
    region_sign{'#', "all holds, as the bound says"},
    region_sign{'+', "all holds, though the TTL is below the bound"},
    region_sign{'!', "something is missed, though the TTL is long enough by the bound"},
    region_sign{'.', "something is missed, as the bound says"},
    region_sign{'?',
                "too near to what has to hold for so few seeds: 95 % intervals reach across it"},
    region_sign{'X', "a promise of the protocol is broken"},
    region_sign{'S', "undecided: a run got nowhere and was ended"},
    region_sign{'-', "no scenario: its fields contradict each other, or a condition excludes it"}};

/// Of a cell with this `sweep::verdict_of`, whose TTL is long enough by the bound or not.
[[nodiscard]] char region_sign_of(std::string_view verdict, bool is_long_enough);

}  // namespace dibs::report
