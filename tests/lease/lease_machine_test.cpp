#include "lease/lease_machine.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "lease/some_ids.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::lease;
using namespace dibs::lease::test;
using events::confirm_refusal;
using events::denial;
using events::lease_ending;

namespace {

machine_options options_of(protocol which = protocol::fenced) {
  machine_options options;
  options.protocol = rules_of(which);
  return options;
}

local_time s(double seconds) {
  return local_time{sim_duration{static_cast<std::int64_t>(seconds * 1e9)}};
}

token_id granted_token(const acquire_outcome& o) {
  REQUIRE(std::holds_alternative<granted>(o));
  return std::get<granted>(o).token;
}

denial denial_of(const acquire_outcome& o) {
  REQUIRE(std::holds_alternative<denied>(o));
  return std::get<denied>(o).cause;
}

confirm_refusal refusal_of(const confirm_outcome& o) {
  REQUIRE(std::holds_alternative<refused>(o));
  return std::get<refused>(o).cause;
}

bool is_confirmed(const confirm_outcome& o) { return std::holds_alternative<confirmed>(o); }

}  // namespace

TEST_CASE("acquire: a retry of the same request gets the same lease, with what is left of it") {
  machine leases(options_of(), 2);
  const auto first = std::get<granted>(leases.acquire(d1, r1, m1, s(0), 7));
  CHECK_FALSE(first.repeated);
  const auto again = std::get<granted>(leases.acquire(d1, r1, m1, s(5), 7));
  CHECK(again.repeated);
  CHECK(again.token == first.token);
  CHECK(again.expires == first.expires);
  CHECK(again.ttl == 10s);
  CHECK(std::holds_alternative<denied>(leases.acquire(d1, r1, m1, s(5), 8)));
  const auto after = std::get<granted>(leases.acquire(d1, r1, m1, s(15), 7));
  CHECK_FALSE(after.repeated);
  CHECK(after.token > first.token);
}

TEST_CASE("lease machine: a second ride is denied until the instant of expiry") {
  machine leases(options_of(), 2);
  const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(15) - 1ns)) == denial::leased);
  const auto second = leases.acquire(d1, r2, m2, s(15));
  CHECK(granted_token(second) > first);
  REQUIRE(std::get<granted>(second).previous);
  CHECK(std::get<granted>(second).previous->token == first);
  CHECK(std::get<granted>(second).previous->cause == lease_ending::expired);
}

TEST_CASE("lease machine: another driver is another lease") {
  machine leases(options_of(), 2);
  const token_id one = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const token_id two = granted_token(leases.acquire(d2, r2, m2, s(0)));
  CHECK(two > one);
}

TEST_CASE("lease machine: a confirm counts before expiry and is too late at expiry") {
  machine early(options_of(), 1);
  const token_id token = granted_token(early.acquire(d1, r1, m1, s(0)));
  SECTION("one nanosecond before") { CHECK(is_confirmed(early.confirm(d1, token, s(15) - 1ns))); }
  SECTION("at the instant") {
    const auto outcome = early.confirm(d1, token, s(15));
    CHECK(refusal_of(outcome) == confirm_refusal::expired);
    CHECK(std::get<refused>(outcome).previous->token == token);
  }
}

TEST_CASE("lease machine: grace extends what the manager takes, to the nanosecond") {
  auto options = options_of();
  options.grace = 2s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(17) - 1ns)) == denial::leased);
  CHECK_FALSE(leases.expire(d1, token, s(17) - 1ns));
  SECTION("inside") { CHECK(is_confirmed(leases.confirm(d1, token, s(17) - 1ns))); }
  SECTION("over") {
    CHECK(refusal_of(leases.confirm(d1, token, s(17))) == confirm_refusal::expired);
  }
}

TEST_CASE(
    "lease machine: a grace below 0 ends a lease before the expiry that its holder was told") {
  auto options = options_of();
  options.grace = -2s;
  machine leases(options, 1);
  const auto outcome = leases.acquire(d1, r1, m1, s(0));
  const token_id token = granted_token(outcome);
  CHECK(std::get<granted>(outcome).expires == s(15));
  CHECK_FALSE(leases.expire(d1, token, s(13) - 1ns));
  SECTION("inside") { CHECK(is_confirmed(leases.confirm(d1, token, s(13) - 1ns))); }
  SECTION("over") {
    CHECK(refusal_of(leases.confirm(d1, token, s(13))) == confirm_refusal::expired);
  }
  SECTION("renewed, it lasts as long as it did at first") {
    const auto longer = leases.renew(d1, token, s(10), m1);
    CHECK(std::get<renewed>(longer).expires == s(25));
    CHECK_FALSE(leases.expire(d1, token, s(23) - 1ns));
    CHECK(leases.expire(d1, token, s(23)));
  }
}

