#include "engine/run.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "engine/prepared.hpp"
#include "engine/simulation.hpp"
#include "events/history_hash.hpp"
#include "lease/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace dibs::engine {
namespace {

/// The lease manager's clocks, as this run draws them: of several entries the last counts.
sim::node_clock manager_clock(const scenario::scenario& s, std::uint64_t seed) {
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::lease_manager)] = 1;
  return sim::clocks(s.clocks, counts, seed).of({node_kind::lease_manager, 0});
}

/// What the protocol promises, less what a manager that measures time by its wall clock gives up.
std::uint32_t promises_of(const lease::rules& rules, const sim::node_clock& manager) {
  constexpr auto steps = static_cast<unsigned>(lease::invariant::steps_change_nothing);
  return manager.timers == sim::timebase::wall ? rules.promises & ~(1U << steps) : rules.promises;
}

/// How long a fault may keep the lease manager down in all; `forever` without a bound.
sim_duration downtime_of(const scenario::fault& f) {
  const auto length = [](const auto& outage, sim_duration each) {
    const bool once = outage.at.has_value() || (outage.when && outage.when->nth);
    return once ? each : forever;
  };
  const auto* p = std::get_if<scenario::pause_fault>(&f.what);
  if (p != nullptr && p->node.kind == node_kind::lease_manager) {
    return length(*p, p->length.value_or(forever));
  }
  const auto* c = std::get_if<scenario::crash_fault>(&f.what);
  if (c != nullptr && c->node.kind == node_kind::lease_manager) {
    return length(*c, c->restart_after);
  }
  return sim_duration::zero();
}

/// How long a lease that has run out may stand. Absent: for ever. A manager that is down cleans up
/// when it is back.
std::optional<sim_duration> overstay_of(const scenario::scenario& s) {
  sim_duration down{};
  for (const scenario::fault& f : s.faults) {
    const sim_duration longer = downtime_of(f);
    if (longer == forever) {
      return std::nullopt;
    }
    down += longer;
  }
  switch (s.lease.cleanup.kind) {
    case scenario::cleanup::timer:
      return down;
    case scenario::cleanup::periodic:
      return s.lease.cleanup.every + down;
    case scenario::cleanup::lazy:
    case scenario::cleanup::none:
      return std::nullopt;
  }
  return std::nullopt;
}

/// The longest that a draw can be; `forever` if there is no such bound.
sim_duration longest_of(const distribution& d) {
  if (const auto* c = std::get_if<constant_duration>(&d)) {
    return c->value;
  }
  if (const auto* u = std::get_if<uniform_duration>(&d)) {
    return u->max;
  }
  if (const auto* q = std::get_if<quantiles_duration>(&d)) {
    return q->knots.back().value;
  }
  return forever;
}

/// Whether messages to or from drivers or riders may take longer because of the fault.
bool holds_up_people(const scenario::fault& f) {
  const auto is_person = [](const scenario::node_pattern& p) {
    return p.kind == node_kind::driver || p.kind == node_kind::rider;
  };
  if (const auto* slow = std::get_if<scenario::slow_fault>(&f.what)) {
    return std::any_of(slow->between.begin(), slow->between.end(), [&](const auto& side) {
      return std::any_of(side.nodes.begin(), side.nodes.end(), is_person);
    });
  }
  const auto* delay = std::get_if<scenario::delay_fault>(&f.what);
  constexpr std::array<std::string_view, 3> harmless{"acquire", "confirm", "write"};
  return delay != nullptr &&
         std::find(harmless.begin(), harmless.end(), sim::message_words[*delay->when.message]) ==
             harmless.end();
}

/// The word of a trip goes from the ledger to the driver, and that of her arrival to the rider.
bool outwaits_delays(const scenario::scenario& s) {
  sim_duration delays{};
  for (const scenario::link_options& l : s.network) {
    const bool matters = l.from.kind == node_kind::driver || l.to.kind == node_kind::driver ||
                         l.from.kind == node_kind::rider || l.to.kind == node_kind::rider;
    const sim_duration longest = matters ? longest_of(l.latency) : sim_duration::zero();
    const sim_duration held_up =
        matters && l.reorder ? longest_of(l.reorder->by) : sim_duration::zero();
    if (longest >= s.riders.no_show_after - delays ||
        held_up >= s.riders.no_show_after - delays - longest) {
      return false;
    }
    delays += longest + held_up;
  }
  return s.riders.no_show_after > sim_duration::zero() &&
         std::none_of(s.faults.begin(), s.faults.end(), holds_up_people);
}

