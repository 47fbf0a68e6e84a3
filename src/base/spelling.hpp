/// How far words are from each other, to guess which one was meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace dibs {

/// How many letters must be inserted, removed, replaced or exchanged with their neighbour: optimal
/// string alignment (Damerau 1964).
[[nodiscard]] std::size_t misspellings(std::string_view a, std::string_view b);

/// Up to how many a word may be meant: beyond, a guess would be as wild as the word. A third of its
/// letters, and no more than four.
[[nodiscard]] std::size_t misspellings_max(std::string_view word);

}  // namespace dibs