TEST_CASE("lease machine: a lease without end has none, whatever the grace") {
  auto options = options_of();
  options.ttl = forever;
  options.grace = -2s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK_FALSE(leases.expire(d1, token, local_time::max() - 1ns));
  CHECK(is_confirmed(leases.confirm(d1, token, local_time::max() - 1ns)));
}

TEST_CASE("lease machine: a repeated confirm gets the same answer and changes nothing") {
  machine leases(options_of(), 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const auto first = leases.confirm(d1, token, s(3));
  const auto again = leases.confirm(d1, token, s(20));
  REQUIRE(is_confirmed(again));
  CHECK_FALSE(std::get<confirmed>(first).repeated);
  CHECK(std::get<confirmed>(again).repeated);
  CHECK_FALSE(leases.trip_began(d1, token));
  CHECK(std::get<confirmed>(leases.confirm(d1, token, s(40))).repeated);
  leases.trip_ended(d1, token, r1);
  CHECK(std::get<confirmed>(leases.confirm(d1, token, s(90))).repeated);
}

TEST_CASE("lease machine: a confirm with an old token is refused and leaves the new lease alone") {
  machine leases(options_of(), 1);
  const token_id old = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const token_id current = granted_token(leases.acquire(d1, r2, m2, s(15)));
  CHECK(refusal_of(leases.confirm(d1, old, s(16))) == confirm_refusal::other_token);
  CHECK_FALSE(leases.release(d1, old, lease_ending::released));
  CHECK_FALSE(leases.expire(d1, old, s(29)));
  CHECK(std::holds_alternative<refused>(leases.renew(d1, old, s(16))));
  CHECK(is_confirmed(leases.confirm(d1, current, s(17))));
}

TEST_CASE(
    "lease machine: a retry of what became a trip gets its answer during the next lease too") {
  for (const protocol p : {protocol::fenced, protocol::lease}) {
    machine leases(options_of(p), 1);
    const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
    REQUIRE(is_confirmed(leases.confirm(d1, first, s(1))));
    CHECK_FALSE(leases.trip_began(d1, first));
    leases.trip_ended(d1, first, r1);
    const token_id second = granted_token(leases.acquire(d1, r2, m2, s(2)));
    const auto again = leases.confirm(d1, first, s(3));
    REQUIRE(is_confirmed(again));
    CHECK(std::get<confirmed>(again).repeated);
    CHECK_FALSE(std::get<confirmed>(again).committed);
    const auto own = leases.confirm(d1, second, s(4));
    REQUIRE(is_confirmed(own));
    CHECK_FALSE(std::get<confirmed>(own).repeated);
  }
}

TEST_CASE("lease machine: a confirm stops the expiry until the hold is over") {
  auto options = options_of();
  options.confirm_hold = 30s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(is_confirmed(leases.confirm(d1, token, s(14))));
  CHECK_FALSE(leases.expire(d1, token, s(15)));
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(20))) == denial::leased);
  CHECK_FALSE(leases.expire(d1, token, s(44) - 1ns));
  const auto ended = leases.expire(d1, token, s(44));
  REQUIRE(ended);
  CHECK(ended->cause == lease_ending::unwritten);
}

TEST_CASE("lease machine: a release frees the driver at once and only once") {
  machine leases(options_of(), 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const auto ended = leases.release(d1, token, lease_ending::declined);
  REQUIRE(ended);
  CHECK(ended->holder == m1);
  CHECK(ended->ride == r1);
  CHECK_FALSE(leases.release(d1, token, lease_ending::declined));
  CHECK(granted_token(leases.acquire(d1, r2, m2, s(1))) > token);
}

TEST_CASE("lease machine: a driver on a trip is denied until it ends") {
  machine leases(options_of(), 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(is_confirmed(leases.confirm(d1, token, s(1))));
  CHECK_FALSE(leases.trip_began(d1, token));
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(100))) == denial::on_trip);
  leases.trip_ended(d1, token_id{99}, r1);
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(101))) == denial::on_trip);
  leases.trip_ended(d1, token, r1);
  CHECK(granted_token(leases.acquire(d1, r2, m2, s(102))) > token);
}

