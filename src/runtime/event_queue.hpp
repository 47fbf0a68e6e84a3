/// Events in their total order: by due time, then by the order of scheduling.
///
/// A calendar queue (Brown, CACM 31(10), 1988). Time is cut into days of equal length, and an event
/// is entered under its day, in order. Days are so short that few have two events. A bit for each
/// day says whether it has any, so entering an event and finding the first take a few instructions.
///
/// Only one year is open, and its days fit into the cache. Events of a later year lie together in
/// no order, and are entered when that year begins. A heap takes the others: events beyond the last
/// year, and events that would have to pass by many others of their day. Events stay put in a slab,
/// linked by day or by year.
///
/// The events themselves set the length of a day and the number of years. Both change how long it
/// takes and never the order in which events come out: it is that of one heap.
#pragma once

#include "base/ensure.hpp"
#include "base/prefetch.hpp"
#include "base/time.hpp"
#include "runtime/key_heap.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// `Event` has `due` and `order`.
template <class Event>
class event_queue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// When the first event is due. Requires: not empty.
  [[nodiscard]] sim_time next_due() {
    find_first();
    return slab_[first_].due;
  }

  void push(const Event& e) {
    const std::uint32_t slot = keep(e);
    ++size_;
    ++pushes_;
    const key_heap::key k{e.due, e.order, slot};
    if (first_ != none && k.before(key_of(first_))) {
      first_ = none;
    }
    enter(k);
  }

  /// Takes the first event. Requires: not empty.
  Event pop() {
    ensure(size_ > 0, "an event is taken from a queue that has one");
    find_first();
    const std::uint32_t slot = std::exchange(first_, none);
    const Event first = slab_[slot];
    if (is_entered_first_) [[likely]] {
      strike_out(slot);
    } else {
      others_.pop();
    }
    --size_;
    next_[slot] = free_;
    free_ = slot;
    moments_ += first.due > now_ ? 1U : 0U;
    now_ = std::max(now_, first.due);
    if (moments_ >= look_again_after_) [[unlikely]] {
      tune();
    }
    return first;
  }

  /// Has memory bring what the next days need: their events and, with `of`, called with each of
  /// tomorrow's, what those lead to. A large world fills no cache.
  template <class Visit>
  void look_ahead(const Visit& of) {
    if (open_ == looked_from_) {
      return;
    }
    looked_from_ = open_;
    const std::size_t tomorrow = next_entered(place_of(open_) + 1);
    if (tomorrow >= days) {
      return;
    }
    for (std::uint32_t slot = heads_[tomorrow]; slot != none; slot = next_[slot]) {
      of(slab_[slot]);
    }
    std::size_t later = tomorrow;
    for (int ahead = 0; ahead < 2; ++ahead) {
      later = next_entered(later + 1);
      if (later >= days) {
        return;
      }
      fetch_line(&slab_[heads_[later]]);
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr unsigned year_bits = 14;
  static constexpr std::size_t days = std::size_t{1} << year_bits;  ///< of a year
  static constexpr std::size_t years_min = 64;
  static constexpr std::size_t years_max = std::size_t{1} << 16;

  [[nodiscard]] std::int64_t day_of(sim_time t) const {
    return t.time_since_epoch().count() >> day_bits_;
  }
  [[nodiscard]] static std::size_t place_of(std::int64_t day) {
    return static_cast<std::size_t>(day) & (days - 1);
  }
  [[nodiscard]] std::size_t shelf_of(std::int64_t year) const {
    return static_cast<std::size_t>(year) & (years_.size() - 1);
  }

  std::uint32_t keep(const Event& e) {
    if (free_ == none) [[unlikely]] {
      return keep_more(e);
    }
    const std::uint32_t slot = free_;
    free_ = next_[slot];
    slab_[slot] = e;
    return slot;
  }

  [[gnu::noinline]] std::uint32_t keep_more(const Event& e) {
    ensure(slab_.size() < none, "fewer than 4 billion events wait at once");
    slab_.push_back(e);
    next_.push_back(none);
    return static_cast<std::uint32_t>(slab_.size() - 1);
  }

  [[nodiscard]] key_heap::key key_of(std::uint32_t slot) const {
    return {slab_[slot].due, slab_[slot].order, slot};
  }

  /// The key and not the event, which has just been copied: to read it back takes longer.
  void enter(const key_heap::key& k) {
    const std::int64_t day = day_of(k.due);
    // As one comparison: what is due before the open day counts as too far ahead.
    if (static_cast<std::uint64_t>(day - open_) >= static_cast<std::uint64_t>(closes_ - open_)) {
      lay_aside(k, day);
      return;
    }
    const std::size_t place = place_of(day);
    if (heads_[place] == none) [[likely]] {
      next_[k.slot] = none;
      heads_[place] = k.slot;
      is_entered_[place / 64] |= std::uint64_t{1} << place % 64;
      ++entered_;
    } else {
      enter_among(k, place);
    }
  }

  /// Requires: the day is not among those that are open.
  void lay_aside(const key_heap::key& k, std::int64_t day) {
    const std::int64_t year = day >> year_bits;
    const auto ahead = static_cast<std::uint64_t>(year - (closes_ >> year_bits));
    if (ahead >= years_.size()) [[unlikely]] {
      others_.push(k);
      ++beyond_[static_cast<std::size_t>(std::bit_width(ahead))];
      return;
    }
    std::uint32_t& latest = years_[shelf_of(year)];
    next_[k.slot] = std::exchange(latest, k.slot);
    ++laid_aside_;
  }

  /// Opens the first year that has an event, wherever that is kept. Requires: nothing is entered,
  /// the queue is not empty.
  [[gnu::noinline]] void open_year_of_first() {
    while (entered_ == 0 && laid_aside_ > 0 && !others_are_due_this_year()) {
      open_next_year();
    }
    if (entered_ == 0 && !others_are_due_this_year()) {
      open_year_of(day_of(others_.top().due));
    }
  }

  /// Requires: nothing is entered, nor laid aside for this year or one before it.
  void open_year_of(std::int64_t day) {
    open_ = day;
    closes_ = ((day >> year_bits) + 1) << year_bits;
  }

  /// Requires: nothing is entered.
  void open_next_year() {
    open_year_of(closes_);
    std::uint32_t slot = std::exchange(years_[shelf_of(open_ >> year_bits)], none);
    // The last that came is the first here, so that of those of one moment each comes before what
    // is entered already. Several at a time, for memory to bring them side by side.
    std::array<std::uint32_t, 16> some{};
    while (slot != none) {
      std::size_t n = 0;
      for (; slot != none && n < some.size(); slot = next_[slot]) {
        fetch_line(&slab_[slot]);
        some[n++] = slot;
      }
      laid_aside_ -= n;
      for (std::size_t i = 0; i < n; ++i) {
        enter(key_of(some[i]));
      }
    }
  }

  /// Requires: the day has an event.
  void enter_among(const key_heap::key& k, std::size_t place) {
    constexpr int passed_max = 16;
    std::uint32_t before = none;
    std::uint32_t after = heads_[place];
    for (int passed = 0; after != none && key_of(after).before(k); ++passed) {
      if (passed == passed_max) {
        others_.push(k);
        return;
      }
      before = after;
      after = next_[after];
    }
    next_[k.slot] = after;
    if (before == none) {
      heads_[place] = k.slot;
    } else {
      next_[before] = k.slot;
    }
    ++entered_;
  }

  [[nodiscard]] bool others_are_due_this_year() const {
    return !others_.empty() && day_of(others_.top().due) < closes_;
  }

  /// Requires: not empty.
  void find_first() {
    if (first_ != none) {
      return;
    }
    if (entered_ == 0) [[unlikely]] {
      open_year_of_first();
    }
    is_entered_first_ = entered_ > 0;
    if (is_entered_first_) [[likely]] {
      first_place_ = next_entered(place_of(open_));
      first_ = heads_[first_place_];
    }
    if (!others_.empty() && (!is_entered_first_ || others_.top().before(key_of(first_))))
        [[unlikely]] {
      first_ = others_.top().slot;
      is_entered_first_ = false;
    }
  }

  /// Requires: `slot` is the first of its day, the first that has one.
  void strike_out(std::uint32_t slot) {
    const std::uint32_t next = next_[slot];
    heads_[first_place_] = next;
    is_entered_[first_place_ / 64] &= ~(std::uint64_t{next == none} << first_place_ % 64);
    --entered_;
    open_ = closes_ - static_cast<std::int64_t>(days - first_place_);
  }

  /// The first place from this one on under which something is entered; `days` or more if there is
  /// none. `from`: 0..days.
  [[nodiscard]] std::size_t next_entered(std::size_t from) const {
    std::size_t word = from / 64;
    std::uint64_t bits = is_entered_[word] & ~std::uint64_t{0} << from % 64;
    while (bits == 0) {
      bits = is_entered_[++word];
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }

  // -- how long a day is, and how many years there are

  /// Looks whether the calendar still fits, and makes a new one if not.
  void tune() {
    const auto passed = static_cast<std::uint64_t>((now_ - looked_when_).count());
    // A day is at most half as long as it takes until another event comes: to pass over the days
    // without any costs less than to sort those with several. Events of one moment count as one,
    // or a world that begins at one moment would seem to need days of a nanosecond.
    const auto bits = static_cast<unsigned>(std::bit_width(passed / moments_ / 4));
    const bool is_off = bits + 1 < day_bits_ || bits > day_bits_ + 1;
    const unsigned new_bits = is_off ? bits : day_bits_;
    const std::size_t years = years_wanted(new_bits);
    if (is_off || years != years_.size()) {
      make_calendar(new_bits, years);
    }
    looked_when_ = now_;
    pushes_ = 0;
    moments_ = 0;
    beyond_.fill(0);
    look_again_after_ = std::max<std::uint64_t>(4096, size_);
  }

  /// So many that at most one event in 256 was put beyond the last of them since the last look,
  /// where there is room.
  [[nodiscard]] std::size_t years_wanted(unsigned new_bits) const {
    std::uint64_t farther = 0;
    std::size_t width = beyond_.size() - 1;
    while (width > 0 && (farther + beyond_[width]) * 256 <= pushes_) {
      farther += beyond_[width];
      --width;
    }
    const auto years_bits = static_cast<int>(width + day_bits_) - static_cast<int>(new_bits);
    const std::size_t enough = width == 0 ? 0 : std::size_t{1} << std::clamp(years_bits, 0, 40);
    const std::size_t room = std::clamp(std::bit_ceil(size_), years_min, years_max);
    return std::min(std::max(years_.size(), enough), room);
  }

  [[nodiscard]] static std::vector<std::uint64_t> no_days() {
    std::vector<std::uint64_t> bits(days / 64 + 1, 0);
    bits.back() = ~std::uint64_t{0};
    return bits;
  }

  void make_calendar(unsigned day_bits, std::size_t years) {
    std::vector<key_heap::key> all = others_.take_all();
    all.reserve(size_);
    for (const auto* lists : {&heads_, &years_}) {
      for (std::uint32_t slot : *lists) {
        for (; slot != none; slot = next_[slot]) {
          all.push_back(key_of(slot));
        }
      }
    }
    day_bits_ = day_bits;
    open_year_of(day_of(now_));
    looked_from_ = open_;
    entered_ = 0;
    laid_aside_ = 0;
    heads_.assign(days, none);
    years_.assign(years, none);
    std::fill(is_entered_.begin(), is_entered_.end() - 1, 0);
    std::ranges::sort(all, [](const auto& a, const auto& b) { return a.before(b); });
    const auto later = std::partition_point(
        all.begin(), all.end(), [this](const auto& k) { return day_of(k.due) < closes_; });
    // What is laid aside comes back from the last on; what is entered comes before what is there.
    std::for_each(later, all.end(), [this](const auto& k) { enter(k); });
    std::for_each(
        std::make_reverse_iterator(later), all.rend(), [this](const auto& k) { enter(k); });
  }

  /// Each in as few lines of the cache as it can lie in.
  std::vector<Event, boost::alignment::aligned_allocator<Event, 64>> slab_;
  std::vector<std::uint32_t> next_;  ///< by slot: the next of its day or year, or the next free one
  std::uint32_t free_ = none;        ///< the first of the free slots
  std::size_t size_ = 0;

  std::vector<std::uint32_t> heads_ = std::vector<std::uint32_t>(days, none);  ///< by day
  /// By day, whether it has an event; the last bits are always set, so that a search ends there.
  std::vector<std::uint64_t> is_entered_ = no_days();
  std::size_t entered_ = 0;       ///< events in the open year
  std::int64_t open_ = 0;         ///< the first day that may have one
  std::int64_t closes_ = {days};  ///< the first day of the next year
  /// By year, the last event that was laid aside for it.
  std::vector<std::uint32_t> years_ = std::vector<std::uint32_t>(years_min, none);
  std::size_t laid_aside_ = 0;
  key_heap others_;         ///< what is neither entered nor laid aside
  unsigned day_bits_ = 20;  ///< a day is so many nanoseconds, as a power of two

  std::uint32_t first_ = none;  ///< the first event, where it is known
  bool is_entered_first_ = false;
  std::size_t first_place_ = 0;  ///< of its day, if it is in the calendar

  // Since the last look whether the calendar fits:
  std::uint64_t pushes_ = 0;
  std::array<std::uint64_t, 65> beyond_{};  ///< pushes beyond it, by the bits of the years ahead
  std::uint64_t moments_ = 0;               ///< at which something was due
  std::uint64_t look_again_after_ = 1024;   ///< so many moments
  sim_time looked_when_{};
  std::int64_t looked_from_ = -1;
  sim_time now_{};  ///< when the last event that was taken was due
};

}  // namespace dibs::runtime
