#include "incidents/decided_count.hpp"

#include "catch.hpp"

using namespace dibs;
using incidents::verdict;

TEST_CASE("tally: only what was decided counts, and the rest is said") {
  incidents::tally t;
  CHECK(t.words() == "0 of 0 decided");
  t.count(verdict::survives);
  t.count(verdict::undecided);
  t.count(verdict::untouched);
  CHECK(t.words() == "0 of 1 decided, 1 undecided, 1 does not apply");
  t.count(verdict::untouched);
  t.count(verdict::degrades);
  t.count(verdict::breaks);
  CHECK(t.words() == "1 of 3 decided, 1 undecided, 2 do not apply");
}

TEST_CASE("tally: by name it is the same, and what is no verdict does not count") {
  incidents::tally t;
  for (const char* name : {"breaks", "survives", "untouched", "undecided", "degrades", "broken"}) {
    t.count(name);
  }
  CHECK(t.words() == "1 of 3 decided, 1 undecided, 1 does not apply");
}
