// Fields and values that are wrong; texts that are no scenario at all are in hostile_text_test.cpp.

#include "scenario/hostile.hpp"

namespace dibs::scenario::test {

TEST_CASE("hostile: the base scenario is sound") {
  const reading r = read(base);
  INFO(all_of(r));
  CHECK(r.ok());
}

TEST_CASE("hostile: unknown, misspelt and repeated keys") {
  for (const hostile& h : {
           added("misspelt section", "^matchrs: {count: 2}", "E-UNKNOWN", "matchrs"),
           added("misspelt field", "lease: {^tll: 10s}", "E-UNKNOWN", "lease.tll"),
           added("a key that cannot be placed",
                 "^output_path: /etc/passwd",
                 "E-UNKNOWN",
                 "output_path"),
           added("an include", "^include: ../../secrets.yaml", "E-UNKNOWN", "include"),
           added("wrong case", "^Lease: {ttl: 10s}", "E-UNKNOWN", "Lease"),
           added("key with a terminal escape", "^\"\\e[31m\": 1", "E-UNKNOWN", "\\x1b[31m"),
           added("a merge key", "^<<: {seed: 1}", "E-UNKNOWN", "<<"),
           added("repeated section", "seed: 1\n^seed: 2", "E-DUPLICATE", "seed"),
           added("repeated field", "lease: {ttl: 5s, ^ttl: 6s}", "E-DUPLICATE", "lease.ttl"),
           added("a repeated key in quotes", "seed: 1\n^\"seed\": 2", "E-DUPLICATE", "seed"),
           added("a parameter of another distribution",
                 "world: {trip: {dist: constant, value: 2s, ^mean: 3s}}",
                 "E-UNKNOWN",
                 "world.trip.mean"),
           added("a field of another kind of fault",
                 "faults: [{kind: pause, node: matcher/1, at: 1s, for: 1s, ^restart_after: 1s}]",
                 "E-UNKNOWN",
                 "faults.1.restart_after"),
           added("repeated id",
                 "clocks: [{id: a, node: ledger}, {id: ^a, node: matcher/1}]",
                 "E-DUPLICATE",
                 "clocks.a.id"),
       }) {
    check(h);
  }
}

TEST_CASE("hostile: wrong types") {
  for (const hostile& h : {
           added("a list for a mapping", "lease: ^[1, 2]", "E-TYPE", "lease"),
           added("a scalar for a mapping", "lease: ^15s", "E-TYPE", "lease"),
           added("nothing for a mapping", "^lease:", "E-TYPE", "lease"),
           added("null for a number", "matchers: {^count: ~}", "E-TYPE", "matchers.count"),
           added("a mapping for a list", "network: ^{link: matcher->driver}", "E-TYPE", "network"),
           added("a list for a scalar", "seed: ^[1]", "E-TYPE", "seed"),
           added("a word for a number", "matchers: {count: ^many}", "E-TYPE", "matchers.count"),
           added("a number in quotes", "matchers: {count: ^\"4\"}", "E-TYPE", "matchers.count"),
           added("a fraction for a count", "matchers: {count: ^2.5}", "E-TYPE", "matchers.count"),
           added("base 8", "matchers: {count: ^010}", "E-TYPE", "matchers.count"),
           added("base 16", "matchers: {count: ^0x10}", "E-TYPE", "matchers.count"),
           added("digit groups", "matchers: {count: ^1_000}", "E-TYPE", "matchers.count"),
           added("off for a duration", "lease: {ttl: ^off}", "E-TYPE", "lease.ttl"),
           added("yes for a share",
                 "network: [{link: rider->matcher, loss: ^yes}]",
                 "E-TYPE",
                 "network.rider->matcher.loss"),
           added("true for a list", "faults: ^true", "E-TYPE", "faults"),
           added("no as a name (Norway)", "name: ^no", "E-TYPE", "name"),
           added("off as text", "question: ^off", "E-TYPE", "question"),
           added("a date as text", "question: ^2018-11-09", "E-TYPE", "question"),
           added("a tag", "seed: ^!!str 5", "E-TYPE", "seed"),
           added("a tag that other readers run",
                 "lease: ^!!python/object:os.system {}",
                 "E-TYPE",
                 "lease"),
           added("a list as a key", "^[a, b]: 1", "E-TYPE", ""),
           added("a comparison as a number",
                 "thresholds: {rides.match_rate: ^0.85}",
                 "E-TYPE",
                 "thresholds.rides.match_rate"),
           added("a link without an arrow",
                 "network: [{link: ^matcher}]",
                 "E-TYPE",
                 "network.matcher.link"),
           added("one node for two",
                 "faults: [{kind: partition, at: 1s, for: 1s, between: ^[ledger]}]",
                 "E-TYPE",
                 "faults.1.between"),
           {"a list", "^- 1\n- 2\n", "E-TYPE", ""},
           {"a word", "^hello\n", "E-TYPE", ""},
           {"an empty file", "^", "E-TYPE", ""},
           {"comments only", "^# nothing\n\n", "E-TYPE", ""},
           {"null", "^~\n", "E-TYPE", ""},
       }) {
    check(h);
  }
}

TEST_CASE("hostile: units") {
  for (const hostile& h : {
           added("no unit", "lease: {ttl: ^15}", "E-UNIT", "lease.ttl"),
           added("zero without a unit", "lease: {grace: ^0}", "E-UNIT", "lease.grace"),
           added("an unknown unit", "lease: {ttl: ^15sec}", "E-UNIT", "lease.ttl"),
           added("a space before the unit", "lease: {ttl: ^15 s}", "E-UNIT", "lease.ttl"),
           added("two units", "lease: {ttl: ^1m30s}", "E-UNIT", "lease.ttl"),
           added("a sexagesimal", "lease: {ttl: ^1:30}", "E-UNIT", "lease.ttl"),
           added("a share for a duration", "lease: {ttl: ^60%}", "E-UNIT", "lease.ttl"),
           added("a duration for a distance",
                 "matchers: {policy: {radius: ^3h}}",
                 "E-UNIT",
                 "matchers.policy.radius"),
           added("a speed without its unit",
                 "world: {travel: {speed: ^18}}",
                 "E-UNIT",
                 "world.travel.speed"),
           added("a drift without its unit",
                 "clocks: [{node: ledger, drift: ^200}]",
                 "E-UNIT",
                 "clocks.1.drift"),
           added("a threshold without its unit",
                 "thresholds: {ttm.p95: ^\"<= 45\"}",
                 "E-UNIT",
                 "thresholds.ttm.p95"),
           demand(
               "a rate without its unit", "{kind: poisson, rate: ^1}", "E-UNIT", "demand.1.rate"),
       }) {
    check(h);
  }
}

TEST_CASE("hostile: out of range") {
  for (const hostile& h : {
           added("a count of 0", "matchers: {count: ^0}", "E-RANGE", "matchers.count"),
           added("a negative count", "matchers: {count: ^-1}", "E-RANGE", "matchers.count"),
           added(
               "more than 32 bits", "matchers: {count: ^4294967297}", "E-RANGE", "matchers.count"),
           added("more than 64 bits", "seed: ^18446744073709551616", "E-RANGE", "seed"),
           added("more than 64 bits in base 16", "seed: ^0x10000000000000000", "E-RANGE", "seed"),
           added("a negative seed", "seed: ^-5", "E-RANGE", "seed"),
           added("more than int64 nanoseconds",
                 "lease: {ttl: ^9223372036854775808ns}",
                 "E-RANGE",
                 "lease.ttl"),
           added("300 years", "lease: {ttl: ^2628000h}", "E-RANGE", "lease.ttl"),
           added("an exponent out of this world", "lease: {ttl: ^1e999s}", "E-RANGE", "lease.ttl"),
           added("below a nanosecond", "lease: {ttl: ^0.5ns}", "E-RANGE", "lease.ttl"),
           added("a negative duration", "lease: {ttl: ^-5s}", "E-RANGE", "lease.ttl"),
           added("a TTL of nothing", "lease: {ttl: ^0s}", "E-RANGE", "lease.ttl"),
           added("NaN", "world: {travel: {detour: ^.nan}}", "E-RANGE", "world.travel.detour"),
           added("infinity", "world: {travel: {detour: ^.inf}}", "E-RANGE", "world.travel.detour"),
           added("more than a double",
                 "world: {travel: {detour: ^1e400}}",
                 "E-RANGE",
                 "world.travel.detour"),
           added("an infinite duration", "lease: {ttl: ^.inf}", "E-RANGE", "lease.ttl"),
           added("a share of 60",
                 "network: [{link: rider->matcher, loss: ^60}]",
                 "E-RANGE",
                 "network.rider->matcher.loss"),
           added("a share of 101%",
                 "network: [{link: rider->matcher, loss: ^101%}]",
                 "E-RANGE",
                 "network.rider->matcher.loss"),
           added("a latitude beyond the pole",
                 "world: {bounds: {north: ^95}}",
                 "E-RANGE",
                 "world.bounds.north"),
       }) {
    check(h);
  }
}

TEST_CASE("hostile: words and values that do not exist") {
  for (const hostile& h : {
           added("an unknown protocol", "lease: {protocol: ^fencd}", "E-RANGE", "lease.protocol"),
           added("a protocol that does not exist yet",
                 "lease: {protocol: ^quorum}",
                 "E-RANGE",
                 "lease.protocol"),
           added("a renewal that does not exist yet",
                 "lease: {renewal: {kind: ^keen}}",
                 "E-RANGE",
                 "lease.renewal.kind"),
           added("a negative jitter", "lease: {jitter: ^-1s}", "E-RANGE", "lease.jitter"),
           added("an unknown distribution",
                 "world: {trip: {dist: ^lognorml, median: 1s, sigma: 1}}",
                 "E-RANGE",
                 "world.trip.dist"),
           added("a trip that never ends",
                 "world: {trip: {dist: ^never}}",
                 "E-RANGE",
                 "world.trip.dist"),
           added("a name with a slash", "name: ^../x", "E-RANGE", "name"),
           added("a control character", "question: ^\"a\\e[2Jb\"", "E-RANGE", "question"),
           added("a match rate of 85",
                 "thresholds: {rides.match_rate: ^\">= 85\"}",
                 "E-RANGE",
                 "thresholds.rides.match_rate"),
           added("two lines of text", "question: ^|\n  a\n  b", "E-RANGE", "question"),
           added("node 0", "clocks: [{node: ^matcher/0}]", "E-RANGE", "clocks.1.node"),
           added("a crash that never comes",
                 "faults: [{kind: crash, node: matcher/1, rate: ^0/h, restart_after: 1s}]",
                 "E-RANGE",
                 "faults.1.rate"),
           demand(
               "an empty burst", "{kind: burst, at: 1s, rides: ^0}", "E-RANGE", "demand.1.rides"),
           {"another version",
            "version: ^2\n" + base.substr(base.find('\n') + 1),
            "E-RANGE",
            "version"},
           {"no demand",
            "version: 1\ndemand: ^[]\n" + base.substr(11, base.find("demand") - 11),
            "E-RANGE",
            "demand"},
       }) {
    check(h);
  }
}

TEST_CASE("hostile: missing fields and dangling references") {
  for (const hostile& h : {
           {"no version", "^" + base.substr(base.find('\n') + 1), "E-MISSING", "version"},
           driver("no classes of drivers", "^[]", "E-RANGE", "drivers.classes"),
           driver("a class without answers",
                  "[^{name: all}]",
                  "E-MISSING",
                  "drivers.classes.all.response"),
           demand("a source without a kind", "^{rate: 1/s}", "E-MISSING", "demand.1.kind"),
           added("patience without a time",
                 "riders: {patience: ^{share: 60%}}",
                 "E-MISSING",
                 "riders.patience.after"),
           added("a crash without a time",
                 "faults: [^{kind: crash, node: matcher/1, restart_after: 1s}]",
                 "E-MISSING",
                 "faults.1.rate"),
           added("quantiles without an end",
                 "world: {trip: ^{dist: quantiles, p0: 1s, p50: 2s}}",
                 "E-MISSING",
                 "world.trip.p100"),
           added("no geography and no trip length",
                 "world: {geography: ^none}",
                 "E-MISSING",
                 "world.geography"),
           added("a matcher beyond the count",
                 "clocks: [{node: ^matcher/2}]",
                 "E-REFERENCE",
                 "clocks.1.node"),
           added("a driver beyond the count",
                 "clocks: [{node: ^driver/11}]",
                 "E-REFERENCE",
                 "clocks.1.node"),
           added("a second lease manager",
                 "clocks: [{node: ^lease_manager/2}]",
                 "E-REFERENCE",
                 "clocks.1.node"),
           added("a rider by number", "clocks: [{node: ^rider/1}]", "E-REFERENCE", "clocks.1.node"),
           added("an unknown node", "clocks: [{node: ^matchr/1}]", "E-REFERENCE", "clocks.1.node"),
           added("a link to an unknown node",
                 "network: [{link: ^matcher->drver}]",
                 "E-REFERENCE",
                 "network.matcher->drver.link"),
           added("an unknown metric",
                 "thresholds: {^rides.match_rte: \">= 0.8\"}",
                 "E-REFERENCE",
                 "thresholds.rides.match_rte"),
           added("an unknown metric to expect",
                 "expect: {^rides: \">= 0.8\"}",
                 "E-REFERENCE",
                 "expect.rides"),
       }) {
    check(h);
  }
}

TEST_CASE("hostile: lease fields that contradict each other") {
  for (const hostile& h : {
           added("a window beyond the TTL",
                 "lease: {ttl: 10s, offer_window: ^12s}",
                 "E-CONFLICT",
                 "lease.offer_window"),
           added("a margin that eats the TTL",
                 "lease: {ttl: 10s, judge: holder, margin: ^10s}",
                 "E-CONFLICT",
                 "lease.margin"),
           added("a grace that leaves nothing of the TTL",
                 "lease: {ttl: 10s, grace: ^-10s}",
                 "E-CONFLICT",
                 "lease.grace"),
           added("leases without the counter of their tokens",
                 "lease: {restart: {leases: kept, tokens: ^forgotten}}",
                 "E-CONFLICT",
                 "lease.restart.tokens"),
           added("a judge of what never expires",
                 "lease: {ttl: never, judge: ^holder}",
                 "E-CONFLICT",
                 "lease.judge"),
           added("a holder who judges the manager's commit",
                 "lease: {commit: manager, judge: ^holder}",
                 "E-CONFLICT",
                 "lease.judge"),
           added("phones that confirm at the ledger",
                 "lease: {confirm_by: ^driver}",
                 "E-CONFLICT",
                 "lease.confirm_by"),
           added("a sweep that never runs",
                 "lease: {cleanup: {kind: timer, every: ^1s}}",
                 "E-CONFLICT",
                 "lease.cleanup.every"),
       }) {
    check(h);
  }
}

TEST_CASE("hostile: numbers and places that contradict each other") {
  for (const hostile& h : {
           added("min above max",
                 "world: {trip: {dist: uniform, min: 9s, max: ^2s}}",
                 "E-CONFLICT",
                 "world.trip.max"),
           added("quantiles that fall",
                 "world: {trip: {dist: quantiles, p0: 5s, p50: ^2s, p100: 9s}}",
                 "E-CONFLICT",
                 "world.trip.p50"),
           added("south above north",
                 "world: {bounds: {south: 41, north: ^40}}",
                 "E-CONFLICT",
                 "world.bounds.north"),
           added("west beyond east",
                 "world: {bounds: {west: 10, east: ^9}}",
                 "E-CONFLICT",
                 "world.bounds.east"),
           driver("shares that do not add up",
                  "^[{name: a, share: 0.5, response: 3s}, {name: b, share: 0.4, response: 3s}]",
                  "E-CONFLICT",
                  "drivers.classes"),
           driver("more answers than offers",
                  "[{name: a, response: 3s, accept: 0.8, ignore: ^0.3}]",
                  "E-CONFLICT",
                  "drivers.classes.a.ignore"),
           added("a link within a kind",
                 "network: [{link: ^driver->driver}]",
                 "E-CONFLICT",
                 "network.driver->driver.link"),
           added("a link that is never used",
                 "network: [{link: matcher<->ledger}, {link: ^ledger->matcher/1}]",
                 "E-CONFLICT",
                 "network.ledger->matcher/1.link"),
           added("a crash at an instant and at random",
                 "faults: [{kind: crash, node: matcher/1, at: 1s, rate: ^3/h, restart_after: 1s}]",
                 "E-CONFLICT",
                 "faults.1.rate"),
           demand("rides that end before they begin",
                  "{kind: poisson, rate: 1/s, from: 10m, until: ^5m}",
                  "E-CONFLICT",
                  "demand.1.until"),
           demand("a burst outside the map",
                  "{kind: burst, at: 1s, rides: 9, around: ^{lat: 10, lon: 10, radius: 1km}}",
                  "E-CONFLICT",
                  "demand.1.around"),
       }) {
    check(h);
  }
}

}  // namespace dibs::scenario::test
