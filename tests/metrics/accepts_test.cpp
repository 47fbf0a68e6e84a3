/// Lost, late and premature accepts: one lease that would have been accepted, spoilt in turn.
#include "catch.hpp"
#include "metrics/teller.hpp"

#include <string>

namespace {

using namespace dibs;
using namespace dibs::metrics;
using events::lease_ending;

const node_id lease_manager{node_kind::lease_manager, 0};
const node_id ledger{node_kind::ledger, 0};

/// Granted at 10, offered at 11, on the screen from 12 to 25; due at 25.
teller offered() {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(10, 1, 0, 0);
  h.send(11, 1);
  h.show(12, 1, 25);
  return h;
}

/// The one cause for which the accept was lost before its time; "" if it was not.
std::string cause(const teller& h) {
  const report r = h.measured();
  std::string found;
  double count = 0;
  for (const char* name : {"crash", "pause", "loss", "skew", "early_cleanup", "latency"}) {
    const double n = figure(r, std::string("accepts.premature_count.") + name);
    count += n;
    if (n > 0) {
      found = name;
      CHECK(r.value(std::string("accepts.premature.") + name) == n);  // of one would-be accept
    }
  }
  CHECK(count == figure(r, "accepts.premature"));
  return found;
}

TEST_CASE("accepts: an accept that is committed is not lost", "[metrics]") {
  teller h = offered();
  h.accept(20, 1);
  h.confirm(21, 1);
  h.commit(22, 1);
  CHECK(figure(h.measured(), "accepts.lost") == 0);
  CHECK(h.measured().value("accepts.missed_rate") == 0);
}

TEST_CASE("accepts: a ride that is gone loses no accept, if it was gone before it", "[metrics]") {
  teller before = offered();
  before.abandon(19, 0);
  before.accept(20, 1);
  before.ends(21, 1, lease_ending::cancelled);
  CHECK(figure(before.measured(), "accepts.lost") == 0);

  teller at_once = offered();
  at_once.cancel(20, 0);
  at_once.accept(20, 1);
  CHECK(figure(at_once.measured(), "accepts.lost") == 0);

  teller just_after = offered();
  just_after.accept(20, 1);
  just_after.cancel(20, 0);
  CHECK(figure(just_after.measured(), "accepts.lost") == 0);

  teller after = offered();
  after.accept(20, 1);
  after.abandon(20.001, 0);
  after.ends(21, 1, lease_ending::cancelled);
  CHECK(figure(after.measured(), "accepts.lost") == 0);  // while her yes was under way
  CHECK(figure(after.measured(), "accepts.unwanted") == 1);
}

TEST_CASE("accepts: her own clock says what is late", "[metrics]") {
  for (const auto& [t, late] : {std::pair(24.999, 0), std::pair(25.0, 1), std::pair(30.0, 1)}) {
    teller h = offered();
    h.accept(t, 1);
    CHECK(figure(h.measured(), "accepts.late") == late);
    CHECK(figure(h.measured(), "accepts.missed") == 1);
  }
  teller slow = offered();
  // At 26 of true time her clock shows 24.
  slow.tell_at(at(26s),
               events::offer_answered{
                   token_id{1}, driver_id{0}, ride_id{0}, events::offer_response::accepted, true},
               -2s);
  CHECK(figure(slow.measured(), "accepts.late") == 0);
  // Off the screen at 25 by its clock, which then was set back to 20.
  teller set_back = offered();
  set_back.tell_at(
      at(30s),
      events::offer_answered{
          token_id{1}, driver_id{0}, ride_id{0}, events::offer_response::accepted, false},
      -10s);
  CHECK(figure(set_back.measured(), "accepts.late") == 1);
}

TEST_CASE("accepts: a yes after the lease is late by latency, or by a clock", "[metrics]") {
  const auto said_at = [](double t) {
    teller h;
    h.online(0, 0);
    h.request(0, 0);
    h.grant(10, 1, 0, 0);
    h.send(11, 1);
    h.show(12, 1, 31);
    h.expires(25, 1);
    h.accept(t, 1);
    return h;
  };
  // Shown at 12, she sees it 2 s longer than the lease lives; beyond that no latency explains it.
  CHECK(cause(said_at(26)) == "latency");
  CHECK(cause(said_at(27)) == "latency");
  CHECK(cause(said_at(27.1)) == "skew");
  CHECK(said_at(26).measured().notables.at(0).sentence ==
        "driver 1 accepted 1.00 s after its lease ended, which her screen did not know");
  CHECK(said_at(29).measured().notables.at(0).sentence ==
        "driver 1 accepted 4.00 s after its lease ended, its offer from matcher/1 still on her "
        "screen");
}

TEST_CASE("accepts: without a fault, the clocks or latency ended a lease too soon", "[metrics]") {
  teller h = offered();
  h.accept(20, 1);
  SECTION("latency: the lease's time was over") {
    h.expires(25, 1);
    CHECK(cause(h) == "latency");
  }
  SECTION("skew: expired before its time") {
    h.expires(24.9, 1);
    CHECK(cause(h) == "skew");
  }
  SECTION("skew: within the grace, though past its time") {
    h.what.grace = 2s;
    h.expires(26, 1);
    CHECK(cause(h) == "skew");
  }
  SECTION("latency: the grace was over too") {
    h.what.grace = 2s;
    h.expires(27, 1);
    CHECK(cause(h) == "latency");
  }
  SECTION("early clean-up: expired before its time by a grace below 0") {
    h.what.grace = -2s;
    h.expires(23, 1);
    CHECK(cause(h) == "early_cleanup");
  }
  SECTION("skew: expired even before that") {
    h.what.grace = -2s;
    h.expires(22.9, 1);
    CHECK(cause(h) == "skew");
  }
  SECTION("early clean-up: swept before its time") {
    h.ends(24.9, 1, lease_ending::swept);
    CHECK(cause(h) == "early_cleanup");
  }
  SECTION("early clean-up: released before its time") {
    h.ends(24.9, 1, lease_ending::released);
    CHECK(cause(h) == "early_cleanup");
  }
  SECTION("latency: swept after its time") {
    h.ends(25, 1, lease_ending::swept);
    CHECK(cause(h) == "latency");
  }
}

TEST_CASE("accepts: a fault of the way or of the holder is the reason before any clock",
          "[metrics]") {
  teller h = offered();
  h.accept(20, 1);
  SECTION("loss comes before clocks") {
    h.lose(20, {node_kind::driver, 0}, matcher(0), 1);
    h.expires(24, 1);
    CHECK(cause(h) == "loss");
  }
  SECTION("a message that is lost when the lease is over is no reason") {
    h.expires(24, 1);
    h.lose(24.5, {node_kind::driver, 0}, matcher(0), 1);
    CHECK(cause(h) == "skew");
  }
  SECTION("what the records tell each other is no reason") {
    h.lose(20, lease_manager, ledger, 1);
    h.expires(24, 1);
    CHECK(cause(h) == "skew");
  }
  SECTION("a pause of the holder comes before loss") {
    h.lose(20, {node_kind::driver, 0}, matcher(0), 1);
    h.pause(20.1, matcher(0));
    h.expires(24, 1);
    CHECK(cause(h) == "pause");
  }
  SECTION("a crash of the holder comes before a pause") {
    h.pause(20.1, matcher(0));
    h.crash(23, matcher(0));
    h.expires(24, 1);
    CHECK(cause(h) == "crash");
  }
  SECTION("a crash that takes no time is one") {
    h.crash(23, matcher(0));
    h.restart(23, matcher(0));
    h.expires(25, 1);
    CHECK(cause(h) == "crash");
  }
  SECTION("another matcher's crash is no reason") {
    h.crash(23, matcher(1));
    h.expires(25, 1);
    CHECK(cause(h) == "latency");
  }
  SECTION("a pause after the end is no reason") {
    h.expires(25, 1);
    h.pause(25, matcher(0));
    CHECK(cause(h) == "latency");
  }
  SECTION("declined, cancelled or refused by the ledger is not premature") {
    h.ends(24, 1, lease_ending::denied_by_ledger);
    CHECK(cause(h).empty());
    CHECK(figure(h.measured(), "accepts.lost") == 1);
  }
}

TEST_CASE("accepts: a pause between the offer and the accept held up neither", "[metrics]") {
  teller h = offered();
  h.pause(13, matcher(0));
  h.resume(19, matcher(0));
  h.accept(20, 1);
  h.expires(25, 1);
  CHECK(cause(h) == "latency");

  teller early;
  early.online(0, 0);
  early.request(0, 0);
  early.grant(10, 1, 0, 0);
  early.pause(10.5, matcher(0));
  early.resume(11, matcher(0));
  early.send(11, 1);
  early.show(12, 1, 25);
  early.accept(24.9, 1);
  early.expires(25, 1);
  CHECK(cause(early) == "pause");
}

TEST_CASE("accepts: an error in the holder's work counts as its crash", "[metrics]") {
  teller h = offered();
  h.accept(20, 1);
  const auto fail = [&](double t, bool gives_back = false) {
    h.tell(t,
           events::work_failed{
               node_of(matcher_id{0}), ride_id{0}, driver_id{0}, token_id{1}, gives_back});
  };
  SECTION("an error in the holder's work comes before a pause") {
    h.pause(20.1, matcher(0));
    fail(23);
    h.expires(25, 1);
    CHECK(cause(h) == "crash");
    CHECK(h.measured().notables.at(0).sentence ==
          "driver 1 accepted 5.00 s before its lease ended, in vain, and what matcher/1 did for it "
          "ended with an error");
  }
  SECTION("one that gives the lease back is none of a release") {
    fail(20, true);
    h.ends(20, 1, lease_ending::released);
    CHECK(cause(h) == "crash");
  }
  SECTION("an error after the end is no reason") {
    h.expires(25, 1);
    fail(25);
    CHECK(cause(h) == "latency");
  }
  SECTION("an error decides before the rider leaves") {
    fail(20);
    h.abandon(21, 0);
    h.expires(25, 1);
    CHECK(figure(h.measured(), "accepts.lost_count.crash") == 1);
    CHECK(figure(h.measured(), "accepts.unwanted") == 0);
  }
}

TEST_CASE("accepts: what fails when the try is closed is no reason", "[metrics]") {
  teller h = offered();
  h.accept(20, 1);
  const auto reason = [&](const char* name) {
    return figure(h.measured(), std::string("accepts.lost_count.") + name);
  };
  SECTION("a loss before it is, whatever befalls the holder later") {
    h.lose(20, lease_manager, matcher(0), 1);
    h.close(21, 1, events::try_ending::no_reply);
    SECTION("a pause") { h.pause(22, matcher(0)); }
    SECTION("a crash") { h.crash(22, matcher(0)); }
    SECTION("nothing") {}
    h.expires(25, 1);
    CHECK(cause(h) == "loss");
    CHECK(reason("loss") == 1);
    CHECK(h.measured().notables.at(0).sentence ==
          "driver 1 accepted 5.00 s before its lease ended, in vain, with a message of the lease "
          "manager lost on the way");
  }
  SECTION("an outage that began before it is") {
    h.lose(20, lease_manager, matcher(0), 1);
    h.pause(20.5, matcher(0));
    h.close(21, 1, events::try_ending::no_reply);
    h.expires(25, 1);
    CHECK(cause(h) == "pause");
  }
  SECTION("what the holder says when it gives the try up has no part in it") {
    h.lose(21, matcher(0), {node_kind::driver, 0}, 1);
    h.tell(21,
           events::call_made{
               matcher(0), events::call::release, driver_id{0}, ride_id{0}, token_id{1}, 0});
    h.lose(21, matcher(0), lease_manager, 1);
    h.close(21, 1, events::try_ending::timed_out);
    h.expires(25, 1);
    CHECK(cause(h) == "latency");
  }
  SECTION("a no closes it too") {
    h.refuse(21, 1);
    h.crash(22, matcher(0));
    h.expires(25, 1);
    CHECK(cause(h) == "latency");
  }
  SECTION("and so does the end of its ride") {
    h.lose(20, {node_kind::driver, 0}, matcher(0), 1);
    h.abandon(21, 0);
    h.pause(22, matcher(0));
    h.expires(25, 1);
    CHECK(cause(h) == "loss");
  }
}

TEST_CASE("accepts: the holder's clock is the reason where it gave up by time, and kept the lease",
          "[metrics]") {
  const auto cause_if = [](events::try_ending why, lease_ending ending, double ends) {
    teller h = offered();
    h.close(15, 1, why);
    if (ends < 24) {
      h.ends(ends, 1, ending);
    }
    h.accept(24, 1);
    if (ends > 24) {
      h.ends(ends, 1, ending);
    }
    return cause(h);
  };
  using events::try_ending;
  CHECK(cause_if(try_ending::timed_out, lease_ending::expired, 25) == "skew");
  CHECK(cause_if(try_ending::no_reply, lease_ending::expired, 25) == "latency");
  CHECK(cause_if(try_ending::timed_out, lease_ending::released, 16) == "early_cleanup");
}

TEST_CASE("accepts: a holder that has not heard of a renewal has no wrong clock", "[metrics]") {
  const auto cause_if = [](bool is_heard) {
    teller h = offered();
    h.tell(20, events::lease_renewed{token_id{1}, driver_id{0}, local_time{35s}});
    if (is_heard) {
      h.tell(21,
             events::call_answered{matcher(0),
                                   events::call::renew,
                                   events::call_answer::yes,
                                   driver_id{0},
                                   ride_id{0},
                                   token_id{1},
                                   0});
    }
    h.accept(24, 1);
    h.close(25, 1, events::try_ending::lease_lost);
    h.expires(35, 1);
    return cause(h);
  };
  CHECK(cause_if(false) == "latency");
  CHECK(cause_if(true) == "skew");
}

TEST_CASE("accepts: a lost copy that delays an offer is no reason where she was later than that",
          "[metrics]") {
  const auto cause_if = [](double lost, double ends, bool is_renewal_lost = false) {
    teller h;
    h.online(0, 0);
    h.request(0, 0);
    h.grant(10, 1, 0, 0);
    h.send(11, 1);
    h.lose(lost, matcher(0), {node_kind::driver, 0}, 1);
    h.show(12, 1, 27);
    if (is_renewal_lost) {
      h.lose(20, matcher(0), lease_manager, 1);
    }
    h.expires(ends, 1);
    h.accept(26, 1);
    return cause(h);
  };
  CHECK(cause_if(11, 25.001) == "loss");  // she would have said yes at 25, before the end
  CHECK(cause_if(11, 25) == "latency");
  CHECK(cause_if(11.5, 25.001) == "latency");
  CHECK(cause_if(11, 25, true) == "loss");
}

TEST_CASE("accepts: the instant of the accept decides whether it counts", "[metrics]") {
  for (const auto& [from, until, counts] :
       {std::tuple(20s, 100s, 1), std::tuple(21s, 100s, 0), std::tuple(0s, 20s, 0)}) {
    teller h = offered();
    h.what.measured_from = at(from);
    h.what.measured_until = at(until);
    h.accept(20, 1);
    h.expires(25, 1);
    CHECK(figure(h.measured(), "accepts.would_be") == counts);
    CHECK(figure(h.measured(), "accepts.lost") == counts);
  }
}

TEST_CASE("accepts: a commit that comes when the lease is over still saves the accept",
          "[metrics]") {
  teller h = offered();
  h.accept(24, 1);
  h.expires(25, 1);
  h.commit(26, 1);
  const report r = h.measured();
  CHECK(figure(r, "accepts.lost") == 0);
  // The lease itself did not become the trip.
  CHECK(figure(r, "leases.converted") == 0);
  CHECK(figure(r, "supply.hidden_s.lost_accept") == 15);
}

TEST_CASE("promises: a rider or driver who calls off breaks none", "[metrics]") {
  for (const auto& [cause, broken] : {std::pair(events::revocation::no_show, 1),
                                      std::pair(events::revocation::rider_cancelled, 0),
                                      std::pair(events::revocation::driver_cancelled, 0)}) {
    teller h = offered();
    h.accept(20, 1);
    h.confirm_and_commit(20, 1);
    h.promise(20, 1);
    h.promise(21, 1);  // told again
    h.revoke(30, 1, cause);
    CHECK(figure(h.measured(), "promises.made") == 1);
    CHECK(figure(h.measured(), "promises.broken") == broken);
  }
  teller never_told = offered();
  never_told.confirm_and_commit(20, 1);
  never_told.revoke(30, 1, events::revocation::no_show);
  CHECK(figure(never_told.measured(), "promises.broken") == 0);
}

}  // namespace
