#include "bench/live/store_load.hpp"

#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "lease/commands.hpp"
#include "runtime/real_wait.hpp"
#include "store/client.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace dibs::bench {
namespace {

namespace asks = lease::command;
using taker = std::function<void(const store::answer&)>;
/// Asks a store; the answer comes later, or at once.
using asker = std::function<void(const lease::any_command&, taker)>;

sim_duration real_time(double seconds) {
  return sim_duration{static_cast<std::int64_t>(seconds * 1e9)};
}

bool is_stopped(const store_load_options& o) {
  return o.stop != nullptr && o.stop->load(std::memory_order_relaxed);
}

/// The cycles of one measurement. They begin on one thread and go on on the one that brings the
/// answers.
class cycles {
 public:
  /// `goes_on`: a cycle that ends begins another.
  cycles(const store_load_options& o, asker ask, std::uint64_t seed, bool goes_on)
      : options_(o),
        goes_on_(goes_on),
        ask_(std::move(ask)),
        draws_(stream::keyed(seed, purpose::pick)),
        drivers_(o.drivers) {}

  /// What is answered counts from here on, until `end`.
  void count(bool counts) { counts_ = counts; }
  void end() { is_over_ = true; }
  [[nodiscard]] std::uint64_t under_way() const { return under_way_; }
  [[nodiscard]] const store_load_result& found() const { return found_; }

  /// A cycle with its next driver. `due`: when it should begin, by `watch()`.
  void begin(double due) {
    const std::lock_guard lock(guard_);
    acquire(due);
  }

  [[nodiscard]] double now() const { return watch_.seconds(); }

 private:
  struct held {
    token_id last;
    bool is_held = false;
  };

  void acquire(double due) {
    ++under_way_;
    const driver_id d{static_cast<std::uint32_t>(draws_.below(options_.drivers))};
    ask_(asks::acquire{d, ride_id{rides_++}, matcher_id{0}},
         [this, d, due](const store::answer& a) {
           const std::lock_guard lock(guard_);
           take_grant(d, due, a);
         });
  }

  void take_grant(driver_id d, double due, const store::answer& a) {
    note(due, a);
    const auto* const g = a.outcome ? lease::grant_in(*a.outcome) : nullptr;
    if (g == nullptr) {
      found_.denied += counts_ && a.outcome ? 1U : 0U;
      finish();
      return;
    }
    held& of = drivers_[d.value];
    found_.granted_twice += of.is_held ? 1U : 0U;
    found_.tokens_fell += g->token <= of.last ? 1U : 0U;
    of = {g->token, true};
    const token_id token = g->token;
    const double asked = now();
    ask_(asks::confirm{d, token}, [this, d, token, asked](const store::answer& b) {
      const std::lock_guard lock(guard_);
      take_confirm(d, token, asked, b);
    });
  }

  void take_confirm(driver_id d, token_id token, double asked, const store::answer& a) {
    note(asked, a);
    // Before it is asked for: who gets her next may be told first.
    drivers_[d.value].is_held = false;
    const double again = now();
    ask_(asks::release{d, token, events::lease_ending::released},
         [this, again](const store::answer& b) {
           const std::lock_guard lock(guard_);
           note(again, b);
           finish();
         });
  }

  void note(double since, const store::answer& a) {
    if (counts_ && !is_over_) {
      found_.answers += a.outcome ? 1U : 0U;
      found_.lost += a.outcome ? 0U : 1U;
      found_.took.add(real_time(std::max(0.0, now() - since)));
    }
  }

  void finish() {
    --under_way_;
    if (goes_on_ && !is_over_) {
      acquire(now());
    }
  }

