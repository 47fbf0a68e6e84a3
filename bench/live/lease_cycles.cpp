#include "bench/live/lease_cycles.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "lease/lease_machine.hpp"
#include "runtime/event_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <variant>
#include <vector>

namespace dibs::bench {
namespace {

constexpr sim_duration ttl = 15s;
constexpr sim_duration answer_time = 6s;
constexpr sim_duration trip_time = 15s;
/// So many commands before it is executed, one asks for its driver's record, as the actor does, for
/// fewer, with what waits for it.
constexpr std::size_t fetched_ahead = 4;

enum class command_kind : std::uint8_t { acquire, confirm, end_trip };

struct command {
  sim_time at{};
  token_id token;  ///< of an acquire: what it is given, none if it is denied
  driver_id driver;
  command_kind kind{};
};

lease::machine_options options() {
  lease::machine_options o;
  o.protocol = lease::rules_of(lease::protocol::lease);
  o.ttl = ttl;
  o.commit_on_confirm = true;
  return o;
}

local_time clock_at(sim_time now) { return local_time{now.time_since_epoch()}; }

/// A lease machine, the timers of its leases in the engine's own queue, as the manager's actor has
/// them in virtual time, and what they do. Like there a timer fires even if the lease was
/// confirmed.
class manager {
 public:
  /// Set by an acquire, and fired by the clock.
  struct timer {
    sim_time due{};
    std::uint64_t order = 0;
    driver_id driver;
    token_id token;
  };
  using timer_queue = runtime::event_queue<timer>;

  explicit manager(std::uint32_t drivers) : leases_(options(), drivers) {}

  void execute(const command& c) {
    fire_until(c.at);
    switch (c.kind) {
      case command_kind::acquire:
        acquire(c);
        return;
      case command_kind::confirm:
        confirm(c);
        return;
      case command_kind::end_trip:
        leases_.trip_ended(c.driver, c.token, ride_id{0});
        ++did_.trips_ended;
        return;
    }
  }

  void fetch(const command& c) const { leases_.fetch(c.driver); }
  [[nodiscard]] const operations& did() const { return did_; }
  /// Of the last acquire: none if it was denied.
  [[nodiscard]] token_id given() const { return given_; }

 private:
  void fire_until(sim_time now) {
    while (!timers_.empty() && timers_.next_due() <= now) {
      const timer t = timers_.pop();
      timers_.look_ahead([this](const timer& next) { leases_.fetch(next.driver); });
      ++(leases_.expire(t.driver, t.token, clock_at(t.due)) ? did_.expired : did_.too_late);
    }
  }

  void acquire(const command& c) {
    const auto outcome = leases_.acquire(c.driver, ride_id{0}, matcher_id{0}, clock_at(c.at));
    const auto* granted = std::get_if<lease::granted>(&outcome);
    given_ = granted == nullptr ? token_id::none() : granted->token;
    if (granted == nullptr) {
      ++did_.denied;
      return;
    }
    ++did_.granted;
    timers_.push({c.at + ttl, timers_set_++, c.driver, given_});
  }

  void confirm(const command& c) {
    const auto answer = leases_.confirm(c.driver, c.token, clock_at(c.at));
    ensure(std::holds_alternative<lease::confirmed>(answer), "a live lease is confirmed");
    ++did_.confirmed;
  }

