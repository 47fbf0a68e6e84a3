#include "bench/live/lease_load.hpp"

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace dibs::bench {
namespace {

/// One measurement; none if it was stopped. Adds to what was counted before.
std::optional<double> measure(const load_options& o,
                              manager_load_options load,
                              load_result& counted) {
  load.shards = counted.shards;
  manager_load under(load);
  if (!under.work(o.seconds * warmup_share, o.stop)) {
    return std::nullopt;
  }
  const auto before = under.seen();
  const stopwatch watch;
  const bool whole = under.work(o.seconds, o.stop);
  const double seconds = watch.seconds();
  const auto after = under.seen();
  if (!whole) {
    return std::nullopt;
  }
  counted.requests += after.answered - before.answered;
  counted.denied += after.denied - before.denied;
  counted.ran_out += after.ran_out - before.ran_out;
  return static_cast<double>(after.answered - before.answered) / seconds;
}

}  // namespace

result<std::vector<load_result>> lease_load(const load_options& o) {
  ensure(o.seconds > 0 && o.repeats > 0 && !o.shards.empty(), "there is something to measure");
  std::vector<load_result> all;
  for (const std::uint32_t shards : o.shards) {
    all.push_back({.drivers = o.load.drivers, .shards = shards, .answers_per_s = {}});
  }
  std::vector<std::vector<double>> rates(all.size());
  bool is_stopped = false;
  for (std::uint32_t k = 0; k < o.repeats && !is_stopped; ++k) {
    for (std::size_t i = 0; i < all.size() && !is_stopped; ++i) {
      const auto rate = measure(o, o.load, all[i]);
      is_stopped = !rate;
      if (rate) {
        rates[i].push_back(*rate);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rates[i].empty()) {
      return failure(exit_code::interrupted, "stopped before anything was measured");
    }
    all[i].answers_per_s = spread_of(rates[i]);
  }
  return all;
}

}  // namespace dibs::bench
