/// The text of a file as UTF-8, in pieces, whichever of the usual ways it is kept: plain, compressed
/// with gzip, or UTF-16 with a byte order mark. The mark itself is left out.
///
/// Bytes that are neither are handed on as they are: it does not check that the text is UTF-8.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace dibs::text {

class text_source {
 public:
  /// Errors: what is not a regular file, cannot be opened, or is larger than `bytes_max`, which also
  /// bounds what a compressed file may become.
  [[nodiscard]] static result<text_source> open(const std::filesystem::path& path,
                                                std::uint64_t bytes_max);

  text_source(text_source&&) noexcept;
  text_source& operator=(text_source&&) noexcept;
  text_source(const text_source&) = delete;
  text_source& operator=(const text_source&) = delete;
  ~text_source();

  /// Appends more of the text; false where it ends. Errors, without the file's name: reading fails,
  /// the compressed data are damaged or become too large, or are no UTF-16 where the mark says so.
  [[nodiscard]] result<bool> append_to(std::string& text);

 private:
  struct state;
  explicit text_source(std::unique_ptr<state> s);

  std::unique_ptr<state> state_;
};

}  // namespace dibs::text
