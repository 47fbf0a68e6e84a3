#include "text/csv_reader.hpp"

#include "base/regular_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace dibs::text {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::ptrdiff_t quotes_in(std::string_view text) {
  // Most lines have none, and finding none is much faster than counting to 0.
  return text.find('"') == std::string_view::npos ? 0 : std::count(text.begin(), text.end(), '"');
}

}  // namespace

result<csv_reader> csv_reader::open(const std::filesystem::path& path, std::uint64_t bytes_max) {
  const auto refuse = [&path](std::string_view text) {
    return failure(exit_code::invalid_input, fmt::format("{}: {}", path.string(), text));
  };
  std::error_code status;
  if (!std::filesystem::exists(path, status)) {
    return refuse("no such file");
  }
  if (const auto no = objection_to_file(path)) {
    return refuse(*no);
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, status);
  if (status) {
    return refuse(status.message());
  }
  if (bytes > bytes_max) {
    return refuse(fmt::format("has {} bytes; at most {} are read", bytes, bytes_max));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return refuse("cannot be opened for reading");
  }
  return csv_reader(path, std::move(file));
}

csv_reader::csv_reader(std::filesystem::path path, std::ifstream file)
    : path_(std::move(path)), file_(std::move(file)) {}

tl::unexpected<error> csv_reader::error_here(std::string_view text) const {
  return failure(exit_code::invalid_input, fmt::format("{}:{}: {}", path_.string(), line_, text));
}

result<bool> csv_reader::next() {
  for (;;) {
    line_ = next_line_;
    const result<std::optional<record_end>> found = find_end();
    if (!found) {
      return tl::unexpected<error>(found.error());
    }
    if (!*found) {
      fields_.clear();
      return false;
    }
    const record_end end = **found;
    const std::size_t begin = std::exchange(begin_, end.next);
    // Quoted fields may span lines.
    next_line_ += !end.has_quotes ? 1U
                                  : static_cast<std::uint64_t>(std::count(
                                        buffer_.data() + begin, buffer_.data() + end.next, '\n'));
    if (end.at == begin) {
      continue;
    }
    if (!end.has_quotes) {
      split_plain(std::string_view(buffer_).substr(begin, end.at - begin));
    } else if (!split_quoted(begin, end.at)) {
      return error_here("a quote within a field (quote the whole field and double its quotes)");
    }
    return true;
  }
}

result<std::optional<csv_reader::record_end>> csv_reader::find_end() {
  for (;;) {
    if (const auto end = end_in_buffer(begin_)) {
      return end;
    }
    if (at_end_of_file_) {
      if (begin_ == buffer_.size()) {
        return std::optional<record_end>();
      }
      if (ends_within_quotes()) {
        return error_here("a quoted field is never closed");
      }
      const std::string_view rest = std::string_view(buffer_).substr(begin_);
      const std::size_t at = rest.back() == '\r' ? buffer_.size() - 1 : buffer_.size();
      return record_end{at, buffer_.size(), rest.find('"') != std::string_view::npos};
    }
    if (buffer_.size() - begin_ > record_bytes_max) {
      return error_here(fmt::format("a record of more than {} bytes", record_bytes_max));
    }
    if (!refill()) {
      return error_here("reading failed");
    }
  }
}

std::optional<csv_reader::record_end> csv_reader::end_in_buffer(std::size_t from) const {
  const std::string_view text = buffer_;
  bool quoted = false;
  bool has_quotes = false;
  for (std::size_t start = from;;) {
    const std::size_t line_end = text.find('\n', start);
    if (line_end == std::string_view::npos) {
      return std::nullopt;
    }
    const auto quotes = quotes_in(text.substr(start, line_end - start));
    // A doubled quote closes and opens again, so an odd number of quotes leaves the field open.
    quoted = quoted != (quotes % 2 != 0);
    has_quotes = has_quotes || quotes != 0;
    if (!quoted) {
      const bool crlf = line_end > from && text[line_end - 1] == '\r';
      return record_end{crlf ? line_end - 1 : line_end, line_end + 1, has_quotes};
    }
    start = line_end + 1;
  }
}

bool csv_reader::ends_within_quotes() const {
  return quotes_in(std::string_view(buffer_).substr(begin_)) % 2 != 0;
}

bool csv_reader::refill() {
  const bool first = next_line_ == 1 && buffer_.empty();
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + chunk_bytes);
  file_.read(buffer_.data() + kept, static_cast<std::streamsize>(chunk_bytes));
  const auto got = static_cast<std::size_t>(file_.gcount());
  buffer_.resize(kept + got);
  at_end_of_file_ = got < chunk_bytes;
  if (first && buffer_.starts_with(byte_order_mark)) {
    begin_ = byte_order_mark.size();
  }
  return !file_.bad();
}

void csv_reader::split_plain(std::string_view record) {
  fields_.clear();
  for (;;) {
    const std::size_t comma = record.find(',');
    fields_.push_back(record.substr(0, comma));
    if (comma == std::string_view::npos) {
      return;
    }
    record.remove_prefix(comma + 1);
  }
}

bool csv_reader::split_quoted(std::size_t begin, std::size_t end) {
  fields_.clear();
  const std::string_view text = buffer_;
  std::size_t at = begin;
  for (;;) {
    const std::size_t start = at;
    if (at < end && buffer_[at] == '"') {
      // Unescaped where it stands: the plain text is never longer than the quoted one.
      std::size_t out = start;
      ++at;
      while (at < end && (buffer_[at] != '"' || (at + 1 < end && buffer_[at + 1] == '"'))) {
        at += std::size_t{buffer_[at] == '"'};  // of a doubled quote, the second
        buffer_[out++] = buffer_[at++];
      }
      ++at;  // the closing quote
      fields_.push_back(text.substr(start, out - start));
      if (at < end && buffer_[at] != ',') {
        return false;
      }
    } else {
      at = std::min(end, text.find(',', at));
      fields_.push_back(text.substr(start, at - start));
      if (fields_.back().find('"') != std::string_view::npos) {
        return false;
      }
    }
    if (at >= end) {
      return true;
    }
    ++at;  // the comma
  }
}

}  // namespace dibs::text
