/// The directory of one run: made new, never overwritten, complete once `manifest.json` is there.
///
/// Making the directory is what claims it: of two processes, one makes it and the other is told. A
/// lock file inside tells a run that is being written from one that was stopped. Unless sealed, the
/// directory and what was put in it are removed again, so a full disk is not left fuller; a killed
/// process leaves it, without a manifest.
#pragma once

#include "base/result.hpp"
#include "results/atomic_file.hpp"
#include "results/manifest.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::results {

class run_directory {
 public:
  /// `parent/name`, or `parent/name-2` and so on if that is taken. The name may be anything: what
  /// does not belong in a file name is replaced.
  [[nodiscard]] static result<run_directory> make_numbered(const std::filesystem::path& parent,
                                                           std::string_view name);

  /// Exactly this one. Errors: it is there already, or cannot be made.
  [[nodiscard]] static result<run_directory> make(const std::filesystem::path& path);

  run_directory(run_directory&& other) noexcept;
  run_directory& operator=(run_directory&&) = delete;
  ~run_directory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file and remembers it for the manifest.
  [[nodiscard]] result<void> write(const std::string& name, std::string_view text);
  /// The same for a file that was written piece by piece.
  [[nodiscard]] result<void> commit(pending_file file);

  /// Writes the manifest, with the files so far, and gives the lock up: the directory is final.
  [[nodiscard]] result<void> seal(manifest m);

 private:
  explicit run_directory(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] result<void> lock();
  void remove();

  std::filesystem::path path_;
  std::vector<file_record> files_;
  int lock_fd_ = -1;
};

/// Why a directory has no manifest: it is being written, or its writer was stopped.
[[nodiscard]] std::string unfinished_reason(const std::filesystem::path& directory);

/// A name as a folder may have it: letters, digits, `.`, `_`, `-`; at most 100 of them.
[[nodiscard]] std::string folder_name(std::string_view name);

}  // namespace dibs::results
