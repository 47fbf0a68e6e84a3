// Causes of small runs with one fault each: which node took the time, and what is tried against it.

#include "catch.hpp"
#include "explain/counterfactual.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "scenario/read.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;
using metrics::harm_kind;

namespace {

constexpr std::string_view small = R"(
version: 1
name: small
clock: {duration: 10m, drain: 2m}
world: {geography: none, trip: 1m}
demand: [{kind: poisson, rate: 30/min}]
drivers:
  count: 60
  classes: [{name: d, response: {dist: uniform, min: 2s, max: 14s}, accept: 1}]
matchers: {count: 2, offers: {max: 3}}
lease: {protocol: fenced, ttl: 15s}
network:
  - {link: matcher<->driver, latency: 50ms}
  - {link: matcher<->lease_manager, latency: 5ms}
  - {link: matcher<->ledger, latency: 5ms}
)";

history::recorded_run run_with(const std::vector<scenario::override_value>& changes) {
  const scenario::reading read = scenario::read_text(small, "small.yaml", {}, changes);
  INFO((read.ok() ? "" : scenario::format(read.diagnostics.front())));
  REQUIRE(read.ok());
  return run_of(read.value);
}

struct told_cause {
  std::vector<scenario::override_value> changes;
  harm_kind harm{};
  std::string reason;  ///< what its sentence has
  std::string_view
      remedy;  ///< the field, and its value, of one of the remedies; empty: any, or none
};

std::string fault(std::string_view kind, std::string_view node) {
  const std::string length = kind == "crash" ? "restart_after: 20s" : "for: 20s";
  return "[{kind: " + std::string(kind) + ", node: " + std::string(node) + ", at: 5m, " + length +
         "}]";
}

std::string clock(std::string_view node, std::string_view wrong) {
  return "[{node: " + std::string(node) + ", " + std::string(wrong) + "}]";
}

void check(const std::vector<told_cause>& all) {
  for (const told_cause& each : all) {
    const history::recorded_run run = run_with(each.changes);
    const history::indexed_run c(run);
    const root_cause found = root_cause_of(c, first_of(c, each.harm));
    INFO(each.changes.front().value << "\n" << found.reason);
    CHECK(has(found.reason, each.reason));
    const auto is_it = [&](const remedy& r) {
      return std::ranges::any_of(r.set, [&](const scenario::override_value& o) {
        return o.path + "=" + o.value == each.remedy;
      });
    };
    CHECK((each.remedy.empty() || std::ranges::any_of(found.remedies, is_it)));
  }
}

}  // namespace

TEST_CASE("root cause: a node that is out is named, whichever it is") {
  check({{{{"faults", fault("crash", "driver/*")}},
          harm_kind::hiding_lease,
          "crashed at 5:00.000, and forgot the offer",
          "faults.1.at=720s"},
         {{{"faults", fault("pause", "driver/*")}},
          harm_kind::lost_accept,
          "stood still from 5:00.000 to 5:20.000, and her answer waited for that",
          "faults.1.at=720s"},
         {{{"faults", fault("pause", "lease_manager")}},
          harm_kind::lost_accept,
          "the lease manager stood still from 5:00.000 to 5:20.000, and the confirm waited",
          "lease.judge=holder"},
         {{{"faults", fault("crash", "lease_manager")}},
          harm_kind::lost_accept,
          "the lease manager was down from 5:00.000 to 5:20.000, and the confirm waited",
          "faults.1.at=720s"},
         {{{"faults", fault("pause", "lease_manager")}},
          harm_kind::hiding_lease,
          "ran out while the lease manager stood still from 5:00.000 to 5:20.000",
          "faults.1.at=720s"},
         {{{"faults", fault("pause", "ledger")}},
          harm_kind::lost_accept,
          "the ledger stood still from 5:00.000 to 5:20.000, and the write waited",
          "lease.commit=manager"},
         {{{"faults", fault("crash", "ledger")}},
          harm_kind::hiding_lease,
          "held it for a write that never came; a message that this lease waited for, the write, "
          "was lost as the ledger was down",
          "network.3.retry.max=12"},
         {{{"faults", fault("pause", "matcher/*")}},
          harm_kind::hiding_lease,
          "stood still from 5:00.000 to 5:20.000, and her answer waited",
          "faults.1.at=720s"}});
}

