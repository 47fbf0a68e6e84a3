#include "metrics/starvation_rule.hpp"

#include "base/ensure.hpp"
#include "metrics/run_tables.hpp"

#include <algorithm>

namespace dibs::metrics {
namespace {

/// About as long as a lease, so that one lease often covers it and ends the search: a long wait as
/// a whole would meet thousands.
constexpr sim_duration slice_length = 2s;

using intervals = std::vector<time_interval>;

/// Sorts, and joins what overlaps or touches.
void unite(intervals& pieces) {
  std::ranges::sort(
      pieces, [](const time_interval& a, const time_interval& b) { return a.begin < b.begin; });
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
void subtract(const time_interval& whole, const intervals& taken, intervals& rest) {
  rest.clear();
  sim_time reach = whole.begin;
  for (const time_interval& t : taken) {
    if (const time_interval gap{reach, std::min(t.begin, whole.end)}; !gap.is_empty()) {
      rest.push_back(gap);
    }
    reach = std::max(reach, t.end);
  }
  if (const time_interval gap{reach, whole.end}; !gap.is_empty()) {
    rest.push_back(gap);
  }
}

/// How long two united sets have in common, and since when.
starvation_share overlap_of(const intervals& a, const intervals& b) {
  starvation_share both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const time_interval c = common(a[i], b[j]);
    if (!c.is_empty()) {
      both.length += c.length();
      both.since = std::min(both.since, c.begin);
    }
    ++(a[i].end < b[j].end ? i : j);
  }
  return both;
}

}  // namespace

starvation_evaluator::starvation_evaluator(const starvation_inputs& all,
                                           const time_interval& window,
                                           std::optional<double> radius_m)
    : all_(all), window_(window), available_(all.available, radius_m), held_(all.held, radius_m) {
  set_slice(window.begin);
}

void starvation_evaluator::set_slice(sim_time begin) {
  slice_ = begin < window_.end ? common({begin, begin + slice_length}, window_)
                               : time_interval{window_.end, window_.end};
}

void starvation_evaluator::end_by(sim_time t) {
  window_.end = std::min(window_.end, t);
  set_slice(slice_.begin);
}

void starvation_evaluator::judge_slice() {
  ensure(!slice_.is_empty(), "a slice that is judged is there");
  for (; !waits_.empty() && all_.waits[waits_.front().number].when.begin < slice_.end;
       waits_.pop_front()) {
    open_.push_back(waits_.front());
  }
  put_aside_over(open_, slice_.begin);
  for (waiting& w : open_) {
    if (const time_interval part = common(all_.waits[w.number].when, slice_); !part.is_empty()) {
      judge(w, part);
    }
  }
  set_slice(slice_.end);
}

void starvation_evaluator::judge(waiting& who, const time_interval& part) {
  const ride_id r = all_.waits[who.number].ride;
  const answer one = starved(who, part, all_.rides[r.value].origin);
  found_.upper += one.any.length.count();
  found_.total += one.in_vain.length.count();
  if (one.in_vain.length == sim_duration::zero()) {
    return;
  }
  starvation_share& h = found_.by_ride[r];
  h.length += one.in_vain.length;
  h.since = std::min(h.since, one.in_vain.since);
  if (h.length > longest_) {
    longest_ = h.length;
    found_.worst = r;
  }
}

starvation_evaluator::answer starvation_evaluator::starved(waiting& who,
                                                           const time_interval& part,
                                                           const point& origin) {
  if (!find_bare(who, part, origin)) {
    return {};
  }
  const time_interval hull{bare_.front().begin, bare_.back().end};
  by_vain_.clear();
  by_any_.clear();
  const bool is_covered = held_.visit(part, origin, [&](std::uint32_t, const spell& s) {
    const bool is_vain = !all_.tries.at(s.of).converted;
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
    const starvation_share all = overlap_of(bare_, bare_);
    return {all, all};
  }
  unite(by_vain_);
  unite(by_any_);
  return {overlap_of(bare_, by_vain_), overlap_of(bare_, by_any_)};
}

bool starvation_evaluator::find_bare(waiting& who, const time_interval& part, const point& origin) {
  if (available_.covers(who.free_by, part, origin)) {
    return false;
  }
  free_.clear();
  const bool is_covered = available_.visit(part, origin, [&](std::uint32_t number, const spell& s) {
    free_.push_back(s.when);
    who.free_by = number;
    return s.when.begin <= part.begin && part.end <= s.when.end;
  });
  if (is_covered) {
    return false;
  }
  unite(free_);
  subtract(part, free_, bare_);
  return !bare_.empty();
}

template <class Waits>
void starvation_evaluator::put_aside_over(Waits& waits, sim_time t) {
  const auto is_over = [&](const waiting& w) { return all_.waits[w.number].when.end <= t; };
  for (const waiting& w : waits) {
    if (is_over(w)) {
      put_aside_.push_back(w.number);
    }
  }
  std::erase_if(waits, is_over);
}

void starvation_evaluator::free_over(sim_time now, run_tables& told) {
  const bool is_through = slice_.is_empty();
  const sim_time passed = is_through ? now : slice_.begin;
  available_.pass(passed);
  held_.pass(passed);
  available_.free_over(told.drivers().available_spells());
  held_.free_over(told.drivers().held_spells());
  if (is_through) {
    put_aside_over(open_, passed);
  }
  if (waits_.size() >= full_) {
    put_aside_over(waits_, passed);
    full_ = 2 * waits_.size() + 64;
  }
  told.riders().spells().let_go(put_aside_);
  put_aside_.clear();
}

starvation_inputs starvation_inputs_of(const run_tables& told) {
  return {.waits = told.riders().spells(),
          .available = told.drivers().available_spells(),
          .held = told.drivers().held_spells(),
          .rides = told.rides(),
          .tries = told.tries()};
}

}  // namespace dibs::metrics
