#include "incidents/incident_runs.hpp"

#include "catch.hpp"
#include "incidents/incidents.hpp"
#include "report/incident_tables.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace dibs;
using incidents::incident_outcome;
using incidents::test::incident;
using incidents::test::incidents_folder;

TEST_CASE("trial: the naive race breaks who does not lease, and only them") {
  incidents::incident_options how;
  how.runs = 2;
  for (const lease::rules& row : lease::all_rules()) {
    how.protocols.push_back(row.which);
  }
  const auto row = incidents::run_incident(incident("01-naive-race"), how);
  REQUIRE(row);
  for (const incidents::incident_cell& c : row->cells) {
    INFO(lease::rules_of(c.protocol).name);
    CHECK((c.assessment.outcome == incident_outcome::breaks) ==
          !lease::rules_of(c.protocol).leases);
    CHECK(c.broken_promises == 0);
  }
  const std::vector<incidents::incident_row> rows{*row};
  CHECK(report::as_text(rows, 120, {}).find("naive-race") != std::string::npos);
  CHECK(report::as_csv(rows).find(
            "naive-race,fenced,undecided,double.commits,count,0,0,0,0,0,no worse") !=
        std::string::npos);
  CHECK(report::as_markdown(rows).find("**breaks** double.commits") != std::string::npos);
}

TEST_CASE("trial: a pause between the look at the lease and the write needs a fence") {
  incidents::incident_options how;
  how.runs = 4;
  how.protocols = {lease::protocol::lease, lease::protocol::fenced};
  const auto row = incidents::run_incident(incident("15-gc-pause-holder"), how);
  REQUIRE(row);
  CHECK(row->cells[0].assessment.outcome == incident_outcome::breaks);
  CHECK(row->cells[0].assessment.worse.front().metric == "double.commits");
  CHECK(row->cells[1].assessment.outcome != incident_outcome::breaks);
}

TEST_CASE("trial: a cause that never comes touches nothing") {
  auto what = incident("28-lock-leak-on-exception");
  incidents::incident_options how;
  how.runs = 2;
  how.protocols = {lease::protocol::none, lease::protocol::fenced};
  const auto leaks = incidents::run_incident(what, how);
  REQUIRE(leaks);
  CHECK(leaks->cells[1].assessment.outcome == incident_outcome::breaks);
  CHECK_FALSE(leaks->is_idle());
  what.with_cause.faults = {
      {"late", scenario::crash_fault{{node_kind::lease_manager, {}}, 20h, 0, 1s}}};
  const auto never = incidents::run_incident(what, how);
  REQUIRE(never);
  CHECK(never->is_idle());
  const std::string text = report::as_text(std::vector{*never}, 120, {.all = true});
  CHECK(text.find("the cause touches nothing there") != std::string::npos);
  CHECK(text.find("Nothing is worse") != std::string::npos);
}

TEST_CASE("trial: the same trial twice gives the same table") {
  incidents::incident_options how;
  how.runs = 2;
  how.protocols = {lease::protocol::hold, lease::protocol::optimistic};
  const auto what = incident("06-retry-confirm-after-change");
  const auto one = incidents::run_incident(what, how);
  how.jobs = 2;
  const auto two = incidents::run_incident(what, how);
  REQUIRE(one);
  REQUIRE(two);
  CHECK(report::as_json(std::vector{*one}) == report::as_json(std::vector{*two}));
}

TEST_CASE("trial: a scenario without an incident is a complaint with its place") {
  const auto read = incidents::read_incident(incidents_folder.parent_path() / "first-run.yaml");
  REQUIRE(read.diagnostics.size() == 1);
  CHECK(read.diagnostics[0].path == "incident.cause");
}

TEST_CASE("trial: an incident whose cause nothing takes away is a complaint") {
  const auto file = std::filesystem::temp_directory_path() /
                    fmt::format("dibs-no-without-{}.yaml", static_cast<int>(::getpid()));
  std::ofstream(file) << "version: 1\ndemand: [{kind: poisson, rate: 1/s}]\ndrivers: {count: 10, "
                         "classes: [{name: all, response: 3s}]}\n"
                         "incident: {cause: leases are short}\n";
  const auto read = incidents::read_incident(file);
  std::filesystem::remove(file);
  REQUIRE(read.diagnostics.size() == 1);
  CHECK(read.diagnostics[0].path == "incident.without");
}
