/// What a matcher believes about the drivers: the facts, some time ago.
///
/// A delay line, not a periodic snapshot: at `now` a view knows exactly the facts up to `now -
/// lag`, in the order in which they became true. Views with the same lag are the same view: share
/// them.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/time.hpp"
#include "match/supply_index.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::match {

/// From this instant on the driver is available at the place, or not at all.
struct supply_fact {
  sim_time at{};
  driver_id driver;
  bool is_available = false;
  point place;  ///< means nothing unless she is available
};

/// The facts in the order in which they became true, kept until every reader has read them.
class supply_log {
 public:
  using reader = std::size_t;

  /// A new reader; it reads what is appended from now on.
  [[nodiscard]] reader attach();

  /// Requires: time does not run backwards.
  void append(const supply_fact& fact);

  /// The reader's next fact, or null if it has read them all. Lives until the next `append`.
  [[nodiscard]] const supply_fact* peek(reader who) const;
  /// Requires: there is a next fact.
  void consume(reader who);

  /// How many facts the log has room for: stays within four times what the slowest
  /// reader lags behind, or 64.
  [[nodiscard]] std::size_t capacity() const { return ring_.size(); }

 private:
  void make_room();
  [[nodiscard]] std::size_t slot_of(std::uint64_t number) const {
    return static_cast<std::size_t>(number) & (ring_.size() - 1);
  }

  std::vector<supply_fact> ring_;       ///< a power of two, or empty
  std::uint64_t first_ = 0;             ///< the oldest fact that is kept
  std::uint64_t next_ = 0;              ///< the number of facts ever appended
  std::vector<std::uint64_t> readers_;  ///< the next fact of each
  sim_time last_{sim_time::min()};
};

class supply_view {
 public:
  /// The log must outlive the view. Requires: lag >= 0.
  supply_view(supply_log& log, sim_duration lag, const supply_index_options& options);

  /// Learns what became true up to `now - lag`, that instant included.
  void advance(sim_time now);

  /// When the next fact that it has not learnt will have travelled; nothing if it has learnt all.
  [[nodiscard]] std::optional<sim_time> next() const {
    const supply_fact* fact = log_->peek(reader_);
    return fact == nullptr ? std::nullopt : std::optional(fact->at + lag_);
  }

  [[nodiscard]] const supply_index& index() const { return index_; }
  [[nodiscard]] sim_duration lag() const { return lag_; }

 private:
  void learn(const supply_fact& fact);

  supply_log* log_;
  supply_log::reader reader_;
  sim_duration lag_;
  supply_index index_;
};

}  // namespace dibs::match
