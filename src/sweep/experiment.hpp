/// The runs of a search: which points were run on which seeds, and what they came to.
///
/// Seeds come in blocks. All points share the seeds of a block, the k-th run of each on the k-th
/// seed, so what differs between two points is not the day's luck; no seed is in two blocks, so
/// what was chosen on one block is judged on another as if the first had never been.
#pragma once

#include "base/result.hpp"
#include "sweep/metric_formula.hpp"
#include "sweep/runner.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

enum class seed_block : std::uint8_t {
  first,  ///< what the search chooses on
  fresh,  ///< what the choice is judged on
};

inline constexpr std::array blocks{seed_block::first, seed_block::fresh};

/// What one run came to.
struct run_sample {
  sample figures;                ///< by the numbers of the experiment's metrics
  std::uint64_t violations = 0;  ///< of what the protocol promised
  std::string violation;
  std::string history{};                   ///< its hash
  bool stuck = false;                      ///< it got nowhere, and was ended
  std::vector<std::string> idle_faults{};  ///< that struck in no place of it
};

/// Gets what a task came to, by its number; false: no more are to be run.
using observer = std::function<bool(std::size_t, run_sample)>;
/// Runs tasks and hands over what they came to, one at a time, as long as more are wanted.
using batch_runner = std::function<result<void>(std::span<const task>, const observer&)>;

struct budget {
  std::uint64_t runs = UINT64_MAX;
  std::optional<double> seconds{};
  std::function<double()> elapsed{};  ///< needed for seconds
  std::uint64_t held_back = 0;        ///< runs of it that are promised to something else
};

/// The first broken promise of a point.
struct broken_promise {
  std::size_t nth = 0;  ///< of all blocks' seeds
  std::uint64_t seed = 0;
  std::string violation;
};

/// Runs of a point that got nowhere and were ended.
struct stuck_runs {
  std::uint64_t count = 0;
  std::size_t nth = 0;     ///< of all blocks' seeds: the first of them
  std::uint64_t seed = 0;  ///< of that
};

class experiment {
 public:
  experiment(std::uint64_t root, budget limits, batch_runner run);

  /// Runs what the points lack of the first `n` seeds of a block. False if that would leave less
  /// than `reserve` runs of the budget, and then nothing is run; or if time was up before all were
  /// run: each point then has the first of its seeds, as many as were done. Errors: the
  /// experiment's.
  [[nodiscard]] result<bool> extend(std::span<const std::uint32_t> points,
                                    seed_block b,
                                    std::size_t n,
                                    std::uint64_t reserve);

  /// The runs of a point so far; none of a point that was not run.
  [[nodiscard]] std::span<const sample> of(std::uint32_t point, seed_block b) const;

  /// The hashes of their histories.
  [[nodiscard]] std::span<const std::string> histories_of(std::uint32_t point, seed_block b) const;

  [[nodiscard]] const broken_promise* broken(std::uint32_t point) const;
  [[nodiscard]] const stuck_runs* stuck(std::uint32_t point) const;
  /// The faults that struck in none of its runs.
  [[nodiscard]] std::vector<std::string> idle_faults(std::uint32_t point) const;
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// What is left of the budget in runs; for a budget in time, what the pace so far leaves of it.
  [[nodiscard]] std::uint64_t left() const;
  [[nodiscard]] bool is_time_up() const;
  /// The same as `left` with what was held back.
  [[nodiscard]] std::uint64_t left_with_held() const;

 private:
  struct point_samples {
    std::array<std::vector<sample>, 2> blocks;
    std::array<std::vector<std::string>, 2> histories;
    std::optional<broken_promise> broken;
    std::optional<stuck_runs> stuck;
    std::optional<std::vector<std::string>> idle_faults;  ///< nothing before the first run
  };

  std::uint64_t root_;
  budget limits_;
  batch_runner run_;
  std::uint64_t runs_ = 0;
  double busy_s_ = 0;  ///< of the wall time, with runs
  std::map<std::uint32_t, point_samples> records_;
};

/// The k-th seed of a block, from 0.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t root, seed_block b, std::size_t k);

/// One metric of one run, so that it can be added to that of others.
[[nodiscard]] metric_sums sums_of(const results::metric_sample& m);

/// What a run came to in these metrics.
[[nodiscard]] run_sample observed_of(const engine::run_result& r,
                                     const std::vector<std::string>& metrics);

}  // namespace dibs::sweep
