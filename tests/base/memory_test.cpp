#include "base/memory.hpp"

#include "catch.hpp"

#include <string>

using namespace dibs;

TEST_CASE("memory: large pages are asked for beside whatever else is") {
  const auto alone = large_page_tunables("");
  REQUIRE(alone);
  CHECK(alone->starts_with("glibc.malloc.hugetlb=1:"));
  const auto beside = large_page_tunables("glibc.cpu.x86_ibt=on");
  REQUIRE(beside);
  CHECK(*beside == "glibc.cpu.x86_ibt=on:" + *alone);
}

TEST_CASE("memory: what is said of memory otherwise stays") {
  const auto beside = large_page_tunables("glibc.malloc.top_pad=65536");
  REQUIRE(beside);
  CHECK(beside->starts_with("glibc.malloc.top_pad=65536:glibc.malloc.hugetlb=1:"));
  CHECK(beside->find("top_pad", beside->find("hugetlb")) == std::string::npos);
}

TEST_CASE("memory: whoever says something of large pages is obeyed") {
  CHECK_FALSE(large_page_tunables("glibc.malloc.hugetlb=0"));
  CHECK_FALSE(large_page_tunables(large_page_tunables("").value()));
}
