/// A table that only grows, of which what nobody has written to for a while is kept packed.
///
/// A long run makes millions of records, asks for each while its ride is under way, and then no
/// more: but for a late word, which may come at any time, and for what is judged at the end.
/// Records lie in blocks. Whoever owns the table has it `settle` now and then: where too many
/// blocks are open, those that nobody has written to since a hand last passed them are packed (the
/// clock of F. J. Corbato, A paging experiment with the Multics system, 1968). How many are too
/// many follows from use: more may be open when one had to be opened again, and fewer as the table
/// grows. A table that never settles is a `block_table`.
///
/// What was packed is unpacked when it is looked up. In order to write, it is open from then on. To
/// read, where the table is constant, it is a copy that is there until the table settles, and knows
/// nothing of what is written meanwhile. So no reference outlives the next `settle`, and none that
/// was read the next write. One thread at a time, readers too, unless nothing ever settles.
#pragma once

#include "base/packed_records.hpp"
#include "base/table_walker.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs {

#ifdef DIBS_PACKS_EARLY
// For sanitizers: what otherwise takes a large run happens in every small one.
inline constexpr std::size_t packing_block_size = 16;
inline constexpr std::size_t packing_open_min = 1;
#else
inline constexpr std::size_t packing_block_size = 256;
inline constexpr std::size_t packing_open_min = 1024;
#endif

/// `OpenMin`: so many blocks, each of `BlockSize` records, are open before any is packed.
template <class T,
          std::size_t OpenMin = packing_open_min,
          std::size_t BlockSize = packing_block_size>
class packing_table {
  static_assert(std::is_trivially_copyable_v<T>, "records are packed by their bytes");
  static_assert(sizeof(T) <= packed_width_max, "wider ones are packed badly");
  static_assert(OpenMin > 0, "the last block is open");

 public:
  static constexpr std::size_t block_size = BlockSize;

  using value_type = T;
  using const_iterator = table_walker<const packing_table, const T>;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  packing_table() = default;
  packing_table(const packing_table&) = delete;
  packing_table& operator=(const packing_table&) = delete;
  packing_table(packing_table&&) = default;
  packing_table& operator=(packing_table&&) = default;
  ~packing_table() = default;

  /// Room for so many: until there are more, and as long as nothing settles, one thread may add
  /// while others look up what is there, each what nobody else writes.
  void reserve(std::size_t n) {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    places_.reserve(blocks);
    open_.reserve(blocks);
    packed_.reserve(blocks);
  }

