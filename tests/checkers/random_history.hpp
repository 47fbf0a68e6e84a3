/// Random histories that keep every promise, from a few lines that know only the story of a lease:
/// each driver lives her own sequence of tries, and the sequences are merged by time.
#pragma once

#include "checkers/run_checker.hpp"
#include "events/facts.hpp"

#include <cstdint>
#include <vector>

namespace dibs::checkers::test {

struct story {
  std::vector<events::event> events;
  options what;
  sim_time end{};
};

/// Where the commit is, and who judges the lease before it.
enum class telling { manager_judges, holder_judges, commit_at_manager, without_leases };
inline constexpr int tellings = 4;

[[nodiscard]] story random_story(std::uint64_t seed, telling how);

}  // namespace dibs::checkers::test
