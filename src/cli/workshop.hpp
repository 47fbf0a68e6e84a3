/// Runs of a search or a map, with their progress on standard error.
#pragma once

#include "cli/watch.hpp"
#include "study/tune.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dibs::cli {

struct workshop_options {
  std::uint32_t jobs = 1;
  bool quiet = false;
};

class workshop {
 public:
  /// All must outlive it.
  workshop(study::space& where, const std::string& program, workshop_options how)
      : space_(where), program_(program), how_(how) {}

  [[nodiscard]] study::experiment experiment(const std::vector<std::string>& metrics);

  /// What is about to be done, on a terminal.
  void say(const std::string& what);
  /// Takes the progress line away.
  void clear() { watcher_.reset(); }

 private:
  study::space& space_;
  const std::string& program_;
  workshop_options how_;
  study::stock stock_;
  std::unique_ptr<watcher> watcher_;
};

/// Says what is wrong with a scenario or a grid, and returns the exit code.
[[nodiscard]] int refuse(const study::planning_error& problem);

/// Errors: so many runs at a time would not fit into memory.
[[nodiscard]] result<void> check_room(const study::plan& p, std::uint32_t jobs);

}  // namespace dibs::cli
