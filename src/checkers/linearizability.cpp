#include "checkers/linearizability.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dibs::checkers {
namespace {

constexpr std::uint64_t bit(std::size_t place) { return std::uint64_t{1} << place; }

std::size_t lowest(std::uint64_t places) {
  return static_cast<std::size_t>(std::countr_zero(places));
}

bool is_current(const some_model_states& all, token_id token) {
  return std::ranges::any_of(all, [token](const model_state& s) {
    return s.is != model_state::phase::free && s.token == token;
  });
}

/// Whether every order that goes on from `b` goes on from `a` too. What is never answered, `open`,
/// may be left undone.
bool covers(const model_state& a, const model_state& b, std::uint64_t open) {
  return (a.ahead & ~b.ahead) == 0 && ((b.ahead & ~a.ahead) & ~open) == 0 &&
         driver_model::allows_all_of(a, b);
}

/// False if another one covers it already.
bool keep(some_model_states& all, const model_state& s, std::uint64_t open) {
  const bool is_covered =
      std::ranges::any_of(all, [&](const model_state& one) { return covers(one, s, open); });
  if (!is_covered) {
    all.push_back(s);
  }
  return !is_covered;
}

/// The same, and none stays that it covers.
void keep_widest(some_model_states& all, const model_state& s, std::uint64_t open) {
  if (keep(all, s, open)) {
    const auto covered = [&](const model_state& one) { return covers(s, one, open); };
    all.erase(std::remove_if(all.begin(), all.end() - 1, covered), all.end() - 1);
  }
}

}  // namespace

linear_order::place_number linear_order::begin(const operation& a) {
  if (places_.size() > under_way_max || (a.is_open() && is_spare(a))) {
    return no_place;
  }
  if (!places_.empty() && std::cmp_equal(std::popcount(taken_), places_.size())) {
    forget_the_futile(states_);
  }
  const auto place = static_cast<std::size_t>(std::countr_one(taken_));
  if (place < places_.size()) {
    places_[place] = a;
  } else {
    places_.push_back(a);
  }
  if (place < under_way_max) {
    taken_ |= bit(place);
    for (model_state& s : states_) {
      let_look(s);
    }
  }
  return static_cast<place_number>(place);
}

bool linear_order::is_spare(const operation& a) const {
  for (std::uint64_t left = taken_; left != 0; left &= left - 1) {
    const operation& earlier = places_[lowest(left)];
    if (earlier.is_open() && earlier.what == a.what && earlier.token == a.token &&
        earlier.excused == a.excused) {
      return true;
    }
  }
  return false;
}

void linear_order::may_be_renewed(token_id token, sim_time called, const lease_lengths& all) {
  if (!is_current(states_, token)) {
    return;
  }
  unheard_renewals* of = unheard_of(token);
  if (of == nullptr) {
    unheard_ = unheard_ ? std::move(unheard_) : std::make_unique<std::vector<unheard_renewals>>();
    unheard_->push_back({token, all, {}});
    of = &unheard_->back();
  }
  of->called.push_back(called);
}

unheard_renewals* linear_order::unheard_of(token_id token) const {
  if (!unheard_) {
    return nullptr;
  }
  const auto found = std::find_if(
      unheard_->begin(), unheard_->end(), [token](const auto& of) { return of.token == token; });
  return found == unheard_->end() ? nullptr : &*found;
}

std::uint64_t linear_order::open_places() const {
  std::uint64_t open = 0;
  for (std::uint64_t left = taken_; left != 0; left &= left - 1) {
    open |= places_[lowest(left)].is_open() ? bit(lowest(left)) : 0;
  }
  return open;
}

linear_order::order_found linear_order::answer(place_number where, const operation& a) {
  if (places_.size() > under_way_max) {
    return order_found::too_many;
  }
  const std::size_t goal = where;
  ensure(goal < under_way_max && (taken_ & bit(goal)) != 0 && places_[goal].called == a.called,
         "what is answered was called");
  places_[goal] = a;
  if (states_.size() == 1 && taken_ == bit(goal) && !unheard_) {
    return answer_alone(a);
  }
  if (driver_model::fits_anywhere(a) || was_expected(goal)) {
    strike_off(goal);
    return order_found::fits;
  }
  model_states reached;
  for (const model_state& s : states_) {
    if (!extend(s, goal, reached)) {
      return order_found::too_many;
    }
  }
  taken_ &= ~bit(goal);
  if (reached.empty()) {
    states_ = {model_.believed(a, highest())};
    return order_found::contradicts;
  }
  forget_the_futile(reached);
  states_.assign(reached.begin(), reached.end());
  return order_found::fits;
}

