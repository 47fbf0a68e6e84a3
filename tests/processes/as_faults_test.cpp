#include "processes/as_faults.hpp"

#include "catch.hpp"
#include "scenario/read.hpp"
#include "scenario/scalar_types.hpp"

#include <string>

using namespace dibs;
using namespace dibs::processes;

namespace {

scenario::scenario small() {
  scenario::scenario s;
  s.matchers.count = 2;
  s.drivers.count = 4;
  s.clock.duration = 60s;
  return s;
}

placement dealt(const std::vector<std::string>& words) { return *placement::read(words, 2); }

}  // namespace

TEST_CASE("as faults: nodes by name, or as a whole kind") {
  const auto s = small();
  const auto names = [&](std::uint32_t process, const placement& who) {
    return scenario::print(sim::node_group(nodes_at(process, who, s)));
  };
  CHECK(names(1, dealt({"riders=2"})) == "[matcher/1, driver/1, driver/3]");
  CHECK(names(2, dealt({"riders=2"})) == "[matcher/2, driver/2, driver/4, rider/*]");
  CHECK(names(1, dealt({"drivers=1", "riders=host"})) == "[matcher/1, driver/*]");
}

TEST_CASE("as faults: nothing happened") { CHECK(as_faults({{}, {}}, dealt({}), small()).empty()); }

TEST_CASE("as faults: a cut is a partition from all others, and a death a crash of each node") {
  const auto s = small();
  std::vector<process_account> accounts(2);
  accounts[0].absences.push_back({at(10s), at(15s)});
  accounts[1].crashed = at(20s);
  const auto faults = as_faults(accounts, dealt({"drivers=host", "riders=host"}), s);
  REQUIRE(faults.size() == 2);
  CHECK(
      yaml_of(faults[0]) ==
      "{kind: partition, at: 10s, for: 5s, between: [matcher/1, [lease_manager, ledger, driver/*, "
      "rider/*, matcher/2]]}");
  CHECK(yaml_of(faults[1]).starts_with("{kind: crash, node: matcher/2, at: 20s, restart_after: "));
}

TEST_CASE("as faults: whoever does not come back is cut off until the end") {
  const auto s = small();
  std::vector<process_account> accounts(2);
  accounts[0].absences.push_back({at(10s), {}});
  const auto faults = as_faults(accounts, dealt({}), s);
  REQUIRE(faults.size() == 1);
  const auto& cut = std::get<sim::partition_fault>(faults[0].what);
  CHECK(at(cut.at + cut.length) == s.ends());
}

TEST_CASE("as faults: a scenario that has them reads back") {
  auto s = scenario::read_text(scenario::starter("town"), "starter", ".").value;
  std::vector<process_account> accounts(2);
  accounts[0].absences = {{at(10s), at(15s)}, {at(30s), at(31s)}};
  accounts[1].crashed = at(20s);
  for (const sim::fault& f : as_faults(accounts, dealt({}), s)) {
    s.faults.push_back(f);
  }
  const auto reading = scenario::read_text(scenario::dump(s), "dump", ".");
  for (const auto& each : reading.diagnostics) {
    UNSCOPED_INFO(scenario::format(each));
  }
  CHECK(reading.ok());
  CHECK(reading.value.faults.size() == s.faults.size());
}
