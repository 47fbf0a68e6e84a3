/// A table that only grows and compresses its idle records.
///
/// A long run makes millions of records. It uses each one while its ride is under way, and hardly
/// ever later: a late message may need it, and some judgements come at the end of the run.
///
/// Records lie in blocks. The owner calls `settle` now and then. It compresses each block that
/// nobody wrote to while a number of other blocks were opened. That number adapts, so that on
/// average a block is opened again once. It grows when a compressed block is needed again, by one
/// and at most to the time for which that block was idle; it falls by one for each new block.
///
/// What always holds:
///   1. A lookup in order to write opens the block; the block then counts as used.
///   2. A lookup in a constant table gives a copy. It lasts until the next `settle`, and does not
///      see later writes.
///   3. No reference outlives the next `settle`.
/// One thread at a time may use the table, readers too. A table that never settles is a
/// `block_table`.
#pragma once

#include "base/compressed_records.hpp"
#include "base/spill_file.hpp"
#include "base/table_walker.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs {

/// When and how a table packs.
struct packing_pace {
  std::size_t block_bytes;  ///< of a block, at most, and more than half of it
  std::size_t begins_at;    ///< nothing is packed before there are so many records: it takes time
  /// A block stays open at least while nobody uses it and others of so many records are opened.
  std::size_t idle_min;
};

