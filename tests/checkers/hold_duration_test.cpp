#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;

namespace {

options only_holds(std::optional<sim_duration> overstay = 2s) {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(invariant::holds_bounded) |
                  1U << static_cast<unsigned>(invariant::zombies_bounded);
  what.overstay = overstay;
  return what;
}

constexpr sim_duration rounding = 1us;

}  // namespace

TEST_CASE("holds: a lease stands until its expiry and the clean-up", "[checkers]") {
  const auto ended = [](sim_duration when) {
    return history{}.at(0s).grant(1, 3, 10).at(when).end(1, lease_ending::swept);
  };
  CHECK(broken_in(ended(17s + rounding), only_holds()) == nothing);
  CHECK(broken_in(ended(17s + rounding + 1ns), only_holds()) == codes{"B4"});
  CHECK(broken_in(ended(50s), only_holds(std::nullopt)) == nothing);
  CHECK(broken_in(history{}.at(0s).grant(1, 3, 10, forever).at(50s).end(1), only_holds()) ==
        nothing);
}

TEST_CASE("holds: a renewal and a confirm begin anew", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(10s).renew(1);
  CHECK(broken_in(history(h).at(27s).end(1, lease_ending::swept), only_holds()) == nothing);
  CHECK(broken_in(history(h).at(28s).end(1, lease_ending::swept), only_holds()) == codes{"B4"});
  h.at(20s).confirm(1);
  CHECK(broken_in(history(h).at(52s).commit(1), only_holds()) == nothing);
  CHECK(broken_in(history(h).at(53s).commit(1), only_holds()) == codes{"B4"});
}

TEST_CASE("holds: drift stretches what a lease may last", "[checkers]") {
  auto drifting = only_holds();
  drifting.drift_ppm = 10'000;
  const auto ended = [](sim_duration when) {
    return history{}.at(0s).grant(1, 3, 10).at(when).end(1, lease_ending::swept);
  };
  CHECK(broken_in(ended(17s + 171ms), drifting) == nothing);
  CHECK(broken_in(ended(17s + 172ms), drifting) == codes{"B4"});
}

TEST_CASE("holds: a dead holder holds no longer than a lease lasts", "[checkers]") {
  // Somebody renews for it.
  history h;
  h.at(0s).grant(1, 3, 10).at(1s).holder_crash().at(10s).renew(1).at(20s);
  CHECK(broken_in(history(h).end(1, lease_ending::swept), only_holds()) == codes{"B5"});
  CHECK(broken_in(history(h).holder_restart().at(26s).end(1, lease_ending::swept), only_holds()) ==
        codes{"B5"});
  // Its last call was on its way.
  auto slow = only_holds();
  slow.in_flight = 9s;
  CHECK(broken_in(history(h).end(1, lease_ending::swept), slow) == nothing);
  slow.in_flight = 9s - 1ns;
  CHECK(broken_in(history(h).end(1, lease_ending::swept), slow) == codes{"B5"});
  history back;
  back.at(0s).grant(1, 3, 10).at(1s).holder_crash().at(9s).holder_restart().renew(1).at(25s);
  CHECK(broken_in(back.end(1, lease_ending::swept), only_holds()) == nothing);
}

TEST_CASE("holds: with lazy clean-up a lease that is over ends with the next acquire",
          "[checkers]") {
  auto lazy = only_holds(std::nullopt);
  lazy.ends_on_read = true;
  const auto denied = [](history h,
                         std::uint32_t d,
                         std::uint32_t r,
                         events::denial cause = events::denial::leased) {
    return h.add(events::lease_denied{driver_id{d}, ride_id{r}, matcher_id{0}, cause});
  };
  history h;
  h.at(0s).grant(1, 3, 10);
  CHECK(broken_in(denied(history(h).at(15s + rounding), 4, 11), lazy) == nothing);
  CHECK(broken_in(denied(history(h).at(15s + rounding + 1ns), 4, 11), lazy) == codes{"B4"});
  CHECK(broken_in(denied(history(h).at(20s), 4, 11, events::denial::no_zone), lazy) == nothing);
  CHECK(broken_in(history(h).at(50s).grant(2, 4, 11).expire(1), lazy) == codes{"B4"});
  CHECK(broken_in(history(h).at(50s).expire(1).grant(2, 4, 11), lazy) == nothing);
  CHECK(broken_in(denied(history(h).at(10s).renew(1).at(20s), 4, 11), lazy) == nothing);
  CHECK(broken_in(denied(history(h).at(10s).renew(1).at(26s), 4, 11), lazy) == codes{"B4"});
  CHECK(broken_in(denied(history(h).at(10s).confirm(1).at(20s), 4, 11), lazy) == nothing);
}
