#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::zone_mode;

namespace {

history& given(history& h, std::uint32_t m, zone_mode mode, std::uint32_t zone = 3) {
  return h.add(events::zone_granted{zone_id{zone}, matcher_id{m}, mode, {}});
}

history& ended(history& h, std::uint32_t m, zone_mode mode) {
  return h.add(events::zone_ended{zone_id{3}, matcher_id{m}, mode, events::claim_ending::expired});
}

}  // namespace

TEST_CASE("zones: one writer, or any number of readers", "[checkers]") {
  history readers;
  given(given(readers, 0, zone_mode::read), 1, zone_mode::read);
  CHECK(broken_in(readers) == nothing);
  CHECK(broken_in(given(readers, 2, zone_mode::write)) == codes{"S1"});
  history writer;
  given(writer, 0, zone_mode::write);
  history other = writer;
  CHECK(broken_in(given(other, 1, zone_mode::write)) == codes{"S1"});
  other = writer;
  CHECK(broken_in(given(other, 1, zone_mode::read)) == codes{"S1"});
  CHECK(words_of(other) == "zone 4 was given to matcher 2 while matcher 1 held it");
  other = writer;
  CHECK(broken_in(given(other, 1, zone_mode::write, 4)) == nothing);
  other = writer;
  CHECK(broken_in(given(ended(other, 0, zone_mode::write), 1, zone_mode::read)) == nothing);
}
