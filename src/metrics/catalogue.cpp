#include "metrics/catalogue.hpp"

#include "stats/sparse_histogram.hpp"
#include "text/spelling.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace dibs::metrics {
namespace {

constexpr std::array<std::string_view, 5> stats{"mean", "p50", "p90", "p95", "p99"};

}  // namespace

std::span<const std::string_view> shown_stats() { return stats; }

std::string_view percentile_definition() {
  static_assert(
      stats::histogram::exact_max == 1'048'576 && stats::sparse_histogram::values_max == 65'536,
      "the sentences say how many values are kept");
  return "A percentile pN is the smallest value that at least N % of all values do not exceed, and "
         "one of them, without interpolation: of several runs, of all their values together. Of "
         "more than 1,048,576 values in a run, or 65,536 in a run of a study, it lies between two "
         "ends less than 1 % apart: it is shown with them, and whatever is judged by it, a "
         "threshold, a difference or a condition, is met or seen where it is at both ends.";
}

std::optional<double> percentile_of(std::string_view stat) {
  if (stat.size() < 2 || stat[0] != 'p') {
    return std::nullopt;
  }
  double value = 0;
  double place = 0;  // of the next digit after the point; 0 before it
  std::size_t digits = 0;
  for (const char letter : stat.substr(1)) {
    if (letter == '.' && place == 0 && digits > 0) {
      place = 10;
      digits = 0;
    } else if (letter >= '0' && letter <= '9' && digits < 3) {
      const double digit = letter - '0';
      value = place == 0 ? value * 10 + digit : value + digit / place;
      place *= 10;
      ++digits;
    } else {
      return std::nullopt;
    }
  }
  return digits > 0 && value > 0 && value < 100 ? std::optional(value / 100) : std::nullopt;
}

const entry* find(std::string_view name) {
  for (const entry& e : catalogue()) {
    if (!e.is_family()) {
      if (e.name == name) {
        return &e;
      }
      continue;
    }
    if (name.starts_with(e.prefix())) {
      const std::string_view stat = name.substr(e.prefix().size());
      if (stat == "mean" || stat == "min" || stat == "max" || percentile_of(stat)) {
        return &e;
      }
    }
  }
  return nullptr;
}

text::unit unit_of(std::string_view name) {
  const entry* const found = find(name);
  return found != nullptr ? found->unit : text::unit::ratio;
}

std::optional<harm_kind> harm_of(std::string_view name) {
  const entry* const found = find(name);
  return found != nullptr ? found->meaning.harm : std::nullopt;
}

std::string nearest(std::string_view name) {
  constexpr std::size_t part_min = 3;
  std::string best;
  std::size_t best_distance = text::misspellings_max(name) + 1;
  std::string whole;  // the shortest of which the name is the end
  const auto consider = [&](std::string candidate) {
    const bool is_end = name.size() >= part_min && candidate.ends_with("." + std::string(name));
    if (is_end && (whole.empty() || candidate.size() < whole.size())) {
      whole = candidate;
    }
    const std::size_t distance = text::misspellings(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::move(candidate);
    }
  };
  // What percentiles are asked for most.
  for (const entry& e : catalogue()) {
    if (!e.is_family()) {
      consider(std::string(e.name));
      continue;
    }
    for (const std::string_view stat : stats) {
      consider(e.with(stat));
    }
  }
  return best.empty() ? whole : best;
}

std::optional<double> percentile_in(std::string_view metric) {
  const entry* e = find(metric);
  if (e == nullptr || !e->is_family()) {
    return std::nullopt;
  }
  const auto share = percentile_of(metric.substr(e->prefix().size()));
  return share && *share > 0 && *share < 1 ? share : std::nullopt;
}

}  // namespace dibs::metrics
