/// Threads that run what they are given, one run after the other.
///
/// Whoever gives runs never waits for one, so that it can keep its leases meanwhile, and whoever
/// runs never waits for a journal as long as there is something to run.
#pragma once

#include "work/journal.hpp"
#include "work/study.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace dibs::work {

/// A run that was taken, and what it is part of.
struct run_order {
  taken_run run;
  std::shared_ptr<const study> of;
};

/// A run that could not begin, since its scenario or data are not to be read here.
struct refused_run {
  taken_run run;
  error why;
};

/// Points as they were read, each once; the last few are kept. May be asked by several threads.
class point_cache {
 public:
  explicit point_cache(std::size_t most) : most_(most) {}

  /// Errors: as `load`.
  [[nodiscard]] result<std::shared_ptr<const loaded_point>> of(const run_order& o);

 private:
  struct slot {
    std::mutex mutex;
    std::shared_ptr<const loaded_point> point;
  };

  std::size_t most_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<slot>> slots_;  ///< by the hashes of points
  std::deque<std::string> order_;                       ///< of their coming
};

class run_pool {
 public:
  run_pool(std::uint32_t threads, const std::atomic<bool>* stop);
  run_pool(const run_pool&) = delete;
  run_pool& operator=(const run_pool&) = delete;
  /// Waits for the runs that are under way.
  ~run_pool();

  void give(std::vector<run_order> orders);
  /// Forgets those that wait and have none of these tokens.
  void keep_only(const std::vector<std::int64_t>& tokens);

  /// Forgets those of a study that wait, and says which.
  [[nodiscard]] std::vector<taken_run> let_go(const std::string& study);

  /// What was finished since the last call. Waits for something, but no longer than this.
  [[nodiscard]] std::vector<finished_run> finished(std::chrono::milliseconds at_most);
  /// What was refused since the last call.
  [[nodiscard]] std::vector<refused_run> refused();

  /// Waiting and under way.
  [[nodiscard]] std::vector<taken_run> held() const;
  [[nodiscard]] std::size_t waiting() const;
  /// Whether there is nothing to run and nothing to fetch.
  [[nodiscard]] bool is_empty() const;
  /// How long a run takes, by what was run so far; 0 before the first.
  [[nodiscard]] double mean_run_s() const;
  [[nodiscard]] std::uint64_t events() const;

 private:
  void work();
  [[nodiscard]] std::optional<finished_run> run(const run_order& o);
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_->load(); }

  const std::atomic<bool>* stop_;
  point_cache points_;
  mutable std::mutex mutex_;
  std::condition_variable news_for_threads_;
  std::condition_variable news_for_owner_;
  bool is_over_ = false;
  std::deque<run_order> waiting_;
  std::vector<taken_run> under_way_;
  std::vector<finished_run> finished_;
  std::vector<refused_run> refused_;
  std::uint64_t runs_ = 0;
  double busy_s_ = 0;
  std::uint64_t events_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace dibs::work
