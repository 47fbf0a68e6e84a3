#include "text/csv_reader.hpp"

#include "text/trimmed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace dibs::text {
namespace {

std::ptrdiff_t quotes_in(std::string_view text) {
  // Most lines have none, and finding none is much faster than counting to 0.
  return text.find('"') == std::string_view::npos ? 0 : std::count(text.begin(), text.end(), '"');
}

/// What this line has most of outside of quotes; a comma if it has none of them.
char separator_in(std::string_view line) {
  constexpr std::string_view candidates = ",;\t|";
  std::array<std::size_t, candidates.size()> found{};
  bool quoted = false;
  for (const char c : line) {
    quoted = quoted != (c == '"');
    if (const auto which = candidates.find(c); !quoted && which != std::string_view::npos) {
      ++found[which];
    }
  }
  return candidates[static_cast<std::size_t>(std::ranges::max_element(found) - found.begin())];
}

}  // namespace

result<csv_reader> csv_reader::open(const std::filesystem::path& path, std::uint64_t bytes_max) {
  auto source = text_source::open(path, bytes_max);
  return source ? result<csv_reader>(csv_reader(path, std::move(*source)))
                : tl::unexpected<error>(source.error());
}

csv_reader::csv_reader(std::filesystem::path path, text_source source)
    : path_(std::move(path)), source_(std::move(source)) {}

bool csv_reader::has_width(std::size_t width) {
  while (fields_.size() > width && fields_.back().empty()) {
    fields_.pop_back();
  }
  return fields_.size() == width;
}

tl::unexpected<error> csv_reader::error_here(std::string_view text) const {
  return failure(exit_code::invalid_input, fmt::format("{}:{}: {}", path_.string(), line_, text));
}

tl::unexpected<error> csv_reader::error_of_file(std::string_view text) const {
  return failure(exit_code::invalid_input, fmt::format("{}: {}", path_.string(), text));
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
    if (!std::exchange(knows_separator_, true)) {
      const std::string_view record = std::string_view(buffer_).substr(begin, end.at - begin);
      constexpr std::string_view says_it = "sep=";
      if (record.starts_with(says_it) && record.size() == says_it.size() + 1) {
        separator_ = record.back();  // as spreadsheets write it, above the names
        continue;
      }
      separator_ = separator_in(record);
    }
    if (!end.has_quotes) {
      split_plain(std::string_view(buffer_).substr(begin, end.at - begin));
    } else if (!split_quoted(begin, end.at)) {
      return error_here("a quote within a field (quote the whole field and double its quotes)");
    }
    if (std::exchange(is_first_, false)) {
      std::ranges::transform(fields_, fields_.begin(), trimmed);
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
    if (const auto more = refill(); !more) {
      return error_here(more.error().text);
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

result<void> csv_reader::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  return source_.append_to(buffer_).map([this](bool more) { at_end_of_file_ = !more; });
}

void csv_reader::split_plain(std::string_view record) {
  fields_.clear();
  for (;;) {
    const std::size_t parts_at = record.find(separator_);
    fields_.push_back(record.substr(0, parts_at));
    if (parts_at == std::string_view::npos) {
      return;
    }
    record.remove_prefix(parts_at + 1);
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
      if (at < end && buffer_[at] != separator_) {
        return false;
      }
    } else {
      at = std::min(end, text.find(separator_, at));
      fields_.push_back(text.substr(start, at - start));
      if (fields_.back().find('"') != std::string_view::npos) {
        return false;
      }
    }
    if (at >= end) {
      return true;
    }
    ++at;  // the separator
  }
}

}  // namespace dibs::text
