#include "torment/cases.hpp"

#include "catch.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

TEST_CASE("cases: each has a name of its own, a reason, and what strikes within the run") {
  std::set<std::string_view> names;
  for (const real_case& c : all_cases()) {
    INFO(c.name);
    CHECK(names.insert(c.name).second);
    CHECK(find_case(c.name) == &c);
    CHECK_FALSE(c.because.empty());
    CHECK_FALSE(c.faults_text.empty());
    CHECK(c.pattern.faults.empty() == schedule_of(c.pattern, c.length, 1).empty());
  }
  CHECK(find_case("") == nullptr);
}

TEST_CASE("cases: no fault strikes what a case does not have") {
  for (const real_case& c : all_cases()) {
    INFO(c.name);
    const std::uint32_t servers = redis_servers(c);
    for (const real_fault& f : schedule_of(c.pattern, 20s, 1)) {
      CHECK((f.whom != fault_target::redis || f.which < servers));
      CHECK((f.whom != fault_target::matcher || f.which < matcher_processes));
      CHECK((f.whom != fault_target::link || f.which < link_count(c)));
    }
  }
}

TEST_CASE("cases: the incidents that they name are shipped") {
  std::set<std::string> shipped;
  for (const auto& file :
       fs::directory_iterator(fs::path(DIBS_SOURCE_DIR) / "scenarios/incidents")) {
    const std::string stem = file.path().stem().string();
    shipped.insert(stem.substr(stem.find('-') + 1));
  }
  for (const real_case& c : all_cases()) {
    INFO(c.name);
    CHECK((c.incident.empty() || shipped.contains(std::string(c.incident))));
  }
}

TEST_CASE(
    "cases: a holder that judges by itself is done before its lease is, unless it is struck") {
  for (const real_case& c : all_cases()) {
    INFO(c.name);
    const sim_duration needed =
        c.leases == lease_kind::redlock ? c.pace.work_max + c.pace.trip_max : c.pace.work_max;
    CHECK((c.judge != lease_judge::holder || c.margin > needed));
  }
}

}  // namespace
}  // namespace dibs::torment
