#include "engine/run.hpp"

#include "base/ensure.hpp"
#include "base/last_words.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "engine/observer_thread.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/simulation.hpp"
#include "engine/wait_diagnosis.hpp"
#include "engine/watchdog.hpp"
#include "engine/world_setup.hpp"
#include "events/history_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace dibs::engine {
namespace {

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
               const prepared_scenario& shared,
               const run_options& how,
               std::uint32_t runs,
               std::uint32_t jobs)
      : scenario_(s), shared_(shared), how_(how), results_(runs), sum_(how, s.ends(), runs) {
    how_.observes_on_second_thread = jobs >= 2 * std::uint64_t{runs};
  }

  /// What one worker does; several may.
  void work() {
    const auto runs = static_cast<std::uint32_t>(results_.size());
    for (std::uint32_t k = next_++; k < runs && (k == 0 || !failed_); k = next_++) {
      if (k > 0 && how_.stop != nullptr && how_.stop->load()) {
        results_[k].interrupted = true;
        continue;
      }
      run_options one = how_;
      one.seed = seed_of(how_.seed, how_.first + k);
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
  const prepared_scenario& shared_;
  run_options how_;
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

/// Who waits for what where the run stands still. To see it takes time, so nobody does so in a run
/// that may be in order; the same once more stands still at the same event. None if that fails: the
/// run has its result already.
std::vector<std::string> waits_in(const scenario::scenario& s,
                                  const prepared_scenario& shared,
                                  run_options how) try {
  how.on_progress = {};
  watchdog guard(stall_limits_of(s));
  wait_diagnosis watches;
  simulation again(s, shared, how, {&guard, &watches});
  const bool stands_still = again.run(&guard).has_value();
  return stands_still ? watches.waits() : std::vector<std::string>{};
} catch (const std::exception&) {
  return {};
}

run_result run_to_its_end(const scenario::scenario& s,
                          const prepared_scenario& shared,
                          const run_options& how) {
  const stopwatch watch;
  set_replay_line(replay_line_of(s, how));
  events::history_hash hash;
  metrics::collector measured(metrics_options_of(s));
  checkers::options to_judge = checkers_options_of(s, how.seed);
  to_judge.stop = how.stop;
  checkers::run_checker judged(to_judge);
  watchdog guard(stall_limits_of(s));
  std::vector<events::observer*> observers = how.observers;
  std::optional<observer_thread> apart;
  if (how.observe) {
    std::vector<events::observer*> readers{&hash, &measured, &judged};
    if (how.observes_on_second_thread) {
      readers = {&apart.emplace(std::move(readers), replay_line_of(s, how))};
    }
    observers.insert(observers.begin(), &guard);
    observers.insert(observers.begin(), readers.begin(), readers.end());
  }
  run_result result;
  {
    simulation sim(s, shared, how, observers);
    result.stuck = sim.run(how.observe ? &guard : nullptr);
    result.reached = sim.kernel().now();
    result.facts = sim.kernel().facts();
    result.events = sim.kernel().events();
    result.idle_faults = ids_of_waiting(s, sim.idle_faults());
    add_never_struck(s, sim.kernel().rules().plan, result.idle_faults);
    add_never_felt(
        s, sim.kernel().rules().plan, sim.kernel().link_faults_felt(), result.idle_faults);
  }
  result.seed = how.seed;
  result.interrupted = how.stop != nullptr && how.stop->load() && result.reached < s.ends();
  result.trace_rows_dropped = shared.trace_rows_dropped;
  if (apart) {
    apart->finish();
  }
  if (how.observe) {
    result.history = hash.digest();
    conclude(result, measured, judged, s);
  }
  result.wall_s = watch.seconds();
  if (result.stuck) {
    result.stuck->waits = waits_in(s, shared, how);
  }
  return result;
}

}  // namespace

std::vector<std::string> ids_of_waiting(const scenario::scenario& s,
                                        const std::vector<std::size_t>& places) {
  std::vector<std::string> waiting;
  for (const sim::fault& f : s.faults) {
    if (sim::trigger_of(f) != nullptr) {
      waiting.push_back(f.id);
    }
  }
  std::vector<std::string> ids;
  for (const std::size_t i : places) {
    ids.push_back(waiting.at(i));
  }
  return ids;
}

// A replication may have a thread of its own, and an exception that leaves a thread ends the
// process, with everything that the other replications found.
result<run_result> run(const scenario::scenario& s,
                       const prepared_scenario& shared,
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
  const auto shared = prepare(s);
  if (!shared) {
    return tl::unexpected(shared.error());
  }
  return run_many(s, *shared, how, runs, jobs);
}

result<std::vector<run_result>> run_many(const scenario::scenario& s,
                                         const prepared_scenario& shared,
                                         const run_options& how,
                                         std::uint32_t runs,
                                         std::uint32_t jobs) {
  ensure(how.observers.empty() || runs == 1, "observers of their own belong to one replication");
  replications all(s, shared, how, runs, jobs);
  {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 1; i < std::min(jobs, runs); ++i) {
      workers.emplace_back([&all] { all.work(); });
    }
    all.work();
  }
  return all.finish();
}

