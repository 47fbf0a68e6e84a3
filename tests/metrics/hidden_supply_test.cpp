/// Where the seconds of leases go.
#include "catch.hpp"
#include "metrics/teller.hpp"

#include <string>

namespace {

using namespace dibs;
using namespace dibs::metrics;
using events::lease_ending;

constexpr const char* slices[] = {"zombie",
                                  "overhang",
                                  "declined",
                                  "ignored",
                                  "undelivered",
                                  "lost_accept",
                                  "cancelled",
                                  "denied_by_ledger",
                                  "censored"};

/// Granted at 10, shown at 11, due at 25.
teller shown() {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0);
  h.show(11, 1, 25);
  return h;
}

/// "cause: seconds" of all slices that are not 0; the parts must add up.
std::string slices_of(const teller& h) {
  const report r = h.measured();
  std::string all;
  double parts = 0;
  for (const char* slice : slices) {
    const double s = figure(r, std::string("supply.hidden_s.") + slice);
    parts += s;
    if (s > 0) {
      all += (all.empty() ? "" : ", ") + std::string(slice) + " " +
             std::to_string(static_cast<int>(s));
    }
  }
  CHECK(parts == Approx(figure(r, "supply.hidden_s")).margin(1e-9));
  return all;
}

TEST_CASE("hidden supply: a lease that becomes a trip hides nothing", "[metrics]") {
  teller h = shown();
  h.confirm_and_commit(20, 1);
  const report r = h.measured();
  CHECK(slices_of(h).empty());
  CHECK(figure(r, "supply.hidden_s") == 0);
  CHECK(figure(r, "supply.converted_s") == 10);
  CHECK(r.value("supply.hidden_share") == 0);
  CHECK(r.value("supply.leased_share") == Approx(0.1));
}

TEST_CASE("hidden supply: each lease that comes to nothing has its cause", "[metrics]") {
  teller h = shown();
  SECTION("declined") {
    h.decline(15, 1);
    h.ends(16, 1, lease_ending::declined);
    CHECK(slices_of(h) == "declined 6");
  }
  SECTION("declined, but the word was lost") {
    h.decline(15, 1);
    h.expires(25, 1);
    CHECK(slices_of(h) == "declined 15");
  }
  SECTION("ignored") {
    h.dismiss(25, 1, events::dismissal::timeout);
    h.expires(25, 1);
    CHECK(slices_of(h) == "ignored 15");
  }
  SECTION("ignored: a late accept is no answer") {
    h.expires(25, 1);
    h.answer(26, 1, events::offer_response::accepted, false);
    CHECK(slices_of(h) == "ignored 15");
  }
  SECTION("lost accept") {
    h.accept(20, 1);
    h.expires(25, 1);
    CHECK(slices_of(h) == "lost_accept 15");
  }
  SECTION("cancelled") {
    h.cancel(14, 0);
    h.ends(15, 1, lease_ending::cancelled);
    CHECK(slices_of(h) == "cancelled 5");
  }
  SECTION("cancelled: the ride was gone when she accepted") {
    h.cancel(14, 0);
    h.accept(15, 1);
    h.expires(25, 1);
    CHECK(slices_of(h) == "cancelled 15");
  }
  SECTION("denied by the ledger") {
    h.accept(20, 1);
    h.confirm(21, 1);
    h.ends(22, 1, lease_ending::denied_by_ledger);
    CHECK(slices_of(h) == "denied_by_ledger 12");
  }
  SECTION("censored: open at the end of the window, whatever came afterwards") {
    h.what.measured_until = at(18s);
    h.confirm_and_commit(20, 1);
    CHECK(slices_of(h) == "censored 8");
    CHECK(figure(h.measured(), "leases.censored") == 1);
    CHECK(!h.measured().value("leases.conversion").has_value());
  }
}

TEST_CASE("hidden supply: a dead holder comes before overhang, and overhang before the cause",
          "[metrics]") {
  teller h = shown();
  SECTION("overhang: past its time") {
    h.expires(32, 1);
    CHECK(slices_of(h) == "overhang 7, ignored 15");
    CHECK(figure(h.measured(), "leases.overhang_s") == 7);
  }
  SECTION("zombie: since the holder crashed, past its time too, and though it is back") {
    h.crash(20, matcher(0));
    h.restart(27, matcher(0));
    h.expires(32, 1);
    CHECK(slices_of(h) == "zombie 12, ignored 10");
    CHECK(figure(h.measured(), "leases.zombie_s") == 12);
    CHECK(figure(h.measured(), "leases.overhang_s") == 7);
    CHECK(figure(h.measured(), "leases.orphaned") == 1);
  }
  SECTION("a paused holder is not down") {
    h.pause(20, matcher(0));
    h.expires(25, 1);
    h.resume(27, matcher(0));
    CHECK(slices_of(h) == "ignored 15");
    CHECK(figure(h.measured(), "leases.orphaned") == 0);
  }
}

