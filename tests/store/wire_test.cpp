#include "store/wire.hpp"

#include "catch.hpp"

namespace dibs::store {
namespace {

namespace command = lease::command;

TEST_CASE("a length on the wire is never shorter than what was said") {
  terms t;
  t.ttl = 15s + 1ns;
  t.grace = -1s;
  const auto wire =
      to_wire(command::acquire{driver_id{1}, ride_id{2}, matcher_id{3}, 4, 1us}, t, at_local(7us));
  CHECK(operations()[wire.operation].name == "acquire");
  REQUIRE(wire.size == 8);
  CHECK(wire.numbers == std::array<std::int64_t, 8>{1, 2, 3, 4, 15'000'002, -1'000'000, 0, 7});
}

TEST_CASE("a lease without end has no end on the wire, whatever is added") {
  terms t;
  t.ttl = forever;
  t.jitter = 1s;
  const auto wire = to_wire(command::renew{driver_id{1}, token_id{9}, 1s}, t, std::nullopt);
  REQUIRE(wire.size == 7);
  CHECK(wire.numbers[2] == never);
  CHECK(wire.numbers[3] == never);
  CHECK(wire.numbers[6] == no_number);
  CHECK(time_of(never) == local_time::max());
}

TEST_CASE("every command has as many numbers as its operation takes") {
  const std::vector<lease::any_command> all{command::acquire{},
                                            command::confirm{},
                                            command::renew{},
                                            command::release{},
                                            command::expire{},
                                            command::trip_began{},
                                            command::trip_ended{},
                                            command::write_refused{},
                                            command::raise_fence{},
                                            command::write{},
                                            command::close{}};
  REQUIRE(all.size() == operations().size());
  for (const auto& c : all) {
    const auto wire = to_wire(c, {}, std::nullopt);
    INFO(lease::name_of(c));
    CHECK(operations()[wire.operation].name == lease::name_of(c));
    CHECK(wire.size == static_cast<std::size_t>(operations()[wire.operation].parameters));
  }
}

TEST_CASE("what is left of a lease is counted by the store's clock") {
  wire_row row;
  row.code = 'G';
  row.a = 12;
  row.b = 20'000'000;
  row.clock = 5'000'000;
  row.ended = 11;
  row.ended_ride = 3;
  row.ended_holder = 1;
  const auto outcome = from_wire(command::acquire{driver_id{0}, {}, {}, 0, {}}, row);
  REQUIRE(outcome);
  const auto& granted = std::get<lease::granted>(std::get<lease::acquire_outcome>(*outcome));
  CHECK(granted.token == token_id{12});
  CHECK(granted.ttl == 15s);
  CHECK_FALSE(granted.repeated);
  REQUIRE(granted.previous);
  CHECK(granted.previous->token == token_id{11});
  CHECK(granted.previous->cause == events::lease_ending::expired);
}

TEST_CASE("a code that no function gives is no answer") {
  for (const lease::any_command& c : {lease::any_command(command::acquire{}),
                                      lease::any_command(command::confirm{}),
                                      lease::any_command(command::renew{}),
                                      lease::any_command(command::write{})}) {
    CHECK_FALSE(from_wire(c, wire_row{}));
  }
}

}  // namespace
}  // namespace dibs::store
