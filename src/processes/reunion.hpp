/// A connection in the making, on a thread of its own: nobody knows how long CAF waits for one.
#pragma once

#include "base/result.hpp"
#include "processes/link.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace dibs::processes {

class reunion {
 public:
  [[nodiscard]] static std::shared_ptr<reunion> begin(const meeting_place& where);
  /// What came of it, once; nothing as long as it lasts.
  [[nodiscard]] std::optional<result<std::unique_ptr<link>>> outcome();

 private:
  std::mutex guard_;
  std::optional<result<std::unique_ptr<link>>> made_;
};

}  // namespace dibs::processes
