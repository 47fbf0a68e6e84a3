/// `a`, `a and b`, `a, b and c`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dibs::text {

[[nodiscard]] inline std::string word_list(const std::vector<std::string>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += i == 0 ? "" : i + 1 < all.size() ? ", " : " and ";
    text += all[i];
  }
  return text;
}

/// The first of them, and how many others: `a, b and 7 more`.
[[nodiscard]] inline std::string first_of_list(std::vector<std::string> all, std::size_t most) {
  if (all.size() > most) {
    const std::string rest = std::to_string(all.size() - most) + " more";
    all.resize(most);
    all.push_back(rest);
  }
  return word_list(all);
}

}  // namespace dibs::text
