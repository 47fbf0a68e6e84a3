#include "service_client/calls.hpp"

#include "catch.hpp"

namespace dibs::service_client {
namespace {

store::http_answer answered(int status, const std::string& body = "") {
  return {.status = status, .body = body, .why = {}};
}

constexpr const char* a_lease = R"({"token":7,"resource":"door","holder":"ann","remaining_ms":9})";

TEST_CASE("calls: requests are as the description has them") {
  const auto c = acquire_call("door", "ann", milliseconds(500), "r1");
  CHECK(c.method == "POST");
  CHECK(c.path == "/v1/leases");
  CHECK(c.body == R"({"resource":"door","holder":"ann","ttl_ms":500,"request":"r1"})");
  CHECK(renew_call(7, "ann", milliseconds(1)).path == "/v1/leases/7/renew");
  CHECK(release_call(7, "a b/&=\xc3\xa9").path == "/v1/leases/7?holder=a%20b%2F%26%3D%C3%A9");
  CHECK(complete_call({.id = 3, .token = 9}, R"({"x":1})").body ==
        R"({"token":9,"output":{"x":1}})");
}

TEST_CASE("calls: a lease is granted by 201 and 200, and denied by 409 alone or its like") {
  CHECK(lease_answer(answered(201, a_lease)).how == outcome::yes);
  CHECK(lease_answer(answered(201, a_lease)).of->token == 7);
  CHECK(lease_answer(answered(200, a_lease)).how == outcome::yes);
  for (const int no : {403, 404, 409}) {
    CHECK(lease_answer(answered(no)).how == outcome::no);
  }
  for (const int unfit : {301, 400, 401, 405, 413, 422, 429}) {
    CHECK(lease_answer(answered(unfit)).how == outcome::unfit);
  }
}

TEST_CASE("calls: what never came, failed or cannot be read is neither yes nor no") {
  CHECK(lease_answer({.status = 0, .body = {}, .why = "gone"}).how == outcome::lost);
  CHECK(lease_answer({.status = 0, .body = {}, .why = "gone"}).why == "gone");
  for (const int status : {100, 500, 503}) {
    CHECK(lease_answer(answered(status)).how == outcome::lost);
    CHECK(release_answer(answered(status)).how == outcome::lost);
  }
  for (const char* body : {"", "<html>", "[]", "{}", R"({"token":"7"})", R"({"token":0})"}) {
    CHECK(lease_answer(answered(201, body)).how == outcome::lost);
  }
  CHECK(lease_answer(answered(204)).how == outcome::lost);
}

TEST_CASE("calls: a refusal says what the service says of it, and shows nothing else") {
  CHECK(lease_answer(answered(409, R"({"detail":"the resource is leased"})")).why ==
        "409: the resource is leased");
  CHECK(lease_answer(answered(409, "<html>")).why == "409");
  CHECK(lease_answer(answered(503, R"({"detail":"\u001b[2J"})")).why.find('\x1b') ==
        std::string::npos);
}

TEST_CASE("calls: a release is done by 204, and one of nothing is no") {
  CHECK(release_answer(answered(204)).how == outcome::yes);
  CHECK(release_answer(answered(404)).how == outcome::no);
}

TEST_CASE("calls: a task comes with its data, and none is a yes too") {
  const auto t = task_answer(answered(200, R"({"id":3,"token":9,"data":{"n":1},"attempts":2})"));
  REQUIRE(t.of);
  CHECK(t.of->id == 3);
  CHECK(t.of->token == 9);
  CHECK(t.of->data == R"({"n":1})");
  CHECK(t.of->attempts == 2);
  CHECK(task_answer(answered(204)).how == outcome::yes);
  CHECK_FALSE(task_answer(answered(204)).of);
  CHECK(task_answer(answered(409)).how == outcome::no);
}

TEST_CASE("calls: an address is http, without secrets and whatever is no place") {
  CHECK(read_url("http://127.0.0.1:8080").value() == "http://127.0.0.1:8080");
  CHECK(read_url("http://[::1]:80/").value() == "http://[::1]:80");
  CHECK(read_url("http://host/leases/").value() == "http://host/leases");
  for (const char* bad :
       {"", "http://", "http:///", "https://x", "127.0.0.1:80", "http://a b", "http://x?y"}) {
    CHECK_FALSE(read_url(bad));
  }
  const auto secret = read_url("http://me:secret@host");
  REQUIRE_FALSE(secret);
  CHECK(secret.error().text.find("secret") == std::string::npos);
}

}  // namespace
}  // namespace dibs::service_client