TEST_CASE("lease machine: a trip by an older token ends a lease that is not confirmed") {
  machine leases(options_of(protocol::lease), 1);
  const token_id old = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const token_id current = granted_token(leases.acquire(d1, r2, m2, s(15)));
  SECTION("leased") {
    const auto ended = leases.trip_began(d1, old);
    REQUIRE(ended);
    CHECK(ended->token == current);
    CHECK(ended->cause == lease_ending::cancelled);
    CHECK(refusal_of(leases.confirm(d1, current, s(16))) == confirm_refusal::on_trip);
  }
  SECTION("confirmed: its own write decides") {
    REQUIRE(is_confirmed(leases.confirm(d1, current, s(16))));
    CHECK_FALSE(leases.trip_began(d1, old));
    const auto ended = leases.write_refused(d1, current);
    REQUIRE(ended);
    CHECK(ended->cause == lease_ending::denied_by_ledger);
    CHECK(denial_of(leases.acquire(d1, r2, m2, s(40))) == denial::on_trip);
  }
}

TEST_CASE("lease machine: a second word of a trip that is over takes nothing from the next lease") {
  for (const protocol p : {protocol::lease, protocol::fenced}) {
    for (const bool is_overtaken : {false, true}) {
      machine leases(options_of(p), 1);
      const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
      REQUIRE(is_confirmed(leases.confirm(d1, first, s(1))));
      if (!is_overtaken) {
        CHECK_FALSE(leases.trip_began(d1, first));
      }
      leases.trip_ended(d1, first, r1);
      const token_id next = granted_token(leases.acquire(d1, r2, m2, s(2)));
      CHECK_FALSE(leases.trip_began(d1, first));
      CHECK(is_confirmed(leases.confirm(d1, next, s(3))));
    }
  }
}

/// What a machine that nothing fences knows of trips, plainly.
struct plain_trips {
  std::set<std::pair<driver_id, token_id>> heard_of;
  std::map<driver_id, std::vector<token_id>> open;  ///< as they were heard of

  void began(driver_id d, token_id token) {
    if (heard_of.insert({d, token}).second) {
      open[d].push_back(token);
    }
  }
  bool ended(driver_id d, token_id token) {
    heard_of.insert({d, token});
    return std::erase(open[d], token) > 0;
  }
  token_id last_of(driver_id d) { return open[d].empty() ? token_id::none() : open[d].back(); }
};

TEST_CASE(
    "lease machine: words of trips count once, in whichever order and however often they come") {
  machine leases(options_of(protocol::lease), 3);
  plain_trips plain;
  auto random = stream::keyed(1, purpose::pick);
  for (int i = 0; i < 2'000; ++i) {
    const driver_id d{static_cast<std::uint32_t>(random.below(3))};
    const token_id token{1 + static_cast<std::uint64_t>(i) / 20 + random.below(20)};
    if (random.below(2) == 0) {
      plain.began(d, token);
      CHECK_FALSE(leases.trip_began(d, token));
    } else {
      REQUIRE(leases.trip_ended(d, token, r1) == plain.ended(d, token));
    }
    REQUIRE(leases.entry_of(d).trip == plain.last_of(d));
  }
}

TEST_CASE("lease machine: renewal extends a live lease and cannot revive a dead one") {
  machine leases(options_of(), 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const auto outcome = leases.renew(d1, token, s(10));
  REQUIRE(std::holds_alternative<renewed>(outcome));
  CHECK(std::get<renewed>(outcome).expires == s(25));
  CHECK_FALSE(leases.expire(d1, token, s(15)));
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(24))) == denial::leased);
  CHECK(std::holds_alternative<refused>(leases.renew(d1, token, s(25))));
  CHECK(std::holds_alternative<refused>(leases.renew(d1, token, s(26))));
}

TEST_CASE("lease machine: a renewal with less jitter takes nothing from what was promised") {
  auto options = options_of();
  options.grace = 2s;
  options.jitter = 5s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0), 0, 5s));
  const auto shorter = std::get<renewed>(leases.renew(d1, token, s(1), matcher_id::none(), 1, 1s));
  CHECK(shorter.expires == s(20));
  CHECK(shorter.ttl == 19s);
  const auto longer = std::get<renewed>(leases.renew(d1, token, s(7), matcher_id::none(), 2, 4s));
  CHECK(longer.expires == s(26));
  CHECK(longer.ttl == 19s);
  // The clock was set back by 10 s: no renewal reaches further than TTL and jitter.
  const auto set_back =
      std::get<renewed>(leases.renew(d1, token, s(-3), matcher_id::none(), 3, 0s));
  CHECK(set_back.expires == s(17));
}

