/// The one way to read a run: events, in order, in batches.
#pragma once

#include "events/facts.hpp"

#include <span>

namespace dibs::events {

class observer {
 public:
  observer() = default;
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;
  virtual ~observer() = default;

  /// The next events of the history, oldest first. True time never runs backwards, within a batch
  /// or between batches.
  virtual void observe(std::span<const event> batch) = 0;
};

}  // namespace dibs::events
