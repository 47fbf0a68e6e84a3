#include "pages/columns.hpp"

#include "base/ensure.hpp"

namespace dibs::pages {

void column_table::add(const std::vector<std::int64_t>& row) {
  ensure(row.size() == names_.size(), "a row has a value for each column");
  for (std::size_t i = 0; i < row.size(); ++i) {
    texts_[i] += rows_ == 0 ? "" : ",";
    texts_[i] += std::to_string(row[i]);
  }
  ++rows_;
}

std::string column_table::json() const {
  std::string text = "{\"rows\":" + std::to_string(rows_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    text += ",\"" + names_[i] + "\":[" + texts_[i] + "]";
  }
  return text + "}";
}

std::int64_t in_ms(sim_time t, sim_time end) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  return t < sim_time{} || t >= end ? missing : t.time_since_epoch().count() / ns_per_ms;
}

}  // namespace dibs::pages
