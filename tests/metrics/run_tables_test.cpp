/// Confirms are judged when they come, by what the story knows of the lease.
#include "metrics/run_tables.hpp"

#include "catch.hpp"
#include "metrics/teller.hpp"

namespace {

using namespace dibs;
using namespace dibs::metrics;

teller leased() {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0);
  return h;
}

/// taken, stale taken, refused, stale refused, repeats
std::vector<double> confirms(const teller& h) {
  const report r = h.measured();
  return {figure(r, "confirms.taken"),
          figure(r, "confirms.stale_accepted"),
          figure(r, "confirms.refused"),
          figure(r, "confirms.stale_refused"),
          figure(r, "confirms.duplicate")};
}

using counts = std::vector<double>;

TEST_CASE("confirms: valid until the instant of expiry, which belongs to nobody", "[metrics]") {
  teller before = leased();
  before.confirm(24.999999999, 1);
  CHECK(confirms(before) == counts{1, 0, 0, 0, 0});
  teller at_expiry = leased();
  at_expiry.confirm(25, 1);
  CHECK(confirms(at_expiry) == counts{1, 1, 0, 0, 0});
  at_expiry.what.grace = 1s;
  CHECK(confirms(at_expiry) == counts{1, 0, 0, 0, 0});
}

TEST_CASE("confirms: the lease manager's own clock decides", "[metrics]") {
  const events::confirm_accepted taken{token_id{1}, driver_id{0}, ride_id{0}};
  teller slow = leased();
  slow.tell_at(at(30s), taken, -6s);  // its clock shows 24 s
  CHECK(confirms(slow) == counts{1, 0, 0, 0, 0});
  teller fast = leased();
  fast.tell_at(at(20s), taken, 5s);
  CHECK(confirms(fast) == counts{1, 1, 0, 0, 0});
}

TEST_CASE("confirms: a renewal moves the expiry", "[metrics]") {
  teller h = leased();
  h.tell(20, events::lease_renewed{token_id{1}, driver_id{0}, at_local(35s)});
  h.confirm(34, 1);
  h.ends(50, 1, events::lease_ending::unwritten);
  CHECK(confirms(h) == counts{1, 0, 0, 0, 0});
  CHECK(figure(h.measured(), "leases.overhang_s") == 15);
}

TEST_CASE("confirms: time given anew moves the expiry, and not the deadline", "[metrics]") {
  teller h = leased();
  h.tell(20, events::lease_reset{token_id{1}, driver_id{0}, at_local(35s)});
  h.confirm(34, 1);
  h.ends(50, 1, events::lease_ending::unwritten);
  CHECK(confirms(h) == counts{1, 0, 0, 0, 0});
  CHECK(figure(h.measured(), "leases.overhang_s") == 25);
  CHECK(figure(h.measured(), "leases.renewals") == 0);
}

TEST_CASE("confirms: a late copy that takes the next lease repeats nothing", "[metrics]") {
  const auto copied = [](bool repeated) {
    teller h = leased();
    h.confirm_and_commit(13, 1);
    h.trip_ends(14, 1);
    h.request(14, 1);
    h.grant(15, 2, 0, 1);
    h.confirm(16, 1, repeated);
    return h;
  };
  CHECK(confirms(copied(true)) == counts{1, 0, 0, 0, 1});
  CHECK(confirms(copied(false)) == counts{2, 1, 0, 0, 0});
}

TEST_CASE("confirms: an older lease of the driver is not current", "[metrics]") {
  teller h = leased();
  h.request(10, 1);
  h.grant(12, 2, 0, 1);
  h.confirm(13, 1);
  CHECK(confirms(h) == counts{1, 1, 0, 0, 0});
}

TEST_CASE("confirms: a confirm for an ended or unknown lease is stale", "[metrics]") {
  teller ended = leased();
  ended.ends(15, 1, events::lease_ending::released);
  ended.confirm(16, 1);
  ended.refuse(17, 1);
  CHECK(confirms(ended) == counts{1, 1, 1, 1, 0});
  teller unknown;
  unknown.tell(1, events::confirm_accepted{token_id{9}, driver_id{0}, ride_id{0}});
  CHECK(confirms(unknown) == counts{1, 1, 0, 0, 0});
}

TEST_CASE("confirms: a repeat is judged by the story, not by its flag", "[metrics]") {
  teller h = leased();
  h.confirm(12, 1);
  h.confirm(26, 1, true);  // past the expiry, which a confirm stops
  h.commit(27, 1);
  h.confirm(28, 1, false);
  h.refuse(29, 1);
  CHECK(confirms(h) == counts{1, 0, 1, 0, 2});

  teller forgotten = leased();
  forgotten.confirm(12, 1);
  forgotten.ends(42, 1, events::lease_ending::unwritten);
  forgotten.confirm(43, 1, true);  // called a repeat, of a confirm that no longer holds
  CHECK(confirms(forgotten) == counts{2, 1, 0, 0, 0});
}

TEST_CASE("confirms: a refused one is not stale if its lease was live", "[metrics]") {
  teller h = leased();
  h.refuse(20, 1);
  CHECK(confirms(h) == counts{0, 0, 1, 0, 0});
}

TEST_CASE("run tables: retries of an offer, an answer or a commit are told once", "[metrics]") {
  teller h = leased();
  for (int i = 0; i < 2; ++i) {
    h.send(11, 1);
  }
  for (int i = 0; i < 2; ++i) {
    h.show(12, 1, 25);
  }
  for (int i = 0; i < 2; ++i) {
    h.accept(20, 1);
  }
  for (int i = 0; i < 2; ++i) {
    h.confirm(21, 1, i > 0);
    h.commit(21, 1);
  }
  for (int i = 0; i < 2; ++i) {
    h.trip_ends(60, 1);
  }
  const report r = h.measured();
  for (const char* name : {"offers.sent", "offers.shown", "accepts.in_time", "rides.committed"}) {
    CAPTURE(name);
    CHECK(figure(r, name) == 1);
  }
  CHECK(figure(r, "supply.trip_s") == 39);
}

}  // namespace
