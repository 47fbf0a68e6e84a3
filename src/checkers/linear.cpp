#include "checkers/linear.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::checkers {
namespace {

void keep_once(standings& all, const standing& s) {
  if (std::find(all.begin(), all.end(), s) == all.end()) {
    all.push_back(s);
  }
}

/// The same for states that calls are in order up to. Where she is free, when that began matters to
/// a late copy of a call alone, and the earliest allows all that the others do.
void keep_widest(standings& all, const standing& s) {
  if (s.is != standing::phase::free) {
    keep_once(all, s);
    return;
  }
  const auto same = std::find_if(all.begin(), all.end(), [&s](standing one) {
    one.over_from = s.over_from;
    return one == s;
  });
  if (same == all.end()) {
    all.push_back(s);
  } else {
    same->over_from = std::min(same->over_from, s.over_from);
  }
}

}  // namespace

void linear_order::begin(const attempt& a) {
  const auto is_free = [](const std::optional<attempt>& place) { return !place; };
  auto place = std::find_if(under_way_.begin(), under_way_.end(), is_free);
  if (place == under_way_.end() && !under_way_.empty() && under_way_.size() <= under_way_max) {
    standings all(states_.begin(), states_.end());
    forget_the_futile(all);
    states_.assign(all.begin(), all.end());
    place = std::find_if(under_way_.begin(), under_way_.end(), is_free);
  }
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
  if (driver_model::fits_anywhere(a) || was_expected(goal)) {
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
    states_ = {model_.believed(a, highest())};
    return verdict::contradicts;
  }
  forget_the_futile(reached);
  states_.assign(reached.begin(), reached.end());
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
  if (const auto next = model_.after(s, a, a.answered)) {
    s = *next;
    return verdict::fits;
  }
  s = model_.believed(a, s.highest);
  return verdict::contradicts;
}

// A call that will never be answered can have an effect only while its lease is current. States
// that differed in whether it had taken place are the same without it.
void linear_order::forget_the_futile(standings& states) {
  const auto is_current = [](const standings& all, token_id token) {
    return std::any_of(all.begin(), all.end(), [token](const standing& s) {
      return s.is != standing::phase::free && s.token == token;
    });
  };
  std::uint64_t kept = ~std::uint64_t{0};
  for (std::size_t p = 0; p < under_way_.size(); ++p) {
    const std::optional<attempt>& a = under_way_[p];
    if (a && a->is_open() && !is_current(states, a->token)) {
      under_way_[p].reset();
      kept &= ~(std::uint64_t{1} << p);
    }
  }
  if (kept == ~std::uint64_t{0}) {
    return;
  }
  const standings before = std::exchange(states, {});
  for (standing s : before) {
    s.ahead &= kept;
    keep_widest(states, s);
  }
}

// A call that looks and changes nothing may as well take effect at once where it is right: nobody
// can tell, and of many that look at once there are not two to the many orders to go through.
void linear_order::let_look(standing& s) const {
  for (std::size_t p = 0; p < under_way_.size(); ++p) {
    if (under_way_[p] && driver_model::only_looks(s, *under_way_[p])) {
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
    keep_widest(reached, s);
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
      auto next = model_.after(met[i], *under_way_[p], until);
      if (!next) {
        continue;
      }
      next->ahead |= bit;
      let_look(*next);
      const bool there = (next->ahead & goal_bit) != 0;
      next->ahead &= ~goal_bit;
      if (there) {
        keep_widest(reached, *next);
      } else {
        keep_once(met, *next);
      }
    }
    if (met.size() + reached.size() > states_max) {
      return false;
    }
  }
  return true;
}

token_id linear_order::highest() const {
  token_id highest;
  for (const standing& s : states_) {
    highest = std::max(highest, s.highest);
  }
  return highest;
}

void linear_order::may_be_free(token_id token, sim_time t) {
  model_.may_be_free(token, t);
  for (standing& s : states_) {
    if (s.token == token) {
      s.over_from = std::min(s.over_from, t);
    }
  }
}

void linear_order::may_be_free_of_any(sim_time t) {
  model_.may_be_free_of_any();
  for (standing& s : states_) {
    s.over_from = std::min(s.over_from, t);
  }
}

}  // namespace dibs::checkers
