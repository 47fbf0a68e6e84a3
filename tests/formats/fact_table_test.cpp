#include "formats/fact_table.hpp"

#include "catch.hpp"
#include "events/facts.hpp"

#include <variant>

using namespace dibs;

TEST_CASE("facts: each of them and each of its members is told in words") {
  const auto all = formats::described_facts();
  CHECK(all.size() == std::variant_size_v<events::fact>);
  for (const auto& fact : all) {
    INFO(fact.name);
    CHECK_FALSE(fact.meaning.empty());
    for (const auto& member : fact.members) {
      INFO(member.name);
      CHECK_FALSE(member.meaning.empty());
      CHECK_FALSE(member.type.empty());
    }
  }
}
