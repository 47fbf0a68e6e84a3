#include "actors/rider.hpp"

#include "actors/first_matcher.hpp"
#include "actors/node_options.hpp"

#include <algorithm>

namespace dibs::actors {

void rider::on(context& x, const messages::appear& m) {
  ride_ = m.ride;
  asks_ = 0;
  waits_ = 0;
  asked_in_ = 0;
  x.publish(events::ride_requested{ride_, x.world().rides.ends(ride_).origin});
  wait(x);
}

void rider::wait(context& x) {
  state_ = state::waiting;
  token_ = token_id::none();
  const auto& patience = x.world().options.riders.patience;
  auto draws = x.random(purpose::patience, x.world().rides.at(ride_).key, waits_++);
  if (draws.happens(patience.share)) {
    x.acts_after(draw(patience.after, draws), messages::patience_over{ride_, waits_});
  }
  ask(x);
}

void rider::ask(context& x) {
  refusals_ = 0;
  const sim_duration stagger = x.world().options.matchers.offers.stagger;
  if (stagger > sim_duration::zero() && asked_in_ != waits_) {
    asked_in_ = waits_;
    asked_ = 0;
    ask_next(x, 0);
  } else {
    for (const node_id m : matchers(x)) {
      x.send(m, messages::want_ride{ride_, asks_, waits_});
    }
  }
  ++asks_;
  if (const auto& again = x.world().options.riders.ask_again) {
    x.after(*again, messages::ask_again{ride_, asks_});
  }
}

void rider::on(context& x, const messages::ask_again& m) {
  if (is(state::waiting, m.ride) && m.ask == asks_) {
    x.publish(events::ride_asked_again{ride_, asks_ + 1});
    ask(x);
  }
}

void rider::ask_next(context& x, std::uint32_t place) {
  const auto& offers = x.world().options.matchers.offers;
  const matcher_list all = all_matchers(x);
  x.send(all[place], messages::want_ride{ride_, asks_ - (place > 0 ? 1 : 0), waits_});
  asked_ = place + 1;
  if (asked_ < all.size()) {
    x.after(offers.stagger, messages::ask_next{ride_, waits_, asked_});
  }
}

void rider::on(context& x, const messages::ask_next& m) {
  if (is(state::waiting, m.ride) && m.wait == waits_ && m.place == asked_) {
    ask_next(x, m.place);
  }
}

void rider::on(context& x, const messages::patience_over& m) {
  if (is(state::waiting, m.ride) && m.ask == waits_) {
    give_up(x, events::abandonment::patience);
  }
}

void rider::give_up(context& x, events::abandonment why) {
  x.publish(events::ride_abandoned{ride_, why});
  withdraw(x);  // where matchers told her so: her asking again may have crossed it on its way
  leave(x);
}

void rider::on(context& x, const messages::unserved& m) {
  if (is(state::waiting, m.ride) && ++refusals_ >= x.world().options.matchers.offers.broadcast) {
    give_up(x, m.cause);
  }
}

// Whoever does not take the first driver takes none in this wait.
void rider::on(context& x, const messages::confirm_wanted& m) {
  const auto& options = x.world().options.riders.confirm;
  if (!options || !is(state::waiting, m.ride)) {
    return;  // her matcher gives the driver back when it hears of that, or of nothing
  }
  auto draws = x.random(purpose::rider_confirm, x.world().rides.at(ride_).key, waits_);
  const bool takes_her = draws.happens(options->share);
  const sim_duration after = draw(options->after, draws);
  if (takes_her && after < options->within) {
    x.acts_after(after, messages::confirm_due{ride_, m.token, x.sender()});
  } else {
    x.acts_after(options->within, messages::confirm_missed{ride_, waits_});
  }
}

void rider::on(context& x, const messages::confirm_due& m) {
  if (is(state::waiting, m.ride)) {
    x.publish(events::rider_confirmed{ride_, m.token});
    x.send(m.matcher, messages::rider_confirmed{ride_, m.token});
  }
}

void rider::on(context& x, const messages::confirm_missed& m) {
  if (is(state::waiting, m.ride) && m.wait == waits_) {
    give_up(x, events::abandonment::unconfirmed);
  }
}

void rider::on(context& x, const messages::assigned& m) {
  if (is(state::promised, m.ride) || is(state::riding, m.ride)) {
    return;  // a second driver for the same ride finds out when she arrives
  }
  if (!is(state::waiting, m.ride)) {
    if (!rode(m.ride, m.token)) {
      x.send(the_ledger, messages::call_off{m.ride, m.token, events::revocation::rider_cancelled});
    }
    return;
  }
  state_ = state::promised;
  token_ = m.token;
  x.publish(events::ride_promised{ride_, m.token, m.driver});
  if (x.world().options.matchers.offers.broadcast > 1) {
    withdraw(x, x.sender());
  }
  const auto& options = x.world().options.riders;
  auto draws = x.random(purpose::cancel_after_match, x.world().rides.at(ride_).key, waits_);
  if (draws.happens(options.cancel_after_match.share)) {
    x.acts_after(draw(options.cancel_after_match.after, draws),
                 messages::cancellation_due{ride_, token_});
  }
  expected_ = x.world_time() + m.eta;
  x.acts_after(m.eta + options.no_show_after, messages::still_waiting{ride_, token_});
}

void rider::on(context& x, const messages::cancellation_due& m) {
  if (is(state::promised, m.ride) && m.token == token_) {
    call_off_promised(x);
  }
}

void rider::call_off_promised(context& x) {
  x.publish(events::ride_cancelled{ride_});
  x.send(the_ledger, messages::call_off{ride_, token_, events::revocation::rider_cancelled});
  token_ = token_id::none();
  leave(x);
}

void rider::on(context& x, const messages::late_cancellation_due& m) {
  if (is(state::waiting, m.ride)) {
    give_up(x, events::abandonment::cancelled);
  } else if (is(state::promised, m.ride)) {
    call_off_promised(x);
  }
}

void rider::on(context& x, const messages::still_waiting& m) {
  if (is(state::promised, m.ride) && m.token == token_) {
    x.send(the_ledger, messages::call_off{ride_, token_, events::revocation::no_show});
    wait(x);
  }
}

void rider::restart(context& x) {
  if (state_ == state::waiting) {
    wait(x);
  } else if (state_ == state::promised) {
    const sim_duration left = std::max(expected_ - x.world_time(), sim_duration::zero());
    x.acts_after(left + x.world().options.riders.no_show_after,
                 messages::still_waiting{ride_, token_});
  }
}

void rider::on(context& x, const messages::arrived& m) {
  if (rode(m.ride, m.token)) {
    return;  // a copy of what brought her on board
  }
  if (!is(state::waiting, m.ride) && !is(state::promised, m.ride)) {
    x.send(the_ledger, messages::call_off{m.ride, m.token, events::revocation::rider_cancelled});
    return;
  }
  if (state_ == state::waiting) {
    withdraw(x);
  }
  state_ = state::riding;
  token_ = m.token;
  x.publish(events::rider_picked_up{ride_, m.token, m.driver});
  x.send(node_of(m.driver), messages::boarded{ride_, m.token});
}

bool rider::rode(ride_id ride, token_id token) const {
  return ride == ride_ && token == token_ && (state_ == state::riding || state_ == state::gone);
}

void rider::on(context& x, const messages::dropped_off& m) {
  if (is(state::riding, m.ride) && m.token == token_) {
    leave(x);
  }
}

void rider::leave(context& x) {
  state_ = state::gone;
  x.world().rides.free_seat(x.self().index());
}

// Of those that are asked one after another, those whose turn has come.
rider::matcher_list rider::matchers(const context& x) const {
  matcher_list all = all_matchers(x);
  if (x.world().options.matchers.offers.stagger > sim_duration::zero()) {
    all.resize(std::min<std::size_t>(all.size(), asked_));
  }
  return all;
}

rider::matcher_list rider::all_matchers(const context& x) const {
  const auto& options = x.world().options.matchers;
  const std::uint32_t first = first_matcher_of(x, ride_);
  matcher_list asked;
  for (std::uint32_t i = 0; i < options.offers.broadcast; ++i) {
    asked.emplace_back(node_kind::matcher, (first + i) % options.count);
  }
  return asked;
}

void rider::withdraw(context& x, node_id but_for) {
  for (const node_id m : matchers(x)) {
    if (m != but_for) {
      x.send(m, messages::withdraw_ride{ride_});
    }
  }
}

}  // namespace dibs::actors
