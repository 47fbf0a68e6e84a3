#include "events/jsonl.hpp"

#include "catch.hpp"
#include "events/history_hash.hpp"
#include "events/one_of_each.hpp"

#include <bit>
#include <sstream>

namespace {

using namespace dibs;
using namespace dibs::events;

std::string line_of(const event& e) {
  std::string line;
  append_jsonl(line, e);
  return line;
}

std::string hash_of(std::span<const event> history) {
  history_hash hash;
  hash.observe(history);
  return hash.digest();
}

TEST_CASE("jsonl: every fact reads back to the last bit", "[events]") {
  const auto history = one_of_each();
  std::stringstream file;
  file << jsonl_header();
  for (const event& e : history) {
    file << line_of(e);
  }
  const auto read = read_jsonl(file);
  REQUIRE(read.has_value());
  // The hash sees every bit of every field.
  CHECK(hash_of(*read) == hash_of(history));
}

TEST_CASE("jsonl: a line says what people would look for", "[events]") {
  const event e{
      at(1500ms),
      at_local(1502ms),
      lease_granted{
          token_id{42}, driver_id{16}, ride_id{2}, matcher_id{0}, 15s, at_local(16502ms)}};
  CHECK(line_of(e) ==
        R"({"t":1500000000,"local":1502000000,"fact":"lease_granted","token":42,"driver":17,)"
        R"("ride":3,"matcher":1,"ttl":15000000000,"expires":16502000000})"
        "\n");
  const event lost{at(0s),
                   at_local(0s),
                   message_lost{{node_kind::matcher, 2},
                                {node_kind::lease_manager, 0},
                                ride_id::none(),
                                token_id::unleased(matcher_id{2}, 7),
                                loss_cause::partition}};
  CHECK(line_of(lost) ==
        R"({"t":0,"local":0,"fact":"message_lost","from":"matcher/3","to":"lease_manager",)"
        R"("ride":null,"token":"matcher/3#7","cause":"partition"})"
        "\n");
}

TEST_CASE("jsonl: odd values read back to the last bit", "[events]") {
  const double odd[] = {
      0.0, -0.0, 0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 1e16, -123456789.0};
  for (const double value : odd) {
    const event e{at(0s), at_local(0s), ride_requested{ride_id{0}, {value, -value, 1}}};
    const auto read = parse_jsonl(line_of(e));
    REQUIRE(read.has_value());
    const auto& back = std::get<ride_requested>(read->what);
    CHECK(std::bit_cast<std::uint64_t>(back.origin.x) == std::bit_cast<std::uint64_t>(value));
    CHECK(std::bit_cast<std::uint64_t>(back.origin.y) == std::bit_cast<std::uint64_t>(-value));
  }
  const event endless{
      at(0s), at_local(0s), lease_granted{token_id{1}, {0}, {0}, {0}, forever, local_time::max()}};
  const auto read = parse_jsonl(line_of(endless));
  REQUIRE(read.has_value());
  CHECK(std::get<lease_granted>(read->what).ttl == forever);
  CHECK(std::get<lease_granted>(read->what).expires == local_time::max());

  for (const auto token : {token_id::none(),
                           token_id{token_id::unleased_bit - 1},
                           token_id{~std::uint64_t{0}},
                           token_id{token_id::unleased_bit}}) {
    const event named{at(0s), at_local(0s), offer_dismissed{token, {0}, dismissal::replaced}};
    const auto same = parse_jsonl(line_of(named));
    REQUIRE(same.has_value());
    CHECK(std::get<offer_dismissed>(same->what).token == token);
  }
}

TEST_CASE("jsonl: a wrong line is refused with the reason", "[events]") {
  const auto complaint = [](const char* line) {
    const auto read = parse_jsonl(line);
    REQUIRE(!read.has_value());
    return read.error().text;
  };
  CHECK(complaint("") == "not a JSON object");
  CHECK(complaint("[1]") == "not a JSON object");
  CHECK(complaint(R"({"t":1,"local":1})") == "the field \"fact\" is missing");
  CHECK(complaint(R"({"t":1,"local":1,"fact":"it_rained"})") == "no fact is called \"it_rained\"");
  CHECK(complaint(R"({"t":1,"local":1,"fact":"ride_cancelled"})") ==
        "the field \"ride\" is missing");
  CHECK(complaint(R"({"t":1,"local":1,"fact":"ride_cancelled","ride":1,"why":2})") ==
        "ride_cancelled has a field that is not known");
  for (const char* ride : {"0", "-1", "1.5", "\"1\"", "4294967296", "[]"}) {
    const std::string line =
        R"({"t":1,"local":1,"fact":"ride_cancelled","ride":)" + std::string(ride) + "}";
    CHECK(complaint(line.c_str()) == "the field \"ride\" has a wrong value");
  }
  for (const char* node : {"\"matcher/0\"",
                           "\"matcher\"",
                           "\"matcher/01\"",
                           "\"cook/1\"",
                           "\"lease_manager/1\"",
                           "3"}) {
    const std::string line =
        R"({"t":1,"local":1,"fact":"node_paused","node":)" + std::string(node) + "}";
    CHECK(complaint(line.c_str()) == "the field \"node\" has a wrong value");
  }
  CHECK(complaint(R"({"t":null,"local":1,"fact":"ride_cancelled","ride":1})") ==
        "the field \"t\" has a wrong value");
  CHECK(complaint(R"({"t":9223372036854775808,"local":1,"fact":"ride_cancelled","ride":1})") ==
        "the field \"t\" has a wrong value");
}

TEST_CASE("jsonl: a file is refused with the number of the line", "[events]") {
  const auto complaint = [](const std::string& text) {
    std::istringstream file(text);
    const auto read = read_jsonl(file);
    REQUIRE(!read.has_value());
    return read.error().text;
  };
  const std::string line = R"({"t":5,"local":1,"fact":"ride_cancelled","ride":1})";
  const std::string earlier = R"({"t":4,"local":1,"fact":"ride_cancelled","ride":2})";
  CHECK(complaint("") == "line 1: not the header of an event file of schema 6");
  CHECK(complaint(line) == "line 1: not the header of an event file of schema 6");
  CHECK(complaint(jsonl_header() + line + "\n{}\n") == "line 3: the field \"fact\" is missing");
  CHECK(complaint(jsonl_header() + line + "\n" + earlier + "\n") == "line 3: time runs backwards");
}

}  // namespace
