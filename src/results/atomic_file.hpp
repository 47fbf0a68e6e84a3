/// Files that appear whole or not at all.
///
/// A file is written as `NAME.partial-<pid>` beside its place, synced, renamed, and its folder
/// synced. Whoever finds NAME finds all of it; whoever finds a `.partial-` knows that its writer
/// was stopped. Nothing here overwrites: the place must be free. A failed write says which file,
/// why, and how many bytes were needed. Not safe for use by two threads at once.
#pragma once

#include "base/result.hpp"

#include <xxhash.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace dibs::results {

/// A path as messages show it.
[[nodiscard]] std::string listed(const std::filesystem::path& p);

/// A file that was written: what the manifest holds of it.
struct file_record {
  std::string name;
  std::uint64_t bytes = 0;
  std::string hash;  ///< XXH3, 128 bits, 32 hexadecimal digits

  friend bool operator==(const file_record&, const file_record&) = default;
};

class pending_file {
 public:
  /// Opens the partial file for `folder/name`.
  [[nodiscard]] static result<pending_file> open(const std::filesystem::path& folder,
                                                 const std::string& name);

  pending_file(pending_file&& other) noexcept;
  pending_file& operator=(pending_file&&) = delete;
  /// Deletes the partial file unless it was committed.
  ~pending_file();

  /// Never fails: an error is remembered, and what follows is still counted, so that the message
  /// can say how many bytes the file needs.
  void append(std::string_view text);

  [[nodiscard]] bool failed() const { return error_number_ != 0; }

  /// Makes the file appear. Call it once, last.
  [[nodiscard]] result<file_record> commit();

 private:
  struct hash_state_deleter {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  pending_file(std::filesystem::path folder, std::string name, int fd);
  void flush();
  [[nodiscard]] error why() const;

  std::filesystem::path folder_;
  std::string name_;
  std::filesystem::path partial_;
  int fd_ = -1;
  int error_number_ = 0;
  std::uint64_t bytes_ = 0;
  std::string buffer_;
  std::unique_ptr<XXH3_state_t, hash_state_deleter> hash_;
};

/// The whole of a small file at once.
[[nodiscard]] result<file_record> write_file(const std::filesystem::path& folder,
                                             const std::string& name,
                                             std::string_view text);

/// The same bytes as `folder/name`. Errors: the file cannot be read, or the copy not be written.
[[nodiscard]] result<file_record> copy_file(const std::filesystem::path& file,
                                            const std::filesystem::path& folder,
                                            const std::string& name);

/// Size and hash of a file as it is. Errors: it cannot be read.
[[nodiscard]] result<file_record> record_of(const std::filesystem::path& file);

/// All of a small file. Errors: it cannot be read, or is larger than `bytes_max`.
[[nodiscard]] result<std::string> read_whole(const std::filesystem::path& file,
                                             std::uint64_t bytes_max = 1U << 28);

[[nodiscard]] std::string hash_of(std::string_view text);

}  // namespace dibs::results
