#include "results/run_results.hpp"

#include "catch.hpp"
#include "samples.hpp"

using namespace dibs;

TEST_CASE("run results: a replay line repeats one replication with all its overrides") {
  auto a = results::sample_account();
  a.runs.push_back(results::sample_run(77));
  a.overrides = {{"lease.ttl", "8s"}, {"demand[0].rate", "3/s or so"}};
  a.file = "my peak.yaml";
  CHECK(results::replay_line(a, 1) ==
        "dibs run 'my peak.yaml' --seed 77 --set lease.ttl=8s --set 'demand[0].rate=3/s or so'");
  a.program = "tools/dibs";
  CHECK(results::replay_line(a, 0).starts_with("tools/dibs run 'my peak.yaml' --seed 20181109 "));
}

TEST_CASE("run results: it is interrupted if a replication was, or is missing") {
  auto a = results::sample_account();
  CHECK_FALSE(a.interrupted());
  a.runs_asked = 2;
  CHECK(a.interrupted());
  a.runs.push_back(results::sample_run(2));
  CHECK_FALSE(a.interrupted());
  a.runs[1].interrupted = true;
  CHECK(a.interrupted());
}
