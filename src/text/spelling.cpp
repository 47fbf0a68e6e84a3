#include "text/spelling.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace dibs::text {

std::size_t misspellings(std::string_view a, std::string_view b) {
  // The rows of the table for the letters of `a` so far: the last but one, the last, and this one.
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(b.size() + 1));
  auto& [earlier, before, now] = rows;
  for (std::size_t j = 0; j <= b.size(); ++j) {
    now[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(earlier, before);
    std::swap(before, now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, before[j] + 1, now[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], earlier[j - 2] + 1);
      }
    }
  }
  return now.back();
}

std::size_t misspellings_max(std::string_view word) {
  return std::clamp<std::size_t>((word.size() + 1) / 3, 1, 4);
}

std::string closest_spelling(std::string_view misspelt, const std::vector<std::string>& known) {
  constexpr std::size_t length_max = 64;
  if (misspelt.empty() || misspelt.size() > length_max) {
    return {};
  }
  std::string best;
  std::size_t best_distance = misspellings_max(misspelt) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = misspellings(misspelt, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace dibs::text
