#include "sweep/sweep_file.hpp"

#include "has.hpp"
#include "sweep/small.hpp"

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;

namespace {

using texts = std::vector<std::string>;

sweep_file sound(const std::string& text) {
  const sweep_reading r = read_sweep_text(text, "folder/x.sweep.yaml");
  for (const scenario::diagnostic& c : r.diagnostics) {
    INFO(scenario::format(c));
    CHECK(false);
  }
  return r.value;
}

std::string complaints_of(const std::string& text) {
  std::string all;
  for (const scenario::diagnostic& c : read_sweep_text(text, "x.sweep.yaml").diagnostics) {
    all += scenario::format(c) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("sweep file: everything that the command line can say") {
  const sweep_file f = sound(R"(scenario: small.yaml
set: {lease.protocol: lease, lease.cleanup: {kind: periodic, every: 1s}}
grid:
  lease.ttl: 3s..60s:log:12
  matchers.count: [1, 2, 4]
  lease.margin: 0s, 1s
zip:
  drivers.count: [10, 20]
  clock.warmup: "10s,20s"
derive: {lease.offer_window: lease.ttl - 3s}
where:
  - lease.offer_window <= lease.ttl
seeds: 7
seed: 99
)");
  CHECK(f.scenario == "folder/small.yaml");
  REQUIRE(f.overrides.size() == 2);
  CHECK(f.overrides[1].value == "{kind: periodic, every: 1s}");
  REQUIRE(f.design.grid.size() == 3);
  CHECK(f.design.grid[0].values.size() == 12);
  CHECK(f.design.grid[1].values == texts{"1", "2", "4"});
  CHECK(f.design.grid[2].values == texts{"0s", "1s"});
  REQUIRE(f.design.zip.size() == 2);
  CHECK(f.design.zip[1].values == texts{"10s", "20s"});
  CHECK(f.design.derive[0].expression == "lease.ttl - 3s");
  CHECK(f.design.where == texts{"lease.offer_window <= lease.ttl"});
  CHECK(f.seeds == 7U);
  CHECK(f.seed == 99U);
}

TEST_CASE("sweep file: known by its name") {
  CHECK(is_sweep_file("a/peak.sweep.yaml"));
  CHECK_FALSE(is_sweep_file("a/peak.yaml"));
}

TEST_CASE("sweep file: all that is wrong, each with its place") {
  const std::string all = complaints_of(
      "scenario: [a]\ngird: {lease.ttl: [1s]}\ngrid: {lease.ttl: 60s..3s:log:4}\nseeds: 0\n");
  CHECK(has(all, "x.sweep.yaml:1:"));
  CHECK(has(all, "did you mean `grid`?"));
  CHECK(has(all, "x.sweep.yaml:3:"));
  CHECK(has(all, "is empty"));
  CHECK(has(all, "must be 1 to"));
}

TEST_CASE("sweep file: hostile texts are complained about") {
  for (const std::string& text : {std::string(),
                                  std::string("- a\n"),
                                  std::string("scenario: x\nscenario: y\n"),
                                  std::string("a: &x [*x]\n"),
                                  std::string("grid: 5\nscenario: x\n"),
                                  std::string("derive: {a: [1]}\nscenario: x\n"),
                                  std::string("where: {a: 1}\nscenario: x\n"),
                                  std::string("seed: -1\nscenario: x\n"),
                                  std::string("\xff\xfe"),
                                  std::string(100'000, '[')}) {
    INFO(text.substr(0, 40));
    CHECK_FALSE(complaints_of(text).empty());
  }
}
