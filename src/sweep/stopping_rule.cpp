#include "sweep/stopping_rule.hpp"

#include "results/paired_difference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dibs::sweep {
namespace {

bool is_precise(const wanted_precision& wanted, std::span<const results::run_record> runs) {
  const auto e = results::estimate_of(wanted.metric, runs);
  // What never happened has no spread to tell how rare it is: no share of 0 is ever known.
  return e && e->margin && e->value != 0 &&
         std::max(e->high() - e->value, e->value - e->low()) <= wanted.share * std::abs(e->value);
}

/// Nothing was seen, and what may have been missed is too rare for as many runs as there may be.
bool is_given_up(const plan& p, std::span<const results::run_record> runs) {
  const auto e = results::estimate_of(p.precision->metric, runs);
  if (runs.size() < precise_seeds_min || (e && e->value != 0)) {
    return false;
  }
  constexpr double errors_of_95 = 1.96;
  constexpr double rule_of_three = 3;
  const double errors = errors_of_95 / p.precision->share;
  const double events = errors * errors;
  const double rarely = static_cast<double>(runs.size()) / rule_of_three;
  return events * rarely > static_cast<double>(p.seeds_max);
}

/// Those up to the first gap.
std::span<const results::run_record> unbroken(std::span<const results::run_record> runs) {
  std::size_t n = 0;
  while (n < runs.size() && runs[n].replication == n + 1) {
    ++n;
  }
  return runs.first(n);
}

}  // namespace

std::uint64_t replication_targets::all() const {
  return std::accumulate(replications.begin(), replications.end(), std::uint64_t{0});
}

std::uint32_t target_replications(const plan& p, std::span<const results::run_record> runs) {
  std::uint32_t n = p.seeds;
  const std::span<const results::run_record> sound = unbroken(runs);
  while (p.precision && n < p.seeds_max && n <= sound.size() &&
         !is_precise(*p.precision, sound.first(n)) && !is_given_up(p, sound.first(n))) {
    n = std::min(n + std::max(n / 2, 10U), p.seeds_max);
  }
  return n;
}

result<replication_targets> wanted_by(const plan& p, const journal& j) {
  replication_targets wanted;
  for (std::uint32_t point = 1; point <= p.points.size(); ++point) {
    if (!p.precision) {
      wanted.replications.push_back(p.seeds);
      continue;
    }
    const auto runs = j.runs_of(point);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    const std::uint32_t n = target_replications(p, *runs);
    wanted.replications.push_back(n);
    const bool is_last = unbroken(*runs).size() >= n;
    const bool is_vague = is_last && !is_precise(*p.precision, unbroken(*runs).first(n));
    wanted.unprecise += is_vague ? 1U : 0U;
    wanted.unseen += is_vague && is_given_up(p, unbroken(*runs).first(n)) ? 1U : 0U;
  }
  return wanted;
}

}  // namespace dibs::sweep
