/// What a run of dibs has to do besides its model: draw by keys always, write facts down if anybody
/// reads them, hash them if anybody reads them on the run's own thread.
#pragma once

#include "actors/runtime/recorder.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "events/history_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::bench {

/// As in a run, draws by who draws and what for, so that other facts change none of them. Nothing
/// is written down.
class keyed_draws {
 public:
  explicit keyed_draws(std::uint64_t seed)
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

/// And a record of facts as the engine keeps it, in batches.
class written_record : public keyed_draws {
 public:
  /// Nobody reads it, unless there are readers.
  explicit written_record(std::uint64_t seed, std::vector<events::observer*> readers = {})
      : keyed_draws(seed), recorder_(std::move(readers)) {}

  template <class Fact>
  void note(sim_time now, const Fact& fact) {
    recorder_.record(now, local_time{now.time_since_epoch()}, fact);
  }
  void flush() { recorder_.flush(); }
  [[nodiscard]] std::uint64_t facts() const { return recorder_.facts(); }

 private:
  actors::runtime::recorder recorder_;
};

/// And the record is hashed, so that the same seed is seen to give the same history.
class hashed_record : public written_record {
 public:
  explicit hashed_record(std::uint64_t seed) : written_record(seed, {&hash_}) {}
  ~hashed_record() { flush(); }
  hashed_record(const hashed_record&) = delete;
  hashed_record& operator=(const hashed_record&) = delete;

 private:
  events::history_hash hash_;
};

}  // namespace dibs::bench
