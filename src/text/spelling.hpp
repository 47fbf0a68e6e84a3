/// How far words are from each other, to guess which one was meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::text {

/// How many letters must be inserted, removed, replaced or exchanged with their neighbour: optimal
/// string alignment (Damerau 1964).
[[nodiscard]] std::size_t misspellings(std::string_view a, std::string_view b);

/// Up to how many a word may be meant: beyond, a guess would be as wild as the word. A third of its
/// letters, and no more than four.
[[nodiscard]] std::size_t misspellings_max(std::string_view word);

/// The name nearest to a misspelt one, by edit distance; empty if none is near.
[[nodiscard]] std::string closest_spelling(std::string_view misspelt,
                                           const std::vector<std::string>& known);

}  // namespace dibs::text
