#include "catch.hpp"
#include "history.hpp"

using namespace dibs;
using namespace dibs::checkers::test;
using events::revocation;

namespace {

history committed() {
  history h;
  return h.at(0s).grant(1, 3, 10).at(2s).confirm(1).at(3s).commit(1);
}

}  // namespace

TEST_CASE("promises: a rider who is told after the commit is told the truth", "[checkers]") {
  CHECK(broken_in(committed().promise(1)) == nothing);
  CHECK(broken_in(committed().at(4s).promise(1).at(5s).promise(1)) == nothing);
  CHECK(broken_in(committed().at(4s).revoke(1).promise(1)) == nothing);  // the news was under way
}

TEST_CASE("promises: a rider who is told before the commit breaks S12", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).at(2s).promise(1);
  CHECK(broken_in(history(h).confirm(1).commit(1)) == codes{"S12"});
  history confirmed;
  confirmed.at(0s).grant(1, 3, 10).at(2s).confirm(1).promise(1).commit(1);
  CHECK(broken_in(confirmed) == codes{"S12"});
  history unknown;
  unknown.at(0s).add(events::ride_promised{ride_id{10}, token_id{1}, driver_id{3}});
  CHECK(broken_in(unknown, under(lease::protocol::none)) == codes{"S12"});
}

TEST_CASE("promises: a driver who was committed to another ride breaks S12", "[checkers]") {
  CHECK(broken_in(committed().promise(1, 11)) == codes{"S12"});
}

TEST_CASE("promises: a rider or a driver may call a trip off", "[checkers]") {
  CHECK(broken_in(committed().promise(1).at(9s).revoke(1, revocation::rider_cancelled)) == nothing);
  CHECK(broken_in(committed().promise(1).at(9s).revoke(1, revocation::driver_cancelled)) ==
        nothing);
}

TEST_CASE("promises: only what was committed can be withdrawn", "[checkers]") {
  history h;
  h.at(0s).grant(1, 3, 10).revoke(1).end(1);
  CHECK(broken_in(h) == codes{"S12"});
}

TEST_CASE("promises: a no-show without a second trip breaks S12", "[checkers]") {
  CHECK(broken_in(committed().promise(1).at(90s).revoke(1, revocation::no_show)) == codes{"S12"});
}

TEST_CASE("promises: a no-show of a driver whom a fault cut off breaks nothing", "[checkers]") {
  const auto no_show = [](const events::fact& fault) {
    return broken_in(
        committed().promise(1).at(5s).add(fault).at(90s).revoke(1, revocation::no_show));
  };
  const node_id ledger{node_kind::ledger, 0};
  const node_id driver{node_kind::driver, 3};
  const node_id other{node_kind::driver, 4};
  const auto lost = [&](std::uint32_t ride) {
    return events::message_lost{ledger, driver, ride_id{ride}, token_id{1}, {}};
  };
  CHECK(no_show(lost(10)) == nothing);
  CHECK(no_show(lost(11)) == codes{"S12"});
  CHECK(no_show(lost(ride_id::none().value)) == codes{"S12"});
  CHECK(no_show(events::node_crashed{driver}) == nothing);
  CHECK(no_show(events::node_paused{driver}) == nothing);
  CHECK(no_show(events::node_crashed{other}) == codes{"S12"});
  CHECK(no_show(events::node_crashed{node_id{node_kind::matcher, 3}}) == codes{"S12"});
}

TEST_CASE("promises: a driver who left after her yes does not come", "[checkers]") {
  const auto answered = events::offer_answered{
      token_id{1}, driver_id{3}, ride_id{10}, events::offer_response::accepted, true};
  const auto no_show = [&](sim_duration left) {
    history h;
    h.at(0s).online(3).grant(1, 3, 10);
    if (left < 2s) {
      h.at(left).offline(3).at(left).online(3);
    }
    h.at(2s).add(answered).confirm(1);
    if (left >= 2s && left < 3s) {
      h.at(left).offline(3).online(3);
    }
    h.at(3s).commit(1).promise(1);
    return broken_in(h.at(90s).revoke(1, revocation::no_show));
  };
  CHECK(no_show(2500ms) == nothing);
  CHECK(no_show(1s).contains("S12"));
  CHECK(no_show(9s).contains("S12"));
}

TEST_CASE("promises: a driver who was not told that a trip is off may be late for the next",
          "[checkers]") {
  const auto next = [](bool is_told) {
    history h = committed();
    h.promise(1).at(4s).revoke(1, revocation::rider_cancelled);
    if (!is_told) {
      h.add(events::message_lost{
          {node_kind::ledger, 0}, {node_kind::driver, 3}, ride_id{10}, token_id{1}, {}});
    }
    h.at(5s).grant(2, 3, 11).confirm(2).commit(2).promise(2);
    return broken_in(h.at(90s).revoke(2, revocation::no_show));
  };
  CHECK(next(false) == nothing);
  CHECK(next(true) == codes{"S12"});
}

TEST_CASE("promises: who was called off and boards even so keeps the driver from her next trip",
          "[checkers]") {
  const events::rider_picked_up boards{ride_id{10}, token_id{1}, driver_id{3}};
  const auto next = [] {
    history h = committed();
    return h.at(4s).revoke(1, revocation::rider_cancelled).at(5s).grant(2, 3, 11).confirm(2);
  };
  CHECK(broken_in(next().add(boards).commit(2).promise(2).at(90s).revoke(2, revocation::no_show)) ==
        nothing);
  CHECK(broken_in(next().commit(2).promise(2).at(6s).add(boards).at(90s).revoke(
            2, revocation::no_show)) == nothing);
  CHECK(broken_in(next().commit(2).promise(2).at(90s).revoke(2, revocation::no_show)) ==
        codes{"S12"});
  // Who was driven to the end hinders no more.
  history over = committed();
  over.at(4s).add(boards).trip_end(1).at(5s).grant(2, 3, 11).confirm(2).commit(2).promise(2);
  CHECK(broken_in(over.at(90s).revoke(2, revocation::no_show)) == codes{"S12"});
}

TEST_CASE("promises: a trip that is over contests no other", "[checkers]") {
  history same_ride = committed();
  same_ride.at(4s).revoke(1).at(5s).grant(2, 4, 10).confirm(2).commit(2);
  CHECK(broken_in(same_ride.at(90s).revoke(2, revocation::no_show)) == codes{"S12"});
  history same_driver = committed();
  same_driver.at(4s).trip_end(1).at(5s).grant(2, 3, 11).confirm(2).commit(2);
  CHECK(broken_in(same_driver.at(90s).revoke(2, revocation::no_show)) == codes{"S12"});
}

TEST_CASE("promises: a no-show of a driver with two trips is a harm of the protocol",
          "[checkers]") {
  const auto none = under(lease::protocol::none);
  const auto first = token_id::unleased(matcher_id{0}, 1).value;
  const auto second = token_id::unleased(matcher_id{1}, 1).value;
  history h;
  h.at(0s).commit_new(first, 3, 10).promise(first).at(1s).commit_new(second, 3, 11);
  h.promise(second).at(80s).trip_end(second);
  CHECK(broken_in(h.at(90s).revoke(first, revocation::no_show), none) == nothing);
  history shared_ride;
  shared_ride.at(0s).commit_new(first, 3, 10).at(1s).commit_new(second, 4, 10);
  CHECK(broken_in(shared_ride.at(90s).revoke(first, revocation::no_show), none) == nothing);
}
