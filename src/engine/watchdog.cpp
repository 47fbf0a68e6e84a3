#include "engine/watchdog.hpp"

#include "events/jsonl.hpp"
#include "events/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

namespace dibs::engine {
namespace {

constexpr std::size_t waits_max = 5;

/// How long a draw may last for this purpose: an exponential one is never a hundred times its mean.
sim_duration long_for(const distribution& d) {
  constexpr std::int64_t times = 100;
  const sim_duration mean = mean_of(d);
  return mean >= forever / times ? sim_duration::zero() : mean * times;
}

sim_duration finite(sim_duration d) { return d == forever ? sim_duration::zero() : d; }

std::string at_s(sim_time t) { return fmt::format("{:.3f} s", in_seconds(t)); }

}  // namespace

// A rider or a matcher who gives up brings no ride on: their patience is not waited for.
patience patience_of(const scenario::scenario& s) {
  constexpr sim_duration at_least = 10min;
  const sim_duration waits =
      at_least + finite(s.lease.ttl) + s.lease.grace + finite(s.lease.confirm_hold) +
      s.lease.lock_delay + s.lease.cleanup.every + finite(s.matchers.reply_timeout) +
      s.matchers.look_again.value_or(sim_duration::zero()) +
      finite(s.matchers.offers.cooldown_after_decline.value_or(sim_duration::zero())) +
      s.riders.ask_again.value_or(sim_duration::zero()) + finite(s.riders.no_show_after);
  sim_duration longest = waits;
  for (const scenario::driver_class& c : s.drivers.classes) {
    longest = std::max(longest, waits + long_for(c.response));
  }
  for (const scenario::link_options& l : s.network) {
    longest = std::max(longest, waits + long_for(l.latency));
  }
  patience p;
  p.quiet_max = longest;
  return p;
}

void watchdog::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    std::visit([&](const auto& f) { on(e.t, f); }, e.what);
  }
}

// A trip that is under way ends by itself, and a node that is down comes back: what waits for
// either is not stuck.
std::optional<standstill> watchdog::look(sim_time now, std::uint64_t events) {
  if (now != looked_at_) {
    looked_at_ = now;
    events_there_ = events;
  }
  if (progress_ != progress_seen_) {
    progress_seen_ = progress_;
    events_then_ = events;
  }
  if (!waiting_.empty() && offers_ > patience_.offers_in_vain_max + 100 * waiting_.size()) {
    return told(now, fmt::format("{} offers, and no ride came to its end", offers_));
  }
  if (events - events_there_ > patience_.events_at_once_max) {
    return told(now, fmt::format("{} events at one instant, and no end", events - events_there_));
  }
  if (waiting_.empty() || on_trip_ > 0 || !down_.empty()) {
    return std::nullopt;
  }
  if (now - progress_ > patience_.quiet_max) {
    return told(now, "rides wait, and nothing brings any of them on");
  }
  if (events - events_then_ > patience_.events_in_vain_max) {
    return told(now, fmt::format("{} events brought no ride on", events - events_then_));
  }
  return std::nullopt;
}

std::optional<standstill> watchdog::nothing_left(sim_time ends) const {
  if (waiting_.empty()) {
    return std::nullopt;
  }
  return told(ends, "rides wait, and nothing is left to happen");
}

// -- what brings a ride on -----------------------------------------------------------------------

void watchdog::on(sim_time, const events::driver_came_online&) {
  ++online_;
  ever_online_ = true;
}

void watchdog::on(sim_time, const events::driver_went_offline&) { --online_; }

void watchdog::on(sim_time t, const events::ride_requested& f) {
  offers_ = 0;
  if (waiting_.empty()) {
    moved(t);
  }
  waiting_.put(f.ride.value, {.since = t, .now = {}});
}

void watchdog::on(sim_time t, const events::ride_abandoned& f) { settle(f.ride, t); }

void watchdog::on(sim_time t, const events::ride_cancelled& f) { settle(f.ride, t); }

void watchdog::on(sim_time t, const events::lease_granted& f) {
  moved(t);
  held_.put(f.driver.value, {f.token, f.ride, f.matcher, t, f.ttl != forever});
}