TEST_CASE("root cause: a clock that runs ahead or is set is named, whosever it is") {
  check({{{{"clocks", clock("matcher/2", "drift: 300000ppm")}},
          harm_kind::lost_accept,
          "the clock of matcher/2 is fast: 15 s on it last 11.5 s, so that it gave the offer up",
          "clocks.1.drift=0ppm"},
         {{{"clocks", clock("matcher/2", "timers: wall, steps: [{at: 5m, by: 10s}]")}},
          harm_kind::lost_accept,
          "the wall clock on which matcher/2 measures time (`timers: wall`) was set forward by 10 "
          "s at 5:00.000, so that it gave the offer up at 5:0",
          "clocks.1.timers=monotonic"},
         {{{"clocks", clock("matcher/2", "timers: wall, strobe: {every: 4s, by: 10s}")}},
          harm_kind::lost_accept,
          "the wall clock on which matcher/2 measures time (`timers: wall`) jumps to and fro",
          "clocks.1.timers=monotonic"},
         {{{"clocks", clock("driver/*", "timers: wall, steps: [{at: 5m, by: 10s}]")}},
          harm_kind::hiding_lease,
          "was set forward by 10 s at 5:00.000, so that the offer left her screen",
          "clocks.1.timers=monotonic"},
         {{{"clocks", clock("lease_manager", "timers: wall, steps: [{at: 5m, by: 10s}]")}},
          harm_kind::lost_accept,
          "measures leases (`timers: wall`) was set forward by 10 s at 5:00.000",
          "clocks.1.timers=monotonic"}});
}

TEST_CASE("root cause: a matcher whose clock cuts its wait for a reply short is told as that") {
  const std::string slow = "[{link: matcher<->lease_manager, latency: 800ms}]";
  const std::string to_ledger = "[{link: matcher<->ledger, latency: 800ms}]";
  for (const auto& [links, harm] : {std::pair(slow, harm_kind::lost_accept),
                                    std::pair(slow, harm_kind::hiding_lease),
                                    std::pair(to_ledger, harm_kind::hiding_lease)}) {
    check({{{{"clocks", clock("matcher/2", "timers: wall, strobe: {every: 10s, by: 5s}")},
             {"network", links},
             {"lease.ttl", "20s"}},
            harm,
            "the wall clock on which matcher/2 measures time (`timers: wall`)",
            "clocks.1.timers=monotonic"}});
  }
}

TEST_CASE("root cause: a phone that was set back keeps its offer beyond the lease") {
  check({{{{"clocks", clock("driver/*", "timers: wall, steps: [{at: 5m, by: -10s}]")},
           {"drivers.classes.d.response", "20s"}},
          harm_kind::lost_accept,
          "was set back by 10 s at 5:00.000, so that her screen shows the offer until",
          "clocks.1.timers=monotonic"}});
}

TEST_CASE("root cause: of several causes the one that took most of the time is named") {
  const std::string of_ledger = "{kind: pause, node: ledger, at: 5m, for: 20s}";
  const std::string of_matchers = "{kind: pause, node: matcher/*, at: 302s, for: 100ms}";
  check({{{{"faults", "[" + of_ledger + ", " + of_matchers + "]"}},
          harm_kind::lost_accept,
          "the ledger stood still",
          "faults.1.at=720s"},
         {{{"faults", "[" + of_ledger + "]"}, {"clocks", clock("matcher/*", "drift: 1000ppm")}},
          harm_kind::lost_accept,
          "the ledger stood still",
          "faults.1.at=720s"}});
}

TEST_CASE("root cause: an offer that is called off is told as that, and not as unanswered") {
  const std::string slow =
      "[{kind: slow, at: 4m, for: 4m, between: [matcher/*, ledger], plus: 6s}]";
  const std::string late_writes =
      "[{link: matcher<->ledger, latency: {dist: lognormal, median: 400ms, sigma: 0.8}}]";
  check({{{{"matchers.offers.total_wait", "8s"}},
          harm_kind::hiding_lease,
          "(`total_wait`) was over for ride ",
          "matchers.offers.total_wait=16s"},
         {{{"network", late_writes}, {"matchers.reply_timeout", "1s"}},
          harm_kind::hiding_lease,
          "matcher/1 waits 1 s for a reply (`reply_timeout`), and the yes of the ledger came ",
          ""},
         {{{"faults", slow}}, harm_kind::hiding_lease, "; ride ", ""},
         {{{"riders", "{patience: {share: 0.5, after: {dist: uniform, min: 5s, max: 20s}}}"}},
          harm_kind::hiding_lease,
          "gave up at ",
          ""},
         {{{"matchers.offers.broadcast", "2"}, {"drivers.classes.d.response", "3s"}},
          harm_kind::hiding_lease,
          "said yes first: lease ",
          ""}});
}

