#include "world/driver_phone.hpp"

#include <algorithm>
#include <cstdint>

namespace dibs::world {
namespace {

sim_duration stretched(sim_duration length, double times) {
  if (times == 1 || length == forever) {
    return length;
  }
  const double ns = static_cast<double>(length.count()) * times;
  return sim_duration{
      static_cast<std::int64_t>(std::min(ns, static_cast<double>(draw_max.count())))};
}

}  // namespace

answer_habits answer_habits::asked_from(sim_duration pickup, const pickup_effect& effect) const {
  answer_habits h = *this;
  h.accept = effect.accept_at(pickup, accept);
  h.ignore = accept < 1 ? ignore * (1 - h.accept) / (1 - accept) : ignore;
  h.slower = slower * effect.response_at(pickup);
  return h;
}

answer_plan plan_answer(const answer_habits& habits,
                        const distribution& response,
                        stream& draws,
                        sim_duration window) {
  const double mood = draws.unit();
  const sim_duration after = stretched(draw(response, draws), habits.slower);
  const bool accepts = mood < habits.accept;
  const bool ignores = after == forever || (!accepts && mood < habits.accept + habits.ignore);
  const bool in_time = !ignores && after < window;
  if (habits.fails_at_once && !(accepts && in_time)) {
    return {.answer = events::offer_response::declined,
            .is_due = true,
            .in_time = true,
            .is_foregone = true};
  }
  return {.answer = accepts ? events::offer_response::accepted : events::offer_response::declined,
          .after = after,
          .is_due = in_time || (!ignores && (accepts || habits.answers_late)),
          .in_time = in_time};
}

bool driver_phone::knows(token_id offer) const {
  return offer == last_answered_ || find(offer) != nullptr ||
         (answered_ && std::find(answered_->begin(), answered_->end(), offer) != answered_->end());
}

const driver_phone::shown_offer* driver_phone::find(token_id offer) const {
  const auto found = std::find_if(
      screen_.begin(), screen_.end(), [offer](const shown_offer& o) { return o.token == offer; });
  return found == screen_.end() ? nullptr : &*found;
}

driver_phone::screen::iterator driver_phone::place_of(token_id offer) {
  return std::find_if(
      screen_.begin(), screen_.end(), [offer](const shown_offer& o) { return o.token == offer; });
}

bool driver_phone::is_looked_at() const {
  return std::any_of(
      screen_.begin(), screen_.end(), [](const shown_offer& o) { return o.visible; });
}

void driver_phone::show(const shown_offer& o) {
  forget_ignored();
  screen_.push_back(o);
}

void driver_phone::forget_ignored() {
  constexpr auto remembered = 8;
  const auto is_ignored = [](const shown_offer& o) { return !o.visible && !o.is_due; };
  for (auto n = std::count_if(screen_.begin(), screen_.end(), is_ignored); n >= remembered; --n) {
    screen_.erase(std::find_if(screen_.begin(), screen_.end(), is_ignored));
  }
}

// A copy may be held up for longer than it takes to answer the next offers.
std::optional<driver_phone::shown_offer> driver_phone::answer(token_id offer, bool copies_come) {
  const auto found = place_of(offer);
  if (found == screen_.end()) {
    return std::nullopt;
  }
  const shown_offer o = *found;
  screen_.erase(found);
  if (copies_come && last_answered_.is_some()) {
    if (!answered_) {
      answered_ = std::make_unique<std::vector<token_id>>();
    }
    answered_->push_back(last_answered_);
  }
  last_answered_ = offer;
  return o;
}

bool driver_phone::time_out(token_id offer) {
  const auto found = place_of(offer);
  if (found == screen_.end()) {
    return false;
  }
  found->visible = false;  // she may still answer, too late
  return true;
}

bool driver_phone::take_back(token_id offer) {
  const auto found = place_of(offer);
  if (found == screen_.end()) {
    return false;
  }
  const bool was_visible = found->visible;
  screen_.erase(found);
  return was_visible;
}

driver_phone::tokens driver_phone::drop_visible() {
  tokens dropped;
  for (auto each = screen_.begin(); each != screen_.end();) {
    if (each->visible) {
      dropped.push_back(each->token);
      each = screen_.erase(each);
    } else {
      ++each;
    }
  }
  return dropped;
}

}  // namespace dibs::world
