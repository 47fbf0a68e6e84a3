/// The view of `--watch` on standard error: drawn again and again on a terminal whose cursor can be
/// moved, elsewhere a plain line for each tenth of the run.
#pragma once

#include "base/stopwatch.hpp"
#include "engine/run.hpp"
#include "report/live_status.hpp"
#include "text/terminal.hpp"

#include <functional>

namespace dibs::commands {

class live_view {
 public:
  explicit live_view(const scenario::scenario& s);
  live_view(const live_view&) = delete;
  live_view& operator=(const live_view&) = delete;
  /// Takes the view away.
  ~live_view();

  /// For `engine::run_options`. The view must outlive the run.
  [[nodiscard]] events::observer* observer() { return &live_; }
  [[nodiscard]] std::function<void(const engine::progress&)> callback();

 private:
  void draw(sim_time reached);
  void say(sim_time reached);
  [[nodiscard]] int width() const;

  report::live_status live_;
  sim_time ends_;
  text::terminal_style style_;
  stopwatch watch_;
  double drawn_at_ = -1;
  int tenths_ = 0;
  std::size_t drawn_ = 0;  ///< lines on the screen
};

}  // namespace dibs::commands