bool linear_order::was_expected(std::size_t goal) const {
  return std::ranges::all_of(states_,
                             [goal](const model_state& s) { return (s.ahead & bit(goal)) != 0; });
}

void linear_order::strike_off(std::size_t place) {
  taken_ &= ~bit(place);
  for (model_state& s : states_) {
    s.ahead &= ~bit(place);
  }
}

// One state and one call, which is nearly all that there ever is: one order.
linear_order::order_found linear_order::answer_alone(const operation& a) {
  model_state& s = states_.front();
  taken_ = 0;
  if (std::exchange(s.ahead, 0) != 0) {
    return order_found::fits;
  }
  if (const auto next = model_.after(s, a, a.answered)) {
    s = *next;
    return order_found::fits;
  }
  s = model_.believed(a, s.highest);
  return order_found::contradicts;
}

// A call that will never be answered can have an effect only while its lease is current. States
// that differed in whether it had taken place are the same without it.
void linear_order::forget_the_futile(some_model_states& states) {
  if (unheard_) {
    std::erase_if(*unheard_, [&](const auto& of) { return !is_current(states, of.token); });
    unheard_ = unheard_->empty() ? nullptr : std::move(unheard_);
  }
  std::uint64_t futile = 0;
  for (std::uint64_t left = taken_; left != 0; left &= left - 1) {
    const operation& a = places_[lowest(left)];
    if (a.is_open() && !is_current(states, a.token)) {
      futile |= bit(lowest(left));
    }
  }
  if (futile == 0) {
    return;
  }
  taken_ &= ~futile;
  for (model_state& s : states) {
    s.ahead &= ~futile;
  }
  if (states.size() > 1) {
    const model_states before(states.begin(), states.end());
    const std::uint64_t open = open_places();
    states.clear();
    for (const model_state& s : before) {
      keep_widest(states, s, open);
    }
  }
}

// A call that looks and changes nothing may as well take effect at once where it is right: nobody
// can tell, and of many that look at once there are not two to the many orders to go through.
void linear_order::let_look(model_state& s) const {
  for (std::uint64_t left = taken_ & ~s.ahead; left != 0; left &= left - 1) {
    if (driver_model::only_looks(s, places_[lowest(left)])) {
      s.ahead |= bit(lowest(left));
    }
  }
}

// Every order of the calls under way that ends with the goal, but those that lead to a state which
// one that was met before covers.
bool linear_order::extend(const model_state& from, std::size_t goal, model_states& reached) {
  const std::uint64_t open = open_places();
  const std::uint64_t goal_bit = bit(goal);
  if ((from.ahead & goal_bit) != 0) {
    model_state s = from;
    s.ahead &= ~goal_bit;
    keep_widest(reached, s, open);
    return true;
  }
  const sim_time until = places_[goal].answered;
  model_states met{from};
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (std::uint64_t left = taken_ & ~met[i].ahead; left != 0; left &= left - 1) {
      auto next = model_.after(met[i], places_[lowest(left)], until);
      if (!next) {
        continue;
      }
      next->ahead |= bit(lowest(left));
      let_look(*next);
      const bool there = (next->ahead & goal_bit) != 0;
      next->ahead &= ~goal_bit;
      if (there) {
        keep_widest(reached, *next, open);
      } else {
        keep(met, *next, open);
      }
    }
    if (const unheard_renewals* const unheard = unheard_of(met[i].token)) {
      if (const auto next = model_.renewed_unheard(met[i], *unheard, until)) {
        keep(met, *next, open);
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
  for (const model_state& s : states_) {
    highest = std::max(highest, s.highest);
  }
  return highest;
}

void linear_order::may_be_free(token_id token, sim_time t) {
  model_.may_be_free(token, t);
  for (model_state& s : states_) {
    if (s.token == token) {
      s.over_from = std::min(s.over_from, t);
    }
  }
}

void linear_order::may_be_free_of_any(sim_time t) {
  model_.may_be_free_of_any();
  for (model_state& s : states_) {
    s.over_from = std::min(s.over_from, t);
  }
}

}  // namespace dibs::checkers
