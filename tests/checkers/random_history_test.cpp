// Goal: the run checker neither blames the innocent nor overlooks the guilty.
// Method: random legal histories are never flagged; each, broken in one place, is always flagged
// with the invariant that the break is about.

#include "random_history.hpp"

#include "catch.hpp"
#include "history.hpp"
#include "mutants.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;

namespace {

check_result judged_story(const story& s, const std::vector<events::event>& events) {
  return judged(events, s.what, s.end.time_since_epoch());
}

std::string first_of(const check_result& j) {
  return j.violations.empty() ? "nothing"
                              : fmt::format("{} at event {}: {}",
                                            lease::code_of(j.violations[0].broken),
                                            j.violations[0].event_index,
                                            j.violations[0].what);
}

}  // namespace

TEST_CASE("random histories: a legal one is never flagged", "[checkers]") {
  std::set<std::size_t> kinds;
  for (int how = 0; how < tellings; ++how) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      const story s = random_story(seed, static_cast<telling>(how));
      const check_result j = judged_story(s, s.events);
      INFO("telling " << how << ", seed " << seed << ": " << first_of(j));
      REQUIRE(j.kept());
      for (const events::event& e : s.events) {
        kinds.insert(e.what.index());
      }
    }
  }
  CHECK(kinds.size() == 15);  // every kind that a checker reads, but faults of nodes
}

TEST_CASE("random histories: one that is broken in one place is always flagged", "[checkers]") {
  std::string table =
      "mutant                               judged by  tried  caught  also flagged\n";
  for (const mutant& m : mutants()) {
    int tried = 0;
    int caught = 0;
    std::set<std::string> also;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const story s = random_story(seed, telling::manager_judges);
      auto random = stream::keyed(seed, purpose::pick);
      const auto broken = m.breaks(s, random);
      if (!broken) {
        continue;
      }
      ++tried;
      const check_result j = judged_story(s, *broken);
      const bool right = (j.broken >> static_cast<unsigned>(m.caught_by) & 1U) != 0;
      caught += right ? 1 : 0;
      INFO(m.name << ", seed " << seed << ": " << first_of(j));
      CHECK(right);
      for (int i = 0; i < lease::invariants; ++i) {
        if ((j.broken >> i & 1U) != 0 && static_cast<lease::invariant>(i) != m.caught_by) {
          also.emplace(lease::code_of(static_cast<lease::invariant>(i)));
        }
      }
    }
    std::string others;
    for (const std::string& code : also) {
      others += code + " ";
    }
    table += fmt::format("{:36} {:>9}  {:5}  {:6}  {}\n",
                         m.name,
                         lease::code_of(m.caught_by),
                         tried,
                         caught,
                         others);
    CHECK(tried >= 100);
  }
  WARN(table);
}
