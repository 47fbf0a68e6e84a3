/// A temporary file for compressed bytes, so that a long run takes little memory.
///
/// The file has no name: the system removes it when the process ends, whatever ends it. It lies in
/// `TMPDIR`, or else in `/var/tmp`, since `/tmp` is memory on many systems. It leaves a GiB of its
/// disk free, and half of the files that the process may open. Bytes for which it has no room stay
/// in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dibs {

/// A file descriptor, closed at the end; -1: none.
class unnamed_file {
 public:
  unnamed_file() = default;
  /// In this folder. Without one, or where it takes no files, or where half of those that the
  /// process may open are open, there is none.
  explicit unnamed_file(const std::string& folder);
  unnamed_file(const unnamed_file&) = delete;
  unnamed_file& operator=(const unnamed_file&) = delete;
  unnamed_file(unnamed_file&& other) noexcept;
  unnamed_file& operator=(unnamed_file&& other) noexcept;
  ~unnamed_file();

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

class spill {
 public:
  /// Where something lies.
  struct place {
    std::vector<std::byte> here;  ///< in memory; or else, if empty
    std::uint64_t at = 0;         ///< among all that goes to the file
    std::uint32_t size = 0;
  };

  /// Requires: not empty, less than 4 GiB.
  [[nodiscard]] place put(std::span<const std::byte> what);
  /// What was put there, until the next `put` or `get`. Throws `std::system_error` if the file
  /// cannot be read. One thread at a time.
  [[nodiscard]] std::span<const std::byte> get(const place& from) const;
  /// How long the file is.
  [[nodiscard]] std::uint64_t length() const { return written_; }

 private:
  /// Writes what is on its way, or gives up.
  void flush();
  [[nodiscard]] bool has_room();
  void read_from(std::uint64_t at, std::size_t size) const;

  unnamed_file file_;
  std::uint64_t written_ = 0;
  std::vector<std::byte> on_its_way_;  ///< behind what is written
  bool takes_more_ = true;
  mutable std::vector<std::byte> read_;  ///< in advance: neighbours are asked for one by one
  mutable std::uint64_t read_at_ = 0;
};

}  // namespace dibs
