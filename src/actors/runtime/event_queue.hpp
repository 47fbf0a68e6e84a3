/// Events in their total order: by due time, then by the order of scheduling.
///
/// A calendar queue (Brown, CACM 31(10), 1988): time is cut into days of equal length, and an event
/// is entered under its day, of which so many lie ahead as there is room for. Only the day that is
/// at hand is sorted; a heap takes what is added to it, another what lies beyond the calendar.
/// Events stay put in a slab, linked by day. The length of a day and the number of days follow from
/// the events themselves, so that a day has one or two of them; they change how long it takes and
/// never what comes out, which is the same as that of one heap.
#pragma once

#include "actors/runtime/key_heap.hpp"
#include "base/ensure.hpp"
#include "base/prefetch.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::actors::runtime {

/// `Event` has `due`, `order` and, for the queue to write in while it holds it, `next`: at least 28
/// bits.
template <class Event>
class event_queue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// When the first event is due. Requires: not empty.
  [[nodiscard]] sim_time next_due() {
    open_first_day();
    return is_late_first() ? late_.top().due : today_.back().due;
  }

  void push(const Event& e) {
    const std::uint32_t slot = keep(e);
    ++size_;
    ++pushes_;
    enter(slot, day_of(e.due));
  }

  /// Takes the first event. Requires: not empty.
  Event pop() {
    ensure(size_ > 0, "an event is taken from a queue that has one");
    open_first_day();
    const std::uint32_t slot = take_first();
    --size_;
    const Event first = slab_[slot];
    now_ = first.due;
    link(slot, free_);
    free_ = slot;
    return first;
  }

  /// Has memory bring what the next days need: their events and, with `of`, called with each of
  /// tomorrow's, what those lead to. A large world fills no cache.
  template <class Visit>
  void look_ahead(const Visit& of) {
    if (!std::exchange(is_new_day_, false) || entered_ == 0) {
      return;
    }
    const std::int64_t tomorrow = next_entered(open_);
    for (std::uint32_t slot = heads_[place_of(tomorrow)]; slot != none; slot = slab_[slot].next) {
      of(slab_[slot]);
    }
    std::int64_t later = tomorrow;
    for (int ahead = 0; ahead < 2; ++ahead) {
      later = next_entered(later);
      fetch_line(&slab_[heads_[place_of(later)]]);
    }
  }

 private:
  static constexpr std::uint32_t none = (1U << 28) - 1;
  static constexpr std::size_t days_min = 64;
  static constexpr std::size_t days_max = std::size_t{1} << 22;

  [[nodiscard]] std::int64_t day_of(sim_time t) const {
    return t.time_since_epoch().count() >> day_bits_;
  }
  [[nodiscard]] std::size_t place_of(std::int64_t day) const {
    return static_cast<std::size_t>(day) & (heads_.size() - 1);
  }

  std::uint32_t keep(const Event& e) {
    if (free_ == none) {
      ensure(slab_.size() < none, "fewer than 268 million events wait at once");
      slab_.push_back(e);
      return static_cast<std::uint32_t>(slab_.size() - 1);
    }
    const std::uint32_t slot = free_;
    free_ = static_cast<std::uint32_t>(slab_[slot].next);
    slab_[slot] = e;
    return slot;
  }

  [[nodiscard]] key_heap::key key_of(std::uint32_t slot) const {
    return {slab_[slot].due, slab_[slot].order, slot};
  }

  void link(std::uint32_t slot, std::uint32_t next) { slab_[slot].next = next & none; }

  void enter(std::uint32_t slot, std::int64_t day) {
    if (day <= open_) {
      late_.push(key_of(slot));
    } else if (day - open_ >= static_cast<std::int64_t>(heads_.size())) {
      beyond_.push(key_of(slot));
      ++pushes_beyond_;
    } else {
      const std::size_t place = place_of(day);
      link(slot, heads_[place]);
      heads_[place] = slot;
      is_entered_[place / 64] |= std::uint64_t{1} << place % 64;
      ++entered_;
    }
  }

  [[nodiscard]] bool is_day_over() const { return today_.empty() && late_.empty(); }

  /// Requires: the day is not over.
  [[nodiscard]] bool is_late_first() const {
    return !late_.empty() && (today_.empty() || late_.top().before(today_.back()));
  }

  /// Requires: the day is not over.
  std::uint32_t take_first() {
    if (is_late_first()) [[unlikely]] {
      return late_.pop().slot;
    }
    const std::uint32_t slot = today_.back().slot;
    today_.pop_back();
    return slot;
  }

  void open_first_day() {
    if (is_day_over()) {
      open_next_day();
    }
  }

  void open_next_day() {
    if (pushes_ >= look_again_at_ && now_ > looked_when_) {
      tune();
      if (!is_day_over()) {
        return;
      }
    }
    open_ = first_day();
    is_new_day_ = true;
    if (entered_ > 0) {
      turn_to(place_of(open_));
    }
    while (!beyond_.empty() && day_of(beyond_.top().due) <= open_) {
      today_.push_back(beyond_.pop());
    }
    if (today_.size() > 1) {
      std::sort(
          today_.begin(), today_.end(), [](const auto& a, const auto& b) { return b.before(a); });
    }
  }

  [[nodiscard]] std::int64_t first_day() const {
    if (entered_ == 0) {
      return day_of(beyond_.top().due);
    }
    const std::int64_t entered = next_entered(open_);
    return beyond_.empty() ? entered : std::min(entered, day_of(beyond_.top().due));
  }

  void turn_to(std::size_t place) {
    for (std::uint32_t slot = std::exchange(heads_[place], none); slot != none;
         slot = static_cast<std::uint32_t>(slab_[slot].next)) {
      today_.push_back(key_of(slot));
      --entered_;
    }
    is_entered_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  }

  /// The next day after this one, around the calendar, under which something is entered. Requires:
  /// there is one.
  [[nodiscard]] std::int64_t next_entered(std::int64_t day) const {
    const std::size_t from = place_of(day + 1);
    std::size_t word = from / 64;
    std::uint64_t bits = is_entered_[word] & ~std::uint64_t{0} << from % 64;
    while (bits == 0) {
      word = (word + 1) & (is_entered_.size() - 1);
      bits = is_entered_[word];
    }
    const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    return day + 1 + static_cast<std::int64_t>((place - from) & (heads_.size() - 1));
  }

  // -- how long a day is, and how many there are

  /// Looks whether the calendar still fits, and makes a new one if not. Requires: nothing is left
  /// of the open day.
  void tune() {
    const std::uint64_t pushed = pushes_ - looked_at_;
    const auto passed = static_cast<std::uint64_t>((now_ - looked_when_).count());
    // A day is as long as it takes until another one or two events come.
    const auto bits = static_cast<unsigned>(std::bit_width(passed / pushed));
    const std::size_t room = std::clamp(std::bit_ceil(size_ * 32), days_min, days_max);
    const bool many_beyond = pushes_beyond_ > pushed / 32;
    const std::size_t days = std::min(heads_.size() * (many_beyond ? 4 : 1), room);
    const bool is_off = bits + 1 < day_bits_ || bits > day_bits_ + 1;
    if (is_off || days != heads_.size()) {
      make_calendar(is_off ? bits : day_bits_, days);
    }
    looked_at_ = pushes_;
    looked_when_ = now_;
    pushes_beyond_ = 0;
    look_again_at_ = pushes_ + std::max<std::uint64_t>(4096, size_);
  }

  void make_calendar(unsigned day_bits, std::size_t days) {
    std::vector<std::uint32_t> all;
    all.reserve(size_);
    for (const key_heap::key& k : beyond_.take_all()) {
      all.push_back(k.slot);
    }
    for (std::uint32_t head : heads_) {
      for (; head != none; head = static_cast<std::uint32_t>(slab_[head].next)) {
        all.push_back(head);
      }
    }
    day_bits_ = day_bits;
    open_ = day_of(now_);
    entered_ = 0;
    heads_.assign(days, none);
    is_entered_.assign(days / 64, 0);
    for (const std::uint32_t slot : all) {
      enter(slot, day_of(slab_[slot].due));
    }
  }

  std::vector<Event> slab_;
  std::uint32_t free_ = none;  ///< the first of the free slots, linked
  std::size_t size_ = 0;

  std::vector<key_heap::key> today_;  ///< what is due on the open day, the first one last
  key_heap late_;                     ///< the same, of what was added when it was open already
  key_heap beyond_;                   ///< what lies too far ahead for the calendar
  std::vector<std::uint32_t> heads_ = std::vector<std::uint32_t>(days_min, none);  ///< by day
  std::vector<std::uint64_t> is_entered_ = std::vector<std::uint64_t>(days_min / 64, 0);
  std::size_t entered_ = 0;  ///< events in the calendar
  std::int64_t open_ = -1;
  unsigned day_bits_ = 20;  ///< a day is so many nanoseconds, as a power of two
  bool is_new_day_ = false;

  std::uint64_t pushes_ = 0;
  std::uint64_t pushes_beyond_ = 0;  ///< since the last look
  std::uint64_t look_again_at_ = 1024;
  std::uint64_t looked_at_ = 0;
  sim_time looked_when_{};
  sim_time now_{};  ///< when the last event that was taken was due
};

}  // namespace dibs::actors::runtime
