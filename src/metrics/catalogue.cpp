#include "metrics/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace dibs::metrics {
namespace {

constexpr std::array<std::string_view, 5> stats{"mean", "p50", "p90", "p95", "p99"};

/// How many letters must be inserted, removed or replaced (Wagner and Fischer 1974).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const std::string_view> shown_stats() { return stats; }

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

std::string nearest(std::string_view name) {
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  const auto consider = [&](std::string candidate) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::move(candidate);
    }
  };
  for (const entry& e : catalogue()) {
    if (!e.is_family()) {
      consider(std::string(e.name));
      continue;
    }
    for (const std::string_view stat : stats) {
      consider(e.with(stat));
    }
  }
  return best;
}

}  // namespace dibs::metrics
