/// Spells: someone was in one state at one place for a while.
#pragma once

#include "base/block_table.hpp"
#include "base/ensure.hpp"
#include "base/point.hpp"
#include "base/time_interval.hpp"

#include <cstdint>
#include <vector>

namespace dibs::metrics {

struct spell {
  time_interval when;
  point place;
  std::uint32_t of = 0;  ///< the lease, if the state is one of being leased
};

/// Spells by number, which grow as they begin. Where somebody follows the log, one that is over and
/// will not be asked about any more gives its number to a later one: a run may take days.
template <class Spell>
class spell_log {
 public:
  explicit spell_log(bool is_followed = false) : is_followed_(is_followed) {}

  [[nodiscard]] std::uint32_t begin(const Spell& s) {
    const std::uint32_t number = room_for(s);
    if (is_followed_) {
      begun_.push_back(number);
    }
    return number;
  }

  [[nodiscard]] Spell& operator[](std::uint32_t i) { return spells_[i]; }
  [[nodiscard]] const Spell& operator[](std::uint32_t i) const { return spells_[i]; }
  /// Numbers in use, and free ones.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(spells_.size()); }
  [[nodiscard]] bool is_followed() const { return is_followed_; }
  /// All, in the order of their begin. Requires: not followed.
  [[nodiscard]] const block_table<Spell>& all() const {
    ensure(!is_followed_, "a log that is read as a whole has kept all of it");
    return spells_;
  }

  /// Calls `hear` with the number of each that began since the last call, in that order. Requires:
  /// followed.
  template <class Hear>
  void each_begun(Hear hear) {
    ensure(is_followed_, "a log tells its follower what begins");
    for (const std::uint32_t i : begun_) {
      hear(i);
    }
    begun_.clear();
  }
  /// Nobody asks about these any more. Requires: followed, they are over.
  void let_go(const std::vector<std::uint32_t>& numbers) {
    ensure(is_followed_, "a log that nobody follows keeps all");
    free_.insert(free_.end(), numbers.begin(), numbers.end());
  }

 private:
  std::uint32_t room_for(const Spell& s) {
    if (free_.empty()) {
      spells_.push_back(Spell{s});
      return size() - 1;
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    spells_[number] = s;
    return number;
  }

  bool is_followed_;
  block_table<Spell> spells_;
  std::vector<std::uint32_t> begun_;
  std::vector<std::uint32_t> free_;
};

}  // namespace dibs::metrics
