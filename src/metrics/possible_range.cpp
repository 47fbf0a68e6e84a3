#include "metrics/possible_range.hpp"

#include <algorithm>

namespace dibs::metrics {
namespace {

bool is_count(std::string_view name) {
  const metrics::entry* e = metrics::find(name);
  return e != nullptr && e->unit == text::unit::count;
}

}  // namespace

stats::possible_range limits_of(const metrics::entry& e, std::size_t replications, double per) {
  stats::possible_range l;
  if (e.unit == text::unit::share) {
    l.most = 1;
  }
  if (e.unit == text::unit::count) {
    l.chances = static_cast<double>(replications);
  } else if (per > 0 && is_count(e.per) && (e.unit == text::unit::share || is_count(e.over))) {
    l.chances = per / e.scale;
  }
  return l;
}

stats::possible_range limits_of_ratio(std::span<const std::string> numerators,
                                      std::span<const std::string> denominators,
                                      double per) {
  const bool counts =
      std::ranges::all_of(numerators, is_count) && std::ranges::all_of(denominators, is_count);
  return {.most = {}, .chances = counts ? std::optional(per) : std::nullopt};
}

}  // namespace dibs::metrics
