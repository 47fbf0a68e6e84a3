/// What a run of dibs has to do besides its model: draw by keys always, write facts down if anybody
/// reads them, and have them read, on the run's own thread or on a second one.
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"
#include "bench/race/minimal_observer.hpp"
#include "engine/observer_thread.hpp"
#include "events/facts.hpp"
#include "events/history_hash.hpp"
#include "runtime/recorder.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs::bench {

/// As in a run, draws by who draws and what for, so that other facts change none of them. Nothing
/// is written down.
class keyed_draws {
 public:
  keyed_draws(std::uint32_t /*drivers*/, std::uint64_t seed)
      : latencies_(seed, purpose::latency),
        gaps_(seed, purpose::ride_gap),
        picks_(seed, purpose::pick),
        answers_(seed, purpose::answer) {}

  template <purpose Why>
  [[nodiscard]] stream draws(std::uint32_t who, std::uint32_t nth) const {
    return family_of<Why>().of(who, nth);
  }
  template <class Fact>
  void note(sim_time, const Fact&) {}
  void finish() {}
  /// Whether riders wait and nothing brings any of them on; nobody looks.
  [[nodiscard]] static bool is_stuck(sim_time) { return false; }

 private:
  template <purpose Why>
  [[nodiscard]] const stream::family& family_of() const {
    if constexpr (Why == purpose::latency) {
      return latencies_;
    } else if constexpr (Why == purpose::ride_gap) {
      return gaps_;
    } else if constexpr (Why == purpose::pick) {
      return picks_;
    } else {
      static_assert(Why == purpose::answer);
      return answers_;
    }
  }

  stream::family latencies_;
  stream::family gaps_;
  stream::family picks_;
  stream::family answers_;
};

/// And a record of facts as the engine keeps it, in batches, which somebody reads. Whether the run
/// gets on is seen as facts are written: when it last did, and how many riders wait.
class read_record : public keyed_draws {
 public:
  template <class Fact>
  void note(sim_time now, const Fact& fact) {
    if constexpr (std::is_same_v<Fact, events::ride_requested>) {
      ++waiting_;
    } else if constexpr (std::is_same_v<Fact, events::trip_committed> ||
                         std::is_same_v<Fact, events::ride_abandoned>) {
      --waiting_;
      moved_ = now;
    } else if constexpr (std::is_same_v<Fact, events::lease_granted> ||
                         std::is_same_v<Fact, events::offer_answered>) {
      moved_ = now;
    }
    recorder_.record(now, local_time{now.time_since_epoch()}, fact);
  }
  void finish() { recorder_.flush(); }
  [[nodiscard]] std::uint64_t facts() const { return recorder_.facts(); }
  [[nodiscard]] bool is_stuck(sim_time now) const { return waiting_ > 0 && now - moved_ > 1h; }

 protected:
  read_record(std::uint32_t drivers, std::uint64_t seed, std::vector<events::observer*> readers)
      : keyed_draws(drivers, seed), recorder_(std::move(readers)) {}

 private:
  runtime::recorder recorder_;
  std::uint64_t waiting_ = 0;
  sim_time moved_{};
};

/// Read as it is written: the same seed is seen to give the same history, and both harms are told.
class watched_record : public read_record {
 public:
  watched_record(std::uint32_t drivers, std::uint64_t seed)
      : read_record(drivers, seed, {&hash_, &harms_}), harms_(drivers) {}
  watched_record(const watched_record&) = delete;
  watched_record& operator=(const watched_record&) = delete;

  [[nodiscard]] std::string digest() const { return hash_.digest(); }
  [[nodiscard]] const least_figures& harms() const { return harms_.figures(); }

 private:
  events::history_hash hash_;
  minimal_observer harms_;
};

/// The same on a second thread.
class second_thread_record : public read_record {
 public:
  second_thread_record(std::uint32_t drivers, std::uint64_t seed)
      : read_record(drivers, seed, {&apart_}), harms_(drivers) {}
  second_thread_record(const second_thread_record&) = delete;
  second_thread_record& operator=(const second_thread_record&) = delete;

  void finish() {
    read_record::finish();
    apart_.finish();
  }
  [[nodiscard]] std::string digest() const { return hash_.digest(); }
  [[nodiscard]] const least_figures& harms() const { return harms_.figures(); }

 private:
  events::history_hash hash_;
  minimal_observer harms_;
  engine::observer_thread apart_{{&hash_, &harms_}, "bench engine"};
};

}  // namespace dibs::bench
