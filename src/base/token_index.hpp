/// A number for each token: where its record lies in a table.
///
/// A lease manager counts its tokens, so nearly all of them lie in an array by themselves. Those
/// far ahead of the others, and those that matchers make up, each matcher counting its own, lie in
/// stretches of neighbours, which a hash table finds.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"

#include <tsl/hopscotch_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dibs {

class token_index {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `none` for a token that has no number.
  [[nodiscard]] std::uint32_t find(token_id token) const {
    if (token.value < counted_.size()) {
      if (const std::uint32_t number = counted_[token.value]; number != 0) {
        return number - 1;
      }
    }
    const auto found = stretches_.find(token.value / stretch);
    if (found == stretches_.end()) {
      return none;
    }
    const std::uint32_t number = others_[place_in(found->second, token)];
    return number == 0 ? none : number - 1;
  }

  /// In place of its last number, if it has one.
  void set(token_id token, std::uint32_t number) {
    ++sets_;
    const bool is_counted = token.value < std::max<std::uint64_t>(counted_.size(), room());
    (is_counted ? counted_.grown(token.value) : other(token)) = number + 1;
  }

 private:
  /// Long enough that the hash table is short, and short enough that a token alone wastes little.
  static constexpr std::uint64_t stretch = 32;

  [[nodiscard]] static std::size_t place_in(std::uint32_t which, token_id token) {
    return which * stretch + token.value % stretch;
  }

  [[nodiscard]] std::uint32_t& other(token_id token) {
    const auto found = stretches_.find(token.value / stretch);
    if (found != stretches_.end()) {
      return others_[place_in(found->second, token)];
    }
    const auto next = static_cast<std::uint32_t>(others_.size() / stretch);
    for (std::uint64_t i = 0; i < stretch; ++i) {
      others_.push_back(0);
    }
    stretches_.emplace(token.value / stretch, next);
    return others_[place_in(next, token)];
  }

  /// The array is at most a few times as long as there are tokens.
  [[nodiscard]] std::uint64_t room() const { return 1024 + 4 * sets_; }

  block_table<std::uint32_t> counted_;  ///< by token: its number and 1, or 0
  tsl::hopscotch_map<std::uint64_t, std::uint32_t, spread_hash> stretches_;
  block_table<std::uint32_t> others_;  ///< the same, stretch by stretch, as they came
  std::uint64_t sets_ = 0;
};

}  // namespace dibs
