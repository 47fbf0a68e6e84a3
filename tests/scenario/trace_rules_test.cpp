// What a trace file must be; the same diagnostics come from `dibs validate` and `dibs run`.

#include "catch.hpp"
#include "has.hpp"
#include "scenario/scratch.hpp"
#include "scenario/texts.hpp"
#include "scenario/trace_source.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace dibs::scenario::test {

using dibs::test::has;

namespace {

const std::string text =
    "version: 1\n"
    "drivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
    "demand: [{kind: trace, file: t.csv}]\n";

const std::string header = "time,lat,lon,to_lat,to_lon,trip\n";

diagnostic only_complaint(const scratch& folder) {
  const reading r = read_text(text, "test.yaml", folder.path());
  INFO(all_of(r));
  REQUIRE(r.diagnostics.size() == 1);
  const diagnostic& c = r.diagnostics[0];
  CHECK(c.code == "E-FILE");
  CHECK(c.path == "demand.1.file");
  CHECK(c.line == 3);
  CHECK(c.column == 30);
  return c;
}

}  // namespace

TEST_CASE("traces: rows that cannot be used are named by field, file and line") {
  for (const auto& [rows, expected] :
       {std::pair{
            "5,40.75,-73.98,40.71,-73.95,10\n6,40.75,-73.98,40.71,-73.95,soon\n",
            "t.csv: 1 of 2 rows lack what is needed, more than lost_max (20 %); line 3: trip: "
            "expected seconds from 0 to 1000000, found 'soon'"},
        std::pair{"5,40.75\n", "line 2: 2 fields where the header has 6"},
        std::pair{"", "no rows after the header"},
        std::pair{"5,10,10,10,10,10\n", "none of the 1 rows lies within the bounds"}}) {
    const scratch folder;
    std::ofstream(folder / "t.csv") << header << rows;
    const diagnostic c = only_complaint(folder);
    INFO(c.message);
    CHECK(has(c.message, expected));
  }
  const scratch folder;
  std::ofstream(folder / "t.csv") << header << "5,40.75,-73.98,40.71,-73.95,10\n";
  CHECK(read_text(text, "test.yaml", folder.path()).ok());
}

TEST_CASE("traces: rows are read once for all who have the same question") {
  const scratch folder;
  std::ofstream(folder / "t.csv") << header << "5,40.75,-73.98,40.71,-73.95,10\n";
  const scenario first = read_text(text, "test.yaml", folder.path()).value;
  REQUIRE(first.rows.size() == 1);
  const auto& held = first.rows[0].rows;
  CHECK(held->rows.size() == 1);
  const auto& source = std::get<trace_demand>(first.demand[0]);
  CHECK(rows_of(first, source, map_of(first.world)).value() == held);

  std::ofstream(folder / "t.csv", std::ios::app) << "6,40.75,-73.98,40.71,-73.95,10\n";
  const auto rows_with = [&](std::vector<override_value> set) {
    return read_text(text, "test.yaml", folder.path(), set, first.rows).value.rows.at(0).rows;
  };
  CHECK(rows_with({}) == held);
  CHECK(rows_with({{"demand.1.scale", "2"}}) == held);
  CHECK(rows_with({{"world.bounds.north", "40.8"}})->rows.size() == 2);
  CHECK(rows_with({{"demand.1.columns.to_lat", "lat"}})->rows.size() == 2);
  std::filesystem::copy_file(folder / "t.csv", folder / "other.csv");
  CHECK(rows_with({{"demand.1.file", "other.csv"}})->rows.size() == 2);
  const std::string twice = "[{kind: trace, file: t.csv}, {kind: trace, file: t.csv, scale: 2}]";
  CHECK(read_text(text, "test.yaml", folder.path(), {{"demand", twice}}).value.rows.size() == 1);
  CHECK(read_text(text, "test.yaml", folder.path()).value.rows.at(0).rows->rows.size() == 2);

  scenario elsewhere = first;
  elsewhere.world.bounds.north = 40.8;
  CHECK(rows_of(elsewhere, source, map_of(elsewhere.world)).value()->rows.size() == 2);
  const reading none = read_text(text, "test.yaml", folder.path(), {{"demand", "[]"}}, first.rows);
  CHECK(none.value.rows.empty());
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
