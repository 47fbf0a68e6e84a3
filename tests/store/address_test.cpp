#include "store/address.hpp"

#include "catch.hpp"

namespace dibs::store {
namespace {

address of(std::string_view text) {
  const auto read = read_address(text);
  INFO(text);
  REQUIRE(read);
  return *read;
}

TEST_CASE("an address names a kind of store, a host, a port and a database") {
  const address whole = of("postgres://me@db.example:7532/rides");
  CHECK(whole.kind == kind::postgres);
  CHECK(whole.user == "me");
  CHECK(whole.host == "db.example");
  CHECK(whole.port == 7532);
  CHECK(whole.database == "rides");
  CHECK(of("postgresql://db").kind == kind::postgres);
  CHECK(of("postgres://db").port == 5432);
  CHECK(of("postgres://db/").database == "postgres");
  CHECK(of("redis://db").port == 6379);
  CHECK(of("valkey://db/3").database == "3");
  CHECK(of("redis://[::1]:7000/2").host == "::1");
  CHECK(of("redis://[::1]:7000/2").port == 7000);
  CHECK(of("redis://[::1]").port == 6379);
  CHECK(of("etcd://db").kind == kind::etcd);
  CHECK(of("etcd://me@db/").port == 2379);
  CHECK(of("etcd://me@db").user == "me");
  CHECK(of("memory").kind == kind::memory);
}

TEST_CASE("what names no store is refused, with what would") {
  for (const char* text : {"",
                           "postgres",
                           "mysql://db",
                           "postgres://",
                           "postgres://db:0",
                           "postgres://db:65536",
                           "postgres://db:x",
                           "postgres://[::1",
                           "postgres://[::1]7",
                           "postgres://db?sslmode=disable",
                           "redis://db/one",
                           "etcd://db/one",
                           "redis://a b"}) {
    const auto read = read_address(text);
    INFO(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == exit_code::usage);
    CHECK(read.error().text.find("names no store") != std::string::npos);
  }
}

TEST_CASE("an address with a password is refused, and the password is not shown") {
  for (const char* text : {"postgres://me:secret@db",
                           "etcd://me:secret@db",
                           "redis://:secret%40@db",
                           "redis://:secret@a b"}) {
    const auto read = read_address(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().text.find("secret") == std::string::npos);
    CHECK(read.error().text.find("PASSWORD") != std::string::npos);
  }
}

}  // namespace
}  // namespace dibs::store
