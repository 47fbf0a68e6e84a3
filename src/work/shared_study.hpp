/// The deciding process of a study: says which runs it wants, works on them as every worker does,
/// and gets what they came to from the journal, whoever ran them.
///
/// It keeps nothing that the journal does not have. So it may end at any instant; whoever begins
/// the same study anew, here or elsewhere, finds what is there and goes on.
#pragma once

#include "work/journal.hpp"
#include "work/outcome.hpp"
#include "work/work_loop.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dibs::work {

struct decider_options {
  std::uint32_t jobs = 1;
  double lease_s = lease_standard_s;
  bool works = true;  ///< runs some of it itself
  const std::atomic<bool>* stop = nullptr;
};

/// Gets what a run came to, by its place among those that were wanted; false: no more are wanted.
using taker = std::function<result<bool>(std::size_t, const outcome&)>;
/// How many runs are done, and how many events those of this process had.
using counter = std::function<void(std::size_t done, std::uint64_t events)>;

/// Whether all were run and handed over.
enum class run_ending : std::uint8_t { whole, enough, stopped };

class shared_study {
 public:
  /// Makes the study known. Both must outlive it. Errors: those of the journal.
  [[nodiscard]] static result<std::unique_ptr<shared_study>> open(journal& j,
                                                                  study what,
                                                                  decider_options how);

  /// Returns once all runs were handed over, each once, in any order; or no more are wanted, or it
  /// was stopped: then the journal wants none either that was not run. Errors: a run that broke
  /// off, once the others are done; two results of one run that differ (exit 5); those of the
  /// journal and of `take`.
  [[nodiscard]] result<run_ending> run(std::span<const point> points,
                                       std::span<const wanted_run> runs,
                                       const taker& take,
                                       const counter& count);

  [[nodiscard]] const study& what() const { return study_; }

 private:
  class round;

  shared_study(journal& j, study what, decider_options how);

  journal& journal_;
  study study_;
  std::string id_;
  decider_options how_;
  work_loop worker_;
  stopwatch since_seen_;
  stopwatch since_agreed_;
  std::set<std::int64_t> asked_for_;  ///< runs, in this process
};

}  // namespace dibs::work
