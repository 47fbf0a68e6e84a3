/// A live run over several processes, from its host and from those that join it: the live engine
/// (engine/live_run.hpp), with a hub or a member in place of nobody else.
#pragma once

#include "engine/live_run.hpp"
#include "processes/hub.hpp"
#include "processes/member.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::processes {

struct host_result {
  engine::live_result live;  ///< `late` is that of the host's own nodes
  std::vector<process_account> accounts;
};

/// Waits until all have joined, and runs the scenario. Errors: those of `hub::open` and of
/// `engine::run_live`, a fault of the scenario that waits for something, or a process that went
/// away before the run began.
[[nodiscard]] result<host_result> run_as_host(const scenario::scenario& s,
                                              const engine::run_options& how,
                                              engine::live_options live,
                                              host_options host);

struct member_result {
  std::uint32_t process = 0;
  std::string scenario;  ///< its name
  sim_time reached{};
  std::uint64_t events = 0;
  std::uint64_t lost = 0;  ///< messages that found no way to the host
  runtime::lateness late;
  double speed = 1;
  bool is_ended_early = false;
};

/// Joins a run and takes part until it is over. `threads`: of CAF's scheduler. Errors: those of
/// `member::join`, and a host that went away.
[[nodiscard]] result<member_result> run_as_member(member_options o, std::uint32_t threads);

}  // namespace dibs::processes
