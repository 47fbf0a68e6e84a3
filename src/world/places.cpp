#include "world/places.hpp"

#include "base/ensure.hpp"

namespace dibs::world {

const trace_row& places::row(stream& random) const {
  if (matrix_ != nullptr) {
    return matrix_->pair_of_day(random.unit());
  }
  ensure(rows_ != nullptr && !rows_->rows.empty(), "rows are drawn from a trace that has some");
  return rows_->rows[random.below(rows_->rows.size())];
}

point places::origin(stream& random) const {
  return has_rows() ? jittered(row(random).origin, random) : map_.anywhere(random);
}

}  // namespace dibs::world
