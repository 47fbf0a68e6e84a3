#include "runtime/driver_availability.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::runtime;

namespace {

constexpr matcher_id first{0};
constexpr matcher_id second{1};

const sim::node_pattern the_first{node_kind::matcher, 0};
const sim::node_pattern the_ledger{node_kind::ledger, {}};

std::vector<sim::cut> cut_of(bool both_ways, bool towards_matcher) {
  const sim::node_group m(the_first);
  const sim::node_group to(the_ledger);
  return {{{{towards_matcher ? to : m, towards_matcher ? m : to}, at(10s), at(20s), both_ways}, 1}};
}

/// Two drivers, of whom the second comes at 5 s and the first at `late`.
void bring(driver_availability& s, sim_time late) {
  s.apply_fact(at(5s), events::driver_came_online{driver_id{1}, {}, 0});
  s.apply_fact(late, events::driver_came_online{driver_id{0}, {}, 0});
}

}  // namespace

TEST_CASE("driver availability: a matcher that is cut off sees nothing new until it is back") {
  driver_availability s({2, {}, {}}, 2s, true, 2, cut_of(true, false));
  bring(s, at(11s));
  CHECK(s.seen_at(at(15s), first).contains(driver_id{1}));
  CHECK_FALSE(s.seen_at(at(15s), first).contains(driver_id{0}));
  CHECK(s.seen_at(at(15s), second).contains(driver_id{0}));
  CHECK_FALSE(s.seen_at(at(20s) - 1ns, first).contains(driver_id{0}));
  CHECK(s.seen_at(at(20s), first).contains(driver_id{0}));
}

TEST_CASE("driver availability: what was under way when a cut began still arrives") {
  driver_availability s({2, {}, {}}, 2s, true, 2, cut_of(true, false));
  bring(s, at(9s));
  CHECK_FALSE(s.seen_at(at(10s), first).contains(driver_id{0}));
  CHECK(s.seen_at(at(11s), first).contains(driver_id{0}));
}

TEST_CASE("driver availability: only a cut towards the matcher keeps it from seeing") {
  driver_availability deaf({2, {}, {}}, 0s, true, 2, cut_of(false, true));
  driver_availability dumb({2, {}, {}}, 0s, true, 2, cut_of(false, false));
  bring(deaf, at(11s));
  bring(dumb, at(11s));
  CHECK_FALSE(deaf.seen_at(at(15s), first).contains(driver_id{0}));
  CHECK(dumb.seen_at(at(15s), first).contains(driver_id{0}));
}

TEST_CASE("driver availability: a reader takes a lease for over from the instant of its expiry") {
  driver_availability s({2, {}, {}}, 2s, true, 1, {});
  bring(s, at(5s));
  const driver_id d{0};
  const auto is_seen = [&](sim_duration t) { return s.seen_at(at(t), first).contains(d); };
  s.apply_fact(at(6s), events::lease_granted{token_id{1}, d, ride_id{1}, first, 10s, {}});
  s.set_lapse({at(6s), d, token_id{1}, at(16s)});
  CHECK_FALSE(is_seen(18s - 1ns));
  CHECK(is_seen(18s));
  s.apply_fact(at(20s), events::lease_ended{token_id{1}, d, ride_id{1}, {}});
  s.apply_fact(at(20s), events::lease_granted{token_id{2}, d, ride_id{2}, first, 10s, {}});
  s.set_lapse({at(20s), d, token_id{2}, at(30s)});
  CHECK_FALSE(is_seen(22s));
}

TEST_CASE("driver availability: a lease that is prolonged or confirmed is not taken for over") {
  const driver_id d{0};
  const auto held = [&](auto&& meanwhile) {
    driver_availability s({2, {}, {}}, 0s, true, 1, {});
    bring(s, at(5s));
    s.apply_fact(at(6s), events::lease_granted{token_id{1}, d, ride_id{1}, first, 10s, {}});
    s.set_lapse({at(6s), d, token_id{1}, at(16s)});
    meanwhile(s);
    return !s.seen_at(at(20s), first).contains(d);
  };
  CHECK_FALSE(held([](driver_availability&) {}));
  CHECK(held([&](driver_availability& s) { s.set_lapse({at(15s), d, token_id{1}, at(25s)}); }));
  CHECK(held([&](driver_availability& s) {
    s.apply_fact(at(15s), events::confirm_accepted{token_id{1}, d, ride_id{1}, false});
  }));
}

TEST_CASE("driver availability: a matcher that waits is told when it will see what is on its way") {
  driver_availability s({2, {}, {}}, 2s, true, 2, cut_of(true, false));
  bring(s, at(11s));
  (void)s.seen_at(at(6s), second);
  CHECK(s.next_seen(at(6s), second) == at(7s));
  (void)s.seen_at(at(12s), second);
  CHECK(s.next_seen(at(12s), second) == at(13s));
  (void)s.seen_at(at(12s), first);
  CHECK(s.next_seen(at(12s), first) == at(20s));
  (void)s.seen_at(at(13s), second);
  CHECK_FALSE(s.next_seen(at(13s), second));
}

TEST_CASE("driver availability: a driver on several trips is had again after the last of them") {
  driver_availability s({2, {}, {}}, 0s, true, 1, {});
  bring(s, at(5s));
  const driver_id d{0};
  const auto is_seen = [&](sim_duration t) { return s.seen_at(at(t), first).contains(d); };
  for (const std::uint64_t n : {1U, 2U, 3U}) {
    s.apply_fact(at(6s), events::trip_committed{token_id{n}, d, ride_id{0}, {}});
  }
  CHECK(s.version_of(d) == 3);
  s.apply_fact(at(7s), events::trip_ended{token_id{1}, d, ride_id{0}, {}});
  CHECK_FALSE(is_seen(8s));
  s.apply_fact(at(9s), events::assignment_revoked{ride_id{0}, token_id{3}, d, {}});
  CHECK_FALSE(is_seen(10s));
  s.apply_fact(at(11s), events::trip_committed{token_id{4}, d, ride_id{0}, {}});
  s.apply_fact(at(12s), events::trip_ended{token_id{2}, d, ride_id{0}, {}});
  CHECK_FALSE(is_seen(13s));
  s.apply_fact(at(14s), events::trip_ended{token_id{4}, d, ride_id{0}, {}});
  CHECK(is_seen(15s));
}

TEST_CASE(
    "driver availability: whoever waits for a driver is told once, when one has become free") {
  driver_availability s({2, {}, {}}, 2s, true, 2, {});
  s.await_free_driver(second);
  s.await_free_driver(second);
  CHECK(s.take_matchers_to_wake().empty());
  bring(s, at(6s));
  CHECK(s.take_matchers_to_wake() == std::vector{second});
  s.apply_fact(at(7s),
               events::lease_granted{token_id{1}, driver_id{0}, ride_id{1}, first, 10s, {}});
  s.await_free_driver(first);
  CHECK(s.take_matchers_to_wake().empty());
  s.apply_fact(at(8s), events::lease_ended{token_id{1}, driver_id{0}, ride_id{1}, {}});
  CHECK(s.take_matchers_to_wake() == std::vector{first});
}
