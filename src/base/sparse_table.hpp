/// Values for those few of many numbers that have one now: found, put and erased in constant time,
/// and walked over in the time that the few take. Of all others it keeps four bytes each.
///
/// A sparse set (Briggs and Torczon, ACM LOPLAS 2(1), 1993): a number's place is believed only if
/// the entry there names it, so that nothing is cleared when it goes.
#pragma once

#include "base/block_table.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs {

template <class T>
class sparse_table {
 public:
  struct entry {
    std::uint32_t number = 0;
    T value;
  };

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// Null if the number has none. Good until the next change.
  [[nodiscard]] T* find(std::uint32_t number) {
    return has(number) ? &entries_[places_[number]].value : nullptr;
  }
  [[nodiscard]] const T* find(std::uint32_t number) const {
    return has(number) ? &entries_[places_[number]].value : nullptr;
  }

  /// In the place of what the number had.
  void put(std::uint32_t number, T value) {
    if (T* const old = find(number)) {
      *old = std::move(value);
      return;
    }
    while (number >= places_.size()) {
      places_.push_back(0);
    }
    places_[number] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({number, std::move(value)});
  }

  void erase(std::uint32_t number) {
    if (!has(number)) {
      return;
    }
    const std::uint32_t place = places_[number];
    if (place + 1 < entries_.size()) {
      entries_[place] = std::move(entries_.back());
      places_[entries_[place].number] = place;
    }
    entries_.pop_back();
  }

  /// In an order that follows from what was put and erased.
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }

 private:
  [[nodiscard]] bool has(std::uint32_t number) const {
    return number < places_.size() && places_[number] < entries_.size() &&
           entries_[places_[number]].number == number;
  }

  block_table<std::uint32_t> places_;  ///< by number, good only for those that have a value
  std::vector<entry> entries_;
};

}  // namespace dibs
