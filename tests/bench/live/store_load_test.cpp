#include "bench/live/store_load.hpp"

#include "catch.hpp"

namespace dibs::bench {
namespace {

TEST_CASE("store load: the lease machine answers, and no driver has two holders") {
  const auto found = store_load({.where = {}, .drivers = 100, .seconds = 0.02, .repeats = 2});
  REQUIRE(found);
  CHECK(found->answers > 0);
  CHECK(found->took.count() >= found->answers);
  CHECK(found->answers_per_s.median > 0);
  CHECK(found->kept());
  CHECK(found->lost == 0);
}

TEST_CASE("store load: nothing is measured once it is to stop") {
  const std::atomic<bool> stop{true};
  const auto found = store_load({.where = {}, .stop = &stop});
  REQUIRE_FALSE(found);
  CHECK(found.error().code == exit_code::interrupted);
}

TEST_CASE("store load: a store that is not there is an error of its kind") {
  const auto where = store::read_address("redis://127.0.0.1:1");
  REQUIRE(where);
  const auto found = store_load({.where = *where});
  REQUIRE_FALSE(found);
  CHECK(found.error().code == exit_code::store_unreachable);
}

}  // namespace
}  // namespace dibs::bench
