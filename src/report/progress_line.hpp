/// How far a run is, for the person who waits: a live line on a terminal, a plain line every 10 s
/// elsewhere, nothing for a run that is over before either.
///
/// Never part of a result. May be called by one thread at a time only (the engine sees to that).
#pragma once

#include "engine/run.hpp"
#include "text/terminal.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace dibs::report {

struct progress_options {
  bool live = false;  ///< a terminal: one line that is drawn again and again
  text::terminal_style style;
  std::uint32_t runs = 1;
};

class progress_line {
 public:
  /// `elapsed` gives wall seconds since the start; `write` puts text on stderr.
  progress_line(progress_options what,
                std::function<double()> elapsed,
                std::function<void(std::string_view)> write);

  void update(const engine::progress& p);
  /// Takes the live line away.
  void finish();

 private:
  [[nodiscard]] std::string text(const engine::progress& p, double now) const;

  progress_options what_;
  std::function<double()> elapsed_;
  std::function<void(std::string_view)> write_;
  double next_;
  int drawn_ = 0;
};

}  // namespace dibs::report
