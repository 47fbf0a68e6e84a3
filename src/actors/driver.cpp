// A driver's phone: what it shows, and how she answers.

#include "actors/driver.hpp"

#include "actors/node_options.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

constexpr node_id the_lease_manager{node_kind::lease_manager, 0};

/// How much of her own time is left for an offer when it arrives; `forever` without a deadline.
sim_duration window_of(const runtime::context& x, const messages::offer& m) {
  if (m.deadline == forever || x.world().options.lease.deadline == scenario::deadline::duration) {
    return m.deadline;
  }
  return m.deadline - x.wall_for(m.ride, this_driver(x)).time_since_epoch();
}

}  // namespace

void driver::on(context& x, const messages::offer& m) {
  if (person_ == 0 || cut_off_ || phone_.knows(m.token)) {
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
  if (kind == scenario::phone::all || !phone_.is_looked_at()) {
    return true;
  }
  if (kind == scenario::phone::latest) {
    dismiss_all(x, events::dismissal::replaced);
  }
  return kind == scenario::phone::latest;
}

void driver::dismiss_all(context& x, events::dismissal cause) {
  for (const token_id token : phone_.drop_visible()) {
    x.publish(events::offer_dismissed{token, this_driver(x), cause});
  }
}

void driver::decide(context& x, const messages::offer& m, sim_duration window) {
  const auto& options = x.world().options.drivers;
  const auto& kind = options.classes[driver_class_];
  const std::uint32_t nth = x.world().rides.count_offer(m.ride, this_driver(x));
  auto draws = x.random(purpose::answer, x.self().index(), x.world().rides.at(m.ride).key, nth);
  world::answer_habits habits{
      .accept = kind.accept,
      .ignore = kind.ignore,
      .answers_late = sends_late_answers(x),
      .fails_at_once = options.failing_offers == scenario::failing_offer::declined_at_once};
  if (kind.by_pickup.is_some()) {
    habits = habits.asked_from(x.world().eta(this_driver(x), m.ride), kind.by_pickup);
  }
  const auto plan = world::plan_answer(habits, kind.response, draws, x.true_length(window));
  phone_.show({m.token, m.ride, x.sender(), plan.answer, true, plan.is_due});
  if (!plan.is_foregone) {
    const bool accepts = plan.in_time && plan.answer == events::offer_response::accepted;
    schedule_mishaps(x, m, nth, accepts ? plan.after : forever);
  }
  if (!plan.in_time) {
    x.after(window, messages::screen_over{m.token});
  }
  if (plan.is_due) {
    x.acts_after(plan.after, messages::answer_due{m.token});
  }
}

void driver::schedule_mishaps(context& x,
                              const messages::offer& m,
                              std::uint32_t nth,
                              sim_duration accepts_after) {
  const runtime::ride_entry& ride = x.world().rides.at(m.ride);
  const auto& lost = x.world().options.drivers.drop_out;
  if (lost.share > 0) {
    auto draws = x.random(purpose::drop_out, x.self().index(), ride.key, nth);
    if (draws.happens(lost.share)) {
      x.acts_after(draw(lost.after, draws), messages::connection_lost{m.token});
    }
  }
  const auto& race = x.world().options.riders.cancel_at_accept;
  if (race.share > 0 && accepts_after != forever) {
    auto draws = x.random(purpose::race, x.self().index(), ride.key, nth);
    if (draws.happens(race.share)) {
      const sim_duration when = accepts_after + draw_signed(race.after, draws);
      x.has_act(ride.rider,
                std::max(when, sim_duration::zero()),
                messages::late_cancellation_due{m.ride});
    }
  }
}

void driver::on(context& x, const messages::answer_due& m) {
  const auto o = phone_.answer(m.token, x.world().offers_repeat);
  if (!o) {
    return;
  }
  x.publish(events::offer_answered{o->token, this_driver(x), o->ride, o->answer, o->visible});
  if (o->visible || sends_late_answers(x)) {
    send_answer(x, *o);
  }
  leave_if_due(x);
}

void driver::send_answer(context& x, const world::driver_phone::shown_offer& o) {
  if (x.world().options.lease.confirm_by == scenario::confirmer::matcher) {
    x.send(o.from, messages::offer_answer{o.ride, this_driver(x), o.token, o.answer});
  } else if (o.answer == events::offer_response::accepted) {
    x.send(the_lease_manager, messages::confirm{o.ride, this_driver(x), o.token});
  } else {
    x.send(the_lease_manager,
           messages::release{o.ride, this_driver(x), o.token, events::lease_ending::declined});
  }
}

void driver::on(context& x, const messages::screen_over& m) {
  if (phone_.time_out(m.token)) {
    x.publish(events::offer_dismissed{m.token, this_driver(x), events::dismissal::timeout});
    leave_if_due(x);
  }
}

void driver::on(context& x, const messages::withdraw_offer& m) {
  if (phone_.take_back(m.token)) {
    x.publish(events::offer_dismissed{m.token, this_driver(x), events::dismissal::withdrawn});
  }
  leave_if_due(x);
}

}  // namespace dibs::actors