TEST_CASE("root cause: a decline that ends the lease in its instant is a decline") {
  for (const char* latency : {"0s", "50ms"}) {
    check({{{{"network", "[{link: matcher<->driver, latency: " + std::string(latency) + "}]"},
             {"drivers.classes.d.accept", "0.6"}},
            harm_kind::hiding_lease,
            "she thought it over for 1",
            ""}});
  }
}

TEST_CASE("root cause: a clock that only made a lease shorter is not what it came to nothing for") {
  const std::string fast = clock("lease_manager", "drift: 200000ppm");
  check({{{{"network", "[{link: matcher->driver, latency: 50ms, loss: 0.1}]"},
           {"clocks", fast},
           {"drivers.classes.d.response", "5s"}},
          harm_kind::hiding_lease,
          "a message that this lease waited for, the offer, was lost",
          "network.1.retry.max=12"},
         {{{"network", "[{link: lease_manager->matcher, loss: 0.1}]"},
           {"clocks", fast},
           {"drivers.classes.d.response", "5s"},
           {"drivers.classes.d.accept", "0"}},
          harm_kind::hiding_lease,
          "a message that this lease waited for, the grant, was lost",
          "network.1.retry.max=12"}});
}

TEST_CASE("root cause: a yes that is under way when the lease is over is told as that") {
  const std::string slow_phones =
      "[{id: s, kind: slow, at: 4m, for: 2m, between: [driver/*, matcher/*], plus: 6s}]";
  const std::string slow_manager =
      "[{id: s, kind: slow, at: 4m, for: 2m, between: [matcher/*, lease_manager], plus: 4s}]";
  check({{{{"network", "[{link: matcher<->driver, latency: 2s}]"}},
          harm_kind::lost_accept,
          "s left to become a trip, and was under way to matcher/",
          "lease.grace=5s"},
         {{{"faults", slow_phones}},
          harm_kind::lost_accept,
          "was held up from 4:00.000 to 6:00.000 (fault `s`), and her answer was under way for ",
          "faults.1.at=720s"},
         {{{"faults", slow_manager}, {"matchers.reply_timeout", "20s"}},
          harm_kind::lost_accept,
          "was held up from 4:00.000 to 6:00.000 (fault `s`), and the confirm was under way for ",
          "faults.1.at=720s"}});
}

TEST_CASE("root cause: an accept without a lease is lost to what happened to it") {
  for (const char* protocol : {"none", "optimistic", "idempotent"}) {
    check({{{{"faults", fault("crash", "matcher/*")},
             {"lease.protocol", protocol},
             {"drivers.count", "300"}},
            harm_kind::lost_accept,
            "forgot the ride when it crashed",
            "faults.1.at=720s"},
           {{{"faults", "[{kind: throw, when: {step: after-accept, share: 0.05}}]"},
             {"lease.protocol", protocol},
             {"drivers.count", "300"}},
            harm_kind::lost_accept,
            "ended with an error",
            "faults.1.when.share=0"}});
  }
  for (const char* latency : {"0s", "50ms"}) {
    check({{{{"network", "[{link: matcher<->driver, latency: " + std::string(latency) + "}]"},
             {"lease.protocol", "optimistic"},
             {"drivers.count", "20"}},
            harm_kind::lost_accept,
            "the ledger refuses driver ",
            "lease.protocol=fenced"}});
  }
}

TEST_CASE("root cause: an offer whose deadline has passed when it arrives is owed to a clock") {
  for (const char* ttl : {"never", "15s"}) {
    for (const auto& wrong :
         {clock("matcher/*", "offset: -20s"), clock("driver/*", "offset: 20s")}) {
      check({{{{"clocks", wrong},
               {"lease",
                "{protocol: pessimistic, offer_window: 15s, deadline: absolute, ttl: " +
                    std::string(ttl) + "}"}},
              harm_kind::hiding_lease,
              "it had passed when the offer arrived, which never came to her screen (the clock of ",
              "lease.deadline=duration"}});
    }
  }
}

