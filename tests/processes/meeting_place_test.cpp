// Goal: only what stays on this machine goes without TLS.

#include "processes/meeting_place.hpp"

#include "catch.hpp"

namespace dibs::processes {

TEST_CASE("meeting place: a name is another machine's, whatever it begins with") {
  for (const char* host : {"localhost", "127.0.0.1", "127.255.0.9", "::1"}) {
    INFO(host);
    CHECK(is_loopback(host));
  }
  for (const char* host :
       {"127.evil.test", "127.0.0.1.evil.test", "127.1x", "localhost.evil.test", "192.0.2.2", ""}) {
    INFO(host);
    CHECK_FALSE(is_loopback(host));
    CHECK_FALSE(check_safety({.host = host}));
  }
}

}  // namespace dibs::processes