TEST_CASE("lease machine: a sweep ends what is over, in driver order, and nothing else") {
  auto options = options_of();
  options.ends_on_sight = false;
  machine leases(options, 2);
  const token_id two = granted_token(leases.acquire(d2, r2, m2, s(0)));
  const token_id one = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(leases.sweep(s(15) - 1ns).empty());
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(16))) == denial::leased);
  const auto ended = leases.sweep(s(20));
  REQUIRE(ended.size() == 2);
  CHECK(ended[0].token == one);
  CHECK(ended[1].token == two);
  CHECK(ended[0].cause == lease_ending::swept);
  CHECK(leases.sweep(s(20)).empty());
}

TEST_CASE("lease machine: a lock delay keeps an expired driver back, not a released one") {
  auto options = options_of();
  options.lock_delay = 5s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  SECTION("expired") {
    REQUIRE(leases.expire(d1, token, s(15)));
    CHECK(denial_of(leases.acquire(d1, r2, m2, s(20) - 1ns)) == denial::lock_delay);
    CHECK(granted_token(leases.acquire(d1, r2, m2, s(20))) > token);
  }
  SECTION("released") {
    REQUIRE(leases.release(d1, token, lease_ending::declined));
    CHECK(granted_token(leases.acquire(d1, r2, m2, s(1))) > token);
  }
}

TEST_CASE("lease machine: a lock delay counts from when an expired lease is ended") {
  auto options = options_of();
  options.lock_delay = 15s;
  options.ends_on_sight = false;
  machine leases(options, 2);
  granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(leases.sweep(s(34)).size() == 1);
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(49) - 1ns)) == denial::lock_delay);
  CHECK(granted_token(leases.acquire(d1, r2, m2, s(49))).is_some());
}

TEST_CASE("lease machine: what is given back sooner than it may be keeps its driver until then") {
  auto options = options_of();
  options.hold_min = 5s;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(10)));
  SECTION("sooner: it is nobody's, and ends as released") {
    CHECK_FALSE(leases.give_back(d1, token, lease_ending::declined, s(12), m1));
    REQUIRE(leases.just_kept(d1));
    CHECK(leases.just_kept(d1)->token == token);
    CHECK(leases.just_kept(d1)->until == s(15));
    CHECK(denial_of(leases.acquire(d1, r2, m2, s(15) - 1ns)) == denial::leased);
    CHECK_FALSE(is_confirmed(leases.confirm(d1, token, s(13))));
    CHECK(std::holds_alternative<refused>(leases.renew(d1, token, s(13))));
    CHECK_FALSE(leases.give_back(d1, token, lease_ending::declined, s(13), m1));
    CHECK_FALSE(leases.release(d1, token, lease_ending::released));
    CHECK_FALSE(leases.expire(d1, token, s(15) - 1ns));
    const auto over = leases.expire(d1, token, s(15));
    REQUIRE(over);
    CHECK(over->cause == lease_ending::released);
    CHECK(granted_token(leases.acquire(d1, r2, m2, s(15))) > token);
  }
  SECTION("sooner, and nobody looks before the next acquire") {
    CHECK_FALSE(leases.give_back(d1, token, lease_ending::declined, s(12), m1));
    const auto next = leases.acquire(d1, r2, m2, s(15));
    REQUIRE(std::get<granted>(next).previous);
    CHECK(std::get<granted>(next).previous->cause == lease_ending::released);
  }
  SECTION("not sooner: it ends at once") {
    const auto over = leases.give_back(d1, token, lease_ending::declined, s(15), m1);
    REQUIRE(over);
    CHECK(over->cause == lease_ending::declined);
    CHECK_FALSE(leases.just_kept(d1));
  }
}

