// Goal: every message that is numbered has somebody who takes it, and just one.
// Method: the inboxes of all cores beside the list of all messages, when this is compiled. (That
// what an inbox names is numbered, `messages::number_of` asserts itself.)

#include "actors/demand.hpp"
#include "actors/driver.hpp"
#include "actors/lease_manager.hpp"
#include "actors/ledger.hpp"
#include "actors/matcher.hpp"
#include "actors/rider.hpp"
#include "actors/sweeper.hpp"
#include "catch.hpp"

using namespace dibs;

namespace {

template <class M, class... Cores>
constexpr std::size_t takers_of() {
  return (std::size_t{Cores::inbox::template position_of<M>() < Cores::inbox::size} + ...);
}

template <class... Messages>
constexpr std::size_t without_one_taker(messages::message_list<Messages...> /*all*/) {
  return (std::size_t{takers_of<Messages,
                                actors::demand,
                                actors::driver,
                                actors::lease_manager,
                                actors::ledger,
                                actors::matcher,
                                actors::rider,
                                actors::sweeper>() != 1} +
          ...);
}

}  // namespace

TEST_CASE("inboxes: each message is taken by one kind of node") {
  STATIC_REQUIRE(without_one_taker(messages::all_messages{}) == 0);
}