TEST_CASE("hidden supply: an offer that never appeared was not ignored", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0);
  SECTION("not at all") {
    h.expires(25, 1);
    CHECK(slices_of(h) == "undelivered 15");
  }
  SECTION("not in time") {
    h.expires(25, 1);
    h.show(25, 1, 40);
    CHECK(slices_of(h) == "undelivered 15");
  }
}

TEST_CASE("phantom holds: from the instant at which the offer has become pointless", "[metrics]") {
  teller h = shown();
  const auto phantom = [&] {
    h.expires(25, 1);
    return figure(h.measured(), "leases.phantom_s");
  };
  SECTION("on the screen to the end") { CHECK(phantom() == 0); }
  SECTION("dismissed") {
    h.dismiss(18, 1, events::dismissal::replaced);
    CHECK(phantom() == 7);
  }
  SECTION("answered") {
    h.decline(19, 1);
    CHECK(phantom() == 6);
  }
  SECTION("the driver offline") {
    h.offline(20, 0);
    CHECK(phantom() == 5);
  }
  SECTION("the driver offline, back and offline again") {
    h.offline(20, 0);
    h.online(21, 0);
    h.offline(22, 0);
    CHECK(phantom() == 5);
  }
  SECTION("the ride gone") {
    h.abandon(21, 0);
    CHECK(phantom() == 4);
  }
  SECTION("the ride gone, and its next lease without any use") {
    h.abandon(21, 0);
    h.online(21, 1);
    h.grant(22, 2, 1, 0);
    h.send(22, 2);
    h.show(22, 2, 40);
    h.expires(24, 2);
    CHECK(phantom() == 4 + 2);
  }
  SECTION("the holder down") {
    h.crash(22, matcher(0));
    h.restart(23, matcher(0));
    CHECK(phantom() == 3);
  }
  SECTION("a lease that becomes a trip is none") {
    h.accept(20, 1);
    h.confirm_and_commit(22, 1);
    CHECK(figure(h.measured(), "leases.phantom_s") == 0);
  }
}

TEST_CASE("leases: early release is before the lease's own time", "[metrics]") {
  for (const auto& [t, cause, count] : {std::tuple(24.0, lease_ending::released, 1),
                                        std::tuple(24.0, lease_ending::expired, 1),
                                        std::tuple(24.0, lease_ending::swept, 1),
                                        std::tuple(25.0, lease_ending::expired, 0),
                                        std::tuple(24.0, lease_ending::declined, 0),
                                        std::tuple(24.0, lease_ending::cancelled, 0)}) {
    teller h = shown();
    h.ends(t, 1, cause);
    CHECK(figure(h.measured(), "leases.early_release") == count);
    CHECK(figure(h.measured(), "leases.early_release_s") == count);
  }
}

TEST_CASE("leases: the window clips time, and counts by the grant", "[metrics]") {
  teller h = shown();
  h.expires(25, 1);
  h.request(30, 1);
  h.grant(30, 2, 0, 1);
  h.confirm_and_commit(36, 2);
  h.trip_ends(90, 2);
  h.what.measured_from = at(20s);
  const report r = h.measured();
  CHECK(figure(r, "supply.hidden_s") == 5);
  CHECK(figure(r, "supply.converted_s") == 6);
  CHECK(figure(r, "supply.online_s") == 80);
  CHECK(figure(r, "leases.granted") == 1);
  CHECK(r.value("leases.conversion") == 1);
  CHECK(r.value("leases.expired_rate") == 0);
  CHECK(r.value("leases.hold.mean") == Approx(6));
}

TEST_CASE("leases: one that is open at the end of the window is in no ratio", "[metrics]") {
  teller h = shown();
  h.expires(25, 1);
  h.request(80, 1);
  h.grant(80, 2, 0, 1);
  h.confirm_and_commit(95, 2);
  h.what.measured_until = at(95s);  // an end at the end of the window is not in it
  const report r = h.measured();
  CHECK(figure(r, "leases.granted") == 2);
  CHECK(figure(r, "leases.censored") == 1);
  CHECK(r.value("leases.expired_rate") == 1);
  CHECK(r.value("leases.conversion") == 0);
  CHECK(r.histograms.at("leases.hold").count() == 1);
  CHECK(figure(r, "supply.lease_s") == 30);
}

TEST_CASE("leases: one without end can be held for ever", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0, 0, forever - 10s);
  h.history.back().what = events::lease_granted{
      token_id{1}, driver_id{0}, ride_id{0}, matcher_id{0}, forever, local_time::max()};
  h.confirm(90, 1);
  const report r = h.measured();
  CHECK(figure(r, "supply.hidden_s.censored") == 90);
  CHECK(figure(r, "leases.overhang_s") == 0);
  CHECK(figure(r, "confirms.stale_accepted") == 0);
}

}  // namespace
