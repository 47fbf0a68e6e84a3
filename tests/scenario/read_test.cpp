#include "scenario/read.hpp"

#include "catch.hpp"
#include "scenario/texts.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace dibs::scenario::test {

namespace {

const std::filesystem::path shipped = std::filesystem::path(DIBS_SOURCE_DIR) / "scenarios";

scenario sound(const std::string& text) {
  const reading r = read(text);
  INFO(all_of(r));
  REQUIRE(r.ok());
  return r.value;
}

}  // namespace

TEST_CASE("read: the evening peak says what it says") {
  const reading r = read_file(shipped / "evening-peak.yaml");
  INFO(all_of(r));
  REQUIRE(r.ok());
  const scenario& s = r.value;
  CHECK(s.name == "evening-peak");
  CHECK(s.seed == 20181109);
  CHECK(s.clock.start == 17h);
  CHECK(s.ends() == at(2h + 20min));
  CHECK(s.world.travel.speed_m_per_s == 5);
  REQUIRE(s.demand.size() == 3);
  const auto& trace = std::get<trace_demand>(s.demand[0]);
  CHECK(trace.file == "data/nyc_yellow_2018h1_weekday.csv");
  CHECK(trace.columns.lat == "pu_lat");
  CHECK(trace.time_jitter == 30s);
  CHECK(trace.place_jitter_m == 400);
  CHECK(std::get<poisson_demand>(s.demand[1]).rate_per_s == 0.05);
  CHECK(std::get<burst_demand>(s.demand[2]).around->radius_m == 300);
  CHECK(s.riders.patience.share == 0.6);
  CHECK(std::get<quantiles_duration>(s.riders.patience.after).knots.size() == 8);
  CHECK(s.drivers.count == 2400);
  CHECK(s.drivers.classes.at(2).ignore == 1);
  CHECK(std::holds_alternative<never_duration>(s.drivers.classes.at(2).response));
  CHECK(s.matchers.policy.radius_m == 3000);
  CHECK(s.matchers.offers.cooldown_after_decline == sim_duration{10min});
  CHECK(s.lease.protocol == lease::protocol::fenced);
  CHECK(s.lease.offer_window == sim_duration{12s});
  CHECK(s.network.at(2).both_ways);
  CHECK(s.network.at(1).retry->max == 3);
  CHECK(s.clocks.at(0).node.index == 1U);
  CHECK(std::get<constant_duration>(s.clocks.at(0).drift.shape).value == sim::ppm(200));
  CHECK_FALSE(s.clocks.at(1).node.index.has_value());
  CHECK(std::get<partition_fault>(s.faults.at(0).what).between[1].nodes[0].kind ==
        node_kind::lease_manager);
  CHECK(std::get<crash_fault>(s.faults.at(2).what).rate_per_h == 3);
  CHECK(s.thresholds.at(1).metric == "ttm.p95");
  CHECK(s.thresholds.at(1).is == comparison::at_most);
  CHECK(s.thresholds.at(1).value == 45);
  CHECK(s.thresholds.at(2).value == 0.01);
  CHECK(s.output.series == 5s);
  CHECK(s.folder == shipped);
}

TEST_CASE("read: what is not given has the default of the struct") {
  const scenario s = sound(base);
  const scenario standard;
  CHECK(s.name == "test");
  CHECK(s.seed == standard.seed);
  CHECK(s.lease.ttl == standard.lease.ttl);
  CHECK(s.matchers.look_again == standard.matchers.look_again);
  CHECK_FALSE(s.lease.offer_window.has_value());
  CHECK_FALSE(s.drivers.shifts.has_value());
}

TEST_CASE("read: words stand for what is absent") {
  const scenario s =
      sound(base +
            "matchers: {look_again: none, offers: {cooldown_after_decline: forever}}\n"
            "lease: {ttl: never, offer_window: ttl}\n"
            "riders: {ask_again: never}\n");
  CHECK_FALSE(s.matchers.look_again.has_value());
  CHECK_FALSE(s.matchers.offers.cooldown_after_decline.has_value());
  CHECK(s.lease.ttl == forever);
  CHECK_FALSE(s.riders.ask_again.has_value());
}

