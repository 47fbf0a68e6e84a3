#include "actors/driver.hpp"

#include "actors/node_options.hpp"
#include "base/ensure.hpp"

#include <algorithm>
#include <vector>

namespace dibs::actors {
namespace {

constexpr node_id the_lease_manager{node_kind::lease_manager, 0};

/// How much of her own time is left for an offer when it arrives; `forever` without a deadline.
sim_duration window_of(const runtime::context& x, const offer& m) {
  if (m.deadline == forever || x.world().options.lease.deadline == scenario::deadline::duration) {
    return m.deadline;
  }
  return m.deadline - x.wall_for(m.ride, this_driver(x)).time_since_epoch();
}

}  // namespace

// -- phone ---------------------------------------------------------------------------------------

void driver::on(context& x, const offer& m) {
  if (person_ == 0 || cut_off_ || has_answered(m.token) || find(m.token) != screen_.end()) {
    return;  // a copy, or nobody is at this wheel yet
  }
  const sim_duration window = window_of(x, m);
  if (window <= sim_duration::zero()) {
    x.publish(events::offer_dismissed{m.token, this_driver(x), events::dismissal::timeout});
    return;
  }
  if (!admits(x)) {
    x.publish(events::offer_dismissed{m.token, this_driver(x), events::dismissal::turned_away});
    return;
  }
  const local_time deadline = window == forever ? local_time::max() : x.now() + window;
  x.publish(events::offer_shown{m.token, this_driver(x), m.ride, deadline});
  decide(x, m, window);
}

bool driver::admits(context& x) {
  const auto kind = x.world().options.drivers.phone;
  const auto seen = [](const shown_offer& o) { return o.visible; };
  if (kind == scenario::phone::all || std::none_of(screen_.begin(), screen_.end(), seen)) {
    return true;
  }
  if (kind == scenario::phone::first) {
    return false;
  }
  for (const shown_offer& o : std::vector<shown_offer>(screen_.begin(), screen_.end())) {
    if (o.visible) {
      dismiss(x, o.token, events::dismissal::replaced);
    }
  }
  return true;
}

void driver::decide(context& x, const offer& m, sim_duration window) {
  const auto& kind = x.world().options.drivers.classes[driver_class_];
  const std::uint32_t nth = x.world().rides.count_offer(m.ride, this_driver(x));
  auto draws = x.random(purpose::answer, x.self().index(), x.world().rides.at(m.ride).key, nth);
  const double mood = draws.unit();
  const sim_duration response = draw(kind.response, draws);
  const bool accepts = mood < kind.accept;
  const bool ignores = response == forever || (!accepts && mood < kind.accept + kind.ignore);
  forget_ignored();
  screen_.push_back({m.token,
                     m.ride,
                     x.sender(),
                     accepts ? events::verdict::accepted : events::verdict::declined});
  const bool in_time = !ignores && response < x.true_length(window);
  if (!(accepts && in_time) &&
      x.world().options.drivers.failing_offers == scenario::failing_offer::declined_at_once) {
    screen_.back().answer = events::verdict::declined;
    screen_.back().is_due = true;
    x.acts_after(sim_duration::zero(), answer_due{m.token});
    return;
  }
  const bool matters =
      accepts || x.world().options.drivers.late_answer == scenario::late_answer::sent;
  screen_.back().is_due = in_time || (!ignores && matters);
  tempt_fate(x, screen_.back(), nth, accepts && in_time ? response : forever);
  if (in_time) {
    x.acts_after(response, answer_due{m.token});
    return;
  }
  x.after(window, screen_over{m.token});
  if (screen_.back().is_due) {
    x.acts_after(response, answer_due{m.token});
  }
}

void driver::forget_ignored() {
  constexpr auto remembered = 8;
  const auto is_ignored = [](const shown_offer& o) { return !o.visible && !o.is_due; };
  for (auto n = std::count_if(screen_.begin(), screen_.end(), is_ignored); n >= remembered; --n) {
    screen_.erase(std::find_if(screen_.begin(), screen_.end(), is_ignored));
  }
}

void driver::tempt_fate(context& x,
                        const shown_offer& o,
                        std::uint32_t nth,
                        sim_duration accepts_after) {
  const std::uint64_t ride_key = x.world().rides.at(o.ride).key;
  const auto& lost = x.world().options.drivers.drop_out;
  if (lost.share > 0) {
    auto draws = x.random(purpose::drop_out, x.self().index(), ride_key, nth);
    if (draws.happens(lost.share)) {
      x.acts_after(draw(lost.after, draws), connection_lost{o.token});
    }
  }
  const auto& race = x.world().options.riders.cancel_at_accept;
  if (race.share > 0 && accepts_after != forever) {
    auto draws = x.random(purpose::race, x.self().index(), ride_key, nth);
    if (draws.happens(race.share)) {
      const sim_duration when = accepts_after + draw_signed(race.after, draws);
      x.has_act(x.world().rides.at(o.ride).rider,
                std::max(when, sim_duration::zero()),
                second_thoughts{o.ride});
    }
  }
}

void driver::on(context& x, const answer_due& m) {
  const auto found = find(m.token);
  if (found == screen_.end()) {
    return;
  }
  const shown_offer o = *found;
  screen_.erase(found);
  remember_answer(x, o.token);
  x.publish(events::offer_answered{o.token, this_driver(x), o.ride, o.answer, o.visible});
  if (o.visible || x.world().options.drivers.late_answer == scenario::late_answer::sent) {
    send_answer(x, o);
  }
  leave_if_due(x);
}

bool driver::has_answered(token_id offer) const {
  return offer == last_answered_ ||
         (others_ && std::find(others_->answered.begin(), others_->answered.end(), offer) !=
                         others_->answered.end());
}

// A copy may be held up for longer than it takes to answer the next offers.
void driver::remember_answer(const context& x, token_id offer) {
  if (x.world().offers_repeat && last_answered_.is_some()) {
    others().answered.push_back(last_answered_);
  }
  last_answered_ = offer;
}

void driver::send_answer(context& x, const shown_offer& o) {
  if (x.world().options.lease.confirm_by == scenario::confirmer::matcher) {
    x.send(o.from, offer_answer{o.ride, this_driver(x), o.token, o.answer});
  } else if (o.answer == events::verdict::accepted) {
    x.send(the_lease_manager, confirm{o.ride, this_driver(x), o.token});
  } else {
    x.send(the_lease_manager,
           release{o.ride, this_driver(x), o.token, events::lease_ending::declined});
  }
}

void driver::on(context& x, const screen_over& m) {
  const auto found = find(m.token);
  if (found == screen_.end()) {
    return;
  }
  x.publish(events::offer_dismissed{m.token, this_driver(x), events::dismissal::timeout});
  found->visible = false;  // she may still answer, too late
  leave_if_due(x);
}

void driver::on(context& x, const withdraw_offer& m) {
  dismiss(x, m.token, events::dismissal::withdrawn);
  leave_if_due(x);
}

void driver::dismiss(context& x, token_id token, events::dismissal cause) {
  const auto found = find(token);
  if (found == screen_.end()) {
    return;
  }
  if (found->visible) {
    x.publish(events::offer_dismissed{token, this_driver(x), cause});
  }
  screen_.erase(found);
}

driver::screen::iterator driver::find(token_id token) {
  return std::find_if(
      screen_.begin(), screen_.end(), [token](const shown_offer& o) { return o.token == token; });
}

// -- wheel ---------------------------------------------------------------------------------------

void driver::on(context& x, const drive& m) {
  if (knows(m.token)) {
    return;
  }
  reconnect(x);
  const trip t{m.token, m.ride};
  if (leg_ == leg::with_rider) {
    others().next = t;
    return;
  }
  if (leg_ != leg::none) {
    place_ = place_on_the_way(x);  // the rider whom she drops is not told: she fails to appear
    if (now_.ride == t.ride) {
      end_trip(x);  // she does appear, by the newer word, and nobody else would end this one
    }
  }
  set_out(x, t);
}

void driver::set_out(context& x, trip t) {
  now_ = t;
  if (others_) {
    others_->next = {};
  }
  leg_ = leg::to_pickup;
  set_out_at_ = x.world_time();
  x.happens_after(x.world().map.travel_time(place_, x.world().rides.ends(t.ride).origin),
                  at_pickup{t.token});
}

void driver::on(context& x, const at_pickup& m) {
  if (leg_ != leg::to_pickup || now_.token != m.token) {
    return;
  }
  leg_ = leg::boarding;
  place_ = x.world().rides.ends(now_.ride).origin;
  x.send(rider_of(x, now_.ride), arrived{now_.ride, this_driver(x), now_.token});
}

void driver::on(context& x, const boarded& m) {
  if (leg_ == leg::boarding && now_.token == m.token) {
    leg_ = leg::with_rider;
    x.happens_after(x.world().rides.at(now_.ride).trip, at_drop_off{m.token});
  }
}

void driver::on(context& x, const at_drop_off& m) {
  if (leg_ != leg::with_rider || now_.token != m.token) {
    return;
  }
  place_ = x.world().rides.ends(now_.ride).destination;
  x.send(rider_of(x, now_.ride), dropped_off{now_.ride, now_.token});
  end_trip(x);
  if (others_ && others_->next.token.is_some()) {
    set_out(x, others_->next);
  } else {
    leave_if_due(x);
  }
}

bool driver::knows(token_id token) const {
  return now_.token == token ||
         (others_ && (others_->next.token == token || others_->has_ended(token)));
}

void driver::remember(token_id token) {
  other_memories& all = others();
  all.over[all.next_over] = token;
  all.next_over = static_cast<std::uint8_t>((all.next_over + 1) % all.over.size());
}

driver::other_memories& driver::others() {
  if (!others_) {
    others_ = std::make_unique<other_memories>();
  }
  return *others_;
}

void driver::on(context& x, const trip_off& m) {
  if (!knows(m.token)) {
    remember(m.token);  // it overtook the word of the trip
  }
  if (others_ && others_->next.token == m.token) {
    remember(m.token);
    others_->next = {};
    return;
  }
  if (now_.token != m.token || leg_ == leg::none || leg_ == leg::with_rider) {
    return;
  }
  place_ = place_on_the_way(x);
  end_trip(x);
  leave_if_due(x);
}

void driver::end_trip(context& x) {
  x.publish(events::trip_ended{now_.token, this_driver(x), now_.ride, place_});
  x.send(the_ledger, trip_done{now_.ride, this_driver(x), now_.token});
  remember(now_.token);
  now_ = {};
  leg_ = leg::none;
}

point driver::place_on_the_way(context& x) const {
  const point& origin = x.world().rides.ends(now_.ride).origin;
  const double whole = in_seconds(x.world().map.travel_time(place_, origin));
  const double gone = in_seconds(x.world_time() - set_out_at_);
  const double share = whole > 0 ? std::clamp(gone / whole, 0.0, 1.0) : 1.0;
  return x.world().map.between(place_, origin, share);
}

// -- work ----------------------------------------------------------------------------------------

void driver::on(context& x, const shift_over& m) {
  if (m.person != person_) {
    return;
  }
  leaving_ = true;
  leave_if_due(x);
}

void driver::leave_if_due(context& x) {
  const bool looks_at_an_offer =
      std::any_of(screen_.begin(), screen_.end(), [](const shown_offer& o) { return o.visible; });
  if (!leaving_ || cut_off_ || leg_ != leg::none || looks_at_an_offer) {
    return;
  }
  if (person_ > 0) {
    x.publish(events::driver_went_offline{this_driver(x)});
  }
  come_to_work(x);
}

void driver::on(context& x, const connection_lost& m) {
  const auto found = find(m.token);
  if (found == screen_.end() || !found->visible || leg_ != leg::none || cut_off_ ||
      x.world_time() >= x.world().heals) {
    return;
  }
  for (const shown_offer& o : screen_) {
    if (o.visible) {
      x.publish(events::offer_dismissed{o.token, this_driver(x), events::dismissal::went_offline});
    }
  }
  screen_.clear();
  cut_off_ = true;
  x.publish(events::driver_went_offline{this_driver(x)});
  auto draws = x.random(purpose::drop_out, x.self().index(), m.token.value, person_);
  const sim_duration away = draw(x.world().options.drivers.drop_out.back_after, draws);
  x.acts_after(std::min(away, x.world().heals - x.world_time()), connection_back{});
}

void driver::on(context& x, const connection_back&) {
  reconnect(x);
  leave_if_due(x);
}

void driver::reconnect(context& x) {
  if (cut_off_) {
    cut_off_ = false;
    x.publish(events::driver_came_online{this_driver(x), place_, driver_class_});
  }
}

void driver::come_to_work(context& x) {
  leaving_ = false;
  screen_.clear();
  const auto arrival = x.world().next_at_wheel(this_driver(x), person_++);
  place_ = arrival.place;
  driver_class_ = arrival.driver_class;
  x.publish(events::driver_came_online{this_driver(x), place_, driver_class_});
  x.acts_after(arrival.shift, shift_over{person_});
}

}  // namespace dibs::actors
