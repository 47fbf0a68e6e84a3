#include "load/lane.hpp"

#include "base/wall_clock.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace dibs::load {
namespace {

/// Longer than a call takes to a service that is well, and no longer than one waits for another.
constexpr std::chrono::milliseconds patience{3'000};
/// For what is under way at the end, and when it was told to end early.
constexpr sim_duration drain_max{5s};
constexpr sim_duration drain_if_stopped{400ms};
/// Whoever may be told to end looks so often.
constexpr sim_duration look{50ms};

}  // namespace

lane::lane(const load_terms& t, std::uint32_t number, fleet& drivers, service_record& service)
    : terms_(t),
      number_(number),
      drivers_(drivers),
      service_(service),
      calls_(t.url, t.connections, patience),
      demand_(t.shared->demand, t.shared->map, t.seed) {
  if (!t.bearer.empty()) {
    calls_.authorize("Bearer " + t.bearer);
  }
}

lane::~lane() = default;

sim_time lane::now() const { return at(machine_time() - terms_.began); }

sim_duration lane::sped_up(sim_duration d) const {
  return d == forever ? forever
                      : sim_duration{static_cast<std::int64_t>(static_cast<double>(d.count()) /
                                                               terms_.speed)};
}

bool lane::is_time_to_end(sim_time now) const {
  return now >= at(terms_.length) || (terms_.stop != nullptr && *terms_.stop) ||
         service_.is_locked();
}

void lane::add(const events::fact& what, sim_time t) {
  events_.push_back({t, at_local(t.time_since_epoch()), what, {}});
}

void lane::note(call_kind what, service_client::outcome how, bool was_sent, sim_duration took) {
  using service_client::outcome;
  call_figures& f = figures_.calls[static_cast<std::size_t>(what)];
  if (how == outcome::yes || how == outcome::no) {
    ++(how == outcome::yes ? f.yes : f.no);
    f.took.add(took);
    ++answers_;
  } else if (how == outcome::lost) {
    ++(was_sent ? f.lost : f.unsent);
  }
}

std::string lane::holder_of(const ride& r) const {
  return fmt::format("{}/matcher/{}", terms_.name, ordinal(r.matcher));
}

// -- the loop ------------------------------------------------------------------------------------

void lane::run() {
  next_arrival();
  sim_time gives_up = sim_time::max();
  for (sim_time t = now();; t = now()) {
    if (!ends_ && is_time_to_end(t)) {
      ends_ = true;
      gives_up = t + (t < at(terms_.length) ? drain_if_stopped : drain_max);
      end_all(t);
    }
    if (!ends_) {
      begin_due(t);
    }
    fire_due(t);
    if (ends_ && (rides_.empty() || t >= gives_up)) {
      break;
    }
    wait(now());
    calls_.run();
  }
  calls_.give_up("the load is over");
}

void lane::wait(sim_time now) {
  sim_time until = now + look;
  if (!timers_.empty()) {
    until = std::min(until, timers_.begin()->first);
  }
  if (due_ && !ends_) {
    until = std::min(until, due_->at);
  }
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  const std::int64_t left = std::max<std::int64_t>((until - now).count(), 0);
  const timespec at_most{left / ns_per_s, left % ns_per_s};
  pollfd waiting{calls_.descriptor(), POLLIN, 0};
  ::ppoll(&waiting, 1, &at_most, nullptr);
}

/// The next ride of this lane; its time is that of the load.
void lane::next_arrival() {
  do {
    due_ = demand_.next();
  } while (due_ && next_ride_++ % terms_.lanes != number_);
  if (due_) {
    due_->at = at(sped_up(due_->at.time_since_epoch()));
  }
}

void lane::begin_due(sim_time now) {
  for (; due_ && due_->at <= now; next_arrival()) {
    const std::uint32_t number = next_ride_ - 1;
    ride r{.plan = *due_,
           .id = ride_id{number},
           .matcher = matcher_id{number % terms_.what->matchers.count}};
    r.gives_up_at = now + sped_up(terms_.what->matchers.offers.total_wait);
    ++figures_.rides;
    figures_.late.add(now - due_->at);
    add(events::ride_requested{r.id, r.plan.origin}, now);
    try_next(rides_.emplace(number, std::move(r)).first->second, now);
  }
}

void lane::fire_due(sim_time now) {
  while (!timers_.empty() && timers_.begin()->first <= now) {
    ride& r = rides_.at(timers_.begin()->second);
    figures_.late.add(now - timers_.begin()->first);
    timers_.erase(timers_.begin());
    r.wakes_at.reset();
    act(r, now);
  }
}

void lane::wake(ride& r, sim_time at) {
  if (r.wakes_at) {
    timers_.erase({*r.wakes_at, r.id.value});
  }
  r.wakes_at = at;
  timers_.insert({at, r.id.value});
}

void lane::act(ride& r, sim_time now) {
  switch (r.is) {
    case ride::phase::looking:
      try_next(r, now);
      return;
    case ride::phase::deciding:
      decide(r, now);
      return;
    case ride::phase::driving:
      do_duty(r, now);
      return;
    case ride::phase::asking:
    case ride::phase::leaving:
    case ride::phase::releasing:
      return;
  }
}

/// Whoever holds a driver gives her back; whose call is under way waits for its answer.
void lane::end_all(sim_time now) {
  std::vector<std::uint32_t> all;
  for (const auto& [number, r] : rides_) {
    all.push_back(number);
  }
  for (const std::uint32_t number : all) {
    ride& r = rides_.at(number);
    if (r.is == ride::phase::looking) {
      close(r);
    } else if (r.is == ride::phase::deciding) {
      add(events::offer_dismissed{r.token, r.driver, events::dismissal::withdrawn}, now);
      end_try(r, events::try_ending::withdrawn, now);
      let_go(r, now);
    } else if (r.is == ride::phase::driving) {
      r.lease.cut_short(now);
      finish_trip(r, now);
    }
  }
}

void lane::close(ride& r) {
  if (r.wakes_at) {
    timers_.erase({*r.wakes_at, r.id.value});
  }
  rides_.erase(r.id.value);
}

}  // namespace dibs::load