  const store_load_options& options_;
  bool goes_on_;
  asker ask_;
  std::mutex guard_;
  stream draws_;
  std::vector<held> drivers_;
  stopwatch watch_;
  std::uint32_t rides_ = 0;
  store_load_result found_;
  std::atomic<std::uint64_t> under_way_{0};
  std::atomic<bool> counts_{false};
  std::atomic<bool> is_over_{false};
};

/// Calls the machine in place of a store: there is one command under way, and no thread to wait
/// for.
class machine_loop {
 public:
  explicit machine_loop(const store_load_options& o)
      : leases_(store::machine_options_of({}), o.drivers),
        trips_(lease::ledger_rule::fence, o.drivers) {}

  void run(const store_load_options& o, cycles& all) {
    const double warm = o.seconds * warmup_share;
    while (all.now() < warm + o.seconds && !is_stopped(o)) {
      all.count(all.now() >= warm);
      all.begin(all.now());
      answer_waiting();
    }
    all.end();
  }

  void ask(const lease::any_command& c, taker take) { waiting_.emplace_back(c, std::move(take)); }

 private:
  void answer_waiting() {
    while (!waiting_.empty()) {
      const auto one = std::move(waiting_.back());
      waiting_.pop_back();
      const local_time now = at_local(real_time(watch_.seconds()));
      one.second({lease::apply(leases_, trips_, one.first, now), now, {}});
    }
  }

  lease::machine leases_;
  lease::ledger trips_;
  stopwatch watch_;
  std::vector<std::pair<lease::any_command, taker>> waiting_;
};

void run_on(const store_load_options& o, cycles& all) {
  const double warm = o.seconds * warmup_share;
  const double ends = warm + o.seconds;
  for (std::uint32_t i = 0; o.rate == 0 && i < o.in_flight; ++i) {
    all.begin(all.now());
  }
  double due = 0;
  while (all.now() < ends && !is_stopped(o)) {
    all.count(all.now() >= warm);
    while (o.rate > 0 && due <= all.now()) {
      all.begin(due);
      due += 1 / o.rate;
    }
    runtime::wait_in_reality(o.rate > 0 ? 0.0005 : 0.005);
  }
  all.end();
}

/// One measurement: answers a second, and what else was seen.
result<store_load_result> measured(const store_load_options& o, std::uint64_t seed) {
  if (o.where.kind == store::kind::memory) {
    machine_loop machine(o);
    cycles all(
        o,
        [&](const lease::any_command& c, taker take) { machine.ask(c, std::move(take)); },
        seed,
        false);
    machine.run(o, all);
    return all.found();
  }
  auto to = store::client::connect({.where = o.where,
                                    .connections = o.connections,
                                    .drivers = o.drivers,
                                    .leases = {},
                                    .is_scratch = o.is_scratch});
  if (!to) {
    return tl::unexpected(to.error());
  }
  store::client& c = **to;
  const stopwatch watch;
  c.set_clock([&] { return at(real_time(watch.seconds())); });
  cycles all(
      o,
      [&](const lease::any_command& what, taker take) { c.ask(what, std::move(take)); },
      seed,
      o.rate == 0);
  run_on(o, all);
  const bool is_overloaded = o.rate > 0 && all.under_way() > o.in_flight;
  c.stop();  // from here on no other thread writes
  store_load_result found = all.found();
  found.is_overloaded = is_overloaded;
  return found;
}

}  // namespace

result<store_load_result> store_load(const store_load_options& o) {
  store_load_result sum;
  std::vector<double> rates;
  for (std::uint32_t i = 0; i < o.repeats && !is_stopped(o); ++i) {
    const auto one = measured(o, i);
    if (!one) {
      return tl::unexpected(one.error());
    }
    rates.push_back(static_cast<double>(one->answers) / o.seconds);
    sum.took.merge(one->took);
    sum.answers += one->answers;
    sum.denied += one->denied;
    sum.lost += one->lost;
    sum.granted_twice += one->granted_twice;
    sum.tokens_fell += one->tokens_fell;
    sum.is_overloaded = sum.is_overloaded || one->is_overloaded;
  }
  if (rates.empty()) {
    return failure(exit_code::interrupted, "interrupted before anything was measured");
  }
  sum.answers_per_s = spread_of(rates);
  return sum;
}

}  // namespace dibs::bench
