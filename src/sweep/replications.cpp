#include "sweep/replications.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace dibs::sweep {

result<std::vector<engine::run_result>> replications(const scenario::scenario& s,
                                                     const engine::prepared_scenario& shared,
                                                     const engine::run_options& how,
                                                     std::uint32_t from,
                                                     std::uint32_t until,
                                                     std::uint32_t jobs) {
  std::vector<engine::run_result> all(until > from ? until - from : 0);
  std::atomic<std::uint32_t> next{from};
  std::mutex mutex;
  std::optional<error> failed;
  const auto work = [&] {
    for (std::uint32_t k = next++; k < until; k = next++) {
      engine::run_options one = how;
      one.seed = engine::seed_of(how.seed, k);
      auto ran = engine::run(s, shared, one);
      const std::lock_guard lock(mutex);
      if (!ran) {
        failed = failed ? failed : std::optional(ran.error());
        return;
      }
      all[k - from] = std::move(*ran);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 1; i < std::min<std::size_t>(jobs, all.size()); ++i) {
      workers.emplace_back(work);
    }
    work();
  }
  if (failed) {
    return tl::unexpected<error>(*failed);
  }
  return all;
}

}  // namespace dibs::sweep
