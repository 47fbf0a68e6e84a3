/// What a bare loop (`bare_loop.hpp`) does besides its model: nothing, or what every run of dibs
/// has to do as well.
#pragma once

#include "actors/runtime/recorder.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "events/history_hash.hpp"

#include <cstdint>

namespace dibs::bench {

/// One stream for all draws, and nothing is written down.
class no_record {
 public:
  explicit no_record(std::uint64_t seed) : random_(stream::keyed(seed, purpose::answer)) {}

  stream& draws(purpose, std::uint32_t, std::uint32_t) { return random_; }
  template <class Fact>
  void note(sim_time, const Fact&) {}

 private:
  stream random_;
};

/// As in a run: draws by who draws and what for, so that other facts change none of them, and a
/// record of facts, which is hashed.
class hashed_record {
 public:
  explicit hashed_record(std::uint64_t seed) : seed_(seed), recorder_({&hash_}) {}
  ~hashed_record() { recorder_.flush(); }
  hashed_record(const hashed_record&) = delete;
  hashed_record& operator=(const hashed_record&) = delete;

  [[nodiscard]] stream draws(purpose why, std::uint32_t who, std::uint32_t nth) const {
    return stream::keyed(seed_, why, who, nth);
  }
  template <class Fact>
  void note(sim_time now, const Fact& fact) {
    recorder_.record(now, local_time{now.time_since_epoch()}, fact);
  }
  [[nodiscard]] std::uint64_t facts() const { return recorder_.facts(); }

 private:
  std::uint64_t seed_;
  events::history_hash hash_;
  actors::runtime::recorder recorder_;
};

}  // namespace dibs::bench
