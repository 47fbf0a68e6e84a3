/// The one way to read a run: events, in order, in batches.
#pragma once

#include "events/facts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// How far ahead a fact is: near enough to follow what was fetched when it was far.
enum class distance : std::uint8_t { far, near };

/// Calls `fetch(driver, how_far_ahead)` for drivers of the facts to come and `read(event)` for each
/// event, so that what memory must bring for the next facts is under way while one is read: in a
/// large city no cache holds the drivers. A driver is first announced `far` facts ahead, then
/// `near`. In a town of so few `drivers` that a cache holds them, nobody is announced.
template <class Fetch, class Read>
void read_ahead(std::span<const event> batch, std::uint32_t drivers, Fetch fetch, Read read) {
  constexpr std::uint32_t cached_drivers = 2'000;
  constexpr std::size_t far = 12;
  constexpr std::size_t near = 6;
  if (drivers <= cached_drivers) {
    std::ranges::for_each(batch, read);
    return;
  }
  const auto announce = [&](std::size_t i, distance how_far) {
    if (i < batch.size() && batch[i].about != batch[i - 1].about) {
      fetch(batch[i].about, how_far);
    }
  };
  for (std::size_t i = 0; i < batch.size(); ++i) {
    announce(i + far, distance::far);
    announce(i + near, distance::near);
    read(batch[i]);
  }
}

}  // namespace dibs::events
