#include "world/places.hpp"

#include "base/ensure.hpp"

namespace dibs::world {

const trace_row& places::row(stream& random) const {
  ensure(rows_ != nullptr && !rows_->rows.empty(), "rows are drawn from a trace that has some");
  return rows_->rows[random.below(rows_->rows.size())];
}

point places::origin(stream& random) const {
  return rows_ == nullptr ? map_.anywhere(random) : jittered(row(random).origin, random);
}

}  // namespace dibs::world