void conclude(run_result& r,
              metrics::collector& measured,
              checkers::run_checker& judged,
              const scenario::scenario& s) {
  r.metrics = measured.finish(r.reached);
  r.checks = judged.finish(r.reached);
  r.interrupted = r.interrupted || r.checks.was_stopped;
  if (r.reached >= s.measured_until()) {
    const auto count = [&r](std::string_view name) {
      return static_cast<std::uint64_t>(r.metrics.sums.find(name)->second);
    };
    checkers::compare(r.checks,
                      judged.account(),
                      {.in_time = count("accepts.in_time"),
                       .trips = count("accepts.committed"),
                       .unwanted = count("accepts.unwanted"),
                       .lost = count("accepts.lost")},
                      r.reached);
  }
}

metrics::options metrics_options_of(const scenario::scenario& s) {
  metrics::options o{.measured_from = s.measured_from(),
                     .measured_until = s.measured_until(),
                     .series_step = s.output.series,
                     .search_radius_m = {},
                     .drivers = s.drivers.count};
  o.grace = s.lease.grace;
  o.reply_timeout = s.matchers.reply_timeout;
  if (s.costs.any()) {
    o.costs = {.missed_accept = s.costs.missed_accept,
               .double_assignment = s.costs.double_assignment,
               .hidden_driver_s = s.costs.hidden_driver_hour / 3600,
               .starved_rider_s = s.costs.starved_rider_minute / 60};
  }
  if (s.world.geography == scenario::geography::map &&
      match::looks_nearby(s.matchers.policy.kind)) {
    o.search_radius_m = s.matchers.policy.radius_m;
  }
  return o;
}

std::uint64_t seed_of(std::uint64_t root, std::uint32_t k) {
  return k == 0 ? root : stream::keyed(root, purpose::replication, k).bits();
}

std::uint64_t memory_estimate(const scenario::scenario& s) {
  const auto shared = prepare(s);
  return memory_estimate(s, shared ? *shared : prepared_scenario{});
}

std::uint64_t memory_estimate(const scenario::scenario& s, const prepared_scenario& shared) {
  // Measured on runs of 2,400 to 1,000,000 drivers and of up to 475,000 rides, and rounded up: a
  // core with its timers, places in the index and the observers' tables; what all keep of a ride
  // and of its offers, more where these are held against each other in the end, since nothing keeps
  // two rides from one driver.
  constexpr double bytes_at_least = 30e6;
  constexpr double bytes_at_most = 1e18;
  constexpr double bytes_per_driver = 1600;
  constexpr double bytes_per_ride = 1200;
  const double bytes_per_offer = s.lease.rules().leases ? 400 : 1200;
  const double rides = world::rides_at_most(shared.demand);
  const double offers = rides * s.matchers.offers.at_once();
  const double bytes = bytes_at_least + bytes_per_driver * s.drivers.count +
                       bytes_per_ride * rides + bytes_per_offer * offers;
  return static_cast<std::uint64_t>(std::min(bytes, bytes_at_most));
}

}  // namespace dibs::engine
