#include "check/check.hpp"
#include "check/sound.hpp"
#include "scenario/field_paths.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace dibs;
using check::test::shipped;
using check::test::town;

namespace {

check::checked checked(const std::vector<std::string>& set,
                       const std::vector<std::string>& incidents) {
  std::vector<check::cause> causes;
  for (const std::string& each : incidents) {
    causes.push_back(shipped(each));
  }
  auto found = check::check_scenario(town(set), causes, {.runs = 4, .jobs = 2});
  REQUIRE(found);
  return std::move(*found);
}

}  // namespace

TEST_CASE("own rules: what papers over leases that end early is no flaw beside them") {
  const check::checked found =
      checked({"lease.grace=-12s"}, {"07-cleanup-grace-negative", "19-thundering-herd-expiry"});
  REQUIRE_FALSE(found.rows.empty());
  CHECK(found.rows.front().name == "cleanup-grace-negative");
  CHECK(std::ranges::count_if(
            found.rows, [](const check::row& r) { return r.is_own() && r.is_harmed(); }) == 1);
}

TEST_CASE("own rules: mends of all that breaks are tried together") {
  const check::checked found =
      checked({"lease.protocol=lease",
               "lease.judge=holder",
               "lease.restart={leases: forgotten, tokens: forgotten}"},
              {"15-gc-pause-holder", "30-store-forgets-leases", "08-cleanup-inservice"});
  REQUIRE(found.together);
  CHECK(found.together->of == 3);
  CHECK(found.together->breaks == 0);
  // A part of what is set as a whole is not set again.
  const auto& set = found.together->told.what.set;
  for (const auto& each : set) {
    CHECK(std::ranges::count_if(set, [&](const auto& other) {
            return scenario::is_within(each.path, other.path);
          }) == 1);
  }
}
