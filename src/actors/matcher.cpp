#include "actors/matcher.hpp"

#include "actors/first_matcher.hpp"
#include "actors/node_options.hpp"
#include "base/saturating_add.hpp"

namespace dibs::actors {
namespace {

using events::lease_ending;
using events::try_ending;
using match::stage;
using runtime::stop;
using sim::life_step;

local_time later(local_time now, std::optional<sim_duration> by) {
  return dibs::later(now, by.value_or(forever));
}

}  // namespace

// -- asked for a ride ----------------------------------------------------------------------------

void matcher::on(context& x, const want_ride& m) {
  // Else the rider asks again while her ride is being pursued.
  if (find(m.ride) == nullptr && !was_served(m.ride, m.wait)) {
    handed_on_.erase(m.ride);
    begin(x, m);
  }
}

bool matcher::was_served(ride_id r, std::uint32_t wait) const {
  if (served_.empty() || r > served_.rbegin()->first) {  // nearly always
    return false;
  }
  const auto served = served_.find(r);
  return served != served_.end() && wait <= served->second;
}

void matcher::begin(context& x, const want_ride& m) {
  pursuit& p = pursuits_[m.ride];
  p.ride = m.ride;
  p.asked = m.nth;
  p.wait = m.wait;
  p.step = steps_;
  x.after(matching_of(x).offers.total_wait, wait_over{m.ride, m.nth});
  if (matching_of(x).claims) {
    claim(x, m.ride);
  } else {
    pursue(x, p);
  }
}

void matcher::pursue(context& x, pursuit& p) {
  if (!lease_of(x).zones || has_zone(x, p)) {
    try_next(x, p);
  }
}

void matcher::on(context& x, const withdraw_ride& m) {
  if (pursuit* p = find(m.ride)) {
    withdraw(x, *p, try_ending::withdrawn);
    close(x, m.ride);
  } else if (const auto other = handed_on_.find(m.ride); other != handed_on_.end()) {
    x.send(node_of(other->second), m);
    handed_on_.erase(other);
  }
}

void matcher::on(context& x, const wait_over& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->asked != m.nth) {
    return;
  }
  if (p->has_accept()) {
    x.after(matching_of(x).reply_timeout, m);  // a driver has accepted: let it come to an end
    return;
  }
  withdraw(x, *p, try_ending::withdrawn);
  fail(x, *p, events::abandonment::wait);
}

// -- looking for a driver ------------------------------------------------------------------------

void matcher::try_next(context& x, pursuit& p) {
  const auto& options = matching_of(x);
  const bool over = p.tries >= options.offers.max;
  sim_duration wait = over ? sim_duration::zero() : options.overhead;
  if (options.batch) {
    wait += *options.batch - (x.now().time_since_epoch() + wait) % *options.batch;
  }
  if (wait > sim_duration::zero()) {
    x.after(wait, look_again{p.ride, p.step});
  } else {
    try_now(x, p);
  }
}

void matcher::come_back_later(context& x, pursuit& p) {
  const auto& options = matching_of(x);
  if (options.queue) {
    stand_in_line(x, p);
  } else if (!options.look_again) {
    fail(x, p, events::abandonment::tries);
  } else if (options.batch) {
    try_next(x, p);
  } else {
    x.after(*options.look_again, look_again{p.ride, p.step});
  }
}

void matcher::try_now(context& x, pursuit& p) {
  const auto& options = matching_of(x);
  if (p.tries >= options.offers.max) {
    fail(x, p, events::abandonment::tries);
    return;
  }
  if (lease_of(x).zones && !has_zone(x, p)) {
    return;  // a zone is lost while its rides wait
  }
  const driver_id d = choose(x, p);
  if (!d.is_some()) {
    come_back_later(x, p);
    return;
  }
  if (is_left_to_writer(x, p)) {
    return;
  }
  p.driver = d;
  if (x.world().protocol.ledger == lease::ledger_rule::compare_and_set) {
    p.version = x.world().supply.version_of(d);
  }
  engaged_.insert(d);
  if (!is_stopped(x, p, life_step::after_pick)) {
    go_for(x, p);
  }
}

void matcher::go_for(context& x, pursuit& p) {
  if (!x.world().protocol.leases) {
    p.token = token_id::unleased(this_matcher(x), ++unleased_tries_);
    send_offer(x, p, lease_of(x).ttl);
    return;
  }
  p.enter(stage::acquiring);
  p.asked_at = x.now();
  p.trusted_until =
      later(x.now(), x.world().protocol.expires ? lease_of(x).granted_ttl() : forever);
  p.tries += matching_of(x).tries == scenario::try_unit::acquire ? 1U : 0U;
  const zone_id zone = lease_of(x).zones ? zone_of(x, p.driver) : zone_id::none();
  if (zone.is_some()) {
    use(x, zone);
  }
  x.send(the_lease_manager(), acquire{p.ride, p.driver, this_matcher(x), ++requests_, zone});
  p.request = requests_;
  p.manager = leader_;
  x.after(matching_of(x).reply_timeout, no_word{p.ride, p.step});
}

