#include "checkers/linear.hpp"

#include "base/ensure.hpp"
#include "checkers/drift.hpp"

#include <algorithm>
#include <utility>

namespace dibs::checkers {
namespace {

using phase = standing::phase;

sim_time later(sim_time from, sim_duration by) {
  return by >= sim_time::max() - from ? sim_time::max() : from + by;
}

bool may_be_free_by(const standing& s, sim_time until) {
  return s.is == phase::free || until >= s.over_from;
}

standing freed(standing s) {
  s.is = phase::free;
  s.token = token_id::none();
  s.over_from = std::min(s.over_from, s.now);
  s.valid_by = s.held_by = sim_time{};
  return s;
}

void keep_once(standings& all, const standing& s) {
  if (std::find(all.begin(), all.end(), s) == all.end()) {
    all.push_back(s);
  }
}

}  // namespace

void linear_order::begin(const attempt& a) {
  const auto place = std::find(under_way_.begin(), under_way_.end(), std::nullopt);
  if (place != under_way_.end()) {
    *place = a;
  } else {
    under_way_.emplace_back(a);
  }
  if (under_way_.size() <= under_way_max) {
    for (standing& s : states_) {
      let_look(s);
    }
  }
}

linear_order::verdict linear_order::answer(const attempt& a) {
  const auto found =
      std::find_if(under_way_.begin(), under_way_.end(), [&a](const std::optional<attempt>& one) {
        return one && one->number == a.number;
      });
  ensure(found != under_way_.end(), "what is answered was called");
  const auto goal = static_cast<std::size_t>(found - under_way_.begin());
  *found = a;
  if (under_way_.size() > under_way_max) {
    return verdict::too_many;
  }
  if (states_.size() == 1 && is_alone(goal)) {
    return answer_alone(a);
  }
  if (fits_anywhere(a) || was_expected(goal)) {
    strike_off(goal);
    return verdict::fits;
  }
  standings reached;
  for (const standing& s : states_) {
    if (!extend(s, goal, reached)) {
      return verdict::too_many;
    }
  }
  found->reset();
  if (reached.empty()) {
    states_ = {believed(a)};
    return verdict::contradicts;
  }
  states_.assign(reached.begin(), reached.end());
  forget_the_futile();
  return verdict::fits;
}

bool linear_order::is_alone(std::size_t goal) const {
  for (std::size_t p = 0; p < under_way_.size(); ++p) {
    if (p != goal && under_way_[p]) {
      return false;
    }
  }
  return true;
}

// Right in every state, before and after every other call: where it stands is all the same.
bool linear_order::fits_anywhere(const attempt& a) { return a.what == deed::denial && a.excused; }

bool linear_order::was_expected(std::size_t goal) const {
  const std::uint64_t bit = std::uint64_t{1} << goal;
  return std::all_of(
      states_.begin(), states_.end(), [bit](const standing& s) { return (s.ahead & bit) != 0; });
}

void linear_order::strike_off(std::size_t place) {
  under_way_[place].reset();
  for (standing& s : states_) {
    s.ahead &= ~(std::uint64_t{1} << place);
  }
}

// One state and one call, which is nearly all that there ever is: one order.
linear_order::verdict linear_order::answer_alone(const attempt& a) {
  standing& s = states_.front();
  for (std::optional<attempt>& one : under_way_) {
    one.reset();
  }
  if (std::exchange(s.ahead, 0) != 0) {
    return verdict::fits;
  }
  if (const auto next = after(s, a, a.answered)) {
    s = *next;
    return verdict::fits;
  }
  s = believed(a);
  return verdict::contradicts;
}

// A call that will never be answered can have an effect only while its lease is current. States
// that differed in whether it had taken place are the same without it.
void linear_order::forget_the_futile() {
  bool may_be_alike = false;
  for (std::size_t p = 0; p < under_way_.size(); ++p) {
    const std::optional<attempt>& a = under_way_[p];
    if (!a || !a->is_open() || std::any_of(states_.begin(), states_.end(), [&](const standing& s) {
          return s.is != phase::free && s.token == a->token;
        })) {
      continue;
    }
    strike_off(p);
    may_be_alike = states_.size() > 1;
  }
  if (may_be_alike) {
    standings different;
    for (const standing& s : states_) {
      keep_once(different, s);
    }
    states_.assign(different.begin(), different.end());
  }
}

// A call that looks and changes nothing may as well take effect at once where it is right: nobody
// can tell, and of many that look at once there are not two to the many orders to go through.
bool linear_order::only_looks(const standing& s, const attempt& a) {
  const bool current = s.is != phase::free && s.token == a.token;
  switch (a.what) {
    case deed::denial:
      return a.excused || s.is == phase::kept ||
             (s.is == phase::leased && std::max(s.now, a.called) < s.held_by);
    case deed::refusal:
    case deed::release:
      return !current && a.token <= s.highest && !a.is_open();  // over for good
    case deed::grant:
    case deed::confirm:
    case deed::renewal:
      return false;
  }
  return false;
}

void linear_order::let_look(standing& s) const {
  for (std::size_t p = 0; p < under_way_.size(); ++p) {
    if (under_way_[p] && only_looks(s, *under_way_[p])) {
      s.ahead |= std::uint64_t{1} << p;
    }
  }
}

// Every order of the calls under way that ends with the goal. Those that lead to a state which was
// met before lead nowhere new.
bool linear_order::extend(const standing& from, std::size_t goal, standings& reached) {
  const std::uint64_t goal_bit = std::uint64_t{1} << goal;
  if ((from.ahead & goal_bit) != 0) {
    standing s = from;
    s.ahead &= ~goal_bit;
    keep_once(reached, s);
    return true;
  }
  const sim_time until = under_way_[goal]->answered;
  standings met{from};
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (std::size_t p = 0; p < under_way_.size(); ++p) {
      const std::uint64_t bit = std::uint64_t{1} << p;
      if (!under_way_[p] || (met[i].ahead & bit) != 0) {
        continue;
      }
      auto next = after(met[i], *under_way_[p], until);
      if (!next) {
        continue;
      }
      next->ahead |= bit;
      let_look(*next);
      const bool there = (next->ahead & goal_bit) != 0;
      next->ahead &= ~goal_bit;
      keep_once(there ? reached : met, *next);
    }
    if (met.size() + reached.size() > states_max) {
      return false;
    }
  }
  return true;
}