inline constexpr packing_pace pace_of_large_runs{
    .block_bytes = 32'768, .begins_at = 65'536, .idle_min = 8'192};

#ifdef DIBS_PACKS_EARLY
// For sanitizers: what otherwise takes a large run happens in every small one.
inline constexpr packing_pace usual_pace{.block_bytes = 2048, .begins_at = 1, .idle_min = 1};
#else
inline constexpr packing_pace usual_pace = pace_of_large_runs;
#endif

/// Who settles on no other occasion does so when so many more records are over: to do it at each
/// would unpack again and again what is read in a row.
inline constexpr std::uint32_t packing_over_between = 256;

template <class T, packing_pace Pace = usual_pace>
class packing_table {
  static_assert(std::is_trivially_copyable_v<T>, "records are packed by their bytes");
  static_assert(sizeof(T) <= packed_width_max, "wider ones are packed badly");

 public:
  static constexpr std::size_t block_size = std::bit_floor(Pace.block_bytes / sizeof(T));

  using value_type = T;
  using const_iterator = table_walker<const packing_table, const T>;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  packing_table() = default;
  packing_table(const packing_table&) = delete;
  packing_table& operator=(const packing_table&) = delete;
  packing_table(packing_table&&) noexcept = default;
  packing_table& operator=(packing_table&&) noexcept = default;
  ~packing_table() = default;

  /// Room for so many: until there are more, and as long as nothing settles, one thread may add
  /// while others look up what is there, each what nobody else writes.
  void reserve(std::size_t n) {
    const std::size_t blocks = (n + block_size - 1) / block_size;
    places_.reserve(blocks);
    open_.reserve(blocks);
    away_.reserve(blocks);
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

  /// For reading many in their order: of what is packed, it keeps one block unpacked.
  class reader {
   public:
    /// `of` outlives it, and nothing is written meanwhile.
    explicit reader(const packing_table& of) : of_(of) {}

    /// Holds until the next is asked for. Requires: i < size().
    [[nodiscard]] const T& operator[](std::size_t i) {
      if (i / block_size != which_) [[unlikely]] {
        turn_to(i / block_size);
      }
      return first_[i % block_size];
    }

   private:
    [[gnu::noinline]] void turn_to(std::size_t which) {
      const T* first = of_.places_[which].first;
      if (first == nullptr) {
        of_.unpack_into(unpacked_, which);
        first = unpacked_.data();
      }
      which_ = which;
      first_ = first;
    }

    const packing_table& of_;
    std::vector<T> unpacked_;
    std::size_t which_ = static_cast<std::size_t>(-1);
    const T* first_ = nullptr;
  };

  /// Calls `visit(number, entry)` for all in their order, and keeps none of what is packed open.
  template <class Visit>
  void each(Visit visit) const {
    reader all(*this);
    for (std::size_t i = 0; i < size_; ++i) {
      visit(i, all[i]);
    }
  }

  /// Compresses blocks that have been idle for too long.
  void settle() {
    if (!glimpses_.empty()) [[unlikely]] {
      glimpses_.clear();
    }
    if (settled_at_ != now_ && size_ >= Pace.begins_at) [[unlikely]] {
      pack_idle();
    }
  }

  [[nodiscard]] const_iterator begin() const { return {*this, 0}; }
  [[nodiscard]] const_iterator end() const { return {*this, size_}; }
  /// Blocks that are packed.
  [[nodiscard]] std::size_t packed_blocks() const { return places_.size() - opened_.size(); }
  /// For so many that come, room is kept.
  [[nodiscard]] std::size_t spare_blocks() const { return room_.size(); }

 private:
  using block = std::vector<T>;  ///< with room for all of its records

  /// Counts the blocks that were opened.
  using moment = std::uint32_t;

  /// Room that is given back is cut up, and later blocks have no place there; but what is more than
  /// these need, others need more.
  [[nodiscard]] std::size_t spare_max() const { return 1 + opened_.size() / 4; }
  static constexpr std::size_t idle_min = (Pace.idle_min + block_size - 1) / block_size;
  /// Looking at so many of the open blocks each time, one finds the idle ones soon enough.
  [[nodiscard]] std::size_t looked_at_once() const {
    return std::min(opened_.size(), 16 + opened_.size() / 8);
  }

  /// Of a block.
  struct place {
    T* first = nullptr;  ///< null while it is packed
    moment used_at = 0;  ///< last
  };

  /// Written only if it is news, or threads that share a table would take its place from each
  /// other's caches.
  void use(place& of) {
    const std::atomic_ref used_at(of.used_at);
    const moment now = std::atomic_ref(now_).load(std::memory_order_relaxed);
    if (used_at.load(std::memory_order_relaxed) != now) {
      used_at.store(now, std::memory_order_relaxed);
    }
  }

  [[nodiscard]] block room() {
    if (room_.empty()) {
      room_.emplace_back().reserve(block_size);
    }
    block taken = std::move(room_.back());
    room_.pop_back();
    return taken;
  }

  void open(std::size_t which, block with) {
    open_[which] = std::move(with);
    places_[which].first = open_[which].data();
    opened_.push_back(static_cast<std::uint32_t>(which));
    std::atomic_ref(now_).fetch_add(1, std::memory_order_relaxed);
  }

  void unpack_into(block& to, std::size_t which) const {
    to.resize(block_size);
    unpack(spill_.get(away_[which]), std::as_writable_bytes(std::span(to)));
  }

  [[gnu::noinline]] void grow_to(std::size_t i) {
    while (i >= size_) {
      push_back({});
    }
  }

  [[gnu::noinline]] void open_new() {
    open_.emplace_back();
    away_.emplace_back();
    places_.emplace_back();
    open(places_.size() - 1, room());
    idle_more_ -= idle_more_ > 0 ? 1U : 0U;
  }

  [[gnu::noinline]] void open_again(std::size_t which) {
    const std::size_t idle = now_ - places_[which].used_at;
    idle_more_ = std::max(idle_more_, std::min(idle_more_ + 1, idle));
    block unpacked = room();
    unpack_into(unpacked, which);
    open(which, std::move(unpacked));
    away_[which] = {};
  }

  [[gnu::noinline]] const T* glimpse_of(std::size_t which) const {
    const auto seen = glimpses_.find(which);
    if (seen != glimpses_.end()) {
      return seen->second.data();
    }
    block unpacked;
    unpack_into(unpacked, which);
    return glimpses_.emplace(which, std::move(unpacked)).first->second.data();
  }

  [[gnu::noinline]] void pack_idle() {
    settled_at_ = now_;
    const std::size_t idle_max = idle_min + idle_more_;
    for (std::size_t left = looked_at_once(); left > 0; --left) {
      next_look_ = next_look_ < opened_.size() ? next_look_ : 0;
      const std::size_t which = opened_[next_look_];
      const bool is_full = (which + 1) * block_size <= size_;
      if (is_full && now_ - places_[which].used_at > idle_max) {
        pack(which);
        opened_.erase(opened_.begin() + static_cast<std::ptrdiff_t>(next_look_));
      } else {
        ++next_look_;
      }
    }
    room_.resize(std::min(room_.size(), spare_max()));
  }

  void pack(std::size_t which) {
    away_[which] = spill_.put(packed(std::as_bytes(std::span(open_[which])), sizeof(T), packs_in_));
    places_[which].first = nullptr;
    room_.push_back(std::exchange(open_[which], {}));
    room_.back().clear();
  }

  moment now_ = 0;  ///< here, where nothing changes more often

  // By block:
  std::vector<place> places_;
  std::vector<block> open_;
  std::vector<spill::place> away_;  ///< where it is while it is packed

  spill spill_;
  std::vector<std::byte> packs_in_;
  std::vector<block> room_;  ///< of blocks that were packed
  std::size_t size_ = 0;
  std::vector<std::uint32_t> opened_;  ///< blocks that are open, in the order in which they were
  std::size_t next_look_ = 0;          ///< among them
  moment settled_at_ = 0;
  std::size_t idle_more_ = 0;                      ///< for how many more a block stays open
  mutable std::map<std::size_t, block> glimpses_;  ///< of packed blocks that are being read
};

}  // namespace dibs
