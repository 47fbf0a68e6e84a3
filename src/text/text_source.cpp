#include "text/text_source.hpp"

#include "base/regular_file.hpp"
#include "text/utf8.hpp"

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

tl::unexpected<error> unreadable(std::string text) {
  return failure(exit_code::invalid_input, std::move(text));
}

}  // namespace

struct text_source::state {
  struct close_gzip {
    void operator()(gzFile of) const { gzclose_r(of); }
  };
  using gzip_file = std::unique_ptr<std::remove_pointer_t<gzFile>, close_gzip>;

  struct close_converter {
    void operator()(iconv_t of) const { iconv_close(of); }
  };
  using converter = std::unique_ptr<std::remove_pointer_t<iconv_t>, close_converter>;

  gzip_file file;
  std::uint64_t left = 0;  ///< bytes that may still come
  std::uint64_t bytes_max = 0;
  bool has_begun = false;
  converter to_utf8{};  ///< where the file is no UTF-8
  text_encoding encoding = text_encoding::utf8;
  bool knows_encoding = false;
  std::string raw{};  ///< read, and not handed on: half a character of UTF-16

  /// Up to a chunk more in `raw`; false at the end of the file.
  result<bool> read_more();
  result<void> convert(std::string& text, bool is_end);
  result<void> look_at_beginning();
  void look_at_high_bytes();
  void convert_from(const char* name, text_encoding which);
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

void text_source::state::convert_from(const char* name, text_encoding which) {
  to_utf8.reset(iconv_open("UTF-8", name));
  encoding = which;
  knows_encoding = true;
}

/// A byte order mark, or what other files than text begin with.
result<void> text_source::state::look_at_beginning() {
  const std::string_view begins = raw;
  if (begins.starts_with("\xef\xbb\xbf")) {
    raw.erase(0, 3);
    knows_encoding = true;
  } else if (begins.starts_with("\xff\xfe")) {
    convert_from("UTF-16LE", text_encoding::utf16);
    raw.erase(0, 2);
  } else if (begins.starts_with("\xfe\xff")) {
    convert_from("UTF-16BE", text_encoding::utf16);
    raw.erase(0, 2);
  }
  constexpr std::array<std::pair<std::string_view, const char*>, 10> others{{
      {"PK\x03\x04", "is a ZIP archive (perhaps .xlsx): save it as CSV"},
      {"\xd0\xcf\x11\xe0", "is a workbook (.xls): save it as CSV"},
      {"PAR1", "is a Parquet file: write it as CSV"},
      {"ARROW1", "is an Arrow file: write it as CSV"},
      {"SQLite format 3", "is an SQLite database: write its table as CSV"},
      {"\x28\xb5\x2f\xfd", "is compressed with zstd: unpack it, or use gzip"},
      {"BZh91AY&SY", "is compressed with bzip2: unpack it, or use gzip"},
      {"\xfd\x37zXZ", "is compressed with xz: unpack it, or use gzip"},
      {"\x89PNG", "is a picture (PNG), no text"},
      {"%PDF", "is a PDF document, no text"},
  }};
  for (const auto& [mark, what] : others) {
    if (begins.starts_with(mark)) {
      return unreadable(what);
    }
  }
  return {};
}

void text_source::state::look_at_high_bytes() {
  const auto is_high = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  constexpr std::size_t longest = 4;
  std::size_t utf8 = 0;
  std::size_t others = 0;
  std::size_t pairs = 0;
  auto next = std::ranges::find_if(raw, is_high);
  while (next != raw.end()) {
    const auto at = static_cast<std::size_t>(next - raw.begin());
    const utf8_character c = character_at(raw, at);
    const bool is_paired = !c.valid && at + 1 < raw.size() && is_high(raw[at + 1]);
    // The last may go on in the next piece.
    utf8 += c.valid ? 1U : 0U;
    others += !c.valid && at + longest <= raw.size() ? 1U : 0U;
    pairs += is_paired ? 1U : 0U;
    next = std::find_if(
        next + static_cast<std::ptrdiff_t>(is_paired ? 2 : c.bytes), raw.end(), is_high);
  }
  knows_encoding = utf8 + others > 0;
  if (others > utf8) {
    convert_from("WINDOWS-1252",
                 2 * pairs > others ? text_encoding::two_bytes : text_encoding::windows_1252);
  }
}

result<void> text_source::state::convert(std::string& text, bool is_end) {
  std::array<char, 4096> out{};
  char* in = raw.data();
  std::size_t in_left = raw.size();
  while (in_left > 0) {
    char* to = out.data();
    std::size_t room = out.size();
    const std::size_t done = iconv(to_utf8.get(), &in, &in_left, &to, &room);
    text.append(out.data(), static_cast<std::size_t>(to - out.data()));
    if (done != static_cast<std::size_t>(-1) || errno == E2BIG) {
      continue;
    }
    if (errno == EINVAL && !is_end) {
      break;  // half a character, whose rest is still to come
    }
    if (errno == EILSEQ && encoding != text_encoding::utf16) {
      text += "\xef\xbf\xbd";  // a byte that stands for nothing
      ++in;
      --in_left;
      continue;
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
  state::gzip_file file(gzopen(path.c_str(), "rb"));
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
    if (const auto is_text = state_->look_at_beginning(); !is_text) {
      return tl::unexpected<error>(is_text.error());
    }
  }
  if (!state_->knows_encoding) {
    state_->look_at_high_bytes();
  }
  if (state_->to_utf8) {
    if (const auto done = state_->convert(text, !*more); !done) {
      return tl::unexpected<error>(done.error());
    }
  } else {
    text += state_->raw;
    state_->raw.clear();
  }
  return *more;
}

text_encoding text_source::encoding() const { return state_->encoding; }

}  // namespace dibs::text