// The instant of the effect lies between the latest that must come before it and the earliest that
// must come after. Where that leaves a choice, the answer is right if it is right at one of them.
std::optional<standing> linear_order::after(const standing& s,
                                            const attempt& a,
                                            sim_time until) const {
  standing next = s;
  next.now = std::max(s.now, a.called);
  const bool current = s.is != phase::free && s.token == a.token;
  const bool in_time = s.is == phase::kept || next.now < s.valid_by;
  switch (a.what) {
    case deed::grant:
      if (!may_be_free_by(s, until) || a.token <= s.highest) {
        return std::nullopt;
      }
      if (a.is_copy) {
        return leased(next, a, std::max(a.called, s.over_from), until);
      }
      next.now = s.is == phase::free ? next.now : std::max(next.now, s.over_from);
      return leased(next, a, next.now, until);
    case deed::denial:
      if (a.excused || (s.is != phase::free && (s.is == phase::kept || next.now < s.held_by))) {
        return next;
      }
      return std::nullopt;
    case deed::confirm:
      if (!current || !in_time) {
        return std::nullopt;
      }
      if (s.is == phase::leased) {
        next.is = phase::kept;
        next.over_from = a.excused ? next.now : kept_until(a.token, next.now);
      }
      return next;
    case deed::refusal:
      if (!current) {
        return next;
      }
      if (a.excused) {
        next.over_from = std::min(s.over_from, next.now);
        return a.may_have_renewed && s.is == phase::leased ? perhaps_renewed(next, a, until) : next;
      }
      if (may_be_free_by(s, until)) {
        next.now = std::max(next.now, s.over_from);
        return spent(next);
      }
      return lapsed(next, until);
    case deed::renewal:
      if (!current || s.is != phase::leased || !in_time) {
        return std::nullopt;
      }
      return leased(next, a, next.now, until);
    case deed::release:
      if (current) {
        return terms_->release_frees ? freed(next) : next;
      }
      return a.is_open() ? std::nullopt : std::optional(next);
  }
  return std::nullopt;
}