TEST_CASE("lease machine: a sweep of one looks at the token and the time, or at neither") {
  machine leases(options_of(), 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK_FALSE(leases.sweep_one(d1, token_id{77}, s(20)));
  CHECK_FALSE(leases.sweep_one(d1, token, s(15) - 1ns));
  CHECK(leases.over_at(s(15) - 1ns, 9).empty());
  CHECK(leases.over_at(s(15), 0).empty());
  REQUIRE(leases.over_at(s(15), 9).size() == 1);
  CHECK(leases.over_at(s(15), 9)[0].token == token);
  CHECK(leases.sweep_one(d1, token, s(15))->cause == lease_ending::swept);
  const token_id next = granted_token(leases.acquire(d1, r2, m2, s(16)));
  CHECK(leases.sweep_whatever(d1)->token == next);
  CHECK_FALSE(leases.sweep_whatever(d1));
}

TEST_CASE("lease machine: a lease without end never expires") {
  auto options = options_of();
  options.ttl = forever;
  machine leases(options, 1);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(1)));
  CHECK_FALSE(leases.expire(d1, token, local_time::max() - 1ns));
  CHECK(is_confirmed(leases.confirm(d1, token, s(1e9))));
}

TEST_CASE("lease machine: where the confirm commits, a ride gets one driver under a fence") {
  auto options = options_of();
  options.commit_on_confirm = true;
  machine leases(options, 2);
  const token_id one = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const token_id two = granted_token(leases.acquire(d2, r1, m1, s(0)));
  const auto outcome = leases.confirm(d1, one, s(1));
  REQUIRE(is_confirmed(outcome));
  CHECK(std::get<confirmed>(outcome).committed);
  CHECK(denial_of(leases.acquire(d1, r2, m2, s(2))) == denial::on_trip);
  const auto refusal = leases.confirm(d2, two, s(2));
  CHECK(refusal_of(refusal) == confirm_refusal::ride_taken);
  CHECK(std::get<refused>(refusal).previous->token == two);
  CHECK(std::get<refused>(refusal).holder.token == one);
  CHECK(std::get<refused>(refusal).holder.driver == d1);
  leases.trip_ended(d1, one, r1);
  const token_id three = granted_token(leases.acquire(d2, r1, m1, s(3)));
  CHECK(is_confirmed(leases.confirm(d2, three, s(4))));
}

TEST_CASE("by name: an old lease of the same holder passes for its current one") {
  machine leases(options_of(protocol::hold), 2);
  const token_id old = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(leases.expire(d1, old, s(15)));
  const token_id current = granted_token(leases.acquire(d1, r2, m1, s(16)));
  SECTION("at a confirm") {
    CHECK(refusal_of(leases.confirm(d1, old, s(17), m2)) == confirm_refusal::other_token);
    CHECK(is_confirmed(leases.confirm(d1, old, s(17), m1)));
  }
  SECTION("at a release") {
    CHECK_FALSE(leases.release(d1, old, lease_ending::released, m2));
    const auto ended = leases.release(d1, old, lease_ending::released, m1);
    REQUIRE(ended);
    CHECK(ended->token == current);
  }
}

TEST_CASE("by name: where the confirm commits an old lease, the current one is over") {
  auto options = options_of(protocol::hold);
  options.commit_on_confirm = true;
  machine leases(options, 1);
  const token_id old = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(std::get<confirmed>(leases.confirm(d1, old, s(1), m1)).committed);
  CHECK(leases.trip_ended(d1, old, r1));
  const token_id current = granted_token(leases.acquire(d1, r2, m1, s(2)));
  const auto outcome = leases.confirm(d1, old, s(3), m1);
  REQUIRE(is_confirmed(outcome));
  REQUIRE(std::get<confirmed>(outcome).other);
  CHECK(std::get<confirmed>(outcome).other->token == current);
  CHECK(std::get<confirmed>(outcome).other->cause == lease_ending::cancelled);
  // The ledger knows that this trip is over, and says so again.
  CHECK(denial_of(leases.acquire(d1, r2, m1, s(4))) == denial::on_trip);
  CHECK(leases.trip_ended(d1, old, r1));
  CHECK_FALSE(leases.trip_ended(d1, old, r1));
  CHECK(granted_token(leases.acquire(d1, r2, m1, s(5))).is_some());
}

TEST_CASE("by name: a second confirm finds no hold") {
  machine leases(options_of(protocol::hold), 2);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(is_confirmed(leases.confirm(d1, token, s(1), m1)));
  CHECK(refusal_of(leases.confirm(d1, token, s(2), m1)) == confirm_refusal::no_lease);
}

TEST_CASE("by name: a confirm that does not look at the expiry is taken until the clean-up") {
  machine_options options = options_of(protocol::hold);
  options.ends_on_sight = false;
  machine leases(options, 2);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(is_confirmed(leases.confirm(d1, token, s(20), m1)));
}