/// Whether the ledger's word to the lease manager may take longer because of the fault.
bool holds_up_the_word(const scenario::fault& f) {
  const node_id ledger{node_kind::ledger, 0};
  const node_id manager{node_kind::lease_manager, 0};
  if (const auto* slow = std::get_if<scenario::slow_fault>(&f.what)) {
    return sim::stretch{slow->between, {}, {}, slow->both_ways}.lies_on(ledger, manager);
  }
  const auto* delay = std::get_if<scenario::delay_fault>(&f.what);
  return delay != nullptr && (*delay->when.message == sim::any_message ||
                              *delay->when.message == sim::message_word("write_outcome"));
}

/// The longest that the word of a trip may take from the ledger to the manager.
sim_duration word_takes(const scenario::scenario& s) {
  const node_id ledger{node_kind::ledger, 0};
  const node_id manager{node_kind::lease_manager, 0};
  const sim::network links(s.network, 0);
  if (std::any_of(s.faults.begin(), s.faults.end(), holds_up_the_word)) {
    return forever;
  }
  const sim::link_options* link = links.link(ledger, manager);
  if (link == nullptr) {
    return sim_duration::zero();
  }
  const sim_duration longest = longest_of(link->latency);
  const sim_duration held_up = link->reorder ? longest_of(link->reorder->by) : sim_duration::zero();
  return longest == forever || held_up == forever ? forever : longest + held_up;
}

/// Adds up the progress of replications that run side by side.
class progress_sum {
 public:
  progress_sum(const run_options& how, sim_time ends, std::uint32_t runs)
      : how_(how), whole_{ends.time_since_epoch() * runs}, latest_(runs) {}

  std::function<void(const progress&)> of_run(std::uint32_t k) {
    if (!how_.on_progress) {
      return {};
    }
    return [this, k](const progress& p) {
      const std::lock_guard lock(mutex_);
      latest_[k] = p;
      progress sum{.reached = {}, .ends = whole_, .events = 0};
      for (const progress& each : latest_) {
        sum.reached += each.reached.time_since_epoch();
        sum.events += each.events;
      }
      how_.on_progress(sum);
    };
  }

 private:
  const run_options& how_;
  sim_time whole_;
  std::mutex mutex_;
  std::vector<progress> latest_;
};

/// Replications that workers take one after the other, until one of them fails.
class replications {
 public:
  replications(const scenario::scenario& s,
               const prepared& shared,
               const run_options& how,
               std::uint32_t runs)
      : scenario_(s), shared_(shared), how_(how), results_(runs), sum_(how, s.ends(), runs) {}

  /// What one worker does; several may.
  void work() {
    const auto runs = static_cast<std::uint32_t>(results_.size());
    for (std::uint32_t k = next_++; k < runs && (k == 0 || !failed_); k = next_++) {
      if (k > 0 && how_.stop != nullptr && how_.stop->load()) {
        results_[k].interrupted = true;
        continue;
      }
      run_options one = how_;
      one.seed = seed_of(how_.seed, k);
      one.on_progress = sum_.of_run(k);
      keep(k, run(scenario_, shared_, one));
      if (one.on_progress && !failed_) {
        one.on_progress({results_[k].reached, scenario_.ends(), results_[k].events});
      }
    }
  }

  /// All of them, in the order of the seeds, or the first failure of those.
  [[nodiscard]] result<std::vector<run_result>> finish() {
    if (failure_) {
      return tl::unexpected(*failure_);
    }
    return std::move(results_);
  }

 private:
  void keep(std::uint32_t k, result<run_result> one) {
    if (one) {
      results_[k] = std::move(*one);
      return;
    }
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (k < failed_run_) {
      failed_run_ = k;
      failure_ = std::move(one.error());
    }
  }

  const scenario::scenario& scenario_;
  const prepared& shared_;
  const run_options& how_;
  std::vector<run_result> results_;
  progress_sum sum_;
  std::atomic<std::uint32_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::uint32_t failed_run_ = UINT32_MAX;
  std::optional<error> failure_;
};

std::string replay_line_of(const scenario::scenario& s, const run_options& how) {
  return how.replay_line ? how.replay_line(how.seed)
                         : fmt::format("seed {} of {}", how.seed, s.name);
}

tl::unexpected<error> broke_off(const scenario::scenario& s,
                                const run_options& how,
                                std::string_view why) {
  return failure(exit_code::internal_error,
                 fmt::format("a run broke off: {}\nreplay: {}", why, replay_line_of(s, how)));
}

