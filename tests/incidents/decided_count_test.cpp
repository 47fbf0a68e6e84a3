#include "incidents/decided_count.hpp"

#include "catch.hpp"

using namespace dibs;
using incidents::incident_outcome;

TEST_CASE("tally: only what was decided counts, and the rest is said") {
  incidents::decided_count t;
  CHECK(t.words() == "0 of 0 decided");
  t.count(incident_outcome::survives);
  t.count(incident_outcome::undecided);
  t.count(incident_outcome::untouched);
  CHECK(t.words() == "0 of 1 decided, 1 undecided, 1 does not apply");
  t.count(incident_outcome::untouched);
  t.count(incident_outcome::degrades);
  t.count(incident_outcome::breaks);
  CHECK(t.words() == "1 of 3 decided, 1 undecided, 2 do not apply");
}

TEST_CASE("tally: by name it is the same, and what is no verdict does not count") {
  incidents::decided_count t;
  for (const char* name : {"breaks", "survives", "untouched", "undecided", "degrades", "broken"}) {
    t.count(name);
  }
  CHECK(t.words() == "1 of 3 decided, 1 undecided, 1 does not apply");
}
