// Clocks, links, faults and triggers as people write them.

#include "catch.hpp"
#include "scenario/hostile.hpp"
#include "scenario/read.hpp"
#include "scenario/texts.hpp"

namespace dibs::scenario::test {

namespace {

scenario read_back(const std::string& text) {
  const reading r = read(base + text + "\n");
  INFO(all_of(r));
  REQUIRE(r.ok());
  const reading again = read(dump(r.value));
  INFO(all_of(again));
  REQUIRE(again.ok());
  CHECK(dump(again.value) == dump(r.value));
  return again.value;
}

}  // namespace

TEST_CASE("faults: clocks that are set, and drifts as a distribution") {
  const scenario s = read_back(
      "clocks: [{node: driver/*, drift: {dist: normal, mean: -5ppm, sd: 40ppm}, timers: wall, "
      "redraw: lease, steps: [{at: 1m, by: -30s}, {at: 2m, by: {dist: uniform, min: -1s, max: "
      "1s}}], "
      "strobe: {every: 200ms, by: 3s, until: 5m}}]");
  const clock_error& c = s.clocks.at(0);
  CHECK(std::get<normal_duration>(c.drift.shape).sd == sim::ppm(40));
  CHECK(std::get<normal_duration>(c.drift.shape).mean == sim::ppm(-5));
  CHECK(std::get<constant_duration>(c.steps.at(0).by.shape).value == -30s);
  CHECK(c.strobe->every == 200ms);
  CHECK(c.strobe->until == sim_duration{5min});
  CHECK(c.timers == sim::timebase::wall);
  CHECK(c.redraw == sim::redraw::lease);
}

TEST_CASE("faults: sides of several nodes, directions, and links that are slow for a time") {
  const scenario s = read_back(
      "matchers: {count: 3}\n"
      "network: [{link: matcher->driver, latency: 1s, reorder: {share: 5%, by: 2s}}]\n"
      "faults:\n"
      "  - {kind: partition, at: 1s, for: 2s, between: [[matcher/1, matcher/3], [ledger, "
      "lease_manager]], direction: forth, loss: 40%}\n"
      "  - {kind: slow, at: 1s, for: 2s, between: [matcher/*, ledger], factor: 3, plus: 10ms}");
  CHECK(s.network.at(0).reorder->share == 0.05);
  const auto& cut = std::get<partition_fault>(s.faults.at(0).what);
  CHECK(cut.between[0].nodes.at(1).index == 2U);
  CHECK_FALSE(cut.both_ways);
  CHECK(cut.loss == 0.4);
  CHECK(std::get<slow_fault>(s.faults.at(1).what).factor == 3);
}

TEST_CASE("faults: triggers, with what they strike and what is done") {
  const scenario s = read_back(
      "faults:\n"
      "  - {kind: pause, node: matcher/*, when: {step: after-grant, nth: 3}, until_expiry: -10ms}\n"
      "  - {kind: crash, node: lease_manager, when: {message: confirm, from: matcher/1, every: 7}, "
      "restart_after: 1s}\n"
      "  - {kind: drop, when: {message: lease_over}}\n"
      "  - {kind: delay, when: {message: any, share: 10%, since: 1m, until: 2m}, by: 1s}\n"
      "  - {kind: throw, when: {step: after-accept}, lease: released}\n"
      "  - {kind: pause, node: driver/*, rate: 3/h, for: 10s}");
  const auto& pause = std::get<pause_fault>(s.faults.at(0).what);
  CHECK(pause.when->step == sim::life_step::after_grant);
  CHECK(pause.when->nth == 3U);
  CHECK(pause.until_expiry == sim_duration{-10ms});
  const auto& crash = std::get<crash_fault>(s.faults.at(1).what);
  CHECK(crash.when->message == sim::message_word("confirm"));
  CHECK(crash.when->from->index == 0U);
  CHECK(std::get<delay_fault>(s.faults.at(3).what).when.until == sim_duration{2min});
  CHECK(std::get<throw_fault>(s.faults.at(4).what).gives_back);
  CHECK(std::get<pause_fault>(s.faults.at(5).what).rate_per_h == 3);
}

TEST_CASE(
    "faults: a pause lasts for a length or for what is drawn, and a length is written as that") {
  const scenario s = read_back(
      "faults:\n"
      "  - {kind: pause, node: matcher/*, rate: 3/h, for: 10s}\n"
      "  - {kind: pause, node: matcher/*, rate: 3/h, for: {dist: weibull, scale: 4s, shape: 0.7}}\n"
      "  - {kind: pause, node: matcher/*, rate: 3/h, for: {dist: gamma, mean: 4s, shape: 3}}");
  CHECK(dump(s).find("for: 10s") != std::string::npos);
  const auto& drawn = std::get<pause_fault>(s.faults.at(1).what).length;
  CHECK(std::get<weibull_duration>(*drawn).shape == 0.7);
  CHECK(std::get<gamma_duration>(*std::get<pause_fault>(s.faults.at(2).what).length).mean == 4s);
}

TEST_CASE("faults: one of two lease managers is not both of them, nor in the dump") {
  const scenario s = read_back(
      "lease: {standby: {after: 1s, heartbeat: 300ms}}\n"
      "faults:\n"
      "  - {kind: pause, node: lease_manager/1, at: 1s, for: 1s}\n"
      "  - {kind: pause, node: lease_manager/2, at: 3s, for: 1s}\n"
      "  - {kind: pause, node: lease_manager, at: 5s, for: 1s}");
  CHECK(std::get<pause_fault>(s.faults.at(0).what).node.index == 0U);
  CHECK(std::get<pause_fault>(s.faults.at(1).what).node.index == 1U);
  CHECK_FALSE(std::get<pause_fault>(s.faults.at(2).what).node.index);
}

TEST_CASE("faults: what contradicts itself is refused at its place") {
  for (const hostile& h : {
           added("a step and a message",
                 "faults: [{kind: crash, node: ledger, restart_after: 1s, when: {step: after-pick, "
                 "message: ^confirm}}]",
                 "E-CONFLICT",
                 "faults.1.when.message"),
           added("neither of them",
                 "faults: [{kind: crash, node: ledger, restart_after: 1s, when: ^{nth: 3}}]",
                 "E-MISSING",
                 "faults.1.when.step"),
           added("one and many",
                 "faults: [{kind: drop, when: {message: confirm, nth: 3, every: ^2}}]",
                 "E-CONFLICT",
                 "faults.1.when.every"),
           added("a misspelt message",
                 "faults: [{kind: drop, when: {message: ^confrim}}]",
                 "E-RANGE",
                 "faults.1.when.message"),
           added("a step for a message",
                 "faults: [{kind: drop, when: {message: confirm, ^step: after-pick}}]",
                 "E-UNKNOWN",
                 "faults.1.when.step"),
           added("an instant and a trigger",
                 "faults: [{kind: pause, node: ledger, at: 1s, for: 1s, when: ^{message: write}}]",
                 "E-CONFLICT",
                 "faults.1.when"),
           added("two ends of a pause",
                 "faults: [{kind: pause, node: matcher/*, for: ^1s, until_expiry: 1s, when: {step: "
                 "after-grant}}]",
                 "E-CONFLICT",
                 "faults.1.for"),
           added("no end of a pause",
                 "faults: [^{kind: pause, node: matcher/*, at: 1s}]",
                 "E-MISSING",
                 "faults.1.for"),
           added("an expiry of no lease",
                 "faults: [{kind: pause, node: matcher/*, at: 1s, until_expiry: ^1s}]",
                 "E-CONFLICT",
                 "faults.1.until_expiry"),
           added("a rate of riders",
                 "faults: [{kind: crash, node: rider/*, rate: ^3/h, restart_after: 1s}]",
                 "E-CONFLICT",
                 "faults.1.rate"),
           added("a side of nobody",
                 "faults: [{kind: slow, at: 1s, for: 1s, between: [^[], ledger]}]",
                 "E-RANGE",
                 "faults.1.between"),
           added("a matcher that is not there",
                 "faults: [{kind: drop, when: {message: confirm, from: ^matcher/9}}]",
                 "E-REFERENCE",
                 "faults.1.when.from"),
           added("a strobe that ends before it begins",
                 "clocks: [{node: ledger, strobe: {every: 1s, by: 1s, from: 10s, until: ^5s}}]",
                 "E-CONFLICT",
                 "clocks.1.strobe.until"),
           added("a drift that stands still",
                 "clocks: [{node: ledger, drift: {dist: uniform, min: -1ppm, max: ^600000ppm}}]",
                 "E-RANGE",
                 "clocks.1.drift.max"),
           added("a lost connection without a time",
                 "riders: {cancel_at_accept: ^{after: 1s}}",
                 "E-MISSING",
                 "riders.cancel_at_accept.share"),
       }) {
    check(h);
  }
}

TEST_CASE("faults: more crashes than a run can plan are refused, and as many as it can are not") {
  const std::string crashes =
      "clock: {duration: 1000h}\n"
      "faults: [{kind: crash, node: driver/*, restart_after: 0s, rate: ";
  check(added("3.6e7 crashes", crashes + "^3600/h}]", "E-LIMIT", "faults.1.rate"));
  CHECK(read(base + crashes + "360/h}]\n").ok());
}

TEST_CASE("faults: a rate of 0 switches a fault off, also by --set") {
  const std::string text =
      base + "faults: [{id: gc, kind: pause, node: matcher/1, rate: 3/h, for: 9s}]\n";
  const reading r = read(text, {{"faults.gc.rate", "0/h"}});
  INFO(all_of(r));
  REQUIRE(r.ok());
  CHECK(std::get<pause_fault>(r.value.faults.at(0).what).rate_per_h == 0);
  CHECK(read(dump(r.value)).ok());
  CHECK_FALSE(read(base + "faults: [{kind: pause, node: matcher/1, for: 9s}]\n").ok());
}

}  // namespace dibs::scenario::test