TEST_CASE("by name: whom only an acquire cleans up after, a confirm finds there after the expiry") {
  machine_options options = options_of(protocol::hold);
  options.protocol = variant_of(protocol::hold, {.known_by = {}, .checks_expiry = false});
  machine leases(options, 2);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(is_confirmed(leases.confirm(d1, token, s(20), m1)));
  options.protocol = variant_of(protocol::hold, {.known_by = {}, .checks_expiry = true});
  machine strict(options, 2);
  const token_id late = granted_token(strict.acquire(d1, r1, m1, s(0)));
  CHECK(refusal_of(strict.confirm(d1, late, s(20), m1)) == confirm_refusal::expired);
}

TEST_CASE("by nothing: anybody's release ends the lease") {
  machine_options options = options_of(protocol::lease);
  options.protocol =
      variant_of(protocol::lease, {.known_by = identity::anyone, .checks_expiry = {}});
  machine leases(options, 2);
  granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(leases.release(d1, token_id{77}, lease_ending::released, m2));
}

TEST_CASE("by nothing: a lease that another's release ends has not been declined") {
  machine_options options = options_of(protocol::lease);
  options.protocol =
      variant_of(protocol::lease, {.known_by = identity::anyone, .checks_expiry = {}});
  machine leases(options, 2);
  const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(leases.release(d1, first, lease_ending::declined, m1)->cause == lease_ending::declined);
  granted_token(leases.acquire(d1, r2, m2, s(1)));
  CHECK(leases.release(d1, first, lease_ending::declined, m1)->cause == lease_ending::released);
}

TEST_CASE("by nothing: an old lease's confirm keeps the current one, and no longer than it says") {
  machine_options options = options_of(protocol::lease);
  options.protocol =
      variant_of(protocol::lease, {.known_by = identity::anyone, .checks_expiry = {}});
  machine leases(options, 2);
  const token_id old = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(leases.release(d1, old, lease_ending::released, m1));
  const token_id current = granted_token(leases.acquire(d1, r2, m2, s(1)));
  const auto outcome = leases.confirm(d1, old, s(2), m1);
  REQUIRE(is_confirmed(outcome));
  const auto kept = std::get<confirmed>(outcome);
  CHECK(kept.lease == current);
  const auto over = leases.expire(d1, kept.lease, kept.hold_until);
  REQUIRE(over);
  CHECK(over->cause == lease_ending::unwritten);
}

TEST_CASE("renew: by name, an old lease of the same holder prolongs the current one") {
  machine_options options = options_of(protocol::lease);
  machine by_token(options, 1);
  const token_id old = granted_token(by_token.acquire(d1, r1, m1, s(0)));
  CHECK(by_token.release(d1, old, lease_ending::released));
  granted_token(by_token.acquire(d1, r2, m1, s(1)));
  CHECK(std::holds_alternative<refused>(by_token.renew(d1, old, s(2), m1)));

  options.protocol =
      variant_of(protocol::lease, {.known_by = identity::holder, .checks_expiry = {}});
  machine by_name(options, 1);
  const token_id first = granted_token(by_name.acquire(d1, r1, m1, s(0)));
  CHECK(by_name.release(d1, first, lease_ending::released));
  const token_id second = granted_token(by_name.acquire(d1, r2, m1, s(1)));
  const auto longer = by_name.renew(d1, first, s(2), m1);
  REQUIRE(std::holds_alternative<renewed>(longer));
  CHECK(std::get<renewed>(longer).token == second);
  CHECK(std::holds_alternative<refused>(by_name.renew(d1, first, s(2), m2)));
}

TEST_CASE("renew: where renewals are numbered, only the next one is taken") {
  machine_options options = options_of();
  options.numbers_renewals = true;
  machine leases(options, 1);
  const token_id t = granted_token(leases.acquire(d1, r1, m1, s(0)));
  CHECK(std::holds_alternative<renewed>(leases.renew(d1, t, s(1), m1, 1)));
  const auto repeat = leases.renew(d1, t, s(2), m1, 1);
  REQUIRE(std::holds_alternative<refused>(repeat));
  CHECK(std::get<refused>(repeat).cause == confirm_refusal::other_count);
  CHECK(std::holds_alternative<renewed>(leases.renew(d1, t, s(3), m1, 2)));
}

TEST_CASE("renew: at the very expiry a lease is over") {
  machine leases(options_of(), 1);
  const token_id t = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const auto late = leases.renew(d1, t, s(15), m1);
  REQUIRE(std::holds_alternative<refused>(late));
  CHECK(std::get<refused>(late).cause == confirm_refusal::expired);
  CHECK(std::get<refused>(late).previous->cause == lease_ending::expired);
}

