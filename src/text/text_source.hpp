/// The text of a file as UTF-8, in pieces, whichever of the usual ways it is kept: plain,
/// compressed with gzip, UTF-16 with a byte order mark, or Windows-1252, which holds Latin-1. The
/// mark itself is left out. What is no text, as an archive, is refused by its first bytes.
///
/// Text is Windows-1252 if, where bytes beyond ASCII first come, most of them are no UTF-8. A few
/// such bytes among UTF-8 are handed on as they are.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace dibs::text {

/// `two_bytes`: as Korean, Chinese and Japanese text has characters of two bytes. It is read as
/// Windows-1252 too: numbers and times are right, names are not.
enum class text_encoding : std::uint8_t { utf8, utf16, windows_1252, two_bytes };

class text_source {
 public:
  /// Errors: what is not a regular file, cannot be opened, or is larger than `bytes_max`, which
  /// also bounds what a compressed file may become.
  [[nodiscard]] static result<text_source> open(const std::filesystem::path& path,
                                                std::uint64_t bytes_max);

  text_source(text_source&&) noexcept;
  text_source& operator=(text_source&&) noexcept;
  text_source(const text_source&) = delete;
  text_source& operator=(const text_source&) = delete;
  ~text_source();

  /// Appends more of the text; false where it ends. Errors, without the file's name: reading fails,
  /// the compressed data are damaged or become too large, it is no text, or no UTF-16 where the
  /// mark says so.
  [[nodiscard]] result<bool> append_to(std::string& text);

  /// Of what was read so far.
  [[nodiscard]] text_encoding encoding() const;

 private:
  struct state;
  explicit text_source(std::unique_ptr<state> s);

  std::unique_ptr<state> state_;
};

}  // namespace dibs::text
