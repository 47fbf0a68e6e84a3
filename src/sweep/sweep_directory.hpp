/// The directory of one sweep: made new, never overwritten, gone on with only when asked to.
///
/// One process at a time works in it: a lock tells it from one that was stopped. It holds
/// `sweep.sqlite` from the start, and `points.csv` and `summary.csv` once every run is done;
/// `summary.csv` comes last, so a directory that has it is whole.
#pragma once

#include "base/result.hpp"
#include "results/atomic_file.hpp"

#include <filesystem>
#include <string_view>

namespace dibs::sweep {

inline constexpr const char* points_name = "points.csv";
inline constexpr const char* summary_name = "summary.csv";

class sweep_directory {
 public:
  /// Exactly this one. Without `resume` it must not be there; with it, it is gone on with if it is
  /// there, and made otherwise: a sweep can be killed before it has made anything. Errors: it is
  /// there already (exit 2), is no sweep's (exit 3), or cannot be made or locked (exit 1).
  [[nodiscard]] static result<sweep_directory> open(const std::filesystem::path& path, bool resume);

  /// `parent/name`, or `parent/name-2` and so on if that is taken; to resume, the last of these.
  [[nodiscard]] static result<sweep_directory> open_numbered(const std::filesystem::path& parent,
                                                             std::string_view name,
                                                             bool resume);

  sweep_directory(sweep_directory&& other) noexcept;
  sweep_directory& operator=(sweep_directory&&) = delete;
  /// Gives the lock up.
  ~sweep_directory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path journal() const;

  /// Takes away what there is of the tables: the journal has all of it.
  void remove_tables() const;
  /// Opens one of the tables; it appears when it is committed.
  [[nodiscard]] result<results::pending_file> table(const char* name) const;

 private:
  explicit sweep_directory(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] result<void> lock();
  [[nodiscard]] result<void> check_content() const;
  void remove_partial_files() const;

  std::filesystem::path path_;
  int lock_fd_ = -1;
};

}  // namespace dibs::sweep
