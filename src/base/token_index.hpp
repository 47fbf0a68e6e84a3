/// A number for each token: where its record lies in a table.
///
/// A lease manager counts its tokens, so nearly all of them lie in an array by themselves; only
/// those far ahead of the others, and those that matchers make up, lie in a hash table.
#pragma once

#include "base/ids.hpp"
#include "base/packing_table.hpp"

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
    if (others_.empty()) {
      return none;
    }
    const auto found = others_.find(token);
    return found == others_.end() ? none : found->second;
  }

  /// In place of its last number, if it has one.
  void set(token_id token, std::uint32_t number) {
    ++sets_;
    if (token.value < std::max<std::uint64_t>(counted_.size(), room())) {
      counted_.grown(token.value) = number + 1;
    } else {
      others_.insert_or_assign(token, number);
    }
  }

  /// Packs what nobody has used for a while.
  void settle() { counted_.settle(); }

 private:
  /// Counted as they are, tokens of one maker fill the table from front to back; those of several
  /// makers start apart.
  struct hash {
    std::size_t operator()(token_id t) const noexcept {
      return static_cast<std::size_t>(t.value + (t.value >> 40) * 0x9e3779b97f4a7c15ULL);
    }
  };

  /// The array is at most a few times as long as there are tokens.
  [[nodiscard]] std::uint64_t room() const { return 1024 + 4 * sets_; }

  packing_table<std::uint32_t> counted_;  ///< by token: its number and 1, or 0
  tsl::hopscotch_map<token_id, std::uint32_t, hash> others_;
  std::uint64_t sets_ = 0;
};

}  // namespace dibs