  /// Requires: i < size().
  [[nodiscard]] T& operator[](std::size_t i) {
    place& at = places_[i / block_size];
    if (at.first == nullptr) [[unlikely]] {
      open_again(i / block_size);
    }
    use(at);
    return at.first[i % block_size];
  }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    const T* first = places_[i / block_size].first;
    if (first == nullptr) [[unlikely]] {
      first = glimpse_of(i / block_size);
    }
    return first[i % block_size];
  }

  /// The entry at `i`, or null while it is packed.
  [[nodiscard]] const T* if_open(std::size_t i) const {
    const T* const first = places_[i / block_size].first;
    return first == nullptr ? nullptr : first + i % block_size;
  }

  /// The entry at `i`, up to which the table grows.
  [[nodiscard]] T& grown(std::size_t i) {
    if (i >= size_) [[unlikely]] {
      grow_to(i);
    }
    return (*this)[i];
  }

  T& push_back(const T& added) {
    if (size_ % block_size == 0) [[unlikely]] {
      open_new();
    }
    ++size_;
    use(places_.back());
    return open_.back().emplace_back(added);
  }

  /// Calls `visit(number, entry)` for all in their order, and keeps none of what is packed open.
  template <class Visit>
  void each(Visit visit) const {
    block opened;
    std::size_t i = 0;
    for (std::size_t which = 0; which < places_.size(); ++which) {
      const T* first = places_[which].first;
      if (first == nullptr) {
        unpack_into(opened, which);
        first = opened.data();
      }
      for (const std::size_t end = std::min(size_, (which + 1) * block_size); i < end; ++i) {
        visit(i, first[i % block_size]);
      }
    }
  }

  /// Packs what is open beyond measure.
  void settle() {
    if (!glimpses_.empty()) [[unlikely]] {
      glimpses_.clear();
    }
    while (opened_ > OpenMin + wanted_ / wanted_each)
      [[unlikely]] { pass_hand(); }
  }

  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size_}; }
  /// Blocks that are packed.
  [[nodiscard]] std::size_t packed_blocks() const { return places_.size() - opened_; }

 private:
  using block = std::vector<T>;  ///< with room for all of its records

  /// A block that was opened again makes room for two; sixteen new ones take the room of two.
  static constexpr std::size_t wanted_each = 8;
  static constexpr std::size_t wanted_again = 2 * wanted_each;

  /// Of a block.
  struct place {
    T* first = nullptr;    ///< null while it is packed
    bool is_used = false;  ///< since the hand passed
  };

  /// Written once, or threads that share a table would take its place from each other's caches.
  static void use(place& of) {
    const std::atomic_ref is_used(of.is_used);
    if (!is_used.load(std::memory_order_relaxed)) {
      is_used.store(true, std::memory_order_relaxed);
    }
  }

  void open(std::size_t which) {
    if (room_.empty()) {
      room_.emplace_back().reserve(block_size);
    }
    open_[which] = std::move(room_.back());
    room_.pop_back();
    places_[which].first = open_[which].data();
    ++opened_;
  }

  void unpack_into(block& to, std::size_t which) const {
    to.resize(block_size);
    unpack(packed_[which], std::as_writable_bytes(std::span(to)));
  }

  [[gnu::noinline]] void grow_to(std::size_t i) {
    while (i >= size_) {
      push_back({});
    }
  }

  [[gnu::noinline]] void open_new() {
    open_.emplace_back();
    packed_.emplace_back();
    places_.emplace_back();
    open(places_.size() - 1);
    wanted_ -= wanted_ > 0 ? 1U : 0U;
  }

  [[gnu::noinline]] void open_again(std::size_t which) {
    open(which);
    unpack_into(open_[which], which);
    std::vector<std::byte>().swap(packed_[which]);
    wanted_ += wanted_again;
  }

  [[gnu::noinline]] const T* glimpse_of(std::size_t which) const {
    block& seen = glimpses_[which];
    if (seen.empty()) {
      unpack_into(seen, which);
    }
    return seen.data();
  }

  /// Beyond the next block, which is packed if it is full and nobody has used it.
  [[gnu::noinline]] void pass_hand() {
    hand_ = hand_ < places_.size() ? hand_ : 0;
    const std::size_t which = hand_++;
    place& at = places_[which];
    const bool is_full = (which + 1) * block_size <= size_;
    if (std::exchange(at.is_used, false) || at.first == nullptr || !is_full) {
      return;
    }
    packed_[which] = packed(std::as_bytes(std::span(open_[which])), sizeof(T));
    at.first = nullptr;
    open_[which].clear();
    // Given back, it would be cut up for what is packed, and the next block have no place there.
    room_.push_back(std::exchange(open_[which], {}));
    --opened_;
  }

  // By block:
  std::vector<place> places_;
  std::vector<block> open_;
  std::vector<std::vector<std::byte>> packed_;

  std::vector<block> room_;  ///< of blocks that were packed
  std::size_t size_ = 0;
  std::size_t opened_ = 0;  ///< blocks that are open
  std::size_t wanted_ = 0;  ///< how many more may be open, in parts of a block
  std::size_t hand_ = 0;
  mutable std::map<std::size_t, block> glimpses_;  ///< of packed blocks that are being read
};

}  // namespace dibs
