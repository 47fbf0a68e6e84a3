/// Reads a file of separated values, one record at a time, in bounded memory.
///
/// RFC 4180: fields may be quoted, quotes are doubled within quotes, lines end in LF or CRLF, and a
/// quoted field may hold separators and line ends. Empty lines are skipped. What parts the fields
/// is what the first record has most of: a comma, a semicolon, a tab or a vertical bar; or what a
/// line `sep=;` above it says. Of the first record blanks around a field are taken away: it names
/// the columns, and some pad the last one. The file may be compressed or no UTF-8 (`text_source`).
/// Knows nothing of what the fields mean.
#pragma once

#include "base/result.hpp"
#include "text/text_source.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::text {

class csv_reader {
 public:
  static constexpr std::size_t record_bytes_max = std::size_t{1} << 20;

  /// Errors: what is not a regular file, cannot be opened, or is larger than `bytes_max`.
  [[nodiscard]] static result<csv_reader> open(const std::filesystem::path& path,
                                               std::uint64_t bytes_max);

  /// Moves to the next record; false after the last one.
  [[nodiscard]] result<bool> next();

  /// The fields of the current record; they live until the next call of `next`.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }

  /// Whether there are so many of them. Empty ones beyond, as of commas at the end of the line, are
  /// taken away.
  [[nodiscard]] bool has_width(std::size_t width);

  /// The line on which the current record starts, from 1.
  [[nodiscard]] std::uint64_t line() const { return line_; }

  /// What parts the fields; a comma before the first record.
  [[nodiscard]] char separator() const { return separator_; }

  /// Of what was read so far.
  [[nodiscard]] text_encoding encoding() const { return source_.encoding(); }

  /// An error at the current record: `file:line: text`.
  [[nodiscard]] tl::unexpected<error> error_here(std::string_view text) const;
  /// An error of the file as a whole: `file: text`.
  [[nodiscard]] tl::unexpected<error> error_of_file(std::string_view text) const;

 private:
  struct record_end {
    std::size_t at = 0;    ///< just past the last byte of the record, without its line end
    std::size_t next = 0;  ///< where the next record starts
    bool has_quotes = false;
  };

  csv_reader(std::filesystem::path path, text_source source);

  [[nodiscard]] result<std::optional<record_end>> find_end();
  [[nodiscard]] std::optional<record_end> end_in_buffer(std::size_t from) const;
  [[nodiscard]] bool ends_within_quotes() const;
  [[nodiscard]] result<void> refill();
  void split_plain(std::string_view record);
  [[nodiscard]] bool split_quoted(std::size_t begin, std::size_t end);

  std::filesystem::path path_;
  text_source source_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what has not been handed out yet
  bool at_end_of_file_ = false;
  char separator_ = ',';
  bool is_first_ = true;  ///< the next record is, which names the columns
  bool knows_separator_ = false;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::vector<std::string_view> fields_;
};

}  // namespace dibs::text
