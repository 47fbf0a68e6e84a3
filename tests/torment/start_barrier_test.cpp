#include "torment/start_barrier.hpp"

#include "catch.hpp"
#include "torment/work_folder.hpp"

namespace dibs::torment {
namespace {

TEST_CASE("start barrier: it knows who is there, and tells all when the run begins") {
  const auto folder = work_folder::make();
  REQUIRE(folder);
  const start_barrier run(folder->path());
  const start_barrier matcher(folder->path());
  CHECK_FALSE(run.has_arrived(1));
  matcher.arrive(1);
  CHECK(run.has_arrived(1));
  CHECK_FALSE(run.has_arrived(0));
  CHECK_FALSE(matcher.begins());
  run.open(1234567890123ns);
  CHECK(matcher.begins() == 1234567890123ns);
}

}  // namespace
}  // namespace dibs::torment
