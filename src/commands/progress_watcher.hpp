/// Shows how far a run is while it runs, on standard error.
#pragma once

#include "base/stopwatch.hpp"
#include "engine/run.hpp"
#include "report/progress_line.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::commands {

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

/// How many of so many are done: a live line on a terminal, else one every 10 s.
class count_line {
 public:
  /// `what`: `runs`.
  count_line(bool quiet, std::size_t all, std::string_view what);
  count_line(const count_line&) = delete;
  count_line& operator=(const count_line&) = delete;
  /// Takes the live line away.
  ~count_line();

  /// `at`: the last of them; may be empty.
  void show(std::size_t done, const std::string& at = {});

 private:
  bool quiet_;
  bool live_;
  std::size_t all_;
  std::string_view what_;
  double next_;
  stopwatch watch_;
};

/// The same of a file of which nobody knows how many rows it has.
class row_line {
 public:
  row_line();
  row_line(const row_line&) = delete;
  row_line& operator=(const row_line&) = delete;
  /// Takes the live line away.
  ~row_line();

  void show(std::uint64_t rows, const std::string& of);

 private:
  bool live_;
  bool is_shown_ = false;
  double next_;
  stopwatch watch_;
};

}  // namespace dibs::commands
