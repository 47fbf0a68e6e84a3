// Goal: nobody but who has the address that was printed learns anything.
// Method: requests as data.

#include "explore/access.hpp"

#include "catch.hpp"

#include <set>

using namespace dibs::explore;

namespace {

constexpr int port = 4711;
const std::string token = "0123456789abcdef0123456789abcdef";

page_request asking(const std::string& method, const std::string& host, const std::string& shown) {
  return {method, "/", host, {{"token", shown}}};
}

int status_of(const page_request& r) {
  const auto no = refusal_of(r, token, port);
  return no ? no->status : 200;
}

}  // namespace

TEST_CASE("access: only this machine's names of itself, with the port") {
  for (const char* name : {"127.0.0.1:4711", "localhost:4711", "[::1]:4711"}) {
    CHECK(status_of(asking("GET", name, token)) == 200);
  }
  for (const char* name : {"",
                           "127.0.0.1",
                           "127.0.0.1:4712",
                           "127.0.0.1:47110",
                           "127.0.0.1.example.com:4711",
                           "localhost.example.com:4711",
                           "example.com:4711",
                           "example.com",
                           "10.0.0.1:4711",
                           "localhost:4711.example.com",
                           " localhost:4711"}) {
    INFO(name);
    CHECK(status_of(asking("GET", name, token)) == 403);
  }
}

TEST_CASE("access: the whole token and nothing else") {
  for (const std::string& wrong : {std::string(),
                                   token.substr(1),
                                   token.substr(0, 31),
                                   token + "0",
                                   std::string(32, '0'),
                                   std::string("0123456789ABCDEF0123456789ABCDEF")}) {
    INFO(wrong);
    CHECK(status_of(asking("GET", "127.0.0.1:4711", wrong)) == 403);
  }
  CHECK(status_of({"GET", "/", "127.0.0.1:4711", {}}) == 403);
}

TEST_CASE("access: only what changes nothing, and a wrong token comes first") {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "get"}) {
    CHECK(status_of(asking(method, "127.0.0.1:4711", token)) == 405);
    CHECK(status_of(asking(method, "127.0.0.1:4711", "")) == 403);
  }
}

TEST_CASE("access: no two tokens are the same") {
  std::set<std::string> all;
  for (int i = 0; i < 100; ++i) {
    all.insert(fresh_token());
  }
  CHECK(all.size() == 100);
  CHECK(all.begin()->size() == 32);
  CHECK(all.begin()->find_first_not_of("0123456789abcdef") == std::string::npos);
}