TEST_CASE("root cause: a lease that was cleaned up a little late is not told as that alone") {
  check({{{{"lease", "{protocol: lease, ttl: 15s, cleanup: {kind: periodic, every: 3s}}"},
           {"network", "[{link: driver->matcher, loss: 0.1}]"}},
          harm_kind::hiding_lease,
          "a message that this lease waited for, her answer, was lost",
          "network.1.retry.max=12"},
         {{{"lease", "{protocol: lease, ttl: 15s, cleanup: {kind: periodic, every: 40s}}"},
           {"network", "[{link: driver->matcher, loss: 0.1}]"}},
          harm_kind::hiding_lease,
          "had run out, and nobody cleaned it up",
          "lease.cleanup={kind: timer}"}});
}

TEST_CASE("root cause: a matcher whose ride was given to another is told as that") {
  check({{{{"faults", "[{kind: pause, node: matcher/1, rate: 60/h, for: 10s}]"},
           {"lease.ttl", "30s"},
           {"matchers.claims", "{ttl: 4s, at_completion: trusted}"}},
          harm_kind::lost_accept,
          " took the ride over; at ",
          "matchers.claims.ttl=15s"}});
}

TEST_CASE("root cause: a pause that was over before the lease is not told to have outlasted it") {
  check({{{{"faults", "[{kind: pause, node: matcher/*, at: 5m, for: 3s}]"},
           {"network", "[{link: matcher<->lease_manager, latency: 3s}]"},
           {"drivers.classes.d.response", "8s"},
           {"matchers.reply_timeout", "20s"}},
          harm_kind::lost_accept,
          "stood still from 5:00.000 to 5:03.000, and her answer waited for that",
          "faults.1.at=720s"}});
}

TEST_CASE("root cause: a yes that came within the margin of its holder is told as that") {
  check({{{{"lease", "{protocol: lease, ttl: 15s, judge: holder, margin: 10s}"}},
          harm_kind::lost_accept,
          "it does not trust a lease in the last 10 s before its end (`margin`)",
          "lease.margin=0s"}});
}

TEST_CASE("root cause: a lease that its manager forgot is told as that") {
  for (const auto& [harm, rate] :
       {std::pair(harm_kind::lost_accept, "60/h"), std::pair(harm_kind::hiding_lease, "3600/h")}) {
    const std::string crash =
        "[{kind: crash, node: lease_manager, restart_after: 10ms, rate: " + std::string(rate) +
        "}]";
    for (const char* remedy : {"lease.restart.leases=kept", "faults.1.rate=0/h"}) {
      check({{{{"faults", crash},
               {"lease.restart", "{leases: forgotten}"},
               {"drivers.classes.d.response", "12s"},
               {"drivers.classes.d.accept", harm == harm_kind::lost_accept ? "1" : "0"}},
              harm,
              " (`restart: {leases: forgotten}`), so that it was over at ",
              remedy}});
    }
  }
}

TEST_CASE("root cause: a lease that was forgotten while her yes was under way is told as that") {
  const history::recorded_run run =
      run_with({{"faults", "[{kind: crash, node: lease_manager, at: 5m, restart_after: 100ms}]"},
                {"lease.restart", "{leases: forgotten}"},
                {"drivers.classes.d.response", "8s"},
                {"network", "[{link: matcher<->driver, latency: 2s}]"}});
  const history::indexed_run c(run);
  const auto all = harms_of(c);
  CHECK(std::ranges::any_of(all, [&](const harm& b) {
    return b.harm == harm_kind::lost_accept &&
           has(root_cause_of(c, b).reason, ", while her answer was under way");
  }));
}

TEST_CASE("root cause: a phone that does not answer the handshake is told as that") {
  for (const char* remedy : {"lease.handshake=none", "lease.handshake=1200ms"}) {
    check(
        {{{{"network", "[{link: matcher<->driver, latency: 200ms}]"}, {"lease.handshake", "300ms"}},
          harm_kind::hiding_lease,
          "(`handshake`), and that of driver ",
          remedy}});
  }
  check({{{{"faults", "[{kind: pause, node: driver/*, at: 1s, for: 700s}]"},
           {"lease.handshake", "300ms"}},
          harm_kind::hiding_lease,
          ", and the handshake waited for that for 300 ms",
          "faults.1.at=720s"}});
}