TEST_CASE("read: a question may be a folded block") {
  CHECK(sound(base + "question: >\n  Who is\n  hurt?\n").question == "Who is hurt?");
}

TEST_CASE("read: a duration alone is a constant distribution") {
  const scenario s = sound(base + "network: [{link: matcher<->ledger, latency: 3ms}]\n");
  CHECK(std::get<constant_duration>(s.network[0].latency).value == 3ms);
}

TEST_CASE("read: unnamed clocks and faults are named by number, the scenario by its file") {
  const scenario s = sound(base +
                           "clocks: [{node: ledger}]\n"
                           "faults: [{kind: pause, node: matcher/1, at: 1s, for: 2s}]\n");
  CHECK(s.clocks[0].id == "clock-1");
  CHECK(s.faults[0].id == "fault-1");
  CHECK(read_text(base, "dir/9 lives.yaml", "").value.name == "s9-lives");
}

TEST_CASE("read: a dump reads back to the same dump") {
  for (const char* name : {"evening-peak.yaml", "first-run.yaml", "long-lease.yaml"}) {
    const reading first = read_file(shipped / name);
    INFO(name << "\n" << all_of(first));
    REQUIRE(first.ok());
    const std::string once = dump(first.value);
    const reading second = read_text(once, "dump.yaml", shipped);
    INFO(all_of(second));
    REQUIRE(second.ok());
    CHECK(dump(second.value) == once);
  }
}

TEST_CASE("read: a dump keeps awkward values") {
  const scenario s = sound(
      "version: 1\nname: \"no\"\nquestion: 'He said: \"#1 \\ [x]\"'\nseed: 0xffffffffffffffff\n"
      "demand: [{kind: burst, at: 1ns, rides: 3, every: 7ms}, {kind: poisson, rate: 7/min}]\n"
      "drivers:\n  count: 3\n  classes:\n"
      "    - {name: a, share: 33.3%, response: {dist: quantiles, p0: 1s, p7: 2s, p99.25: 3s, p100: "
      "4s}}\n"
      "    - {name: b, share: 66.7%, response: {dist: never}, accept: 7%}\n"
      "lease: {ttl: never}\n"
      "clocks: [{node: driver/*, offset: {dist: uniform, min: -1s, max: 1s}, drift: -0.1ppm}]\n"
      "faults: [{kind: crash, node: lease_manager, rate: 7/min, restart_after: 0s}]\n"
      "expect: {ttm.p99: \">  1.5s\", rides.match_rate: [\">= 10%\", \"<= 90%\"]}\n");
  const scenario again = sound(dump(s));
  CHECK(dump(again) == dump(s));
  CHECK(again.name == "no");
  CHECK(again.question == s.question);
  CHECK(again.seed == 0xffffffffffffffffULL);
  CHECK(std::get<poisson_demand>(again.demand[1]).rate_per_s == 7.0 / 60);
  const auto& knots = std::get<quantiles_duration>(again.drivers.classes[0].response).knots;
  CHECK(knots.at(1).probability == 0.07);
  CHECK(knots.at(2).probability == 0.9925);
  CHECK(std::get<crash_fault>(again.faults[0].what).rate_per_h == 420);
  CHECK(std::get<constant_duration>(again.clocks[0].drift.shape).value == sim::ppm(-0.1));
  REQUIRE(again.expect.size() == 3);
  CHECK(again.expect[0].value == 1.5);
  CHECK(again.expect[1].value == 0.1);
  CHECK(again.expect[2].value == 0.9);
  CHECK(again.expect[2].metric == "rides.match_rate");
}

