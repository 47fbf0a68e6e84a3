/// Where rides start and drivers wait: at the origins of a trace's rows, jittered, or anywhere
/// within the bounds where there is no trace.
#pragma once

#include "base/point.hpp"
#include "base/random.hpp"
#include "world/geography.hpp"
#include "world/trace.hpp"

#include <memory>
#include <utility>

namespace dibs::world {

class places {
 public:
  /// `rows` may be null: anywhere is as likely as anywhere else.
  places(const geography& map, std::shared_ptr<const trace> rows, double jitter_m)
      : map_(map), rows_(std::move(rows)), jitter_m_(jitter_m) {}

  [[nodiscard]] const geography& map() const { return map_; }
  [[nodiscard]] const trace* rows() const { return rows_.get(); }

  /// One of the rows, each as likely. Requires: `rows()`. Takes one number.
  [[nodiscard]] const trace_row& row(stream& random) const;

  /// Within the jitter of the given place. Takes two numbers.
  [[nodiscard]] point jittered(const point& place, stream& random) const {
    return map_.near(place, jitter_m_, random);
  }

  /// Where a rider might ask, or a driver wait.
  [[nodiscard]] point origin(stream& random) const;

 private:
  geography map_;
  std::shared_ptr<const trace> rows_;
  double jitter_m_;
};

}  // namespace dibs::world