TEST_CASE("root cause: a write that comes when its confirmed lease was freed is told as that") {
  for (const char* remedy : {"lease.confirm_hold=2100ms", "faults.1.when.share=0"}) {
    check({{{{"faults", "[{kind: delay, when: {message: write, share: 0.2}, by: 1s}]"},
             {"lease", "{protocol: lease, ttl: 15s, confirm_hold: 100ms}"}},
            harm_kind::hiding_lease,
            ", which a fault held up for 1 s, came ",
            remedy}});
  }
  check({{{{"network", "[{link: matcher<->ledger, latency: 200ms}]"},
           {"lease", "{protocol: lease, ttl: 15s, confirm_hold: 100ms}"}},
          harm_kind::hiding_lease,
          " after it was over, when the trip began",
          "lease.commit=manager"}});
}

TEST_CASE("harm: a lease whose trip was written after its end is told as that") {
  const history::recorded_run run =
      run_with({{"network", "[{link: matcher<->ledger, latency: 200ms}]"},
                {"lease", "{protocol: lease, ttl: 15s, confirm_hold: 100ms}"}});
  const history::indexed_run c(run);
  CHECK(has(first_of(c, harm_kind::hiding_lease).headline,
            "came to nothing: it was over when her trip was written"));
}

TEST_CASE("root cause: a ride that starves for leases that were given back unheard is told so") {
  const std::string drop = "[{id: d, kind: drop, when: {message: release, share: 1}}]";
  check({{{{"faults", drop},
           {"drivers.count", "10"},
           {"drivers.classes.d.response", "5s"},
           {"drivers.classes.d.accept", "0.5"},
           {"lease", "{protocol: hold, ttl: 5m, offer_window: 15s}"}},
          harm_kind::starved_ride,
          "a message that this lease waited for, that it is given back, was lost",
          "faults.1.when.share=0"},
         {{{"faults", drop}, {"drivers.classes.d.accept", "0"}},
          harm_kind::hiding_lease,
          "a message that this lease waited for, that it is given back, was lost",
          "faults.1.when.share=0"}});
}

TEST_CASE("root cause: a driver who goes offline is told as that, and not as one who ignores") {
  check({{{{"drivers.drop_out", "{share: 100%, after: 1s}"}},
          harm_kind::hiding_lease,
          ", 1 s after the offer had come to her screen: it was gone, and nobody heard of that",
          "drivers.drop_out.share=0"}});
}

TEST_CASE("root cause: an offer that is withdrawn for want of a renewal is told as that") {
  const std::string lease = "{protocol: fenced, ttl: 8s, offer_window: 20s, renewal: {kind: lazy}}";
  check({{{{"network", "[{link: matcher<->lease_manager, latency: 500ms}]"},
           {"drivers.classes.d.response", "12s"},
           {"lease", lease}},
          harm_kind::hiding_lease,
          "to be renewed, which came to the lease manager 200 ms after its end; matcher/",
          "lease.renewal.kind=eager"},
         {{{"faults", "[{id: d, kind: delay, when: {message: lease_extended}, by: 2s}]"},
           {"drivers.classes.d.response", "12s"},
           {"lease", lease}},
          harm_kind::hiding_lease,
          ", for a fault held up what the lease manager had to say, for 2 s; matcher/",
          "faults.1.when.share=0"}});
}

TEST_CASE("root cause: an offer that went with the zone of its matcher is told as that") {
  check({{{{"lease.zones", "{ttl: 10s}"},
           {"lease.ttl", "60s"},
           {"faults", "[{kind: drop, when: {message: claim_zone, share: 0.7}}]"},
           {"drivers.classes.d.response", "50s"}},
          harm_kind::hiding_lease,
          "the zone of matcher/",
          ""}});
}

