#include "bench/race/race.hpp"

#include "bench/race/bare_loop.hpp"
#include "bench/race/message_loop.hpp"
#include "bench/race/offer_race.hpp"
#include "catch.hpp"
#include "engine/run.hpp"

#include <atomic>
#include <utility>

using namespace dibs;
using namespace dibs::bench;

// Goal: what is measured is the whole race. Method: a size at which the run is looked at before its
// first trip, where one that waits would be taken for stuck.
TEST_CASE("race: it runs to its end at any size") {
  for (const std::uint32_t drivers : {1000U, 4000U}) {
    const auto s = offer_race(drivers, 0.1);
    const auto r = engine::run(s, {});
    REQUIRE(r);
    CHECK_FALSE(r->stuck);
    CHECK(r->reached == s.ends());
  }
}

namespace {

template <class Loop>
double match_rate_of(Loop& loop) {
  return static_cast<double>(loop.committed()) / static_cast<double>(loop.rides());
}

}  // namespace

TEST_CASE("race: the loops and the engine run the same model") {
  constexpr std::uint32_t drivers = 2000;
  constexpr double hours = 2;
  bare_loop_on_heap loop(drivers, hours, 1);
  bare_loop_on_queue on_queue(drivers, hours, 1);
  CHECK(loop.run() == on_queue.run());
  CHECK(loop.committed() == on_queue.committed());
  watched_nodes messages(drivers, hours, 1);
  messages.run();
  const auto r = engine::run(offer_race(drivers, hours), {});
  REQUIRE(r);
  // 19,000 rides each: six standard deviations of a share.
  CHECK(match_rate_of(messages) == Approx(match_rate_of(loop)).margin(0.03));
  CHECK(*r->metrics.value("rides.match_rate") == Approx(match_rate_of(loop)).margin(0.03));
}

// Goal: an event of the loop of messages is a floor for one of the engine. Method: both have as
// many messages and timers for a ride, and write as many facts down.
TEST_CASE("race: the loop of messages has the events and the facts that the engine has") {
  // What happens once a driver, once a ride and once a try weighs differently in the two.
  const auto [drivers, hours] = GENERATE(std::pair{1000U, 1.0}, std::pair{20'000U, 0.05});
  watched_nodes loop(drivers, hours, 1);
  const auto events = static_cast<double>(loop.run());
  const auto rides = static_cast<double>(loop.rides());
  const auto r = engine::run(offer_race(drivers, hours), {});
  REQUIRE(r);
  const double rides_of_engine = *r->metrics.value("rides.requested");
  // Nearly 5,000 rides each, whose numbers of tries differ from run to run by a hundredth.
  CHECK(events / rides == Approx(static_cast<double>(r->events) / rides_of_engine).epsilon(0.02));
  CHECK(static_cast<double>(loop.record().facts()) / rides ==
        Approx(static_cast<double>(r->facts) / rides_of_engine).epsilon(0.02));
}

// Goal: what nodes remember is what messages carry. Method: where each looks there whether what
// comes is news, nearly all of it is, but for a driver whose rider has left, and a third offer.
TEST_CASE("race: in the loop of messages a node takes what comes for news") {
  bare_messages plain(2000, 1, 1);
  unwatched_nodes remembering(2000, 1, 1);
  const auto events = static_cast<double>(plain.run());
  CHECK(static_cast<double>(remembering.run()) == Approx(events).epsilon(0.001));
  CHECK(remembering.rides() == plain.rides());
  CHECK(static_cast<double>(remembering.committed()) ==
        Approx(static_cast<double>(plain.committed())).epsilon(0.001));
}

TEST_CASE("race: by the mailboxes of CAF's actors its history is the one that is timed") {
  const auto s = offer_race(300, 0.3);
  const auto direct = engine::run(s, {});
  const auto mailbox = engine::run(s, {.delivery = engine::delivery::mailbox});
  REQUIRE(direct);
  REQUIRE(mailbox);
  CHECK(direct->history == mailbox->history);
  CHECK(direct->events == mailbox->events);
  CHECK(direct->events > 10'000);
}

TEST_CASE("race: once stopped it has no turn to tell of") {
  const std::atomic<bool> stop = true;
  CHECK_FALSE(race(100, 0.01, 2, &stop));
  const auto whole = race(100, 0.1, 1);
  REQUIRE(whole);
  CHECK(whole->events > whole->bare_events);
}
