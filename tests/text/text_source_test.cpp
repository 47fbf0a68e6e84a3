#include "text/text_source.hpp"

#include "catch.hpp"
#include "world/temporary_file.hpp"

#include <zlib.h>

#include <string>

namespace {

using namespace dibs;
using namespace dibs::text;

struct reading {
  std::string text;
  std::string error;
};

reading read_all(std::string_view content, std::uint64_t bytes_max = 1 << 30) {
  const test::temporary_file file(content);
  auto source = text_source::open(file.path(), bytes_max);
  REQUIRE(source.has_value());
  reading all;
  for (;;) {
    const auto more = source->append_to(all.text);
    if (!more) {
      all.error = more.error().text;
      return all;
    }
    if (!*more) {
      return all;
    }
  }
}

std::string compressed(const std::string& text) {
  const test::temporary_file file("");
  gzFile out = gzopen(file.path().c_str(), "wb9");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// ASCII and, for `~`, a character of four bytes.
std::string in_utf16(std::string_view text, bool big_endian) {
  std::string out;
  const auto add = [&](unsigned unit) {
    const char low = static_cast<char>(unit & 0xffU);
    const char high = static_cast<char>(unit >> 8U);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  add(0xfeff);
  for (const char c : text) {
    if (c == '~') {
      add(0xd83d);
      add(0xde95);
    } else {
      add(static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) {
    text += std::to_string(i) + "\n";
  }
  return text;
}

TEST_CASE("text source: plain text comes as it is, without its byte order mark") {
  CHECK(read_all("a,b\n").text == "a,b\n");
  CHECK(read_all("\xef\xbb\xbf"
                 "a,b\n")
            .text == "a,b\n");
  CHECK(read_all("").text.empty());
  CHECK(read_all(long_text()).text == long_text());
}

TEST_CASE("text source: gzip is unpacked") {
  CHECK(read_all(compressed("a,b\n1,2\n")).text == "a,b\n1,2\n");
  CHECK(read_all(compressed(long_text())).text == long_text());
  CHECK(read_all(compressed(in_utf16("a,b", false))).text == "a,b");
}

TEST_CASE("text source: damaged gzip is an error") {
  std::string cut = compressed(long_text());
  cut.resize(cut.size() / 2);
  CHECK(read_all(cut).error.starts_with("damaged gzip data"));
  std::string wrong = compressed(long_text());
  wrong[wrong.size() / 2] = static_cast<char>(~wrong[wrong.size() / 2]);
  CHECK(read_all(wrong).error.starts_with("damaged gzip data"));
}

TEST_CASE("text source: what becomes too large when it is unpacked is refused") {
  const std::string bomb = compressed(std::string(50'000'000, '0'));
  REQUIRE(bomb.size() < 1'000'000);
  const reading all = read_all(bomb, 1'000'000);
  CHECK(all.error == "has more than 1000000 bytes when it is unpacked");
  CHECK(all.text.size() <= 1'000'000);
}

TEST_CASE("text source: UTF-16 becomes UTF-8") {
  const std::string taxi = "\xf0\x9f\x9a\x95";
  CHECK(read_all(in_utf16("a,b~\n", false)).text == "a,b" + taxi + "\n");
  CHECK(read_all(in_utf16("a,b~\n", true)).text == "a,b" + taxi + "\n");
  // A chunk may end within a character.
  const std::string many(300'001, '~');
  const std::string text = read_all(in_utf16("x" + many, false)).text;
  CHECK(text.size() == 1 + 4 * many.size());
  CHECK(text.ends_with(taxi));
}

TEST_CASE("text source: what only looks like UTF-16 is an error") {
  CHECK(read_all("\xff\xfe"
                 "a")
            .error == "is no UTF-16, though its first two bytes say so");
  CHECK(read_all(std::string("\xff\xfe\x00\xd8\x41\x00", 6)).error ==
        "is no UTF-16, though its first two bytes say so");
}

TEST_CASE("text source: Windows-1252 becomes UTF-8, and UTF-8 stays") {
  CHECK(read_all("L\xe4nge \x80\n").text == "L\xc3\xa4nge \xe2\x82\xac\n");
  CHECK(read_all("L\xc3\xa4nge\n").text == "L\xc3\xa4nge\n");
  // One that is nothing there, and one wrong byte among others.
  CHECK(read_all("\xe4\xe4\x81 abc\n").text == "\xc3\xa4\xc3\xa4\xef\xbf\xbd abc\n");
  CHECK(read_all("\xc3\xa4\xc3\xa4 \xe4 abc\n").text == "\xc3\xa4\xc3\xa4 \xe4 abc\n");
  // The first high byte may come late, and a character may be parted by the end of a chunk.
  CHECK(read_all(long_text() + "L\xe4nge\n").text == long_text() + "L\xc3\xa4nge\n");
  std::string many;
  for (int i = 0; i < 200'001; ++i) {
    many += "\xc3\xa4";
  }
  CHECK(read_all("x" + many).text == "x" + many);
}

TEST_CASE("text source: what is no text is named by its first bytes") {
  CHECK(read_all("PK\x03\x04....").error == "is a ZIP archive (perhaps .xlsx): save it as CSV");
  CHECK(read_all("PAR1....").error == "is a Parquet file: write it as CSV");
  CHECK(read_all("\xfd\x37zXZ").error == "is compressed with xz: unpack it, or use gzip");
  CHECK(read_all("PK,a\n").error.empty());
}

}  // namespace
