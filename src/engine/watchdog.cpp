#include "engine/watchdog.hpp"

#include "base/prefetch.hpp"
#include "events/jsonl.hpp"
#include "events/names.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  events::read_ahead(
      batch,
      static_cast<std::uint32_t>(drivers_.size()),
      [this](driver_id d, events::distance how_far) {
        if (how_far == events::distance::far && d.value < drivers_.size()) {
          fetch_line(&drivers_[d.value]);
        }
      },
      [this](const events::event& e) { std::visit([&](const auto& f) { on(e.t, f); }, e.what); });
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
  if (waiting_ > 0 && offers_ > patience_.offers_in_vain_max + 100 * waiting_) {
    return told(now, fmt::format("{} offers, and no ride came to its end", offers_));
  }
  if (events - events_there_ > patience_.events_at_once_max) {
    return told(now, fmt::format("{} events at one instant, and no end", events - events_there_));
  }
  if (waiting_ == 0 || trips_ > 0 || !down_.empty()) {
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
  if (waiting_ == 0) {
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
  if (waiting_ == 0) {
    moved(t);
  }
  while (f.ride.value >= rides_.size()) {
    rides_.push_back({});
  }
  rides_[f.ride.value] = {.since = t, .waits = true, .now = {}};
  ++waiting_;
}

void watchdog::on(sim_time t, const events::ride_abandoned& f) { settle(f.ride, t); }

void watchdog::on(sim_time t, const events::ride_cancelled& f) { settle(f.ride, t); }

void watchdog::on(sim_time t, const events::lease_granted& f) {
  moved(t);
  driving& one = of(f.driver);
  one = {f.token, one.trip, f.ride, f.matcher, t, f.ttl != forever};
}

void watchdog::on(sim_time t, const events::lease_ended& f) {
  moved(t);
  end_lease(f.driver, f.token);
}

void watchdog::on(sim_time t, const events::offer_sent& f) {
  ++offers_;
  moved(t);
  if (riding* const r = waiting(f.ride)) {
    r->now = {t, node_of(f.matcher), f.driver, f.token, wait::kind::answer_of_driver, {}};
  }
}

void watchdog::on(sim_time t, const events::offer_answered&) { moved(t); }

void watchdog::on(sim_time t, const events::offer_dismissed&) { moved(t); }

void watchdog::on(sim_time, const events::try_closed& f) {
  if (riding* const r = waiting(f.ride)) {
    r->now = {};
  }
}

void watchdog::on(sim_time t, const events::trip_committed& f) {
  settle(f.ride, t);
  driving& one = of(f.driver);
  trips_ += one.trip.is_some() ? 0U : 1U;
  one.trip = f.token;
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
  if (riding* const r = waiting(f.ride); r != nullptr && f.what != events::call::release) {
    r->now = {t, f.client, f.driver, f.token, wait::kind::answer_to_call, f.what};
  }
}

void watchdog::on(sim_time, const events::call_answered& f) {
  if (riding* const r = waiting(f.ride); r != nullptr && r->now.call == f.what) {
    r->now = {};
  }
}

watchdog::riding* watchdog::waiting(ride_id r) {
  return r.value < rides_.size() && rides_[r.value].waits ? &rides_[r.value] : nullptr;
}

watchdog::driving& watchdog::of(driver_id d) {
  if (d.value >= drivers_.size()) {
    drivers_.resize(std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2));
  }
  return drivers_[d.value];
}

void watchdog::settle(ride_id r, sim_time t) {
  moved(t);
  offers_ = 0;
  if (riding* const one = waiting(r)) {
    one->waits = false;
    --waiting_;
  }
}

void watchdog::end_lease(driver_id d, token_id token) {
  if (driving& one = of(d); one.lease == token) {
    one.lease = token_id::none();
  }
}

void watchdog::end_trip(driver_id d, token_id token) {
  if (driving& one = of(d); one.trip == token && token.is_some()) {
    one.trip = token_id::none();
    --trips_;
  }
}

// -- in words ------------------------------------------------------------------------------------

standstill watchdog::told(sim_time now, std::string why) const {
  standstill s{now, progress_, std::move(why), {}};
  std::vector<ride_id> longest;
  for (std::uint32_t r = 0; r < rides_.size(); ++r) {
    if (rides_[r].waits) {
      longest.push_back(ride_id{r});
    }
  }
  std::stable_sort(longest.begin(), longest.end(), [this](ride_id a, ride_id b) {
    return rides_[a.value].since < rides_[b.value].since;
  });
  for (const ride_id r : longest) {
    if (s.waits.size() == waits_max) {
      s.waits.push_back(fmt::format("and {} more rides", longest.size() - waits_max));
      break;
    }
    s.waits.push_back(wait_of(r));
  }
  s.waits.push_back(supply());
  return s;
}

std::string watchdog::wait_of(ride_id r) const {
  const riding& ride = rides_[r.value];
  const wait& w = ride.now;
  const std::string head =
      fmt::format("ride {} has waited since {}: ", ordinal(r), at_s(ride.since));
  switch (w.for_what) {
    case wait::kind::nobody:
      return head + "nobody tries for it";
    case wait::kind::answer_of_driver:
      return head + fmt::format("{} awaits driver/{}'s answer to the offer of {} (token {})",
                                events::node_name(w.who),
                                ordinal(w.driver),
                                at_s(w.since),
                                w.token.value);
    case wait::kind::answer_to_call:
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
  const driving* first = nullptr;
  std::uint64_t held = 0;
  for (const driving& one : drivers_) {
    if (one.lease.is_some()) {
      ++held;
      first = first == nullptr || one.since < first->since ? &one : first;
    }
  }
  if (first == nullptr) {
    return fmt::format(
        "{} drivers are online, and none of them is held: they are out of reach, or "
        "were asked before",
        online_);
  }
  return fmt::format(
      "{} of {} drivers online are held; the longest is driver/{} by token {} of ride {}, granted "
      "to matcher/{} at {}{}",
      held,
      online_,
      (first - drivers_.data()) + 1,
      first->lease.value,
      ordinal(first->ride),
      ordinal(first->matcher),
      at_s(first->since),
      first->lease_ends ? "" : ", without end");
}

std::string watchdog::state_of(node_id n) const {
  const auto found = down_.find(n);
  return found == down_.end() ? "" : fmt::format(", down since {},", at_s(found->second));
}

}  // namespace dibs::engine