run_result run_to_its_end(const scenario::scenario& s,
                          const prepared& shared,
                          const run_options& how) {
  const stopwatch watch;
  set_replay_line(replay_line_of(s, how));
  events::history_hash hash;
  metrics::collector measured(metrics_options_of(s));
  checkers::court judged(checkers_options_of(s, how.seed));
  std::vector<events::observer*> observers = how.observers;
  if (how.observe) {
    observers.insert(observers.begin(), {&hash, &measured, &judged});
  }
  run_result result;
  {
    simulation sim(s, shared, how, observers);
    sim.run();
    result.reached = sim.kernel().now();
    result.facts = sim.kernel().facts();
    result.events = sim.kernel().events();
  }
  result.seed = how.seed;
  result.interrupted = how.stop != nullptr && how.stop->load() && result.reached < s.ends();
  result.trace_rows_dropped = shared.trace_rows_dropped;
  if (how.observe) {
    result.history = hash.digest();
    result.metrics = measured.finish(result.reached);
    result.judgement = judged.finish(result.reached);
  }
  result.wall_s = watch.seconds();
  return result;
}

}  // namespace

// A replication may have a thread of its own, and an exception that leaves a thread ends the
// process, with everything that the other replications found.
result<run_result> run(const scenario::scenario& s,
                       const prepared& shared,
                       const run_options& how) {
  try {
    return run_to_its_end(s, shared, how);
  } catch (const std::bad_alloc&) {
    return broke_off(s, how, "out of memory");
  } catch (const std::exception& problem) {
    return broke_off(s, how, problem.what());
  } catch (...) {
    return broke_off(s, how, "something was thrown that is no exception");
  }
}

result<run_result> run(const scenario::scenario& s, const run_options& how) {
  const auto shared = prepare(s);
  if (!shared) {
    return tl::unexpected(shared.error());
  }
  return run(s, *shared, how);
}

result<std::vector<run_result>> run_many(const scenario::scenario& s,
                                         const run_options& how,
                                         std::uint32_t runs,
                                         std::uint32_t jobs) {
  ensure(how.observers.empty() || runs == 1, "observers of their own belong to one replication");
  const auto shared = prepare(s);
  if (!shared) {
    return tl::unexpected(shared.error());
  }
  replications all(s, *shared, how, runs);
  {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 1; i < std::min(jobs, runs); ++i) {
      workers.emplace_back([&all] { all.work(); });
    }
    all.work();
  }
  return all.finish();
}

metrics::options metrics_options_of(const scenario::scenario& s) {
  metrics::options o{.measured_from = s.measured_from(),
                     .measured_until = s.measured_until(),
                     .series_step = s.output.series,
                     .search_radius_m = {},
                     .drivers = s.drivers.count};
  o.grace = s.lease.grace;
  if (s.world.geography == scenario::geography::map &&
      s.matchers.policy.kind == scenario::pick::nearest) {
    o.search_radius_m = s.matchers.policy.radius_m;
  }
  return o;
}

checkers::options checkers_options_of(const scenario::scenario& s, std::uint64_t seed) {
  const lease::rules rules = s.lease.rules();
  const sim::node_clock manager = manager_clock(s, seed);
  return {.promises = promises_of(rules, manager),
          .grace = s.lease.grace,
          .commit_at_manager = s.lease.commit == scenario::commit_at::manager,
          .drivers = s.drivers.count,
          .confirms = s.lease.judge != scenario::judge::holder,
          .ledger = rules.ledger,
          .confirm_hold = rules.expires ? s.lease.confirm_hold : forever,
          .overstay = rules.expires ? overstay_of(s) : std::nullopt,
          .no_show_tells = outwaits_delays(s),
          .word_takes = word_takes(s),
          .drift_ppm = std::abs(static_cast<double>(manager.drift_ppb)) / 1000};
}

std::uint64_t seed_of(std::uint64_t root, std::uint32_t k) {
  return k == 0 ? root : stream::keyed(root, purpose::replication, k).bits();
}

std::uint64_t memory_estimate(const scenario::scenario& s) {
  // Measured on runs of 2,400 to 100,000 drivers: a CAF actor with its core and timers, places in
  // the index and the observers' tables; a ride's entry, its seat and what observers keep of it.
  constexpr double bytes_per_driver = 3000;
  constexpr double bytes_per_ride = 1200;
  constexpr double bytes_at_least = 30e6;
  constexpr double bytes_at_most = 1e18;
  const auto shared = prepare(s);
  const double rides = shared ? world::rides_at_most(shared->demand) : 0;
  const double bytes = bytes_at_least + bytes_per_driver * s.drivers.count + bytes_per_ride * rides;
  return static_cast<std::uint64_t>(std::min(bytes, bytes_at_most));
}

}  // namespace dibs::engine
