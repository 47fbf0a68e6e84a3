#include "world/matrix_stretches.hpp"

#include <algorithm>

namespace dibs::world {
namespace {

constexpr sim_duration end_of_day = 24h;

}  // namespace

void stretch_builder::find_stretches() {
  std::vector<sim_duration> borders{sim_duration{0}};
  for (const said_rate& s : said_) {
    borders.push_back(s.begins);
    borders.push_back(s.ends);
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  for (const sim_duration begins : borders) {
    if (begins < end_of_day) {
      into_.stretches.push_back({begins, 0, 0});
    }
  }
}

std::uint64_t stretch_builder::shares() const {
  std::uint64_t all = 0;
  for (const said_rate& s : said_) {
    all += stretch_at(s.ends) - stretch_at(s.begins);
  }
  return all;
}

void stretch_builder::fill() {
  std::vector<std::size_t> next(into_.stretches.size() + 1, 0);
  for (const said_rate& s : said_) {
    for (std::size_t i = stretch_at(s.begins); i < stretch_at(s.ends); ++i) {
      ++next[i + 1];
    }
  }
  for (std::size_t i = 0; i < into_.stretches.size(); ++i) {
    next[i + 1] += next[i];
    into_.stretches[i].first = next[i];
  }
  into_.pair_of.resize(next.back());
  into_.rate_up_to.resize(next.back());
  for (std::size_t n = 0; n < said_.size(); ++n) {
    const said_rate& s = said_[n];
    const double rate =
        s.rides / in_seconds(format_.per.value_or(s.length)) / static_cast<double>(into_.days);
    for (std::size_t i = stretch_at(s.begins); i < stretch_at(s.ends); ++i) {
      od_matrix::stretch& in = into_.stretches[i];
      in.rate_per_s += rate;
      into_.pair_of[next[i]] = pairs_[n];
      into_.rate_up_to[next[i]++] = in.rate_per_s;
    }
    into_.rides_up_to[pairs_[n]] += rate * in_seconds(s.ends - s.begins);
  }
  double sum = 0;
  for (double& rides : into_.rides_up_to) {
    rides = sum += rides;
  }
}

std::size_t stretch_builder::stretch_at(sim_duration t) const {
  const auto found = std::ranges::lower_bound(into_.stretches, t, {}, &od_matrix::stretch::begins);
  return static_cast<std::size_t>(found - into_.stretches.begin());
}

}  // namespace dibs::world