// A copy of the call was taken, its answer was lost, and the hold ran out before the next copy
// came.
std::optional<standing> linear_order::lapsed(standing s, sim_time until) const {
  s.now = later(s.now, shortest(terms_->confirm_hold, terms_->drift_ppm));
  return s.now <= until ? std::optional(spent(s)) : std::nullopt;
}

// Where nothing but a sweep ends leases, one that has run out still keeps the driver from others.
standing linear_order::spent(const standing& s) const {
  if (terms_->ends_on_sight) {
    return freed(s);
  }
  standing over = s;
  over.over_from = std::min(s.over_from, s.now);
  over.valid_by = std::min(s.valid_by, s.now);
  return over;
}

standing linear_order::perhaps_renewed(standing s, const attempt& a, sim_time until) const {
  const standing longer = leased(s, a, s.now, until);
  s.valid_by = std::max(s.valid_by, longer.valid_by);
  s.held_by = std::max(s.held_by, longer.held_by);
  return s;
}

standing linear_order::leased(standing s, const attempt& a, sim_time from, sim_time until) const {
  const sim_duration most = longest(a.ttl, terms_->drift_ppm);
  s.is = phase::leased;
  s.token = a.token;
  s.highest = std::max(s.highest, a.token);
  s.over_from = may_drop_any_ || terms_->ends_early
                    ? from
                    : unless_dropped(a.token, from, shortest(a.ttl, terms_->drift_ppm));
  s.valid_by = terms_->stretches ? sim_time::max() : later(until, most);
  s.held_by = terms_->overstay ? later(s.valid_by, *terms_->overstay) : sim_time::max();
  return s;
}

sim_time linear_order::kept_until(token_id token, sim_time from) const {
  return terms_->ends_early
             ? from
             : unless_dropped(token, from, shortest(terms_->confirm_hold, terms_->drift_ppm));
}

// The word that ends it may be older than the answer to the call that began it.
sim_time linear_order::unless_dropped(token_id token, sim_time from, sim_duration length) const {
  const sim_time whole = later(from, length);
  return token == dropped_ ? std::min(whole, std::max(from, dropped_at_)) : whole;
}

standing linear_order::believed(const attempt& a) const {
  standing s;
  s.now = a.called;
  for (const standing& before : states_) {
    s.highest = std::max(s.highest, before.highest);
  }
  if (a.what == deed::grant || a.what == deed::renewal) {
    return leased(s, a, a.called, a.answered);
  }
  if (a.what == deed::confirm) {
    s.is = phase::kept;
    s.token = a.token;
    s.over_from = later(a.called, shortest(terms_->confirm_hold, terms_->drift_ppm));
  }
  return s;
}

void linear_order::may_be_free(token_id token, sim_time t) {
  if (token > dropped_) {
    dropped_ = token;
    dropped_at_ = t;
  }
  for (standing& s : states_) {
    if (s.token == token) {
      s.over_from = std::min(s.over_from, t);
    }
  }
}

void linear_order::may_be_free_of_any(sim_time t) {
  may_drop_any_ = true;
  for (standing& s : states_) {
    s.over_from = std::min(s.over_from, t);
  }
}

}  // namespace dibs::checkers
