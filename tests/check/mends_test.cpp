#include "check/mends.hpp"

#include "check/sound.hpp"

#include <algorithm>
#include <string>

using namespace dibs;
using check::test::town;

namespace {

std::string words_of(const check::mend& m) {
  std::string all;
  for (const scenario::override_value& each : m.set) {
    all += (all.empty() ? "" : " ") + each.path + "=" + each.value;
  }
  return all;
}

bool has_mend(const std::vector<std::string>& set, const std::string& words) {
  const auto all = check::mends_of(town(set));
  return std::ranges::any_of(all, [&](const check::mend& m) { return words_of(m) == words; });
}

}  // namespace

TEST_CASE("mends: the offer window goes with the TTL, unless it is far from it") {
  CHECK(words_of(check::ttl_of(town({"lease.ttl=20s", "lease.offer_window=16s"}), 0.5)) ==
        "lease.ttl=10s lease.offer_window=8s");
  const auto far = town({"lease.ttl=4m", "lease.offer_window=9s"});
  CHECK(words_of(check::ttl_of(far, 1.0 / 6)) == "lease.ttl=40s");
  CHECK(words_of(check::ttl_of(far, 1.0 / 48)) == "lease.ttl=5s lease.offer_window=200ms");
}

TEST_CASE("mends: no wait is mended by giving up sooner") {
  const auto mine = town();
  CHECK(check::gives_up_sooner(mine, town({"matchers.offers.total_wait=60s"})));
  CHECK(check::gives_up_sooner(mine, town({"matchers.offers.max=3"})));
  CHECK(check::gives_up_sooner(mine, town({"lease.ttl=2m", "lease.offer_window=95s"})));
  CHECK_FALSE(check::gives_up_sooner(mine, town({"matchers.offers.max=9", "lease.ttl=2m"})));
  // Five times 80 s would leave no time for a second offer in 2 minutes.
  const std::vector<std::string> long_ttl{
      "lease.ttl=80s", "lease.offer_window=80s", "matchers.offers.total_wait=2m"};
  CHECK_FALSE(has_mend(long_ttl, "lease.ttl=400s lease.offer_window=400s"));
  CHECK(has_mend(long_ttl, "lease.ttl=40s lease.offer_window=40s"));
}

TEST_CASE("mends: renewals that stop with their matcher may have a thread of their own") {
  CHECK(has_mend({"lease.renewal={kind: eager}"}, "lease.renewal.thread=own"));
  CHECK_FALSE(has_mend({"lease.renewal={kind: eager, thread: own}"}, "lease.renewal.thread=own"));
  CHECK_FALSE(has_mend({}, "lease.renewal.thread=own"));
}