void watchdog::on(sim_time t, const events::lease_ended& f) {
  moved(t);
  end_lease(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::offer_sent& f) {
  ++offers_;
  moved(t);
  if (waiting_ride* const r = waiting(f.ride)) {
    r->now = {t, node_of(f.matcher), f.driver, f.token, awaited::kind::answer_of_driver, {}};
  }
}

void watchdog::on(sim_time t, const events::offer_answered&) { moved(t); }

void watchdog::on(sim_time t, const events::offer_dismissed&) { moved(t); }

void watchdog::on(sim_time, const events::try_closed& f) {
  if (waiting_ride* const r = waiting(f.ride)) {
    r->now = {};
  }
}

void watchdog::on(sim_time t, const events::trip_committed& f) {
  settle(f.ride, t);
  if (f.driver.value >= trips_.size()) {
    trips_.resize(std::max<std::size_t>(f.driver.value + std::size_t{1}, trips_.size() * 2));
  }
  token_id& trip = trips_[f.driver.value];
  on_trip_ += trip.is_some() ? 0U : 1U;
  trip = f.token;
  end_lease(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::trip_ended& f) {
  moved(t);
  end_trip(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::assignment_revoked& f) {
  moved(t);
  end_trip(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::node_crashed& f) { down_[f.node] = t; }

void watchdog::on(sim_time t, const events::node_paused& f) { down_[f.node] = t; }

void watchdog::on(sim_time t, const events::node_restarted& f) {
  moved(t);
  down_.erase(f.node);
}

void watchdog::on(sim_time t, const events::node_resumed& f) {
  moved(t);
  down_.erase(f.node);
}

void watchdog::on(sim_time t, const events::call_made& f) {
  if (waiting_ride* const r = waiting(f.ride); r != nullptr && f.what != events::call::release) {
    r->now = {t, f.client, f.driver, f.token, awaited::kind::answer_to_call, f.what};
  }
}

void watchdog::on(sim_time, const events::call_answered& f) {
  if (waiting_ride* const r = waiting(f.ride); r != nullptr && r->now.call == f.what) {
    r->now = {};
  }
}

waiting_ride* watchdog::waiting(ride_id r) { return waiting_.find(r.value); }

void watchdog::settle(ride_id r, sim_time t) {
  moved(t);
  offers_ = 0;
  waiting_.erase(r.value);
}

void watchdog::end_lease(driver_id d, token_id token) {
  if (const held_driver* const held = held_.find(d.value);
      held != nullptr && held->token == token) {
    held_.erase(d.value);
  }
}

void watchdog::end_trip(driver_id d, token_id token) {
  if (d.value < trips_.size() && trips_[d.value] == token && token.is_some()) {
    trips_[d.value] = token_id::none();
    --on_trip_;
  }
}

// -- in words ------------------------------------------------------------------------------------

standstill watchdog::told(sim_time now, std::string why) const {
  standstill s{now, progress_, std::move(why), {}};
  std::vector<std::pair<sim_time, std::uint32_t>> longest;
  for (const auto& [ride, how] : waiting_) {
    longest.emplace_back(how.since, ride);
  }
  std::sort(longest.begin(), longest.end());
  for (const auto& [since, ride] : longest) {
    if (s.waits.size() == waits_max) {
      s.waits.push_back(fmt::format("and {} more rides", longest.size() - waits_max));
      break;
    }
    s.waits.push_back(wait_of(ride_id{ride}));
  }
  s.waits.push_back(supply());
  return s;
}

std::string watchdog::wait_of(ride_id r) const {
  const waiting_ride& ride = *waiting_.find(r.value);
  const awaited& w = ride.now;
  const std::string head =
      fmt::format("ride {} has waited since {}: ", ordinal(r), at_s(ride.since));
  switch (w.for_what) {
    case awaited::kind::nobody:
      return head + "nobody tries for it";
    case awaited::kind::answer_of_driver:
      return head + fmt::format("{} awaits driver/{}'s answer to the offer of {} (token {})",
                                events::node_name(w.who),
                                ordinal(w.driver),
                                at_s(w.since),
                                w.token.value);
    case awaited::kind::answer_to_call:
      break;
  }
  const node_id server{w.call == events::call::write ? node_kind::ledger : node_kind::lease_manager,
                       0};
  return head + fmt::format("{} awaits the answer of {}{} to the {} of {} ({})",
                            events::node_name(w.who),
                            events::node_name(server),
                            state_of(server),
                            events::name_of(w.call),
                            at_s(w.since),
                            w.token.is_some() ? fmt::format("token {}", w.token.value)
                                              : fmt::format("driver/{}", ordinal(w.driver)));
}

std::string watchdog::supply() const {
  if (online_ == 0) {
    return ever_online_ ? "no driver is online any more" : "no driver was ever online";
  }
  const auto is_earlier = [](const auto& a, const auto& b) {
    return std::tie(a.value.since, a.number) < std::tie(b.value.since, b.number);
  };
  const auto first = std::min_element(held_.begin(), held_.end(), is_earlier);
  if (first == held_.end()) {
    return fmt::format(
        "{} drivers are online, and none of them is held: they are out of reach, or "
        "were asked before",
        online_);
  }
  const held_driver& longest = first->value;
  return fmt::format(
      "{} of {} drivers online are held; the longest is driver/{} by token {} of ride {}, granted "
      "to matcher/{} at {}{}",
      held_.size(),
      online_,
      ordinal(driver_id{first->number}),
      longest.token.value,
      ordinal(longest.ride),
      ordinal(longest.matcher),
      at_s(longest.since),
      longest.ends ? "" : ", without end");
}

std::string watchdog::state_of(node_id n) const {
  const auto found = down_.find(n);
  return found == down_.end() ? "" : fmt::format(", down since {},", at_s(found->second));
}

}  // namespace dibs::engine
