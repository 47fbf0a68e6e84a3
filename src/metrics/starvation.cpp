#include "metrics/starvation.hpp"

#include "metrics/story.hpp"

#include <algorithm>

namespace dibs::metrics {
namespace {

/// About as long as a lease, so that one lease often covers it and ends the search: a long wait as
/// a whole would meet thousands.
constexpr sim_duration slice_length = 2s;

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
hardship overlap_of(const intervals& a, const intervals& b) {
  hardship both;
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

}  // namespace

starvation_judge::starvation_judge(const evidence& all,
                                   const interval& window,
                                   std::optional<double> radius_m)
    : all_(all), window_(window), available_(all.available, radius_m), held_(all.held, radius_m) {
  set_slice(window.begin);
}

void starvation_judge::set_slice(sim_time begin) {
  slice_ = begin < window_.end ? common({begin, begin + slice_length}, window_)
                               : interval{window_.end, window_.end};
}

void starvation_judge::end_by(sim_time t) {
  window_.end = std::min(window_.end, t);
  set_slice(slice_.begin);
}

void starvation_judge::judge_slice() {
  const auto is_over = [this](std::uint32_t w) { return all_.waits[w].when.end <= slice_.begin; };
  for (; !waits_.empty() && all_.waits[waits_.front()].when.begin < slice_.end;
       waits_.pop_front()) {
    open_.push_back(waits_.front());
  }
  std::copy_if(open_.begin(), open_.end(), std::back_inserter(over_), is_over);
  std::erase_if(open_, is_over);
  for (const std::uint32_t w : open_) {
    const wait_spell& wait = all_.waits[w];
    if (const interval part = common(wait.when, slice_); !part.is_empty()) {
      judge(wait.ride, part);
    }
  }
  set_slice(slice_.end);
}

void starvation_judge::judge(ride_id r, const interval& part) {
  const answer one = starved(part, all_.rides[r.value].origin);
  found_.upper += one.any.length.count();
  found_.total += one.in_vain.length.count();
  if (one.in_vain.length == sim_duration::zero()) {
    return;
  }
  hardship& h = found_.by_ride[r];
  h.length += one.in_vain.length;
  h.since = std::min(h.since, one.in_vain.since);
  if (h.length > longest_) {
    longest_ = h.length;
    found_.worst = r;
  }
}

starvation_judge::answer starvation_judge::starved(const interval& wait, const point& origin) {
  if (!find_bare(wait, origin)) {
    return {};
  }
  const interval hull{bare_.front().begin, bare_.back().end};
  by_vain_.clear();
  by_any_.clear();
  const bool is_covered = held_.visit(wait, origin, [&](const spell& s) {
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
    const hardship all = overlap_of(bare_, bare_);
    return {all, all};
  }
  unite(by_vain_);
  unite(by_any_);
  return {overlap_of(bare_, by_vain_), overlap_of(bare_, by_any_)};
}

bool starvation_judge::find_bare(const interval& wait, const point& origin) {
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

void starvation_judge::free_over(sim_time now,
                                 spell_log<wait_spell>& waits,
                                 spell_log<spell>& available,
                                 spell_log<spell>& held) {
  const sim_time passed = slice_.is_empty() ? now : slice_.begin;
  available_.pass(passed);
  held_.pass(passed);
  available_.free_over(available);
  held_.free_over(held);
  while (!waits_.empty() && waits[waits_.front()].when.end <= passed) {
    over_.push_back(waits_.front());
    waits_.pop_front();
  }
  waits.let_go(over_);
  over_.clear();
}

// -- all at once ---------------------------------------------------------------------------------

namespace {

starvation_judge::evidence evidence_of(const story& s) {
  return {.waits = s.riders().spells(),
          .available = s.drivers().available_spells(),
          .held = s.drivers().held_spells(),
          .rides = s.rides(),
          .tries = s.tries()};
}

}  // namespace

starvation starve(const story& s, const interval& window, std::optional<double> radius_m) {
  const starvation_judge::evidence all = evidence_of(s);
  starvation_judge judge(all, window, radius_m);
  for (std::uint32_t i = 0; i < all.waits.size(); ++i) {
    judge.add_wait(i);
  }
  for (std::uint32_t i = 0; i < all.available.size(); ++i) {
    judge.add_available(i);
  }
  for (std::uint32_t i = 0; i < all.held.size(); ++i) {
    judge.add_held(i);
  }
  while (!judge.slice().is_empty()) {
    judge.judge_slice();
  }
  return judge.found();
}

// -- as it goes ----------------------------------------------------------------------------------

starvation_follower::starvation_follower(story& told,
                                         const interval& window,
                                         std::optional<double> radius_m)
    : told_(told), judge_(evidence_of(told), window, radius_m) {}

void starvation_follower::look(sim_time now) {
  take_begun();
  const sim_time decided = decided_until();
  while (!judge_.slice().is_empty() && judge_.slice().end <= std::min(now, decided)) {
    judge_.judge_slice();
  }
  judge_.free_over(now,
                   told_.riders().spells(),
                   told_.drivers().available_spells(),
                   told_.drivers().held_spells());
  looks_again_ = now + slice_length;
}

void starvation_follower::take_begun() {
  told_.riders().spells().each_begun([this](std::uint32_t i) { judge_.add_wait(i); });
  told_.drivers().available_spells().each_begun(
      [this](std::uint32_t i) { judge_.add_available(i); });
  auto& held = told_.drivers().held_spells();
  held.each_begun([&](std::uint32_t i) {
    judge_.add_held(i);
    holdings_.push_back({held[i].when.begin, held[i].of});
  });
}

sim_time starvation_follower::decided_until() {
  while (!holdings_.empty() && !told_.tries().at(holdings_.front().lease).is_live()) {
    holdings_.pop_front();
  }
  return holdings_.empty() ? never : holdings_.front().since;
}

const starvation& starvation_follower::finish(sim_time end) {
  take_begun();
  judge_.end_by(end);
  while (!judge_.slice().is_empty()) {
    judge_.judge_slice();
  }
  return judge_.found();
}

}  // namespace dibs::metrics
