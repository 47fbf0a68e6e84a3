#include "text/csv_reader.hpp"

#include "catch.hpp"
#include "world/temporary_file.hpp"

#include <string>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::text;

using record = std::vector<std::string>;

constexpr std::uint64_t any_size = ~std::uint64_t{0};

struct reading {
  std::vector<record> records;
  std::vector<std::uint64_t> lines;
  std::string error;
};

reading read_all(std::string_view content) {
  const test::temporary_file file(content);
  reading all;
  auto csv = csv_reader::open(file.path(), any_size);
  REQUIRE(csv.has_value());
  for (;;) {
    const auto more = csv->next();
    if (!more) {
      all.error = more.error().text.substr(file.path().string().size());
      return all;
    }
    if (!*more) {
      return all;
    }
    all.records.emplace_back(csv->fields().begin(), csv->fields().end());
    all.lines.push_back(csv->line());
  }
}

TEST_CASE("csv: fields are parted by commas and records by line ends", "[csv]") {
  const std::vector<record> expected{{"a", "b"}, {"1", ""}, {"", "2"}};
  CHECK(read_all("a,b\n1,\n,2\n").records == expected);
  CHECK(read_all("a,b\r\n1,\r\n,2\r\n").records == expected);
  CHECK(read_all("a,b\n1,\n,2").records == expected);
  CHECK(read_all("\xef\xbb\xbf"
                 "a,b\n1,\n,2\n")
            .records == expected);
}

TEST_CASE("csv: quoted fields may hold commas, quotes and line ends", "[csv]") {
  const reading all = read_all("a,\"b, c\",\"say \"\"hi\"\"\"\r\n\"two\nlines\",\"\",x\n1,2,3\n");
  CHECK(all.records ==
        std::vector<record>{{"a", "b, c", "say \"hi\""}, {"two\nlines", "", "x"}, {"1", "2", "3"}});
  CHECK(all.lines == std::vector<std::uint64_t>{1, 2, 4});
}

TEST_CASE("csv: the first record says what parts the fields", "[csv]") {
  const std::vector<record> expected{{"a", "b,c"}, {"1", "2,5"}};
  CHECK(read_all("a;\"b,c\"\n1;2,5\n").records == expected);
  CHECK(read_all("a\t\"b,c\"\n1\t2,5\n").records == expected);
  CHECK(read_all("a|\"b,c\"\n1|2,5\n").records == expected);
  CHECK(read_all("a;b\n\"x;\"\"y\";2\n").records ==
        std::vector<record>{{"a", "b"}, {"x;\"y", "2"}});
  CHECK(read_all("alone\n1;2\n").records == std::vector<record>{{"alone"}, {"1;2"}});
}

TEST_CASE("csv: empty lines are skipped and counted", "[csv]") {
  const reading all = read_all("\na\n\r\n\nb\n\n");
  CHECK(all.records == std::vector<record>{{"a"}, {"b"}});
  CHECK(all.lines == std::vector<std::uint64_t>{2, 5});
  CHECK(read_all("").records.empty());
  CHECK(read_all("\n\n").records.empty());
}

TEST_CASE("csv: an error names the line", "[csv]") {
  CHECK(read_all("a\n\"b\nc\n").error == ":2: a quoted field is never closed");
  CHECK(read_all("a\nb\"c\"\n").error.starts_with(":2: a quote within a field"));
  CHECK(read_all("a\n\"b\"c\n").error.starts_with(":2: a quote within a field"));
}

TEST_CASE("csv: a file of many chunks is read whole", "[csv]") {
  std::string content;
  for (int i = 0; i < 100'000; ++i) {
    content += std::to_string(i) + ",\"x\n" + std::to_string(i * 7) + "\"\r\n";
  }
  const reading all = read_all(content);
  REQUIRE(all.error.empty());
  REQUIRE(all.records.size() == 100'000);
  for (int i = 0; i < 100'000; ++i) {
    const auto n = static_cast<std::size_t>(i);
    REQUIRE(all.records[n] == record{std::to_string(i), "x\n" + std::to_string(i * 7)});
    REQUIRE(all.lines[n] == 2 * n + 1);
  }
}

TEST_CASE("csv: a record that never ends is refused before it fills the memory", "[csv]") {
  const std::string text = read_all("a\n" + std::string(3'000'000, 'x')).error;
  CHECK(text == ":2: a record of more than 1048576 bytes");
}

TEST_CASE("csv: what cannot be read is refused by name", "[csv]") {
  const auto refusal = [](const std::filesystem::path& path, std::uint64_t bytes_max) {
    const auto csv = csv_reader::open(path, bytes_max);
    REQUIRE_FALSE(csv.has_value());
    CHECK(csv.error().code == exit_code::invalid_input);
    return csv.error().text;
  };
  CHECK(refusal("/nowhere/at/all.csv", any_size) == "/nowhere/at/all.csv: no such file");
  CHECK(refusal("/tmp", any_size) == "/tmp: expected a file (got a directory)");
  CHECK(refusal("/dev/zero", any_size) == "/dev/zero: expected a file (got a device)");
  const test::temporary_file file("0123456789");
  CHECK(refusal(file.path(), 9) == file.path().string() + ": has 10 bytes; at most 9 are read");
  CHECK(csv_reader::open(file.path(), 10).has_value());
}

TEST_CASE("csv: a first line may say what parts the fields") {
  const reading all = read_all("sep=|\na,b|c\n1,5|2\n");
  CHECK(all.records == std::vector<record>{{"a,b", "c"}, {"1,5", "2"}});
  CHECK(all.lines == std::vector<std::uint64_t>{2, 3});
  CHECK(read_all("sep=,x\n1,2\n").records == std::vector<record>{{"sep=", "x"}, {"1", "2"}});
}

}  // namespace
