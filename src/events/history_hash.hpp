/// The hash of a history: equal iff (but for chance) the same facts became true at the same times
/// in the same order. Calls and their answers are left out (`events/calls.hpp` says why).
#pragma once

#include "events/observer.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace dibs::events {

class history_hash final : public observer {
 public:
  history_hash();
  ~history_hash() override;

  void observe(std::span<const event> batch) override;

  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// 16 hexadecimal digits, over all that was observed so far.
  [[nodiscard]] std::string digest() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::uint64_t events_ = 0;
};

}  // namespace dibs::events
