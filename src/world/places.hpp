/// Where rides start and drivers wait: at the origins of a trace's rows or of a matrix's pairs,
/// jittered, or anywhere within the bounds where there is neither.
#pragma once

#include "base/point.hpp"
#include "base/random.hpp"
#include "world/geography.hpp"
#include "world/od_matrix.hpp"
#include "world/trace.hpp"

#include <memory>
#include <utility>

namespace dibs::world {

class places {
 public:
  /// Both may be null: anywhere is as likely as anywhere else.
  places(const geography& map,
         std::shared_ptr<const trace> rows,
         double jitter_m,
         std::shared_ptr<const od_matrix> matrix = nullptr)
      : map_(map), rows_(std::move(rows)), matrix_(std::move(matrix)), jitter_m_(jitter_m) {}

  [[nodiscard]] const geography& map() const { return map_; }
  [[nodiscard]] bool has_rows() const { return rows_ != nullptr || matrix_ != nullptr; }
  [[nodiscard]] bool has_trips() const { return rows_ != nullptr && rows_->has_trips; }

  /// One of the rows, each as likely, or a pair by its weight. Requires: `has_rows()`. Takes one
  /// number.
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
  std::shared_ptr<const od_matrix> matrix_;
  double jitter_m_;
};

}  // namespace dibs::world