  lease::machine leases_;
  timer_queue timers_;
  std::uint64_t timers_set_ = 0;
  token_id given_;
  operations did_;
};

/// Commands, made before anything is timed.
struct plan {
  std::vector<command> commands;
  std::size_t timed_from = 0;  ///< by then timers fire and the calendar fits
};

/// Of so many operations at least that are timed.
///
/// One acquire at each step, of a random driver. Every other lease is confirmed 6 s later and
/// becomes a trip of 15 s, the rest runs out: a quarter of the drivers are leased or on a trip at a
/// time, and each command finds a record that was touched thousands of commands ago.
plan make_plan(std::uint32_t drivers, std::uint64_t how_many) {
  manager rehearsal(drivers);
  plan made;
  std::deque<command> confirms;
  std::deque<command> ends;
  stream random = stream::keyed(1, purpose::pick);
  sim_time now{};
  const auto add = [&](const command& c) {
    rehearsal.execute(c);
    made.commands.push_back(c);
  };
  const auto follow = [&] {
    const auto is_due = [&](const auto& from) { return !from.empty() && from.front().at <= now; };
    while (is_due(confirms) || is_due(ends)) {
      const bool confirm =
          !is_due(ends) || (is_due(confirms) && confirms.front().at <= ends.front().at);
      auto& from = confirm ? confirms : ends;
      add(from.front());
      from.pop_front();
    }
  };
  const std::uint64_t warm_up = 5 * std::uint64_t{drivers};
  while (rehearsal.did().all() < warm_up + how_many) {
    if (rehearsal.did().all() < warm_up) {
      made.timed_from = made.commands.size();
    }
    now += 4 * ttl / drivers;
    follow();
    const std::uint64_t bits = random.below(2 * std::uint64_t{drivers});
    const driver_id d{static_cast<std::uint32_t>(bits / 2)};
    add({now, token_id::none(), d, command_kind::acquire});
    const token_id given = rehearsal.given();
    made.commands.back().token = given;
    if (given.is_some() && bits % 2 == 0) {
      confirms.push_back({now + answer_time, given, d, command_kind::confirm});
      ends.push_back({now + answer_time + trip_time, given, d, command_kind::end_trip});
    }
  }
  ensure(rehearsal.did().expired > 0 && rehearsal.did().confirmed > 0, "leases came and went");
  return made;
}

void execute(manager& m, const plan& p, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    m.fetch(p.commands[std::min(i + fetched_ahead, p.commands.size() - 1)]);
    m.execute(p.commands[i]);
  }
}

/// The same timers, with nobody to hear them: what reading the commands and the queue take.
class timers_alone {
 public:
  void execute(const plan& p, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const command& c = p.commands[i];
      while (!timers_.empty() && timers_.next_due() <= c.at) {
        heard_ += timers_.pop().token.value;
        timers_.look_ahead([](const manager::timer&) {});
      }
      if (c.kind == command_kind::acquire && c.token.is_some()) {
        timers_.push({c.at + ttl, timers_set_++, c.driver, c.token});
      }
    }
  }
  [[nodiscard]] std::uint64_t heard() const { return heard_; }

 private:
  manager::timer_queue timers_;
  std::uint64_t timers_set_ = 0;
  std::uint64_t heard_ = 0;
};

}  // namespace

cycles_result lease_cycles(std::uint32_t drivers,
                           std::uint64_t how_many,
                           std::uint32_t repeats,
                           const std::atomic<bool>* stop) {
  ensure(drivers > 0 && how_many > 0 && repeats > 0, "there is something to measure");
  const plan p = make_plan(drivers, how_many);
  cycles_result result{.drivers = drivers, .did = {}, .ns_per_operation = {}, .ns_of_timers = {}};
  std::vector<double> all;
  std::vector<double> timers;
  const auto is_stopped = [stop] { return stop != nullptr && stop->load(); };
  for (std::uint32_t k = 0; k == 0 || (k < repeats && !is_stopped()); ++k) {
    manager m(drivers);
    execute(m, p, 0, p.timed_from);
    const operations before = m.did();
    const stopwatch watch;
    execute(m, p, p.timed_from, p.commands.size());
    const double seconds = watch.seconds();
    result.did = m.did() - before;
    const auto operations_done = static_cast<double>(result.did.all());
    all.push_back(seconds * 1e9 / operations_done);

    timers_alone t;
    t.execute(p, 0, p.timed_from);
    const stopwatch again;
    t.execute(p, p.timed_from, p.commands.size());
    timers.push_back(again.seconds() * 1e9 / operations_done);
    ensure(t.heard() > 0, "timers fire");
  }
  result.ns_per_operation = spread_of(all);
  result.ns_of_timers = spread_of(timers);
  return result;
}

}  // namespace dibs::bench
