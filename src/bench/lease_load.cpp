#include "bench/lease_load.hpp"

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"

#include <vector>

namespace dibs::bench {
namespace {

constexpr double warmup_share = 0.2;

}  // namespace

result<load_result> lease_load(const load_options& o) {
  ensure(o.seconds > 0 && o.repeats > 0, "there is something to measure");
  load_result all;
  all.drivers = o.load.drivers;
  std::vector<double> rates;
  for (std::uint32_t k = 0; k < o.repeats; ++k) {
    engine::manager_load under(o.load);
    if (!under.work(o.seconds * warmup_share, o.stop)) {
      break;
    }
    const auto before = under.seen();
    const stopwatch watch;
    const bool whole = under.work(o.seconds, o.stop);
    const double seconds = watch.seconds();
    const auto after = under.seen();
    if (!whole) {
      break;
    }
    rates.push_back(static_cast<double>(after.answered - before.answered) / seconds);
    all.requests += after.answered - before.answered;
    all.denied += after.denied - before.denied;
    all.ran_out += after.ran_out - before.ran_out;
  }
  if (rates.empty()) {
    return failure(exit_code::interrupted, "stopped before anything was measured");
  }
  all.answers_per_s = spread_of(rates);
  return all;
}

}  // namespace dibs::bench
