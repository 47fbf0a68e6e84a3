/// Shows how far a run is while it runs, on standard error.
#pragma once

#include "base/stopwatch.hpp"
#include "engine/run.hpp"
#include "report/progress_line.hpp"

#include <functional>
#include <optional>

namespace dibs::cli {

class watcher {
 public:
  watcher(bool quiet, std::uint32_t runs);
  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;
  /// Takes the live line away.
  ~watcher();

  /// Takes the live line away until there is something new to show.
  void clear();

  /// For `engine::run_options`; empty if nothing is to be shown. The watcher must outlive the run.
  [[nodiscard]] std::function<void(const engine::progress&)> callback();

 private:
  stopwatch watch_;
  std::optional<report::progress_line> line_;
};

}  // namespace dibs::cli
