#include "scenario/field_needs.hpp"

#include "catch.hpp"
#include "scenario/texts.hpp"
#include "scenario/warnings.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace dibs::scenario::test {

namespace {

const std::string with_clock =
    base + "clocks: [{id: ntp, node: matcher/*, offset: {dist: normal, mean: 0s, sd: 200ms}}]\n";

std::string reason_of(const std::string& path, const std::vector<override_value>& set = {}) {
  const reading r = read(with_clock, set);
  INFO(all_of(r));
  REQUIRE(r.ok());
  return why_idle(r.value, path).value_or("");
}

}  // namespace

TEST_CASE("needs: an offset counts only where something is judged by a wall clock") {
  const std::string none =
      "no deadline is read off a wall clock; see `lease.deadline`, `lease.judge`";
  CHECK(reason_of("clocks.ntp.offset.sd") == none);
  CHECK(reason_of("clocks.1.offset") == none);
  CHECK(reason_of("clocks.ntp.drift").empty());
  CHECK(reason_of("clocks.ntp.offset.sd", {{"lease.deadline", "absolute"}}).empty());
  CHECK(reason_of("clocks.ntp.offset.sd", {{"clocks.ntp.timers", "wall"}}).empty());
  CHECK(reason_of("clocks.ntp.offset.sd",
                  {{"lease.cleanup", "{kind: periodic, every: 1s, by: sweeper}"}})
            .empty());
}

TEST_CASE("needs: what belongs to leases has no effect without them") {
  const std::vector<override_value> none{{"lease.protocol", "none"}};
  CHECK(reason_of("lease.jitter").empty());
  CHECK(reason_of("lease.jitter", none) == "no leases are taken; see `lease.protocol`");
  CHECK(reason_of("lease.renewal.timeout") == "no lease is renewed; see `lease.renewal.kind`");
  CHECK(reason_of("lease.renewal.timeout", {{"lease.renewal.kind", "eager"}}).empty());
  CHECK(reason_of("lease.margin") == "no holder judges its lease; see `lease.judge`");
  CHECK(reason_of("lease.ttl", none).empty());
  CHECK(reason_of("lease.protocol", none).empty());
}

TEST_CASE("needs: each condition is met by whatever meets it, and by nothing else") {
  const auto faults = [](const std::string& node) {
    return override_value{"faults",
                          "[{kind: crash, node: " + node + ", at: 1min, restart_after: 1s}]"};
  };
  const std::string lost =
      "no lease manager crashes, and there is no other; see `faults`, `lease.standby`";
  CHECK(reason_of("lease.restart.leases") == lost);
  CHECK(reason_of("lease.restart.leases", {faults("matcher/1")}) == lost);
  CHECK(reason_of("lease.restart.leases", {faults("lease_manager")}).empty());
  CHECK(reason_of("lease.restart.leases", {{"lease.standby", "{after: 5s}"}}).empty());

  const std::string endless = "no lease ends for want of time; see `lease.protocol`, `lease.ttl`";
  CHECK(reason_of("lease.jitter", {{"lease.ttl", "never"}}) == endless);
  CHECK(reason_of("lease.jitter", {{"lease.protocol", "pessimistic"}}) == endless);
  CHECK(reason_of("lease.jitter", {{"lease.protocol", "lease"}}).empty());

  // What was confirmed and is never written is freed, whether or not leases expire.
  const std::string held = "no lease runs out; see `lease.protocol`, `lease.ttl`, `lease.judge`";
  const std::vector<override_value> never{{"lease.ttl", "never"}};
  for (const char* path : {"lease.lock_delay", "lease.cleanup.every"}) {
    CAPTURE(path);
    CHECK(reason_of(path, never).empty());
    CHECK(reason_of(path, {{"lease.protocol", "pessimistic"}}).empty());
    CHECK(reason_of(path, {{"lease.protocol", "pessimistic"}, {"lease.judge", "holder"}}) == held);
    CHECK(reason_of(path, {never.front(), {"lease.commit", "manager"}}) == held);
    CHECK(reason_of(path, {{"lease.judge", "holder"}}).empty());
  }

  const std::string no_tokens = "the ledger compares no tokens; see `lease.protocol`";
  CHECK(reason_of("lease.fence", {{"lease.protocol", "lease"}}) == no_tokens);
  CHECK(reason_of("lease.fence", {{"lease.protocol", "fenced"}}).empty());

  const std::string no_map = "there is no map; see `world.geography`";
  for (const char* path : {"world.bounds.north", "world.travel.speed", "matchers.policy.radius"}) {
    CAPTURE(path);
    CHECK(reason_of(path, {{"world.geography", "none"}, {"world.trip", "5min"}}) == no_map);
    CHECK(reason_of(path, {{"world.geography", "map"}}).empty());
  }

  scenario s = read(with_clock).value;
  CHECK(why_idle(s, "clock.start") ==
        "no ride comes from a trace or a matrix, which alone have times of day; see `demand`");
  s.demand.push_back(trace_demand{});
  CHECK_FALSE(why_idle(s, "clock.start"));
}

