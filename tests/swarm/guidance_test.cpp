#include "swarm/guidance.hpp"

#include "catch.hpp"
#include "swarm/state_coverage.hpp"

#include <algorithm>
#include <vector>

using namespace dibs;

namespace {

constexpr std::uint64_t seed = 7;

swarm::mixture_origin blindly(std::uint32_t number) {
  return swarm::origin_of(seed, number, {}, 0.5);
}

bool is_same(const swarm::mixture_origin& a, const swarm::mixture_origin& b) {
  return a.run == b.run && a.drawn_by == b.drawn_by;
}

/// How many hazards of the runs to come are as the run with that number drew them.
std::size_t inherited(const swarm::guidance& guide, std::uint32_t number) {
  std::size_t all = 0;
  for (std::uint32_t k = 100; k < 300; ++k) {
    const auto next = guide.next(k, {});
    all += static_cast<std::size_t>(std::ranges::count(next.drawn_by, std::optional(number)));
  }
  return all;
}

events::event granted(std::uint64_t token, sim_duration expires) {
  return {sim_time{1s},
          local_time{1s},
          events::lease_granted{
              token_id{token}, driver_id{3}, ride_id{1}, matcher_id{0}, 10s, local_time{expires}},
          {}};
}

events::event confirmed(std::uint64_t token, sim_duration at) {
  return {sim_time{at},
          local_time{at},
          events::confirm_accepted{token_id{token}, driver_id{3}, ride_id{1}, false},
          {}};
}

std::vector<std::uint16_t> signs_of(const std::vector<events::event>& history) {
  swarm::state_coverage seen;
  seen.observe(history);
  return seen.signs(0);
}

}  // namespace

TEST_CASE("guidance: what is not known yet, or not counted yet, guides nothing") {
  swarm::guidance guide(seed, 0.5);
  CHECK(is_same(guide.next(0, {}), blindly(0)));
  guide.learn(blindly(0), {1, 2});
  guide.end_batch();
  guide.learn(blindly(1), {3, 4, 5});
  CHECK(inherited(guide, 1) == 0);
  guide.end_batch();
  CHECK(inherited(guide, 1) > 0);
}

TEST_CASE("guidance: most runs to come are like one that saw what no other saw") {
  swarm::guidance guide(seed, 0.5);
  for (std::uint32_t k = 0; k < 20; ++k) {
    guide.learn(blindly(k), k == 13 ? swarm::signs_seen{1, 2, 3, 4} : swarm::signs_seen{1, 2});
  }
  guide.end_batch();
  CHECK(inherited(guide, 13) > 10 * std::max<std::size_t>(inherited(guide, 12), 1));
}

TEST_CASE("guidance: some runs are drawn blindly, and the same number is the same run") {
  swarm::guidance guide(seed, 0.5);
  guide.learn(blindly(0), {1});
  guide.end_batch();
  int blind = 0;
  for (std::uint32_t k = 0; k < swarm::blind_at_first; ++k) {
    CHECK(is_same(guide.next(k, {}), blindly(k)));
  }
  for (std::uint32_t k = swarm::blind_at_first; k < swarm::blind_at_first + 400; ++k) {
    blind += is_same(guide.next(k, {}), blindly(k)) ? 1 : 0;
    CHECK(is_same(guide.next(k, {}), guide.next(k, {})));
  }
  CHECK(blind > 60);
  CHECK(blind < 140);
}

TEST_CASE("state coverage: what is seen twice as often is one sign more") {
  const auto once = signs_of({granted(1, 9s)});
  const auto thrice = signs_of({granted(1, 9s), granted(1, 9s), granted(1, 9s)});
  CHECK(std::ranges::includes(thrice, once));
  CHECK(thrice.size() > once.size());
}

TEST_CASE("state coverage: an old token and the last moment of a lease are signs of their own") {
  const auto usual = signs_of({granted(1, 90s), confirmed(1, 2s)});
  CHECK(usual == signs_of({granted(1, 91s), confirmed(1, 2s)}));
  CHECK(usual != signs_of({granted(2, 90s), confirmed(1, 2s)}));
  CHECK(usual != signs_of({granted(1, 90s), confirmed(1, 90s - 1ms)}));
  CHECK(usual != signs_of({granted(1, 90s), confirmed(1, 90s)}));
}

TEST_CASE("state coverage: a promise that could be judged is a sign") {
  const swarm::state_coverage nothing;
  CHECK(nothing.signs(0).empty());
  CHECK(nothing.signs(0b101).size() == 2);
}
