#include "catch.hpp"
#include "scenario/read.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <regex>

namespace dibs::scenario::test {

namespace {

/// Every object of a schema closes itself against unknown keys; every pattern is a regular
/// expression.
void check_closed(const nlohmann::json& schema, const std::string& path) {
  INFO(path);
  if (schema.is_object()) {
    if (schema.contains("properties")) {
      CHECK(schema.at("additionalProperties") == false);
    }
    if (schema.contains("pattern") && schema["pattern"].is_string()) {
      CHECK_NOTHROW(std::regex(schema["pattern"].get<std::string>(), std::regex::ECMAScript));
    }
  }
  if (schema.is_structured()) {
    for (const auto& [key, value] : schema.items()) {
      check_closed(value, path + "/" + key);
    }
  }
}

bool fits(const nlohmann::json& schema, const std::string& text) {
  return std::regex_search(text, std::regex(schema.at("pattern").get<std::string>()));
}

}  // namespace

TEST_CASE("schema: it is JSON, closed against unknown keys, with names and patterns") {
  const auto schema = nlohmann::json::parse(json_schema(), nullptr, false);
  REQUIRE_FALSE(schema.is_discarded());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  check_closed(schema, "");
  const auto& lease = schema["properties"]["lease"]["properties"];
  CHECK(lease["protocol"]["enum"] ==
        nlohmann::json(
            {"none", "hold", "lease", "fenced", "optimistic", "pessimistic", "idempotent"}));
  CHECK(lease["grace"]["default"] == "0s");
  CHECK_FALSE(lease["grace"]["description"].get<std::string>().empty());
  CHECK(schema["properties"]["matchers"]["properties"]["count"]["minimum"] == 1);
  CHECK(schema["required"] == nlohmann::json({"version", "demand", "drivers"}));
}

TEST_CASE("schema: the pattern of durations takes what the reader takes") {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto& duration = schema["properties"]["lease"]["properties"]["margin"];
  for (const char* good : {"15s", "1.5s", "120ms", "70m", "2h", "1e3ns"}) {
    CHECK(fits(duration, good));
  }
  for (const char* bad : {"15", "1:30", "1h30m", "-5s", "010s", "s", "off"}) {
    CHECK_FALSE(fits(duration, bad));
  }
}

TEST_CASE("schema: the committed file is what the program prints") {
  std::ifstream file(DIBS_SOURCE_DIR "/scenarios/scenario.schema.json");
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  // If this fails: dibs schema > scenarios/scenario.schema.json
  CHECK(committed == json_schema());
}

}  // namespace dibs::scenario::test
