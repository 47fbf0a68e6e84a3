#include "text/csv_field.hpp"

#include "catch.hpp"

using namespace dibs::text;

TEST_CASE("csv: text that a spreadsheet would take for a formula is none") {
  CHECK(csv_field("=1+1") == "'=1+1");
  CHECK(csv_field("=HYPERLINK(\"x\",\"y\")") == "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
  CHECK(csv_field("+cmd|' /C calc'!A0") == "'+cmd|' /C calc'!A0");
  CHECK(csv_field("-2+3") == "'-2+3");
  CHECK(csv_field("-A1") == "'-A1");
  CHECK(csv_field("--1") == "'--1");
  CHECK(csv_field("-") == "'-");
  CHECK(csv_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_field("-2/A1") == "'-2/A1");
  CHECK(csv_field("-1e3*A1") == "'-1e3*A1");
}

TEST_CASE("csv: a number stays a number, with its unit too") {
  for (const char* number :
       {"-3", "+3", "-12s", "-0.5", "-1e-3", "-2e7", "+1.5e+3", "-5 %", "-2/s", "7", ""}) {
    CHECK(csv_field(number) == number);
  }
}

TEST_CASE("csv: what parts fields is quoted, and no control character leaves") {
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"no\"") == "\"say \"\"no\"\"\"");
  CHECK(csv_field("plain = text") == "plain = text");
  const std::string said = csv_field("a\tb\nc\x1b[31m");
  CHECK(said.find_first_of("\t\n\x1b") == std::string::npos);
}
