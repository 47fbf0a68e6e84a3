#include "sweep/warmup.hpp"

#include "engine/run.hpp"
#include "stats/sample_mean.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace dibs::sweep {
namespace {

constexpr int steps_wanted = 200;
constexpr std::size_t batch = 5;
constexpr std::size_t batches_min = 4;
constexpr std::uint32_t pilot_runs = 10;
/// Pilots take seeds that no study uses otherwise.
constexpr std::uint32_t first_pilot = 3'000'000'000;

std::vector<double> batch_means(std::span<const double> series) {
  std::vector<double> means;
  for (std::size_t i = 0; i + batch <= series.size(); i += batch) {
    double sum = 0;
    for (const double x : series.subspan(i, batch)) {
      sum += x;
    }
    means.push_back(sum / static_cast<double>(batch));
  }
  return means;
}

using level = std::uint32_t metrics::series_row::*;

/// The mean over the pilots of one level, step by step, as far as rides are still asked for.
std::vector<double> mean_series(const std::vector<engine::run_result>& runs,
                                level what,
                                sim_time until) {
  std::vector<double> sums;
  for (const engine::run_result& run : runs) {
    for (std::size_t i = 0; i < run.metrics.series.size(); ++i) {
      const metrics::series_row& row = run.metrics.series[i];
      if (row.t > until) {
        break;
      }
      sums.resize(std::max(sums.size(), i + 1), 0);
      sums[i] += row.*what / static_cast<double>(runs.size());
    }
  }
  return sums;
}

/// Whether the pilots, each on its own seed, show no difference between their first and their
/// second half, at 99 %: then the cut fell late by chance, or there were too few steps for one.
bool is_steady(const std::vector<engine::run_result>& runs, level what, sim_time until) {
  std::vector<double> rises;
  for (const engine::run_result& run : runs) {
    std::array<double, 2> sums{};
    std::array<double, 2> counts{};
    for (const metrics::series_row& row : run.metrics.series) {
      if (row.t <= until) {
        const std::size_t half = row.t.time_since_epoch() * 2 > until.time_since_epoch() ? 1 : 0;
        sums[half] += row.*what;
        ++counts[half];
      }
    }
    if (counts[0] == 0 || counts[1] == 0) {
      return false;
    }
    rises.push_back(sums[1] / counts[1] - sums[0] / counts[0]);
  }
  constexpr double tail = 0.005;
  const stats::sample_mean rise = stats::mean_of(rises);
  return rise.below(tail) <= 0 && rise.above(tail) >= 0;
}

}  // namespace

std::optional<std::size_t> mser_5(std::span<const double> series) {
  const std::vector<double> means = batch_means(series);
  if (means.size() < batches_min) {
    return std::nullopt;
  }
  // From the back: the mean of what is left, and the squares around it.
  double mean = 0;
  double squares = 0;
  double count = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t cut = 0;
  for (std::size_t left = 1; left <= means.size(); ++left) {
    const std::size_t d = means.size() - left;
    ++count;
    const double step = means[d] - mean;
    mean += step / count;
    squares += step * (means[d] - mean);
    const double error = squares / (count * count);
    // Few batches look alike by chance, so only the first half is cut; of equal cuts the shortest.
    if (2 * d <= means.size() && error <= least) {
      least = error;
      cut = d;
    }
  }
  return 2 * (cut + 1) > means.size() ? std::nullopt : std::optional(cut * batch);
}

std::string warmup::text() const {
  return fmt::format("warm-up {} by MSER-5, from {} pilot runs", text::duration(length), pilots);
}

result<warmup> find_warmup(const scenario::scenario& s,
                           std::uint32_t jobs,
                           const std::atomic<bool>* stop) {
  scenario::scenario pilot = s;
  pilot.clock.duration += pilot.clock.warmup;
  pilot.clock.warmup = sim_duration::zero();
  // Short runs are looked at more closely: MSER-5 takes many means of five steps each.
  pilot.output.series = std::clamp<sim_duration>(
      pilot.clock.duration / steps_wanted, 1s, s.output.series > 1s ? s.output.series : 1s);
  engine::run_options how;
  how.seed = engine::seed_of(s.seed, first_pilot);
  how.stop = stop;
  const auto runs = engine::run_many(pilot, how, pilot_runs, jobs);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  if (stop != nullptr && stop->load()) {
    return failure(exit_code::interrupted, "interrupted");
  }
  std::size_t longest = 0;
  for (const level what : {&metrics::series_row::on_trip,
                           &metrics::series_row::leased,
                           &metrics::series_row::waiting}) {
    const auto cut = mser_5(mean_series(*runs, what, pilot.measured_until()));
    if (!cut && is_steady(*runs, what, pilot.measured_until())) {
      continue;
    }
    if (!cut) {
      return failure(exit_code::inconclusive,
                     fmt::format("{} does not settle in {}, so there is no warm-up to be found; "
                                 "leave --warmup away to keep the scenario's {}",
                                 text::display_text(s.name, 80),
                                 text::duration(pilot.clock.duration),
                                 text::duration(s.clock.warmup)));
    }
    longest = std::max(longest, *cut);
  }
  warmup found;
  found.pilots = pilot_runs;
  found.length = pilot.output.series * static_cast<std::int64_t>(longest);
  found.overrides = {{"clock.warmup", text::print_duration(found.length)},
                     {"clock.duration", text::print_duration(pilot.clock.duration - found.length)}};
  return found;
}

}  // namespace dibs::sweep
