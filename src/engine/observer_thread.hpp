/// Runs the observers of a run on a second thread.
///
/// They see the same events in the same order as on the run's own thread, only later, so nobody may
/// ask them anything before `finish`. Facts are handed over in batches, since waking a thread costs
/// as much as reading dozens of facts. The run is never more than a few batches ahead: a slow
/// observer slows the run down, and memory does not grow.
#pragma once

#include "events/observer.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace dibs::engine {

class observer_thread final : public events::observer {
 public:
  /// The readers must outlive it. `replay_line`: for a programmer's error that one of them meets.
  observer_thread(std::vector<events::observer*> readers, std::string replay_line);
  ~observer_thread() override;

  /// Copies the batch, and waits only while the readers are far behind. Throws what a reader threw;
  /// nothing may be observed after that.
  void observe(std::span<const events::event> batch) override;

  /// Returns when everything was read. Throws as `observe`. Nothing may be observed after it.
  void finish();

 private:
  using stack = std::vector<events::event>;

  void hand_over(bool is_last);
  void read_all(std::string replay_line);
  [[nodiscard]] std::exception_ptr read(const stack& facts);

  std::vector<events::observer*> readers_;
  std::array<stack, 4> stacks_;  ///< in turn
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t written_ = 0;  ///< stacks handed over
  std::uint64_t read_ = 0;     ///< stacks done with
  bool is_over_ = false;       ///< nothing comes after those handed over
  std::exception_ptr thrown_;  ///< by a reader, which ends the thread
  std::jthread thread_;
};

}  // namespace dibs::engine