TEST_CASE("root cause: a clock that was set before the story is told with its setting") {
  const history::recorded_run run =
      run_with({{"clocks", clock("driver/*", "steps: [{at: 200s, by: -10s}]")},
                {"drivers.classes.d.response", "18s"},
                {"lease.deadline", "absolute"}});
  const history::indexed_run c(run);
  const auto told = explanation_of(c, number_of(c, harm_kind::lost_accept), explanation_options{});
  REQUIRE(told);
  CHECK(has(told->learnt->reason, "was 10 s behind after it was set back by 10 s at 3:20.000"));
  CHECK(std::ranges::any_of(told->steps, [](const timeline_step& s) {
    return s.t == sim_time{200s} && s.what == "has its wall clock set back by 10 s";
  }));
}

namespace {

/// What becomes of the worst lease that hid a driver, by one remedy.
counterfactual tried_on_hiding(const history::recorded_run& run,
                               const scenario::override_value& change) {
  const history::indexed_run c(run);
  root_cause learnt;
  learnt.remedies = {{"", {change}, "supply.hidden_share"}};
  const auto all = counterfactuals_of(c, first_of(c, harm_kind::hiding_lease), learnt, {});
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("root cause: a lease that is kept beyond its deadline on purpose is told of as that") {
  check({{{{"lease", "{protocol: fenced, profile: consul, renewal: {kind: none}}"},
           {"drivers.classes.d.ignore", "1"},
           {"drivers.classes.d.accept", "0"}},
          harm_kind::hiding_lease,
          "the lease manager keeps a lease for 15 s beyond its deadline (`grace`)",
          "lease.grace=0s"}});
}

TEST_CASE("counterfactual: a remedy pins what a profile would derive from it") {
  const std::vector<std::pair<scenario::override_value, scenario::override_value>> pins{
      {{"lease.ttl", "30s"}, {"lease.grace", "15s"}},
      {{"lease.restart.leases", "forgotten"}, {"lease.restart", "{leases: forgotten}"}}};
  for (const auto& [change, pin] : pins) {
    const std::vector<scenario::override_value> given{
        {"lease", "{protocol: fenced, profile: consul, renewal: {kind: none}}"},
        {"faults", fault("crash", "lease_manager")},
        {"drivers.classes.d.accept", "0.5"}};
    const counterfactual tried = tried_on_hiding(run_with(given), change);
    std::vector<scenario::override_value> typed = given;
    typed.insert(typed.end(), tried.what.set.begin(), tried.what.set.end());
    INFO(tried.what.set.back().path << "=" << tried.what.set.back().value);
    CHECK(tried.what.set.back().path == pin.path);
    CHECK(run_with(typed).metrics.value("supply.hidden_share") == tried.after);
  }
}

TEST_CASE("counterfactual: a lease that hides a driver for clearly less is a remedy") {
  const auto freed = [](std::string response) {
    return tried_on_hiding(run_with({{"lease.released", "held"},
                                     {"drivers.classes.d.response", std::move(response)},
                                     {"drivers.classes.d.accept", "0"}}),
                           {"lease.released", "freed"});
  };
  const counterfactual helps = freed("11s");
  CHECK(helps.effect == "no lease of ride 1 hides a driver for longer than 11.1 s, of 15.0 s");
  CHECK(outcome_of(helps) == counterfactual_outcome::prevents);
  CHECK(outcome_of(freed("14s")) == counterfactual_outcome::fails);
}

TEST_CASE(
    "counterfactual: what leaves all riders unserved is no remedy where another serves them") {
  const history::recorded_run run =
      run_with({{"drivers.classes.d.response", "16s"}, {"matchers.offers.max", "2"}});
  const history::indexed_run c(run);
  const harm b = first_of(c, harm_kind::hiding_lease);
  const auto outcome = [&](std::string_view value, const std::vector<counterfactual>& all) {
    const auto found = std::ranges::find_if(all, [&](const counterfactual& t) {
      return t.what.set.front().path == "lease.ttl" && t.what.set.front().value == value;
    });
    REQUIRE(found != all.end());
    return outcome_of(*found);
  };
  root_cause learnt = root_cause_of(c, b);
  const auto all = counterfactuals_of(c, b, learnt, {});
  CHECK(outcome("30s", all) == counterfactual_outcome::prevents);
  CHECK(outcome("7500ms", all) == counterfactual_outcome::trades);
  std::erase_if(learnt.remedies, [](const remedy& r) { return r.set.front().value != "7500ms"; });
  learnt.further.clear();
  CHECK(outcome("7500ms", counterfactuals_of(c, b, learnt, {})) ==
        counterfactual_outcome::prevents);
}