TEST_CASE("needs: a path that leads nowhere, or is a list's, needs nothing") {
  CHECK(reason_of("lease.tll").empty());
  CHECK(reason_of("clocks").empty());
  CHECK(reason_of("").empty());
}

TEST_CASE("needs: fields that name, judge or keep a run are not of runs") {
  CHECK(is_of_runs("lease.ttl"));
  CHECK(is_of_runs("clock.start"));
  CHECK_FALSE(is_of_runs("thresholds.ttm.p95"));
  CHECK_FALSE(is_of_runs("output.series"));
  for (const char* other : {"version",
                            "name",
                            "question",
                            "incident",
                            "output",
                            "thresholds",
                            "expect",
                            "clock.warmup",
                            "lease.profile"}) {
    CAPTURE(other);
    CHECK_FALSE(is_of_runs(other));
    CHECK(is_of_runs(std::string(other) + "s"));
  }
  CHECK_FALSE(is_of_runs("clock.duration"));
}

TEST_CASE("remarks: a threshold on a figure that can only be 0 says nothing") {
  const std::string text = base + "thresholds: {leases.renewals: \"<= 5\", ttm.p95: \"<= 45s\"}\n";
  CHECK(remarks_on(read(text).value) ==
        std::vector<std::string>{"the threshold leases.renewals <= 5 says nothing: no lease is "
                                 "renewed; see `lease.renewal.kind`"});
  CHECK(remarks_on(read(text, {{"lease.renewal.kind", "lazy"}}).value).empty());
  CHECK(remarks_on(read(text, {{"lease.protocol", "none"}}).value).front() ==
        "the threshold leases.renewals <= 5 says nothing: no leases are taken; see "
        "`lease.protocol`");
}

