/// Where the matcher processes of a run wait for each other: each says that it is connected, and
/// the run begins when all have.
///
/// By files in the run's folder, so that a process that was killed finds the time there when it is
/// started again.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace dibs::torment {

class start_barrier {
 public:
  explicit start_barrier(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// This process is connected.
  void arrive(std::uint32_t process) const;
  [[nodiscard]] bool has_arrived(std::uint32_t process) const;
  /// From now on all know when the run begins, as `machine_time` has it.
  void open(sim_duration begins) const;
  /// Nothing: it is not open.
  [[nodiscard]] std::optional<sim_duration> begins() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace dibs::torment
