// Goal: a place is read as the page names it, and becomes the changes that a command can repeat.
// Method: sliders over a small scenario; nothing runs.

#include "explore/place.hpp"

#include "explore/small_start.hpp"
#include "has.hpp"

using namespace dibs;
using namespace dibs::explore;
using namespace dibs::explore::test;
using dibs::test::has;

namespace {

std::vector<std::string> texts_of(const changes& all) {
  std::vector<std::string> texts;
  for (const auto& o : all) {
    texts.push_back(o.path + "=" + o.value);
  }
  return texts;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("places: so many stops as there are sliders, none beyond the last") {
  const small_start s;
  const std::vector<slider> sliders{s.moving("lease.ttl=10s,20s"), s.moving("drivers.count=20,30")};
  CHECK(read_place("2.1", sliders) == place{2, 1});
  CHECK(read_place("0.0", sliders) == place{0, 0});
  for (const std::string_view bad : {"",
                                     "0",
                                     "3.0",
                                     "0.2",
                                     "0.0.0",
                                     "0.",
                                     ".0",
                                     "0.0.",
                                     "-1.0",
                                     "01.0",
                                     "0.x",
                                     "0 .0",
                                     "0.1e0",
                                     "99999999999999999999.0"}) {
    INFO(bad);
    CHECK_FALSE(read_place(bad, sliders));
  }
  CHECK(own_place(sliders) == place{1, 0});
}

TEST_CASE("places: only what was moved is a change, and the offer window follows the TTL") {
  const small_start s("lease.offer_window", "12s");
  const std::vector<slider> sliders{s.moving("lease.ttl=10s,20s"), s.moving("drivers.count=20,30")};
  CHECK(texts_of(*changes_at({1, 0}, sliders, s.scenario)).empty());
  CHECK(texts_of(*changes_at({1, 1}, sliders, s.scenario)) == texts{"drivers.count=30"});
  CHECK(texts_of(*changes_at({2, 1}, sliders, s.scenario)) ==
        texts{"lease.ttl=20s", "drivers.count=30", "lease.offer_window=17s"});
}

TEST_CASE("places: an offer window that has a slider of its own follows nothing") {
  const small_start s("lease.offer_window", "12s");
  const std::vector<slider> sliders{s.moving("lease.ttl=10s,20s"),
                                    s.moving("lease.offer_window=8s,12s")};
  CHECK(texts_of(*changes_at({2, 1}, sliders, s.scenario)) == texts{"lease.ttl=20s"});
  CHECK(texts_of(*changes_at({2, 0}, sliders, s.scenario)) ==
        texts{"lease.ttl=20s", "lease.offer_window=8s"});
}

TEST_CASE("places: what cannot be is said at the slider that it is about") {
  const small_start s("lease.offer_window", "12s");
  const std::vector<slider> sliders{s.moving("drivers.count=20,30"),
                                    s.moving("lease.offer_window=8s,12s,40s"),
                                    s.moving("matchers.count=1..2")};
  const auto said_at = [&](const place& p) {
    const auto read = s.scenario.with(*changes_at(p, sliders, s.scenario));
    REQUIRE_FALSE(read.ok());
    return objection_of(read.diagnostics, sliders);
  };
  const objection window = said_at({0, 2, 1});
  CHECK(window.slider == 1U);
  CHECK(has(window.why, "lease.offer_window"));
  // A clock of the file is named after a matcher that there is no more.
  const objection matcher = said_at({0, 1, 0});
  CHECK(matcher.slider == 2U);
  CHECK(has(matcher.why, "there is no matcher/2"));
}

TEST_CASE("places: what is of no slider is said of none") {
  const small_start s;
  scenario::diagnostic one;
  one.path = "drivers.classes.all.accept";
  one.message = "must be at most 1";
  one.hint = "give a share";
  const objection o = objection_of({one}, {s.moving("lease.ttl"), s.moving("drivers.count")});
  CHECK_FALSE(o.slider);
  CHECK(o.why == "drivers.classes.all.accept: must be at most 1; give a share");
  one.path = "lease.ttl";
  CHECK(objection_of({one}, {s.moving("drivers.count"), s.moving("lease.ttl")}).slider == 1U);
}
