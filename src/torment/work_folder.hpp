/// A folder in the machine's place for temporary files, in which servers and matchers write.
///
/// It is gone when this program is, however it ends: a guard, a shell of its own session, waits for
/// the end of this program and removes what is left.
#pragma once

#include "base/result.hpp"
#include "torment/sockets.hpp"

#include <sys/types.h>

#include <filesystem>
#include <utility>

namespace dibs::torment {

/// Not copied. Goes with what lies in it.
class work_folder {
 public:
  /// Errors: none can be made, or none can be guarded.
  [[nodiscard]] static result<work_folder> make();
  work_folder(work_folder&& other) noexcept;
  work_folder& operator=(work_folder&&) = delete;
  ~work_folder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit work_folder(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] bool begin_guard();

  std::filesystem::path path_;
  descriptor lifeline_;  ///< at whose end the guard wakes up: nobody else has it
  pid_t guard_ = -1;
};

}  // namespace dibs::torment
