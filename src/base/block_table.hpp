/// A table that only grows, in blocks: what is in it never moves, and there is never a second copy
/// of it. The list of blocks is short, so that looking up an entry costs one miss of the cache and
/// not two, as in a `std::deque` with its blocks of 512 bytes.
#pragma once

#include "base/table_walker.hpp"

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace dibs {

template <class T>
class block_table {
  static constexpr std::size_t block_bytes = 32'768;
  static constexpr std::size_t block_size = std::bit_floor(block_bytes / sizeof(T));
  static_assert(block_size > 0, "a block holds some entries");

 public:
  using value_type = T;
  using iterator = table_walker<block_table, T>;
  using const_iterator = table_walker<const block_table, const T>;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// Room for so many: until there are more, one thread may add while others look up what is there,
  /// each what nobody else writes.
  void reserve(std::size_t n) { blocks_.reserve((n + block_size - 1) / block_size); }

  /// Requires: i < size().
  [[nodiscard]] T& operator[](std::size_t i) { return blocks_[i / block_size][i % block_size]; }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    return blocks_[i / block_size][i % block_size];
  }

  /// The entry at `i`, up to which the table grows. Requires: T has a value of its own.
  [[nodiscard]] T& grown(std::size_t i) {
    if (i >= size_) [[unlikely]] {
      grow_to(i);
    }
    return (*this)[i];
  }

  T& push_back(T&& added) {
    if (size_ % block_size == 0) {
      blocks_.emplace_back().reserve(block_size);
    }
    ++size_;
    return blocks_.back().emplace_back(std::move(added));
  }

  [[nodiscard]] iterator begin() { return {*this, 0}; }
  [[nodiscard]] iterator end() { return {*this, size_}; }
  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size_}; }

 private:
  [[gnu::noinline]] void grow_to(std::size_t i) {
    while (i >= size_) {
      push_back({});
    }
  }

  std::vector<std::vector<T>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace dibs
