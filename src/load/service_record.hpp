/// What the callers of a service saw of it, all together: how long it was away, and what it would
/// not take.
///
/// Any thread. It is away from the first call that nobody answered, or that it failed, until the
/// next one that it answers.
#pragma once

#include "base/time.hpp"
#include "service_client/calls.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace dibs::load {

struct service_account {
  std::uint64_t outages = 0;
  sim_duration away{};
  bool is_away = false;                          ///< still
  std::string last_trouble{};                    ///< of an outage
  std::map<std::string, std::uint64_t> unfit{};  ///< calls that it would not take, by why
};

class service_record {
 public:
  void note(service_client::outcome how, int status, const std::string& why, sim_time now);
  /// Whether it wants a bearer token, or another one.
  [[nodiscard]] bool is_locked() const { return is_locked_; }
  [[nodiscard]] service_account account(sim_time end) const;

 private:
  mutable std::mutex lock_;
  std::atomic<bool> is_locked_{false};
  service_account all_;
  sim_time away_since_{};
};

}  // namespace dibs::load
