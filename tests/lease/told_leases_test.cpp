// What is told of a store's leases where its answers were lost.

#include "lease/told_leases.hpp"

#include "catch.hpp"

namespace dibs::lease {
namespace {

constexpr driver_id anna{0};
constexpr token_id first{7};
constexpr token_id second{9};

any_command asked_by(matcher_id holder = {1}) { return command::acquire{anna, ride_id{3}, holder}; }

any_outcome grant(token_id token, bool repeated = false) {
  granted g;
  g.token = token;
  g.expires = at_local(15s);
  g.repeated = repeated;
  return acquire_outcome{g};
}

const granted& granted_in(const any_outcome& o) {
  return std::get<granted>(std::get<acquire_outcome>(o));
}

any_outcome confirmation(token_id token, bool repeated) {
  confirmed c;
  c.lease = token;
  c.repeated = repeated;
  c.hold_until = at_local(40s);
  return confirm_outcome{c};
}

bool is_repeated(const any_outcome& o) {
  return std::get<confirmed>(std::get<confirm_outcome>(o)).repeated;
}

any_outcome settled(told_leases& told, const any_command& c, any_outcome o) {
  told.settle(c, o);
  return o;
}

TEST_CASE("told leases: a grant whose answer was lost is told by its repeat, once") {
  told_leases told(1);
  CHECK_FALSE(granted_in(settled(told, asked_by(), grant(first, true))).repeated);
  CHECK(granted_in(settled(told, asked_by(), grant(first, true))).repeated);
}

TEST_CASE("told leases: a confirm whose answer was lost is told by its repeat, once") {
  told_leases told(1);
  settled(told, asked_by(), grant(first));
  const any_command confirm = command::confirm{anna, first};
  CHECK_FALSE(is_repeated(settled(told, confirm, confirmation(first, true))));
  CHECK(is_repeated(settled(told, confirm, confirmation(first, true))));
}

TEST_CASE("told leases: the end of a lease that was never told is not told either") {
  told_leases told(1);
  settled(told, asked_by(), grant(first));
  const ended other{second, anna, ride_id{3}, matcher_id{1}, events::lease_ending::expired};
  any_outcome o = std::optional<ended>(other);
  told.settle(command::expire{anna, second}, o);
  CHECK_FALSE(std::get<std::optional<ended>>(o));
  const ended its{first, anna, ride_id{3}, matcher_id{1}, events::lease_ending::expired};
  any_outcome p = std::optional<ended>(its);
  told.settle(command::expire{anna, first}, p);
  CHECK(std::get<std::optional<ended>>(p));
  any_outcome again = std::optional<ended>(its);
  told.settle(command::expire{anna, first}, again);
  CHECK_FALSE(std::get<std::optional<ended>>(again));
}

TEST_CASE("told leases: a grant tells the end of the lease before whose end was lost") {
  told_leases told(1);
  settled(told, asked_by(matcher_id{1}), grant(first));
  const any_outcome o = settled(told, asked_by(matcher_id{2}), grant(second));
  REQUIRE(granted_in(o).previous);
  CHECK(granted_in(o).previous->token == first);
  CHECK(granted_in(o).previous->holder == matcher_id{1});
  CHECK(granted_in(o).previous->cause == events::lease_ending::expired);
}

TEST_CASE("told leases: a confirmed lease whose end was lost was unwritten") {
  told_leases told(1);
  settled(told, asked_by(), grant(first));
  settled(told, command::confirm{anna, first}, confirmation(first, false));
  const any_outcome o = settled(told, asked_by(), grant(second));
  REQUIRE(granted_in(o).previous);
  CHECK(granted_in(o).previous->cause == events::lease_ending::unwritten);
}

TEST_CASE("told leases: a lease that became a trip has no other end") {
  told_leases told(1);
  settled(told, asked_by(), grant(first));
  settled(told, command::confirm{anna, first}, confirmation(first, false));
  REQUIRE(told.live().size() == 1);
  CHECK(told.live().front().due == at_local(40s));
  settled(told, command::trip_began{anna, first}, std::optional<ended>());
  CHECK(told.live().empty());
  CHECK_FALSE(granted_in(settled(told, asked_by(), grant(second))).previous);
}

}  // namespace
}  // namespace dibs::lease
