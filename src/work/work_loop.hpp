/// What every process does that works on studies: takes runs, has them run, hands in what they came
/// to, and keeps its leases meanwhile.
#pragma once

#include "base/stopwatch.hpp"
#include "work/journal.hpp"
#include "work/run_pool.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dibs::work {

inline constexpr double lease_standard_s = 30;

struct work_options {
  std::uint32_t jobs = 1;
  double lease_s = lease_standard_s;
  std::uint32_t batch = 0;  ///< runs taken at once; 0: what keeps all threads at work
  double reconsider_s = 5;  ///< where studies are by now that were refused is asked so often
  std::string build;        ///< hash of this program
  /// Of this one alone, as it is here and whatever the journal says of it; of any if there is none.
  std::shared_ptr<const study> own{};
  const std::atomic<bool>* stop = nullptr;
};

/// The journal must outlive it.
class work_loop {
 public:
  work_loop(journal& j, work_options how);

  /// One turn: takes what is needed, waits until something is finished or a moment has passed,
  /// hands it in, renews the leases. Returns what was handed in and is kept. What cannot begin here
  /// has broken off if the study is its own; else it is given back, and no more taken of that
  /// study. Errors: those of the journal; a result that differs from an earlier one (exit 5).
  [[nodiscard]] result<std::vector<finished_run>> turn();

  /// Whether nothing was to be had at the last turn, and nothing is under way.
  [[nodiscard]] bool is_idle() const;
  /// The studies that are left to others; and why, of all that ever were.
  [[nodiscard]] const std::vector<std::string>& refused_studies() const { return refused_; }
  [[nodiscard]] const std::vector<std::string>& refusals() const { return refusals_; }
  /// Others may have what is held.
  [[nodiscard]] result<void> give_back();

  [[nodiscard]] std::uint64_t events() const { return pool_.events(); }

 private:
  [[nodiscard]] result<void> take();
  /// Whether a study goes on from another folder than before; from now on it is read there.
  [[nodiscard]] result<bool> has_moved(const std::string& id);
  /// Refuses no more what has moved.
  [[nodiscard]] result<void> reconsider();
  [[nodiscard]] result<void> turn_away(std::vector<finished_run>& done);
  [[nodiscard]] result<void> renew();
  [[nodiscard]] result<std::vector<finished_run>> put(std::vector<finished_run> done);
  [[nodiscard]] std::size_t runs_ahead() const;
  [[nodiscard]] result<std::shared_ptr<const study>> study_of(const std::string& id);

  journal& journal_;
  work_options how_;
  std::string holder_;
  std::string own_id_;
  std::vector<std::string> refused_;   ///< studies
  std::vector<std::string> refusals_;  ///< why, of each
  std::map<std::string, std::shared_ptr<const study>> studies_;
  bool found_nothing_ = false;
  stopwatch since_take_;
  stopwatch since_reconsidered_;
  stopwatch since_renewal_;
  run_pool pool_;
};

}  // namespace dibs::work