bool matcher::is_stopped(context& x, pursuit& p, life_step here, sim_duration left) {
  switch (x.take_step(
      here, p.ride, p.driver, p.token, go_on{p.ride, p.driver, p.step, here, p.token, left})) {
    case stop::none:
      return false;
    case stop::outage:
      return true;
    case stop::tidy_error:
      give_back(x, p, lease_ending::released);
      break;
    case stop::error:
      break;
  }
  let_go(x, p.driver);
  forget(p);
  return true;
}

// A later pursuit of the ride goes on counting, so that no timer of this one is due for it.
void matcher::forget(const pursuit& p) {
  steps_ = std::max(steps_, p.step) + 1;
  pursuits_.erase(ride_id{p.ride});
}

void matcher::on(context& x, const go_on& m) {
  pursuit* p = find(m.ride);
  // The ride may have been withdrawn and asked for again while the matcher was stopped.
  if (p == nullptr || p->step != m.step || p->driver != m.driver || p->token != m.token) {
    return;
  }
  switch (m.after) {
    case life_step::after_pick:
      go_for(x, *p);
      return;
    case life_step::after_grant:
      send_offer(x, *p, m.left);
      return;
    case life_step::after_offer:
      return;
    case life_step::after_accept:
      confirm_or_write(x, *p);
      return;
    case life_step::after_confirm:
      confirmed(x, *p);
      return;
    case life_step::after_write:
      settle(x, *p, p->driver, p->token);
      return;
  }
}

void matcher::try_again(context& x, pursuit& p) {
  auto draws = x.random(purpose::next_try, x.world().rides.at(p.ride).key, p.asked, p.picks);
  const sim_duration wait = draw(matching_of(x).offers.next_try_after, draws);
  if (wait > sim_duration::zero()) {
    x.after(wait, look_again{p.ride, p.step});
  } else {
    try_next(x, p);
  }
}

std::uint32_t matcher::place_among_asked(const context& x, ride_id r) {
  const auto& options = matching_of(x);
  if (options.offers.broadcast == 1) {
    return 0;
  }
  const std::uint32_t place =
      (x.self().index() + options.count - first_matcher_of(x, r)) % options.count;
  return place < options.offers.broadcast ? place : 0;  // it was handed on
}

driver_id matcher::choose(context& x, pursuit& p) {
  const local_time now = x.now();
  const bool blind = matching_of(x).view == scenario::view::blind;
  auto random = x.random(purpose::pick, x.world().rides.at(p.ride).key, p.asked, p.picks);
  ++p.picks;
  const auto is_excluded = [&](driver_id each) {
    return (!blind && engaged_.contains(each)) || !p.may_try(each, now) || !may_take_from(x, each);
  };
  return x.pick_driver(p.ride, random, is_excluded, place_among_asked(x, p.ride));
}

void matcher::on(context& x, const look_again& m) {
  if (pursuit* p = find(m.ride); p != nullptr && p->stage == stage::idle && p->step == m.step) {
    try_now(x, *p);
  }
}

// -- the lease -----------------------------------------------------------------------------------

void matcher::on(context& x, const lease_given& m) {
  pursuit* p = find(m.ride);
  if (p != nullptr && p->token == m.token) {
    return;  // a copy: the lease is in use
  }
  if (p == nullptr || p->stage != stage::acquiring || p->request != m.request) {
    // Too late for the try that asked for it.
    return_unused(x, m.ride, m.driver, m.token, lease_ending::released);
    return;
  }
  p->token = m.token;
  to_manager_.add(x.now() - p->asked_at);
  sim_duration left = m.deadline;
  if (lease_of(x).deadline == scenario::deadline::absolute && left != forever) {
    left = m.deadline - x.wall_for(m.ride, m.driver).time_since_epoch();
    p->trusted_until = x.now() + left;
  }
  if (lease_of(x).handshake) {
    greet_phone(x, *p, left);
  } else if (!is_stopped(x, *p, life_step::after_grant, left)) {
    send_offer(x, *p, left);
  }
}

void matcher::on(context& x, const lease_refused& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->stage != stage::acquiring || p->request != m.request) {
    return;
  }
  if (lease_of(x).releases_refused) {
    x.send(the_lease_manager(),
           release{m.ride, m.driver, token_id::none(), lease_ending::released});
  }
  const auto& options = matching_of(x);
  // Somebody has her, as the view will show in a while.
  p->rest(m.driver,
          options.look_again ? later(x.now(), options.view_lag + *options.look_again)
                             : local_time::max());
  close_try(x, *p, try_ending::denied);
  try_again(x, *p);
}

void matcher::on(context& x, const lease_over& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr) {
    return;
  }
  if (m.cause == lease_ending::cancelled || m.cause == lease_ending::zone_lost ||
      (m.cause != lease_ending::declined && takes_offer_back(x, *p))) {
    x.send(node_of(m.driver), withdraw_offer{m.ride, m.token});
  }
  next_after(
      x, *p, m.cause == lease_ending::declined ? try_ending::declined : try_ending::lease_lost);
}

