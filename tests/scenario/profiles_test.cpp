#include "scenario/profiles.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "scenario/read.hpp"
#include "scenario/warnings.hpp"

#include <cmath>
#include <string>

using namespace dibs;
using scenario::read_text;
using test::has;

namespace {

std::string with_lease(const std::string& lease) {
  return "version: 1\n"
         "demand: [{kind: poisson, rate: 1/s}]\n"
         "world: {geography: none, trip: {dist: constant, value: 60s}}\n"
         "drivers: {count: 5, classes: [{name: all, response: {dist: constant, value: 5s}}]}\n"
         "lease: " +
         lease + "\n";
}

scenario::lease_options lease_of(const std::string& lease,
                                 const std::vector<scenario::override_value>& set = {}) {
  const auto read = read_text(with_lease(lease), "test.yaml", ".", set);
  for (const auto& c : read.diagnostics) {
    UNSCOPED_INFO(scenario::format(c));
  }
  REQUIRE(read.ok());
  return read.value.lease;
}

}  // namespace

TEST_CASE("profiles: each is read without a complaint, and its dump reads the same without it") {
  REQUIRE(scenario::profiles().size() == 8);
  for (const scenario::profile& p : scenario::profiles()) {
    CAPTURE(p.name);
    const auto read =
        read_text(with_lease("{profile: " + std::string(p.name) + "}"), "test.yaml", ".", {});
    REQUIRE(read.ok());
    const std::string dumped = scenario::dump(read.value);
    const auto again = read_text(dumped, "again.yaml", ".", {});
    REQUIRE(again.ok());
    CHECK(scenario::dump(again.value) == dumped);
  }
}

TEST_CASE("profiles: what the scenario or a --set gives wins, the rest is filled in") {
  const auto etcd = lease_of("{profile: etcd, ttl: 1500ms}");
  CHECK(etcd.ttl == 1500ms);
  CHECK(etcd.granted_ttl() == 2s);
  CHECK(etcd.cleanup.kind == scenario::cleanup::periodic);
  CHECK(etcd.cleanup.every == 500ms);
  CHECK(etcd.cleanup.most == 500U);
  CHECK(etcd.renewal.at == 0.33);
  CHECK(etcd.restart.extra == 1s);
  CHECK_FALSE(lease_of("{profile: redis}").restart.keeps_tokens);
  const auto set = lease_of("{profile: etcd}", {{"lease.cleanup", "{kind: lazy}"}});
  CHECK(set.cleanup.kind == scenario::cleanup::lazy);
  const auto later = lease_of("{}", {{"lease.profile", "kubernetes"}});
  CHECK(later.margin == 5s);
  CHECK_FALSE(later.renewal.numbered);
  CHECK(std::abs(later.renewal.at.value_or(0) * 15 - 2) < 1e-4);
}

TEST_CASE("profiles: Consul's late expiry follows the TTL of the scenario") {
  CHECK(lease_of("{profile: consul, ttl: 20s}").grace == 20s);
  CHECK(lease_of("{profile: consul}").grace == 15s);
  CHECK(lease_of("{profile: consul, ttl: 3s}").granted_ttl() == 10s);
  CHECK(lease_of("{profile: consul, ttl: 3s}").grace == 10s);
}

TEST_CASE("profiles: a conflict with what the scenario gives is told with its place") {
  const auto read = read_text(with_lease("{profile: kubernetes, ttl: 4s}"), "test.yaml", ".", {});
  REQUIRE_FALSE(read.ok());
  const std::string text = scenario::format(read.diagnostics.front());
  CHECK(text.find("lease.margin") != std::string::npos);
  CHECK(text.find("below the TTL") != std::string::npos);
}

TEST_CASE("profiles: the starter leaves to them every field that they fill") {
  const std::string text = scenario::starter("town");
  CHECK(has(text, "\n  # ttl: 15s\n"));
  CHECK(has(text, "\n  # cleanup: {kind: timer}\n"));
  CHECK(has(text, "\n  offer_window: 12s\n"));
  for (const scenario::profile& p : scenario::profiles()) {
    CAPTURE(p.name);
    const auto read = read_text(text, "town.yaml", ".", {{"lease.profile", std::string(p.name)}});
    REQUIRE(read.ok());
    CHECK(scenario::remarks_on(read.value).empty());
  }
}

TEST_CASE("profiles: what one says otherwise than the scenario is named") {
  const auto remarks = [](const std::string& lease) {
    const auto read = read_text(with_lease(lease), "test.yaml", ".", {});
    REQUIRE(read.ok());
    return scenario::remarks_on(read.value);
  };
  CHECK(remarks("{cleanup: {kind: timer}}").empty());
  CHECK(remarks("{profile: redis, cleanup: {kind: lazy}, ttl_step: 1ms}").empty());
  CHECK(remarks("{profile: dynamodb, ttl: 30s}").size() == 1);
  const auto several = remarks("{profile: redis, cleanup: {kind: timer}, ttl_step: 0s}");
  REQUIRE(several.size() == 1);
  CHECK(has(several.front(), "redis says otherwise of lease.ttl_step and lease.cleanup,"));
  // What follows the TTL follows the scenario's.
  const auto one = remarks("{profile: dynamodb, ttl: 30s, renewal: {kind: none}}");
  REQUIRE(one.size() == 1);
  CHECK(has(one.front(), "says otherwise of lease.ttl and lease.renewal,"));
}

TEST_CASE("rounding: a TTL is rounded up to whole steps, after the minimum") {
  CHECK(lease_of("{ttl: 15s, ttl_step: 1s}").granted_ttl() == 15s);
  CHECK(lease_of("{ttl: 15001ms, ttl_step: 1s}").granted_ttl() == 16s);
  CHECK(lease_of("{ttl: 300ms, ttl_step: 1s, ttl_min: 2s}").granted_ttl() == 2s);
  CHECK(lease_of("{ttl: never, ttl_step: 1s}").granted_ttl() == forever);
}
