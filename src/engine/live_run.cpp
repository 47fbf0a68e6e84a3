#include "engine/live_run.hpp"

#include "base/stopwatch.hpp"
#include "engine/live_simulation.hpp"
#include "engine/stored_leases.hpp"
#include "engine/world_setup.hpp"
#include "events/history_hash.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>

namespace dibs::engine {
namespace {

tl::unexpected<error> broke_off(const scenario::scenario& s, std::string_view why) {
  return failure(exit_code::internal_error,
                 fmt::format("the live run of {} broke off: {}", s.name, why));
}

live_result run_to_its_end(const scenario::scenario& s,
                           const prepared_scenario& shared,
                           const run_options& how,
                           const live_options& live,
                           store::client* store) {
  const stopwatch watch;
  events::history_hash hash;
  metrics::collector measured(metrics_options_of(s));
  checkers::options to_judge = live_checkers_options_of(s, how.seed);
  to_judge.stop = how.stop;
  if (store != nullptr) {
    // A confirm is recorded when its answer comes, which may be after expiry, and its hold has
    // begun by then.
    to_judge.promises &=
        ~(bit(lease::invariant::confirm_only_live) | bit(lease::invariant::steps_change_nothing));
  }
  checkers::run_checker judged(to_judge);
  std::vector<events::observer*> observers = how.observers;
  if (how.observe) {
    observers.insert(observers.begin(), {&hash, &measured, &judged});
  }
  live_result result;
  run_result& run = result.run;
  {
    if (live.others != nullptr) {
      live.others->set_readers(std::exchange(observers, {live.others}));
    }
    live_simulation sim(s, shared, how, live, store, observers);
    run.reached = sim.run();
    run.facts = sim.system().recorder().facts();
    run.events = sim.system().recorder().handled();
    result.late = sim.system().recorder().how_late();
    result.ran_out_of_rides = sim.world().rides.is_full();
    run.idle_faults = ids_of_waiting(
        s, sim.system().with_triggered_faults([](const auto& t) { return t.idle(); }));
    add_never_struck(s, sim.system().rules().plan, run.idle_faults);
  }
  if (store != nullptr) {
    result.store = store->report();
  }
  run.seed = how.seed;
  run.interrupted = run.reached < s.ends();
  run.trace_rows_dropped = shared.trace_rows_dropped;
  if (how.observe) {
    run.history = hash.digest();
    conclude(run, measured, judged, s);
  }
  run.wall_s = watch.seconds();
  return result;
}

}  // namespace

result<live_result> run_live(const scenario::scenario& s,
                             const run_options& how,
                             const live_options& live) {
  const auto shared = prepare(s);
  if (!shared) {
    return tl::unexpected(shared.error());
  }
  const auto store = open_store(s, live);
  if (!store) {
    return tl::unexpected(store.error());
  }
  try {
    return run_to_its_end(s, *shared, how, live, store->get());
  } catch (const std::bad_alloc&) {
    return broke_off(s, "out of memory");
  } catch (const std::exception& problem) {
    return broke_off(s, problem.what());
  }
}

checkers::options live_checkers_options_of(const scenario::scenario& s, std::uint64_t seed) {
  using lease::invariant;
  checkers::options o = checkers_options_of(s, seed);
  o.promises &= ~(bit(invariant::phones_kept_apart) | bit(invariant::accepts_outlast_expiry) |
                  bit(invariant::commits_kept_apart) | bit(invariant::holds_bounded) |
                  bit(invariant::zombies_bounded) | bit(invariant::service_recovers));
  o.overstay.reset();
  o.no_show_tells = false;
  o.word_takes = forever;
  o.word_surely_takes = forever;
  o.denials_tell = false;
  o.withdrawal = forever;
  o.in_flight = forever;
  o.recovery.reset();
  return o;
}

double live_seconds(const scenario::scenario& s, double speed) {
  return in_seconds(s.ends()) / speed;
}

}  // namespace dibs::engine
