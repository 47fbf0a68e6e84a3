#include "torment/fact_file.hpp"

#include "base/wall_clock.hpp"
#include "catch.hpp"
#include "events/jsonl.hpp"

#include <filesystem>
#include <fstream>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

events::event paused(sim_time t, std::uint32_t matcher) {
  return {
      t, at_local(t.time_since_epoch()), events::node_paused{{node_kind::matcher, matcher}}, {}};
}

std::string line_of(const events::event& e) {
  std::string line;
  events::append_jsonl(line, e);
  return line;
}

struct scratch_file {
  scratch_file() { fs::remove(path); }
  ~scratch_file() { fs::remove(path); }
  fs::path path = fs::temp_directory_path() / "dibs-fact-file-test.jsonl";
};

TEST_CASE("fact file: what was added is read back, with the times of the run") {
  const scratch_file file;
  {
    auto facts = fact_file::open(file.path.string(), machine_time());
    REQUIRE(facts);
    facts->add(events::node_paused{{node_kind::matcher, 3}}, at(5ms));
    facts->add(events::node_resumed{{node_kind::matcher, 3}});
  }
  const auto all = read_facts(file.path);
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  CHECK(line_of(all->front()) == line_of(paused(at(5ms), 3)));
  CHECK(all->back().t >= at(0ms));
}

TEST_CASE("fact file: a line that a kill cut off is left out, a broken one is an error") {
  const scratch_file file;
  const std::string whole = line_of(paused(at(1ms), 0));
  std::ofstream(file.path) << whole << whole.substr(0, whole.size() / 2);
  const auto cut = read_facts(file.path);
  REQUIRE(cut);
  CHECK(cut->size() == 1);
  std::ofstream(file.path) << whole.substr(0, whole.size() / 2) << '\n' << whole;
  CHECK_FALSE(read_facts(file.path));
}

TEST_CASE("fact file: one that was never begun is empty") {
  const auto none = read_facts("/nonexistent/facts.jsonl");
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("fact file: merged histories are in order of time, ties in the order of the files") {
  const auto all = merged({{paused(at(2ms), 0), paused(at(4ms), 0)},
                           {paused(at(1ms), 1)},
                           {paused(at(2ms), 2), paused(at(4ms), 2)}});
  std::string seen;
  for (const events::event& e : all) {
    seen += std::to_string(std::get<events::node_paused>(e.what).node.index());
  }
  CHECK(seen == "10202");
}

}  // namespace
}  // namespace dibs::torment
