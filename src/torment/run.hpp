/// One run of a case on real servers: matchers as processes, faults at their times, one history of
/// all, and its judgement.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "events/facts.hpp"
#include "torment/cases.hpp"
#include "torment/faults.hpp"
#include "torment/run_stores.hpp"
#include "torment/work_folder.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dibs::torment {

struct real_run {
  std::uint64_t seed = 0;
  std::vector<events::event> events;  ///< in the order of true time
  sim_time end{};
  std::vector<real_fault> faults;
  checkers::check_result checks;
  std::uint64_t grants = 0;
  std::uint64_t trips = 0;
  std::uint64_t refused_writes = 0;
  double wall_s = 0;
};

/// One case, whose servers serve all its runs, each in a space of its own.
class case_runner {
 public:
  struct options {
    const real_case* what = nullptr;
    sim_duration length{5s};
    std::string program;                      ///< that has the command `matcher`
    const std::atomic<bool>* stop = nullptr;  ///< set to break off
  };

  /// Errors (exit code 6): a package is missing, or a server does not start.
  [[nodiscard]] static result<case_runner> make(const options& how);

  /// Errors: a server or a matcher failed that nobody had struck, or it was stopped (exit code
  /// 130).
  [[nodiscard]] result<real_run> run(std::uint64_t seed);

 private:
  case_runner(options how, work_folder folder, case_servers servers)
      : how_(std::move(how)), folder_(std::move(folder)), servers_(std::move(servers)) {}

  options how_;
  work_folder folder_;
  case_servers servers_;
  std::uint32_t runs_ = 0;
};

}  // namespace dibs::torment
