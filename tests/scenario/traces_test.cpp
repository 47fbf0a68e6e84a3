// What a trace file must be; the same complaints come from `dibs validate` and `dibs run`.

#include "catch.hpp"
#include "scenario/scratch.hpp"
#include "scenario/texts.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace dibs::scenario::test {

namespace {

const std::string text =
    "version: 1\n"
    "drivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
    "demand: [{kind: trace, file: t.csv}]\n";

const std::string header = "time,lat,lon,to_lat,to_lon,trip\n";

complaint only_complaint(const scratch& folder) {
  const reading r = read_text(text, "test.yaml", folder.path());
  INFO(all_of(r));
  REQUIRE(r.complaints.size() == 1);
  const complaint& c = r.complaints[0];
  CHECK(c.code == "E-FILE");
  CHECK(c.path == "demand.1.file");
  CHECK(c.line == 3);
  CHECK(c.column == 30);
  return c;
}

bool has(const std::string& whole, const std::string& part) {
  return whole.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("traces: rows that cannot be used are named by field, file and line") {
  for (const auto& [rows, expected] :
       {std::pair{"5,40.75,-73.98,40.71,-73.95,10\n6,40.75,-73.98,40.71,-73.95,soon\n",
                  "t.csv:3: trip: expected seconds from 0 to 1000000, found 'soon'"},
        std::pair{"5,40.75\n", "t.csv:2: 2 fields where the header has 6"},
        std::pair{"", "no rows after the header"},
        std::pair{"5,10,10,10,10,10\n", "none of the 1 rows lies within the bounds"}}) {
    const scratch folder;
    std::ofstream(folder / "t.csv") << header << rows;
    const complaint c = only_complaint(folder);
    INFO(c.message);
    CHECK(has(c.message, expected));
  }
  const scratch folder;
  std::ofstream(folder / "t.csv") << header << "5,40.75,-73.98,40.71,-73.95,10\n";
  CHECK(read_text(text, "test.yaml", folder.path()).ok());
}

TEST_CASE("traces: what is no file is called what it is") {
  const scratch folder;
  CHECK(has(only_complaint(folder).message, "there is no such file"));
  std::filesystem::create_directory(folder / "t.csv");
  CHECK(has(only_complaint(folder).message, "got a directory"));
  std::filesystem::remove(folder / "t.csv");
  REQUIRE(::mkfifo((folder / "t.csv").c_str(), 0600) == 0);
  CHECK(has(only_complaint(folder).message, "got a pipe"));
  std::filesystem::remove(folder / "t.csv");
  std::filesystem::create_symlink("/dev/zero", folder / "t.csv");
  CHECK(has(only_complaint(folder).message, "got a device"));
}

}  // namespace dibs::scenario::test