TEST_CASE("acquire: a lease may be longer than the TTL, and keeps its own length") {
  machine leases(options_of(), 1);
  const auto g = std::get<granted>(leases.acquire(d1, r1, m1, s(0), 0, 2s));
  CHECK(g.ttl == 17s);
  CHECK_FALSE(leases.expire(d1, g.token, s(16)));
  CHECK(leases.expire(d1, g.token, s(17)));
}

TEST_CASE("sweep: ends so many at most, in the order of the drivers") {
  machine leases(options_of(), 2);
  granted_token(leases.acquire(d1, r1, m1, s(0)));
  granted_token(leases.acquire(d2, r2, m1, s(0)));
  const auto first = leases.sweep(s(20), 1);
  REQUIRE(first.size() == 1);
  CHECK(first[0].driver == d1);
  CHECK(leases.sweep(s(20), 1).size() == 1);
  CHECK(leases.sweep(s(20), 1).empty());
}

TEST_CASE("failure: a new leader extends every lease, or gives what a checkpoint says was left") {
  machine extended(options_of(), 1);
  const token_id t = granted_token(extended.acquire(d1, r1, m1, s(0)));
  extended.extend_all(s(10));
  CHECK_FALSE(extended.expire(d1, t, s(24)));
  CHECK(extended.expire(d1, t, s(25)));

  machine later(options_of(), 1);
  const token_id v = granted_token(later.acquire(d1, r1, m1, s(0)));
  later.extend_all(s(10), 1s);
  CHECK_FALSE(later.expire(d1, v, s(25)));
  CHECK(later.expire(d1, v, s(26)));

  machine noted(options_of(), 2);
  const token_id u = granted_token(noted.acquire(d1, r1, m1, s(0)));
  noted.take_checkpoint(s(9));
  const token_id young = granted_token(noted.acquire(d2, r2, m1, s(9)));
  noted.restore_checkpoint(s(12));
  CHECK_FALSE(noted.expire(d1, u, s(17)));
  CHECK(noted.expire(d1, u, s(18)));
  CHECK_FALSE(noted.expire(d2, young, s(26)));
  CHECK(noted.expire(d2, young, s(27)));
  const token_id over = granted_token(noted.acquire(d1, r1, m1, s(30)));
  noted.restore_checkpoint(s(45));
  CHECK(noted.expire(d1, over, s(45)));
}

TEST_CASE("failure: deadlines that are given anew take back nothing that jitter had promised") {
  const bool from_checkpoint = GENERATE(false, true);
  machine leases(options_of(), 1);
  const token_id t = granted_token(leases.acquire(d1, r1, m1, s(0), 1, 5s));
  if (from_checkpoint) {
    leases.restore_checkpoint(s(1));
  } else {
    leases.extend_all(s(1));
  }
  CHECK_FALSE(leases.expire(d1, t, s(19)));
  CHECK(leases.expire(d1, t, s(20)));
}

TEST_CASE(
    "failure: without its memory a manager ends all it held, without its counter it repeats") {
  machine leases(options_of(), 2);
  const token_id t = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const auto gone = leases.forget(true);
  REQUIRE(gone.size() == 1);
  CHECK(gone[0].cause == lease_ending::forgotten);
  CHECK(granted_token(leases.acquire(d1, r2, m1, s(1))) > t);
  CHECK(leases.forget(false).size() == 1);
  CHECK(granted_token(leases.acquire(d1, r2, m1, s(2))) == t);
}

TEST_CASE("failure: a follower has the leader's leases, and a new term has higher tokens") {
  machine leader(options_of(), 2);
  machine follower(options_of(), 2);
  const token_id t = granted_token(leader.acquire(d1, r1, m1, s(0)));
  follower.adopt_lease(d1, leader.entry_of(d1));
  CHECK(denial_of(follower.acquire(d1, r2, m2, s(1))) == denial::leased);
  follower.begin_term(2);
  const token_id of_second_term = granted_token(follower.acquire(d2, r2, m2, s(1)));
  for (int i = 0; i < 1000; ++i) {
    const token_id old = granted_token(leader.acquire(d2, r2, m2, s(2)));
    CHECK(old < of_second_term);
    CHECK(leader.release(d2, old, lease_ending::released));
  }
  CHECK(is_confirmed(follower.confirm(d1, t, s(3))));
  CHECK(leader.newest_term() == 1);
  CHECK(follower.newest_term() == 2);
  leader.adopt_lease(d2, follower.entry_of(d2));
  CHECK(leader.newest_term() == 2);
  follower.adopt_trip(d2, token_id{7});
  CHECK(follower.trips().size() == 1);
}

