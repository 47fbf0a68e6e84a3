#include "text/text_source.hpp"

#include "base/regular_file.hpp"

#include <fmt/format.h>

#include <iconv.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace dibs::text {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

struct close_gzip {
  void operator()(gzFile file) const { gzclose_r(file); }
};
using gzip_file = std::unique_ptr<std::remove_pointer_t<gzFile>, close_gzip>;

struct close_converter {
  void operator()(iconv_t of) const { iconv_close(of); }
};
using converter = std::unique_ptr<std::remove_pointer_t<iconv_t>, close_converter>;

tl::unexpected<error> unreadable(std::string text) {
  return failure(exit_code::invalid_input, std::move(text));
}

}  // namespace

struct text_source::state {
  gzip_file file;
  std::uint64_t left = 0;  ///< bytes that may still come
  std::uint64_t bytes_max = 0;
  bool has_begun = false;
  converter from_utf16{};  ///< where the file is UTF-16
  std::string raw{};       ///< read, and not handed on: half a character of UTF-16

  /// Up to a chunk more in `raw`; false at the end of the file.
  result<bool> read_more();
  result<void> convert(std::string& text, bool is_end);
  void look_at_mark();
};

result<bool> text_source::state::read_more() {
  const std::size_t kept = raw.size();
  raw.resize(kept + chunk_bytes);
  const int got = gzread(file.get(), raw.data() + kept, unsigned{chunk_bytes});
  raw.resize(kept + static_cast<std::size_t>(std::max(got, 0)));
  int code = Z_OK;
  const std::string_view why = gzerror(file.get(), &code);
  if (got < 0 || code == Z_BUF_ERROR) {
    return unreadable(code == Z_ERRNO ? "reading failed"
                                      : fmt::format("damaged gzip data ({})", why));
  }
  if (static_cast<std::uint64_t>(got) > left) {
    return unreadable(fmt::format("has more than {} bytes when it is unpacked", bytes_max));
  }
  left -= static_cast<std::uint64_t>(got);
  return got > 0;
}

void text_source::state::look_at_mark() {
  const std::string_view begins = raw;
  if (begins.starts_with("\xef\xbb\xbf")) {
    raw.erase(0, 3);
  } else if (begins.starts_with("\xff\xfe")) {
    from_utf16.reset(iconv_open("UTF-8", "UTF-16LE"));
    raw.erase(0, 2);
  } else if (begins.starts_with("\xfe\xff")) {
    from_utf16.reset(iconv_open("UTF-8", "UTF-16BE"));
    raw.erase(0, 2);
  }
}

result<void> text_source::state::convert(std::string& text, bool is_end) {
  std::array<char, 4096> out{};
  char* in = raw.data();
  std::size_t in_left = raw.size();
  while (in_left > 0) {
    char* to = out.data();
    std::size_t room = out.size();
    const std::size_t done = iconv(from_utf16.get(), &in, &in_left, &to, &room);
    text.append(out.data(), static_cast<std::size_t>(to - out.data()));
    if (done != static_cast<std::size_t>(-1) || errno == E2BIG) {
      continue;
    }
    if (errno == EINVAL && !is_end) {
      break;  // half a character, whose rest is still to come
    }
    return unreadable("is no UTF-16, though its first two bytes say so");
  }
  raw.erase(0, raw.size() - in_left);
  return {};
}

result<text_source> text_source::open(const std::filesystem::path& path, std::uint64_t bytes_max) {
  const auto refuse = [&path](std::string_view text) {
    return unreadable(fmt::format("{}: {}", path.string(), text));
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
  gzip_file file(gzopen(path.c_str(), "rb"));
  if (!file) {
    return refuse("cannot be opened for reading");
  }
  gzbuffer(file.get(), unsigned{chunk_bytes});
  return text_source(std::make_unique<state>(
      state{.file = std::move(file), .left = bytes_max, .bytes_max = bytes_max}));
}

text_source::text_source(std::unique_ptr<state> s) : state_(std::move(s)) {}
text_source::text_source(text_source&&) noexcept = default;
text_source& text_source::operator=(text_source&&) noexcept = default;
text_source::~text_source() = default;

result<bool> text_source::append_to(std::string& text) {
  const auto more = state_->read_more();
  if (!more) {
    return more;
  }
  if (!std::exchange(state_->has_begun, true)) {
    state_->look_at_mark();
  }
  if (state_->from_utf16) {
    if (const auto done = state_->convert(text, !*more); !done) {
      return tl::unexpected<error>(done.error());
    }
  } else {
    text += state_->raw;
    state_->raw.clear();
  }
  return *more;
}

}  // namespace dibs::text
