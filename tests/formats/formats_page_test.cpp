#include "formats/formats_page.hpp"

#include "catch.hpp"
#include "formats/json_document.hpp"

#include <fstream>
#include <iterator>
#include <set>

using namespace dibs;

TEST_CASE("formats: the committed page is what the program prints") {
  std::ifstream file(DIBS_SOURCE_DIR "/scenarios/FORMATS.md");
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  // If this fails: dibs formats > scenarios/FORMATS.md
  CHECK(committed == formats::formats_page());
}

TEST_CASE("formats: a document names each member once, with what it is") {
  for (const auto& some : {formats::json_documents_of_runs(),
                           formats::json_documents_of_studies(),
                           formats::json_documents_of_the_rest()}) {
    for (const formats::json_document& d : some) {
      std::set<std::string_view> seen;
      for (const formats::json_member& m : d.members) {
        INFO(d.name << " " << m.path);
        CHECK(seen.insert(m.path).second);
        CHECK_FALSE(m.meaning.empty());
      }
    }
  }
}