TEST_CASE("words of trips: a late copy of an older one makes nobody forget the trip she is on") {
  // Under a fence and without one.
  const protocol which = GENERATE(protocol::fenced, protocol::lease);
  machine leases(options_of(which), 2);
  const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(is_confirmed(leases.confirm(d1, first, s(1), m1)));
  CHECK_FALSE(leases.trip_began(d1, first));
  leases.trip_ended(d1, first, r1);
  const token_id second = granted_token(leases.acquire(d1, r2, m1, s(5)));
  REQUIRE(is_confirmed(leases.confirm(d1, second, s(6), m1)));
  CHECK_FALSE(leases.trip_began(d1, second));
  CHECK_FALSE(leases.trip_began(d1, first));  // copies of the first trip's words
  leases.trip_ended(d1, first, r1);
  CHECK(denial_of(leases.acquire(d1, r1, m2, s(7))) == denial::on_trip);
  leases.trip_ended(d1, second, r2);
  CHECK(granted_token(leases.acquire(d1, r1, m2, s(8))) > second);
}

TEST_CASE("words of trips: an older one that comes and goes late leaves her on the newer one") {
  // Nothing fences, so both may be under way. Found by a hunt: the manager forgot the newer.
  machine leases(options_of(protocol::lease), 1);
  const token_id first = granted_token(leases.acquire(d1, r1, m1, s(0)));
  const token_id second = granted_token(leases.acquire(d1, r2, m2, s(15)));
  REQUIRE(is_confirmed(leases.confirm(d1, second, s(16), m2)));
  CHECK_FALSE(leases.trip_began(d1, second));
  CHECK_FALSE(leases.trip_began(d1, first));
  CHECK(leases.trips().size() == 2);
  const auto [ended, other] = GENERATE_COPY(std::pair(first, second), std::pair(second, first));
  CHECK(leases.trip_ended(d1, ended, r1));
  CHECK_FALSE(leases.trip_ended(d1, ended, r1));
  CHECK(denial_of(leases.acquire(d1, r1, m1, s(17))) == denial::on_trip);
  CHECK(leases.entry_of(d1).trip == other);
  CHECK(leases.trip_ended(d1, other, r1));
  CHECK(granted_token(leases.acquire(d1, r1, m1, s(18))) > second);
}

TEST_CASE("words of trips: a ledger that closes whichever trip is open leaves nobody on another") {
  auto options = options_of(protocol::lease);
  options.protocol.fences_every_write = false;
  machine leases(options, 1);
  CHECK_FALSE(leases.trip_began(d1, token_id{1}));
  CHECK_FALSE(leases.trip_began(d1, token_id{2}));
  CHECK(leases.trip_ended(d1, token_id{2}, r1));
  CHECK(leases.trips().empty());
}

TEST_CASE("words of trips: a follower is on the trip that it was last told of, and on no other") {
  machine follower(options_of(protocol::lease), 1);
  CHECK_FALSE(follower.trip_began(d1, token_id{1}));
  CHECK_FALSE(follower.trip_began(d1, token_id{2}));
  follower.adopt_trip(d1, token_id{3});
  CHECK(follower.trips().size() == 1);
  CHECK_FALSE(follower.trip_began(d1, token_id{4}));
  CHECK(follower.trip_ended(d1, token_id{4}, r1));
  CHECK(follower.entry_of(d1).trip == token_id{3});
  follower.adopt_trip(d1, token_id{1});
  CHECK(follower.entry_of(d1).trip == token_id{1});
  follower.adopt_trip(d1, token_id::none());
  CHECK(follower.trips().empty());
}

TEST_CASE(
    "words of trips: the end of a trip that overtakes its beginning frees the driver for good") {
  machine leases(options_of(), 2);
  const token_id token = granted_token(leases.acquire(d1, r1, m1, s(0)));
  REQUIRE(is_confirmed(leases.confirm(d1, token, s(1), m1)));
  leases.trip_ended(d1, token, r1);
  CHECK_FALSE(leases.trip_began(d1, token));
  CHECK(granted_token(leases.acquire(d1, r2, m1, s(2))) > token);
}
