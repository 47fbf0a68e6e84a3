#include "store/etcd_calls.hpp"

#include "catch.hpp"
#include "text/base64.hpp"
#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::store::etcd {
namespace {

const key_names run_keys{"dibs_1"};
const driver_id driver_42{42};

/// A key and its value as etcd 3.4 answers them.
std::string kv(const std::string& key, const std::string& value, const std::string& rest) {
  return R"({"key":")" + text::to_base64(key) + R"(","value":")" + text::to_base64(value) +
         R"(",)" + rest + "}";
}

std::string answer_with(const std::string& kvs) {
  return R"({"header":{"revision":"12"},"responses":[{"response_range":{"kvs":[)" + kvs +
         R"(],"count":"1"}},{"response_range":{"header":{"revision":"12"}}}]})";
}

TEST_CASE("etcd: what a transaction writes, another reads") {
  plan p;
  p.step = next_step::keep;
  p.record = {phase::leased, {}, ride_id{3}, matcher_id{4}, 5, false, {}, {6}};
  driver_keys seen;
  seen.record_revision = 8;
  const auto asked = text::text_as_json(carry_out(run_keys, driver_42, seen, p, 99));
  CHECK(asked["compare"][0]["mod_revision"] == "0");
  CHECK(asked["compare"][1]["mod_revision"] == "8");
  CHECK(asked["success"][1]["requestPut"]["lease"] == "99");
  const auto value =
      text::from_base64(asked["success"][0]["requestPut"]["value"].get<std::string>());
  REQUIRE(value);

  const auto a =
      read_txn(answer_with(kv(run_keys.live(driver_42), "", R"("mod_revision":"12","lease":"99")") +
                           "," + kv(run_keys.record(driver_42), *value, R"("mod_revision":"12")")),
               run_keys,
               10);
  REQUIRE(a);
  CHECK_FALSE(a->succeeded);
  CHECK(a->keys.live_revision == 12);
  CHECK(a->keys.lease == 99);
  CHECK(a->keys.record.token == token_id{2});  // counted from the run's first key
  CHECK(a->keys.record.ride == ride_id{3});
  CHECK(a->keys.record.holder == matcher_id{4});
  CHECK(a->keys.record.request == 5);
  CHECK(a->keys.record.last_trip == token_id{6});
}

TEST_CASE("etcd: a driver without keys is free") {
  const auto a = read_txn(
      R"({"header":{"revision":"3"},"succeeded":true,"responses":[{"response_range":{}}]})",
      run_keys,
      1);
  REQUIRE(a);
  CHECK(a->succeeded);
  CHECK(a->revision == 3);
  CHECK_FALSE(a->keys.is_live());
  CHECK(a->keys.record.state == phase::free);
  CHECK_FALSE(a->keys.record.ride.is_some());
}

TEST_CASE("etcd: an answer that it does not give is none") {
  CHECK_FALSE(read_txn("<html>", run_keys, 1));
  CHECK_FALSE(read_txn("{}", run_keys, 1));
  CHECK_FALSE(
      read_txn(answer_with(kv(run_keys.record(driver_42), "no record", R"("mod_revision":"2")")),
               run_keys,
               1));
  CHECK_FALSE(read_lease("{}"));
  CHECK(read_error("<html>") == "an answer that is not etcd's");
  CHECK(read_error(R"({"error":"etcdserver: no leader","code":14})") == "etcdserver: no leader");
}

TEST_CASE("etcd: a lease has a number and seconds, or is over") {
  const auto granted = read_lease(R"({"header":{},"ID":"6770214416490818309","TTL":"2"})");
  REQUIRE(granted);
  CHECK(granted->id == 6770214416490818309);
  CHECK(granted->ttl_s == 2);
  const auto kept = read_lease(R"({"result":{"ID":"7","TTL":"15"}})");
  REQUIRE(kept);
  CHECK(kept->ttl_s == 15);
  CHECK(read_lease(R"({"result":{"ID":"7"}})")->ttl_s == 0);
  CHECK(read_lease(R"({"ID":"7","TTL":"-1"})")->ttl_s == -1);
}

TEST_CASE("etcd: a length is rounded up to whole seconds") {
  CHECK(whole_seconds(1s) == 1);
  CHECK(whole_seconds(1s + 1ns) == 2);
  CHECK(whole_seconds(1ns) == 1);
}

}  // namespace
}  // namespace dibs::store::etcd
