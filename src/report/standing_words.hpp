/// How a value that was tried stands to the best one, in words: the same in tables, pictures and
/// pages.
#pragma once

#include <array>
#include <string_view>

namespace dibs::report {

struct standing_word {
  std::string_view standing;  ///< as JSON has it
  std::string_view word;
  std::string_view says;  ///< in a legend
};

inline constexpr std::array standing_words{
    standing_word{"best", "best", "the best"},
    standing_word{"better", "better", "better"},
    standing_word{
        "as good", "near-optimal", "near-optimal: not worse than the best by more than delta"},
    standing_word{"open", "open", "open: neither shown to be that good nor worse"},
    standing_word{"worse", "worse", "worse"},
    standing_word{"unusable",
                  "unusable",
                  "cannot be chosen: a constraint is missed, a promise broken, or somebody "
                  "assigned twice"}};

/// Of a standing that there is none of: of `open`.
[[nodiscard]] constexpr const standing_word& word_of_standing(std::string_view standing) {
  for (const standing_word& each : standing_words) {
    if (each.standing == standing) {
      return each;
    }
  }
  return standing_words[3];
}

}  // namespace dibs::report
