#include "text/spelling.hpp"

#include "catch.hpp"

namespace dibs::test {

TEST_CASE("spelling: letters that are inserted, removed, replaced and exchanged") {
  CHECK(text::misspellings("ttl", "ttl") == 0);
  CHECK(text::misspellings("tll", "ttl") == 1);
  CHECK(text::misspellings("rnu", "run") == 1);
  CHECK(text::misspellings("", "abc") == 3);
  CHECK(text::misspellings("abc", "") == 3);
  CHECK(text::misspellings("kitten", "sitting") == 3);
  // Each stretch is exchanged once only: no letter between them may be added after that.
  CHECK(text::misspellings("ca", "abc") == 3);
}

TEST_CASE("spelling: a third of a word may be wrong, one letter at least, four at most") {
  CHECK(text::misspellings_max("") == 1);
  CHECK(text::misspellings_max("abcd") == 1);
  CHECK(text::misspellings_max("abcde") == 2);
  CHECK(text::misspellings_max("an unusually long word") == 4);
}

}  // namespace dibs::test