TEST_CASE("remarks: of what accepts are lost to, what cannot come says nothing") {
  const auto says = [](const std::string& cause, const std::vector<override_value>& set = {}) {
    const reading r =
        read(base + fmt::format("thresholds: {{accepts.lost.{}: \"<= 1%\"}}\n", cause), set);
    INFO(all_of(r));
    REQUIRE(r.ok());
    const auto remarks = remarks_on(r.value);
    const std::string said = remarks.empty() ? "" : remarks.front();
    return said.substr(said.find_last_of(':') + 1);
  };
  const std::vector<override_value> none{{"lease.protocol", "none"}};
  const auto with = [](const char* fault) {
    return std::vector<override_value>{{"faults", fmt::format("[{}]", fault)}};
  };
  CHECK(says("crash") == " no matcher crashes or fails; see `faults`");
  CHECK(says("crash", with("{kind: throw, when: {step: after-accept, nth: 1}}")).empty());
  CHECK(says("crash", with("{kind: crash, node: matcher/1, at: 1min, restart_after: 1s}")).empty());
  CHECK(says("pause") == " no matcher pauses; see `faults`");
  CHECK(says("pause", with("{kind: pause, node: matcher/*, at: 1min, for: 1s}")).empty());
  CHECK(says("loss") == " no message is lost; see `network`, `faults`");
  CHECK(says("loss", with("{kind: drop, when: {message: confirm, nth: 1}}")).empty());
  CHECK(says("loss", {{"network", "[{link: matcher->driver, loss: 1%}]"}}).empty());
  CHECK(says("early_cleanup").empty());
  CHECK(says("early_cleanup", none) == " no leases are taken; see `lease.protocol`");
  CHECK(says("refused").empty());
  CHECK(says("refused", none) == " nobody refuses anything; see `lease.protocol`");
  CHECK(says("refused", {{"lease.protocol", "optimistic"}}).empty());
  CHECK(says("refused", {{"lease.protocol", "none"}, {"lease.commit", "manager"}}).empty());
  CHECK(says("skew") == " all clocks are right; see `clocks`");
  CHECK(says("skew", {{"clocks", "[{node: matcher/1, offset: 1s}]"}}).empty());
  CHECK(says("skew", {{"lease.renewal.kind", "lazy"}}).empty());
  CHECK(says("skew", {{"lease.margin", "1s"}}).empty());
  CHECK(says("latency", none).empty());
  CHECK(says("unfinished", none).empty());
}

TEST_CASE("remarks: figures that need what the scenario does not have say nothing") {
  const auto says = [](const std::string& metric, const std::vector<override_value>& set) {
    const reading r = read(base, set);
    INFO(all_of(r));
    REQUIRE(r.ok());
    return why_zero(r.value, metric).value_or("");
  };
  CHECK(says("accepts.late_committed", {}) ==
        "late answers are not sent; see `drivers.late_answer`");
  CHECK(says("accepts.late_committed", {{"drivers.late_answer", "sent"}}).empty());
  CHECK(says("accepts.late", {}).empty());
  CHECK(says("accepts.late_rate", {{"lease.ttl", "never"}}) ==
        "an offer waits for ever; see `lease.offer_window`");
  CHECK(says("accepts.late_rate", {{"lease.ttl", "never"}, {"lease.offer_window", "9s"}}).empty());
  CHECK(says("leases.overhang_s", {{"lease.ttl", "never"}}) ==
        "leases have no end; see `lease.ttl`");
  CHECK(says("supply.hidden_s.overhang", {}).empty());
  CHECK(says("confirms.duplicate", {}) == "no message comes twice; see `network`, `faults`");
  CHECK(says("confirms.duplicate", {{"network", "[{link: matcher->driver, duplicate: 1%}]"}})
            .empty());
  CHECK(says("writes.stale_taken", {{"lease.protocol", "none"}}) ==
        "no leases are taken; see `lease.protocol`");
  CHECK(says("confirms.refused", {{"lease.protocol", "none"}}) ==
        "no leases are taken; see `lease.protocol`");
  CHECK(
      says("confirms.refused", {{"lease.protocol", "none"}, {"lease.commit", "manager"}}).empty());
  CHECK(says("pickup.p95", {{"world.geography", "none"}, {"world.trip", "1min"}}) ==
        "there is no map; see `world.geography`");
}

TEST_CASE("remarks: an expectation of what cannot come says so, as a threshold does") {
  const std::string text =
      base + "expect: {rides.taken_over: \">= 0\", rides.cancelled: \"<= 0\"}\n";
  CHECK(remarks_on(read(text).value) ==
        std::vector<std::string>{
            "the expectation rides.taken_over >= 0 says nothing: no ride is claimed; see "
            "`matchers.claims`",
            "the expectation rides.cancelled <= 0 says nothing: no rider cancels; see "
            "`riders.cancel_after_match`, `riders.cancel_at_accept`"});
  CHECK(remarks_on(read(base + "expect: {rides.cancelled: \"== 0\"}\n").value).empty());
  for (const char* cancels : {"{cancel_after_match: {share: 10%, after: 5s}}",
                              "{cancel_at_accept: {share: 10%, after: 0s}}"}) {
    CHECK(remarks_on(read(text, {{"riders", cancels}}).value).size() == 1);
  }
}

