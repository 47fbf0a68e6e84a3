#include "metrics/starvation.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::metrics {
namespace {

/// In order of time; disjoint where so said.
using intervals = std::vector<interval>;

/// Sorts, and joins what overlaps or touches.
void unite(intervals& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const interval& a, const interval& b) {
    return a.begin < b.begin;
  });
  std::size_t last = 0;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].begin <= pieces[last].end) {
      pieces[last].end = std::max(pieces[last].end, pieces[i].end);
    } else {
      pieces[++last] = pieces[i];
    }
  }
  if (!pieces.empty()) {
    pieces.resize(last + 1);
  }
}

/// What `taken`, which is united, leaves of `whole`.
void subtract(const interval& whole, const intervals& taken, intervals& rest) {
  rest.clear();
  sim_time reach = whole.begin;
  for (const interval& t : taken) {
    if (const interval gap{reach, std::min(t.begin, whole.end)}; !gap.is_empty()) {
      rest.push_back(gap);
    }
    reach = std::max(reach, t.end);
  }
  if (const interval gap{reach, whole.end}; !gap.is_empty()) {
    rest.push_back(gap);
  }
}

/// How long two united sets have in common, and since when.
struct overlap {
  sim_duration length{};
  sim_time since = never;
};

overlap overlap_of(const intervals& a, const intervals& b) {
  overlap both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const interval c = common(a[i], b[j]);
    if (!c.is_empty()) {
      both.length += c.length();
      both.since = std::min(both.since, c.begin);
    }
    ++(a[i].end < b[j].end ? i : j);
  }
  return both;
}

class joiner {
 public:
  joiner(const scarcity& who, const try_table& tries, std::optional<double> radius_m)
      : available_(who.available, who.places, radius_m),
        held_(who.held, who.places, radius_m),
        tries_(tries) {}

  struct answer {
    overlap in_vain;
    overlap any;
  };

  answer starved(const interval& wait, const point& origin) {
    if (!find_bare(wait, origin)) {
      return {};
    }
    const interval hull{bare_.front().begin, bare_.back().end};
    by_vain_.clear();
    by_any_.clear();
    const bool is_covered = held_.visit(wait, origin, [&](const spell& s) {
      const bool is_vain = !tries_.at(s.of).converted;
      if (is_vain && s.when.begin <= hull.begin && hull.end <= s.when.end) {
        return true;
      }
      by_any_.push_back(s.when);
      if (is_vain) {
        by_vain_.push_back(s.when);
      }
      return false;
    });
    if (is_covered) {
      const overlap all = overlap_of(bare_, bare_);
      return {all, all};
    }
    unite(by_vain_);
    unite(by_any_);
    return {overlap_of(bare_, by_vain_), overlap_of(bare_, by_any_)};
  }

 private:
  /// When nobody near was available; false if somebody always was.
  bool find_bare(const interval& wait, const point& origin) {
    free_.clear();
    const bool is_covered = available_.visit(wait, origin, [&](const spell& s) {
      free_.push_back(s.when);
      return s.when.begin <= wait.begin && wait.end <= s.when.end;
    });
    if (is_covered) {
      return false;
    }
    unite(free_);
    subtract(wait, free_, bare_);
    return !bare_.empty();
  }

  spell_index available_;
  spell_index held_;
  const try_table& tries_;
  intervals free_;
  intervals bare_;
  intervals by_vain_;
  intervals by_any_;
};

/// Calls `look(wait, part)` with each wait cut into slices, in the order of their begin. A slice is
/// about as long as a lease, so that one lease often covers it and ends the search: a long wait as
/// a whole would meet thousands.
template <class Look>
void each_slice(const wait_list& waits, const interval& window, Look look) {
  constexpr sim_duration length = 2s;
  std::vector<const wait_spell*> open;
  std::size_t next = 0;
  for (sim_time begin = window.begin; begin < window.end; begin += length) {
    const interval slice = common({begin, begin + length}, window);
    std::erase_if(open, [&](const wait_spell* w) { return w->when.end <= slice.begin; });
    const auto is_due = [&] { return next < waits.size() && waits[next].when.begin < slice.end; };
    for (; is_due(); ++next) {
      if (waits[next].when.end > slice.begin) {
        open.push_back(&waits[next]);
      }
    }
    for (const wait_spell* w : open) {
      if (const interval part = common(w->when, slice); !part.is_empty()) {
        look(*w, part);
      }
    }
  }
}

}  // namespace

starvation starve(const scarcity& who,
                  const ride_list& rides,
                  const try_table& tries,
                  const interval& window,
                  std::optional<double> radius_m) {
  starvation all;
  joiner join(who, tries, radius_m);
  all.by_ride.resize(rides.size());
  sim_duration longest{};
  each_slice(who.waits, window, [&](const wait_spell& w, const interval& part) {
    const auto found = join.starved(part, rides[w.ride.value].origin);
    all.upper += found.any.length.count();
    all.total += found.in_vain.length.count();
    hardship& h = all.by_ride[w.ride.value];
    h.length += found.in_vain.length;
    h.since = std::min(h.since, found.in_vain.since);
    if (h.length > longest) {
      longest = h.length;
      all.worst = w.ride;
    }
  });
  return all;
}

}  // namespace dibs::metrics
