#include "catch.hpp"
#include "scenario/fields.hpp"
#include "scenario/read.hpp"

#include <fstream>
#include <iterator>

namespace dibs::scenario::test {

namespace {

/// Every field that the table has is on the page.
void check_fields(const std::string& page, const field_description& s) {
  const auto check = [&](const std::vector<member_description>& members) {
    for (const member_description& m : members) {
      INFO(m.key);
      CHECK(page.find("| `" + m.key + "` |") != std::string::npos);
      CHECK(page.find(m.doc) != std::string::npos);
      CHECK_FALSE(m.doc.empty());
      check_fields(page, *m.value);
    }
  };
  check(s.members);
  for (const alternative_shape& a : s.alternatives) {
    check(a.members);
  }
  if (s.element != nullptr) {
    check_fields(page, *s.element);
  }
}

}  // namespace

TEST_CASE("reference: every field is on the page with its sentence") {
  check_fields(reference_page(), *scenario_kind().about);
}

TEST_CASE("reference: the committed page is what the program prints") {
  std::ifstream file(DIBS_SOURCE_DIR "/scenarios/REFERENCE.md");
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  // If this fails: dibs reference > scenarios/REFERENCE.md
  CHECK(committed == reference_page());
}

}  // namespace dibs::scenario::test