TEST_CASE("remarks: what goes wrong with a clock when the run is over says so") {
  const auto remarks = [](const std::string& wrong) {
    const reading r = read(base,
                           {{"clocks", "[{node: matcher/1, " + wrong + "}]"},
                            {"clock.duration", "8min"},
                            {"clock.drain", "2min"}});
    INFO(all_of(r));
    REQUIRE(r.ok());
    return remarks_on(r.value);
  };
  CHECK(remarks("timers: wall, steps: [{at: 10min, by: 3s}]") ==
        std::vector<std::string>{"the step of the clock of matcher/1 at 10 min comes to nothing: "
                                 "the run ends after 10 min; see `clock.duration`"});
  CHECK(remarks("timers: wall, strobe: {every: 4s, by: 1s, from: 11min}").size() == 1);
  CHECK(remarks("offset: 3s, from: 10min").size() == 1);
  CHECK(remarks("timers: wall, steps: [{at: 599s, by: 3s}]").empty());
  CHECK(remarks("offset: 3s").empty());
}

TEST_CASE("remarks: a source that begins when no more rides come says so") {
  const auto remarks = [](const std::string& source) {
    const reading r = read(
        base,
        {{"demand", "[" + source + "]"}, {"clock.warmup", "2min"}, {"clock.duration", "8min"}});
    INFO(all_of(r));
    REQUIRE(r.ok());
    return remarks_on(r.value);
  };
  CHECK(
      remarks("{kind: burst, at: 10min, rides: 4}") ==
      std::vector<std::string>{
          "no ride comes from the burst at 10 min: rides end after 10 min; see `clock.duration`"});
  CHECK(remarks("{kind: poisson, rate: 1/s, from: 20min}") ==
        std::vector<std::string>{"no ride comes from the poisson source at 20 min: rides end after "
                                 "10 min; see `clock.duration`"});
  CHECK(remarks("{kind: burst, at: 599s, rides: 4}").empty());
  CHECK(remarks("{kind: poisson, rate: 1/s}").empty());
}

TEST_CASE("remarks: a trace without a row in the simulated hours says which it has") {
  const auto folder = std::filesystem::temp_directory_path() / "dibs-remarks-test";
  std::filesystem::create_directories(folder);
  // Ten minutes before midnight, and ten after it.
  std::ofstream(folder / "night.csv", std::ios::trunc)
      << "time,lat,lon,to_lat,to_lon,trip\n"
         "85800,40.738436,-73.980084,40.760515,-73.998753,1327\n"
         "600,40.738318,-73.975385,40.725074,-73.99102,232\n";
  const std::string text =
      "version: 1\n"
      "clock: {start: 7h, duration: 2h}\n"
      "demand: [{kind: trace, file: night.csv}]\n"
      "drivers: {count: 10, classes: [{name: all, response: 3s}]}\n";
  const auto remarks = [&](const std::vector<override_value>& set) {
    const reading r = read_text(text, "t.yaml", folder, set);
    INFO(all_of(r));
    REQUIRE(r.ok());
    return remarks_on(r.value);
  };
  CHECK(remarks({}) ==
        std::vector<std::string>{"no row of night.csv lies in the simulated hours, 07:00 to 09:00: "
                                 "its rows are from 23:50 to 00:10; see `clock.start`"});
  CHECK(remarks({{"clock.start", "23h"}}).empty());
  // The end of the hours belongs to nobody, but jitter may move a row into them.
  CHECK(remarks({{"clock.start", "22h"}, {"clock.duration", "6600s"}}).size() == 1);
  CHECK(remarks({{"clock.start", "22h"}, {"clock.duration", "6601s"}}).empty());
  CHECK(
      remarks({{"clock.start", "22h"}, {"clock.duration", "6600s"}, {"demand.1.jitter.time", "1s"}})
          .empty());
  CHECK(remarks({{"clock.duration", "17h"}}).empty());
}

}  // namespace dibs::scenario::test