void matcher::on(context& x, const no_word& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->step != m.step) {
    return;
  }
  if (p->stage != stage::writing) {
    doubt_leader(x, p->manager);
  }
  next_after(x, *p, try_ending::no_reply);
}

// -- the offer -----------------------------------------------------------------------------------

void matcher::send_offer(context& x, pursuit& p, sim_duration left) {
  const auto& lease = lease_of(x);
  p.enter(stage::offered);
  p.tries += matching_of(x).tries == scenario::try_unit::offer ? 1U : 0U;
  x.publish(events::offer_sent{p.token, p.driver, p.ride, this_matcher(x)});
  // The rest of the lease after the driver's window covers delay and skew.
  const sim_duration window = lease.offer_window.value_or(lease.granted_ttl());
  sim_duration deadline = window;
  sim_duration shown = window;  // by this matcher's clock, or longer
  if (lease.deadline == scenario::deadline::absolute && window != forever) {
    const sim_duration reserve =
        left == forever ? sim_duration::zero() : lease.granted_ttl() - window;
    const sim_duration rest = left == forever ? window : left - reserve;
    deadline = x.wall_for(p.ride, p.driver).time_since_epoch() + rest;
    shown = std::max(window, rest);
  }
  x.send(node_of(p.driver), offer{p.ride, p.token, deadline});
  p.renew_until = later(x.now(), shown);
  keep(x, p, left);
  // The last thing done here: whoever is stopped has sent the offer and remembers nothing.
  (void)is_stopped(x, p, life_step::after_offer);
}

void matcher::on(context& x, const offer_answer& m) {
  pursuit* p = find(m.ride, m.token, stage::offered);
  if (p == nullptr) {
    return;
  }
  if (m.answer == events::verdict::accepted) {
    accept(x, *p);
    return;
  }
  give_back(x, *p, lease_ending::declined);
  next_after(x, *p, try_ending::declined);
}

void matcher::on(context& x, const try_over& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr || p->step != m.step || x.now() < p->ends) {
    return;
  }
  if (p->outlasted) {  // nobody else ends the lease, and a slow phone may show the offer still
    x.send(node_of(p->driver), withdraw_offer{p->ride, p->token});
  }
  if (p->outlasted || !x.world().protocol.expires) {
    give_back(x, *p, lease_ending::released);
  }
  if (takes_offer_back(x, *p)) {
    lost_lease(x, *p);
  } else {
    next_after(x, *p, try_ending::timed_out);
  }
}

// -- ending --------------------------------------------------------------------------------------

void matcher::next_after(context& x, pursuit& p, try_ending cause) {
  p.rest(p.driver, later(x.now(), matching_of(x).offers.cooldown_after_decline));
  close_try(x, p, cause);
  try_again(x, p);
}

void matcher::close_try(context& x, pursuit& p, try_ending cause) {
  x.publish(events::try_closed{p.token, p.driver, p.ride, this_matcher(x), cause});
  let_go(x, p.driver);
  p.end_try();
}

// Those in line may have passed her by when she became free, for she was still engaged here.
void matcher::let_go(context& x, driver_id d) {
  engaged_.erase(d);
  if (!line_.empty()) {
    x.acts_after(sim_duration::zero(), someone_free{});
  }
}

void matcher::fail(context& x, pursuit& p, events::abandonment cause) {
  x.send(rider_of(x, p.ride), unserved{p.ride, cause});
  close(x, p.ride);
}

void matcher::close(context& x, ride_id r, bool is_served) {
  const pursuit* p = find(r);
  if (matching_of(x).claims) {
    x.send(the_lease_manager(),
           claim_done{r, this_matcher(x), p == nullptr ? 0 : p->wait, is_served});
  }
  if (p == nullptr) {
    return;
  }
  if (is_served) {
    served_[r] = p->wait;
  }
  forget(*p);
}

void matcher::withdraw(context& x, pursuit& p, try_ending cause) {
  if (p.stage == stage::idle) {
    return;
  }
  if (p.stage == stage::offered) {
    x.send(node_of(p.driver), withdraw_offer{p.ride, p.token});
    give_back(x, p, lease_ending::cancelled);
  }
  if (p.stage == stage::greeting) {
    give_back(x, p, lease_ending::cancelled);
  }
  close_try(x, p, cause);
}

void matcher::give_back(context& x, const pursuit& p, lease_ending cause) {
  if (p.token.is_leased()) {
    x.send(the_lease_manager(), release{p.ride, p.driver, p.token, cause});
  }
}

void matcher::crash() {
  pursuits_.clear();
  engaged_.clear();
  written_.clear();
  zones_.clear();
  handed_on_.clear();
  served_.clear();
  line_ = {};
}

matcher::pursuit* matcher::find(ride_id r) {
  const auto found = pursuits_.find(r);
  return found == pursuits_.end() ? nullptr : &found.value();
}

matcher::pursuit* matcher::find(ride_id r, token_id token, stage s) {
  pursuit* p = find(r);
  return p != nullptr && p->token == token && p->stage == s ? p : nullptr;
}

}  // namespace dibs::actors
