// The scenarios that ship are sound, say what they ask, and open with a comment.

#include "catch.hpp"
#include "scenario/texts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace dibs::scenario::test {

TEST_CASE("shipped: every scenario reads, opens with a comment and asks a question") {
  const std::filesystem::path folder = std::filesystem::path(DIBS_SOURCE_DIR) / "scenarios";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  CHECK(files.size() >= 6);
  for (const std::filesystem::path& file : files) {
    const reading r = read_file(file);
    INFO(file << "\n" << all_of(r));
    REQUIRE(r.ok());
    CHECK(r.value.name == file.stem());
    CHECK(r.value.question.ends_with('?'));
    std::ifstream in(file);
    std::string first;
    std::string second;
    std::getline(in, first);
    std::getline(in, second);
    CHECK(first.starts_with("# yaml-language-server: $schema="));
    CHECK(second.starts_with("# "));
  }
}

}  // namespace dibs::scenario::test
