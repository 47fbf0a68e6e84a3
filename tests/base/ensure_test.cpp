#include "base/ensure.hpp"

#include "catch.hpp"

#include <string>

namespace {

TEST_CASE("ensure: what holds is let through", "[ensure]") {
  dibs::ensure(true, "all is well");
  SUCCEED();
}

TEST_CASE("ensure: what does not hold is thrown, with the place", "[ensure]") {
  std::string said;
  try {
    dibs::ensure(false, "time never runs backwards");
  } catch (const dibs::defect& found) {
    said = found.what();
  }
  CHECK(said.find("internal error: time never runs backwards") == 0);
  CHECK(said.find("ensure_test.cpp:") != std::string::npos);
}

}  // namespace
