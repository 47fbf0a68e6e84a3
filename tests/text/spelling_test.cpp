#include "text/spelling.hpp"

#include "catch.hpp"

namespace dibs::test {

TEST_CASE("spelling: letters that are inserted, removed, replaced and exchanged") {
  CHECK(misspellings("ttl", "ttl") == 0);
  CHECK(misspellings("tll", "ttl") == 1);
  CHECK(misspellings("rnu", "run") == 1);
  CHECK(misspellings("", "abc") == 3);
  CHECK(misspellings("abc", "") == 3);
  CHECK(misspellings("kitten", "sitting") == 3);
  // Each stretch is exchanged once only: no letter between them may be added after that.
  CHECK(misspellings("ca", "abc") == 3);
}

TEST_CASE("spelling: a third of a word may be wrong, one letter at least, four at most") {
  CHECK(misspellings_max("") == 1);
  CHECK(misspellings_max("abcd") == 1);
  CHECK(misspellings_max("abcde") == 2);
  CHECK(misspellings_max("an unusually long word") == 4);
}

}  // namespace dibs::test
