#include "sweep/free_fields.hpp"

#include <algorithm>
#include <map>

namespace dibs::sweep {
namespace {

bool follows(const std::vector<std::vector<std::string>>& points,
             std::size_t field,
             const std::vector<std::size_t>& others) {
  std::map<std::vector<std::string>, std::string> seen;
  return std::ranges::all_of(points, [&](const std::vector<std::string>& values) {
    std::vector<std::string> key;
    for (const std::size_t other : others) {
      key.push_back(values[other]);
    }
    return seen.try_emplace(std::move(key), values[field]).first->second == values[field];
  });
}

}  // namespace

std::vector<std::size_t> free_fields(const std::vector<std::vector<std::string>>& points) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; !points.empty() && i < points.front().size(); ++i) {
    if (!follows(points, i, all)) {
      all.push_back(i);
    }
  }
  return all;
}

}  // namespace dibs::sweep