TEST_CASE("read: the starter is a scenario with a comment for every field") {
  const std::string text = starter("my-town");
  const scenario s = sound(text);
  CHECK(s.name == "my-town");
  CHECK_FALSE(s.question.empty());
  CHECK(text.find("  # a lease is valid for so long from its grant") != std::string::npos);
}

TEST_CASE("read: a trace is found beside the scenario or in scenarios/ above it") {
  const std::string text =
      "version: 1\ndrivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
      "demand:\n  - kind: trace\n    file: data/nyc_yellow_2018h1_weekday.csv\n"
      "    columns: {time: pickup_s, lat: pu_lat, lon: pu_lon, to_lat: do_lat, to_lon: do_lon, "
      "trip: duration_s}\n";
  for (const auto& folder : {shipped, shipped / "incidents", shipped.parent_path() / "mine"}) {
    const reading r = read_text(text, "t.yaml", folder);
    INFO(folder << "\n" << all_of(r));
    REQUIRE(r.ok());
    CHECK(std::filesystem::equivalent(r.value.folder, shipped));
  }
}

TEST_CASE("read: what takes an incident's cause away must make a scenario too") {
  const std::string text =
      "version: 1\ndemand: [{kind: poisson, rate: 1/s}]\ndrivers: {count: 10, classes: [{name: "
      "all, response: 3s}]}\n"
      "incident:\n  cause: leases are short\n  without:\n    - lease.ttl=30s\n    - ";
  CHECK(sound(text + "lease.grace=1s\n").incident.without.size() == 2);
  for (const char* wrong : {"lease.tttl=3s", "lease.margin=-3s", "foo", "matchers.count=0"}) {
    const reading r = read(text + wrong + "\n");
    INFO(all_of(r));
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].path == "incident.without");
    CHECK(r.diagnostics[0].line == 8);
  }
}

TEST_CASE("read: a column that the trace does not have is a dangling reference") {
  const reading r = read_text(
      "version: 1\ndrivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
      "demand:\n  - kind: trace\n    file: data/nyc_yellow_2018h1_weekday.csv\n"
      "    columns: {time: pickup_s, lat: pu_latt, lon: pu_lon, to_lat: do_lat, to_lon: do_lon, "
      "trip: duration_s}\n",
      "t.yaml",
      shipped);
  INFO(all_of(r));
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].code == "E-REFERENCE");
  CHECK(r.diagnostics[0].path == "demand.1.columns.lat");
  CHECK(r.diagnostics[0].hint == "did you mean `pu_lat`?");
}

TEST_CASE("read: a store for live runs has an address, without a password") {
  const auto with_store = [](const std::string& store) {
    return read_text(
        "version: 1\ndrivers: {count: 10, classes: [{name: all, response: 3s}]}\n"
        "world: {geography: none, trip: {dist: constant, value: 60s}}\n"
        "demand: [{kind: poisson, rate: 1/s}]\nlease: {store: " +
            store + "}\n",
        "t.yaml",
        ".");
  };
  const reading etcd = with_store("{kind: etcd, at: '10.0.0.7:2379', connections: 2}");
  INFO(all_of(etcd));
  REQUIRE(etcd.ok());
  CHECK(etcd.value.lease.store->address() == "etcd://10.0.0.7:2379");
  CHECK(etcd.value.lease.store->connections == 2);
  CHECK(with_store("{kind: memory}").value.lease.store->address() == "memory");
  const reading secret = with_store("{kind: postgres, at: 'me:secret@db'}");
  REQUIRE(secret.diagnostics.size() == 1);
  CHECK(secret.diagnostics[0].code == "E-CONFLICT");
  CHECK(secret.diagnostics[0].message.find("PGPASSWORD") != std::string::npos);
  CHECK(secret.diagnostics[0].message.find("secret") == std::string::npos);
  CHECK_FALSE(with_store("{kind: redis, at: 'db/one'}").ok());
  CHECK_FALSE(with_store("{kind: memory, at: db}").ok());
}

}  // namespace dibs::scenario::test
