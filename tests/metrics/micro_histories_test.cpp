/// Goal: short histories give the figures that were worked out for them by hand.
/// Method: every figure of the list is compared, the zeros too, to 1e-9.
#include "catch.hpp"
#include "metrics/teller.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <tuple>

namespace {

using namespace dibs;
using namespace dibs::metrics;

/// The figures of a history; all that are not named are zero.
void check(const teller& history, const std::map<std::string, double>& expected) {
  const report measured = history.measured();
  for (const char* name : {"leases.granted",
                           "promises.made",
                           "promises.broken",
                           "supply.online_s",
                           "supply.lease_s",
                           "supply.converted_s",
                           "supply.hidden_s",
                           "supply.wait_s",
                           "supply.starved_s",
                           "leases.phantom_s",
                           "leases.zombie_s",
                           "leases.overhang_s",
                           "leases.early_release",
                           "leases.early_release_s",
                           "confirms.refused",
                           "confirms.stale_refused",
                           "confirms.stale_accepted",
                           "confirms.duplicate",
                           "accepts.lost",
                           "accepts.premature",
                           "double.offers",
                           "double.offer_s",
                           "double.accepts",
                           "double.commits",
                           "double.commit_s",
                           "double.rides"}) {
    CAPTURE(name);
    const auto found = expected.find(name);
    CHECK(figure(measured, name) ==
          Approx(found == expected.end() ? 0 : found->second).margin(1e-9).epsilon(0));
  }
}

TEST_CASE("micro-history 1: a clean commit", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.show(1, 1, 16);
  h.accept(6, 1);
  h.confirm_and_commit(6, 1);
  h.promise(6, 1);
  h.trip_ends(60, 1);
  check(h,
        {{"leases.granted", 1},
         {"promises.made", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 5},
         {"supply.converted_s", 5},
         {"supply.wait_s", 1}});
}

TEST_CASE("micro-history 2: an accept at the very deadline is late for both", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.expires(15, 1);
  h.accept(15, 1);
  h.refuse(15, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 15},
         {"supply.hidden_s", 15},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 5}});
  CHECK(figure(h.measured(), "accepts.late") == 1);
}

TEST_CASE("micro-history 3: latency loses an accept", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0.5, 1, 15.5);
  h.accept(14.8, 1);
  h.expires(15, 1);
  h.refuse(15.3, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 15},
         {"supply.hidden_s", 15},
         {"leases.phantom_s", 0.2},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 5}});
  CHECK(figure(h.measured(), "accepts.premature_count.latency") == 1);
}

/// Up to the second driver's accept, whose lease had expired.
teller two_rides_one_driver() {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(0, 1, 0, 0, 0);
  h.show(0, 1, 18);
  h.expires(15, 1);
  h.grant(15, 2, 0, 1, 1);
  h.show(15, 2, 30);
  h.accept(16, 2);
  h.confirm_and_commit(16, 2);
  h.promise(16, 2);
  h.accept(17, 1);
  return h;
}

TEST_CASE("micro-history 4: a double commit without fencing", "[metrics]") {
  teller h = two_rides_one_driver();
  h.confirm_and_commit(17, 1);
  h.promise(17, 1);
  h.revoke(17.5, 1, events::revocation::no_show);
  h.trip_ends(50, 2);
  h.trip_ends(50, 1);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 16},
         {"supply.hidden_s", 15},
         {"supply.converted_s", 1},
         {"confirms.stale_accepted", 1},
         {"double.offers", 1},
         {"double.offer_s", 1},
         {"double.accepts", 1},
         {"double.commits", 1},
         {"double.commit_s", 0.5},
         {"promises.made", 2},
         {"promises.broken", 1},
         {"supply.wait_s", 17},
         {"supply.starved_s", 15}});
}

TEST_CASE("micro-history 5: the same history with fencing", "[metrics]") {
  teller h = two_rides_one_driver();
  h.refuse(17, 1);
  h.abandon(20, 0);
  h.trip_ends(50, 2);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 16},
         {"supply.hidden_s", 15},
         {"supply.converted_s", 1},
         {"double.offers", 1},
         {"double.offer_s", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"promises.made", 1},
         {"supply.wait_s", 20},
         {"supply.starved_s", 15}});
}

TEST_CASE("micro-history 6: a zombie and a late sweep", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(2, 1, 0, 0);
  h.crash(5, matcher(0));
  h.expires(20, 1);
  h.restart(30, matcher(0));
  h.abandon(30, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 18},
         {"supply.hidden_s", 18},
         {"leases.zombie_s", 15},
         {"leases.overhang_s", 3},
         {"leases.phantom_s", 18},
         {"supply.wait_s", 12}});
  // Cut into slices, the overhang lies within the downtime.
  CHECK(figure(h.measured(), "supply.hidden_s.zombie") == 15);
  CHECK(figure(h.measured(), "supply.hidden_s.overhang") == 0);
  CHECK(figure(h.measured(), "supply.hidden_s.undelivered") == 3);
}

TEST_CASE("micro-history 7: a clean-up that comes too early", "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.ends(12, 1, events::lease_ending::released);
  h.accept(13, 1);
  h.refuse(13, 1);
  h.abandon(20, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 12},
         {"supply.hidden_s", 12},
         {"leases.early_release", 1},
         {"leases.early_release_s", 3},
         {"accepts.lost", 1},
         {"accepts.premature", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"supply.wait_s", 8}});
  CHECK(figure(h.measured(), "accepts.premature_count.early_cleanup") == 1);
}

TEST_CASE("micro-history 8: trips that touch are not double, and a repeat is no commit",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(0, 1, 0, 0);
  h.show(0, 1, 15);
  h.accept(4, 1);
  h.confirm_and_commit(4, 1);
  h.confirm(4.2, 1, true);
  h.trip_ends(40, 1);
  h.grant(40, 2, 0, 1);
  h.show(40, 2, 55);
  h.accept(41, 2);
  h.confirm_and_commit(41, 2);
  h.trip_ends(70, 2);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 5},
         {"supply.converted_s", 5},
         {"confirms.duplicate", 1},
         {"supply.wait_s", 40}});
}

TEST_CASE("micro-history 9: a token that goes back, two live leases, and one that ends twice",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.grant(0, 5, 0, 0, 0);
  h.grant(1, 4, 0, 1, 1);
  h.expires(15, 5);
  h.expires(16, 4);
  h.expires(17, 4);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 100},
         {"supply.lease_s", 30},
         {"supply.hidden_s", 30},
         {"leases.phantom_s", 30}});
  // Each instant of the driver counts once.
  CHECK(figure(h.measured(), "supply.leased_s") == 16);
}

// -- what became of a yes ------------------------------------------------------------------------

/// How often each is the case: the three fates of accepts in time, and late ones.
struct yes {
  double committed = 0;
  double unwanted = 0;
  double lost = 0;
  double late = 0;
  double late_committed = 0;
};

void check_yes(const teller& history, const yes& expected) {
  const report r = history.measured();
  CHECK(figure(r, "accepts.committed") == expected.committed);
  CHECK(figure(r, "accepts.unwanted") == expected.unwanted);
  CHECK(figure(r, "accepts.lost") == expected.lost);
  CHECK(figure(r, "accepts.in_time") == expected.committed + expected.unwanted + expected.lost);
  CHECK(figure(r, "accepts.late") == expected.late);
  CHECK(figure(r, "accepts.late_committed") == expected.late_committed);
  CHECK(figure(r, "accepts.missed") == expected.lost + expected.late - expected.late_committed);
}

/// Offered at once.
teller offered(double screen_until) {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(0, 1, 0, 0);
  h.send(0, 1);
  h.show(0, 1, screen_until);
  return h;
}

TEST_CASE("micro-history 10: the last try's lease ends before the yes, and the ride with it",
          "[metrics]") {
  teller h = offered(30);
  h.expires(15, 1);
  h.close(15, 1, events::try_ending::lease_lost);
  h.abandon(15, 0);
  h.accept(20, 1);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 15},
         {"supply.hidden_s", 15},
         {"accepts.lost", 1},
         {"accepts.premature", 1}});
  check_yes(h, {.lost = 1});
  CHECK(figure(h.measured(), "accepts.lost_count.skew") == 1);
  CHECK(figure(h.measured(), "supply.hidden_s.lost_accept") == 15);
}

TEST_CASE("micro-history 11: no time passes between the yes, the no and the end of the ride",
          "[metrics]") {
  teller h = offered(15);
  h.expires(14, 1);
  h.accept(14.5, 1);
  h.refuse(14.5, 1);
  h.close(14.5, 1, events::try_ending::refused);
  h.abandon(14.5, 0);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 14},
         {"supply.hidden_s", 14},
         {"supply.wait_s", 0.5},
         {"leases.early_release", 1},
         {"leases.early_release_s", 1},
         {"confirms.refused", 1},
         {"confirms.stale_refused", 1},
         {"accepts.lost", 1},
         {"accepts.premature", 1}});
  check_yes(h, {.lost = 1});
  CHECK(figure(h.measured(), "accepts.lost_count.skew") == 1);
  CHECK(figure(h.measured(), "supply.hidden_s.lost_accept") == 14);
}

TEST_CASE("micro-history 12: the holder's clock is 20 s ahead, and 12 s", "[metrics]") {
  for (const auto& [gives_up, gone, phantom] : {std::tuple(0.0, 0.0, 15.0), {3.0, 9.0, 10.0}}) {
    teller h = offered(15);
    h.close(gives_up, 1, events::try_ending::timed_out);
    if (gone < 5) {
      h.abandon(gone, 0);
    }
    h.accept(5, 1);
    if (gone > 5) {
      h.abandon(gone, 0);
    }
    h.expires(15, 1);
    check(h,
          {{"leases.granted", 1},
           {"supply.online_s", 100},
           {"supply.lease_s", 15},
           {"supply.hidden_s", 15},
           {"leases.phantom_s", phantom},
           {"accepts.lost", 1},
           {"accepts.premature", 1}});
    check_yes(h, {.lost = 1});
    CHECK(figure(h.measured(), "accepts.lost_count.skew") == 1);
    CHECK(h.measured().notables.front().sentence ==
          "driver 1 accepted 10.0 s before its lease ended, in vain, which matcher/1 had given up "
          "by its own clock");
  }
}

TEST_CASE("micro-history 13: a late yes that is sent and becomes a trip is not missed",
          "[metrics]") {
  teller h = offered(10);
  h.answer(11, 1, events::offer_response::accepted, false);
  h.confirm_and_commit(11, 1);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 11},
         {"supply.converted_s", 11}});
  check_yes(h, {.late = 1, .late_committed = 1});
}

TEST_CASE("micro-history 14: a late yes within the grace, and one beyond it", "[metrics]") {
  teller h = offered(15);
  h.what.grace = 20s;
  h.answer(17, 1, events::offer_response::accepted, false);
  h.confirm_and_commit(17, 1);
  check(h,
        {{"leases.granted", 1},
         {"supply.online_s", 100},
         {"supply.lease_s", 17},
         {"supply.converted_s", 17}});
  check_yes(h, {.late = 1, .late_committed = 1});

  teller beyond = offered(15);
  beyond.what.grace = 20s;
  beyond.expires(35, 1);
  beyond.answer(36, 1, events::offer_response::accepted, false);
  beyond.refuse(36, 1);
  check_yes(beyond, {.late = 1});
}

TEST_CASE("micro-history 15: another driver had won the ride before the yes was decided",
          "[metrics]") {
  teller h = offered(15);
  h.what.drivers = 2;
  h.online(0, 1);
  h.grant(0, 2, 1, 0, 1);
  h.send(0, 2);
  h.show(0, 2, 15);
  h.accept(5, 1);
  h.accept(5.5, 2);
  h.confirm_and_commit(5.5, 2);
  h.refuse(6, 1);
  h.ends(6, 1, events::lease_ending::cancelled);
  h.trip_ends(50, 2);
  check(h,
        {{"leases.granted", 2},
         {"supply.online_s", 200},
         {"supply.lease_s", 11.5},
         {"supply.converted_s", 5.5},
         {"supply.hidden_s", 6},
         {"leases.phantom_s", 1},
         {"confirms.refused", 1}});
  check_yes(h, {.committed = 1, .unwanted = 1});
  CHECK(figure(h.measured(), "supply.hidden_s.cancelled") == 6);
}

TEST_CASE("micro-history 16: the rider had left before the yes, or while it was under way",
          "[metrics]") {
  for (const double said : {5.0, 3.5}) {
    teller h = offered(15);
    if (said < 4) {
      h.accept(said, 1);
    }
    h.abandon(4, 0);
    if (said > 4) {
      h.accept(said, 1);
    }
    h.close(5.5, 1, events::try_ending::withdrawn);
    h.ends(6, 1, events::lease_ending::cancelled);
    check(h,
          {{"leases.granted", 1},
           {"supply.online_s", 100},
           {"supply.lease_s", 6},
           {"supply.hidden_s", 6},
           {"leases.phantom_s", said > 4 ? 2 : 2.5}});
    check_yes(h, {.unwanted = 1});
    CHECK(figure(h.measured(), "supply.hidden_s.cancelled") == 6);
  }
}

TEST_CASE("micro-history 17: the rider leaves after the yes was lost on its way", "[metrics]") {
  teller h = offered(15);
  h.accept(5, 1);
  h.lose(5, {node_kind::driver, 0}, matcher(0), 1);
  teller in_vain = h;
  in_vain.abandon(8, 0);
  in_vain.expires(15, 1);
  check_yes(in_vain, {.lost = 1});
  CHECK(figure(in_vain.measured(), "accepts.lost_count.loss") == 1);

  // It was said again, and heard.
  h.tell(
      6,
      events::call_made{matcher(0), events::call::confirm, driver_id{0}, ride_id{0}, token_id{1}});
  h.abandon(6.5, 0);
  h.ends(7, 1, events::lease_ending::cancelled);
  check_yes(h, {.unwanted = 1});
}

TEST_CASE("micro-history 18: the holder's crash decides before the rider leaves", "[metrics]") {
  teller h = offered(15);
  h.crash(3, matcher(0));
  h.abandon(4, 0);
  h.accept(5, 1);
  h.expires(15, 1);
  check_yes(h, {.lost = 1});
  CHECK(figure(h.measured(), "accepts.lost_count.crash") == 1);
}

TEST_CASE("micro-history 19: a ride whose driver was called off is wanted again", "[metrics]") {
  teller h = offered(15);
  h.what.drivers = 2;
  h.online(0, 1);
  h.grant(0, 2, 1, 0, 1);
  h.accept(5, 1);
  h.confirm_and_commit(5, 2);
  h.revoke(6, 2, events::revocation::no_show);
  h.expires(15, 1);
  check_yes(h, {.lost = 1});
}

TEST_CASE("micro-history 20: tries without a lease are lost to a no, to silence, to the end",
          "[metrics]") {
  teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.offer(1, 1, 0, 0);
  h.show(1, 1, 16);
  h.accept(5, 1);
  const auto lost_to = [](const teller& history, const char* cause) {
    check_yes(history, {.lost = 1});
    return figure(history.measured(), std::string("accepts.lost_count.") + cause) == 1;
  };
  CHECK(lost_to(h, "unfinished"));
  teller silent = h;
  silent.close(10, 1, events::try_ending::no_reply);
  silent.abandon(10, 0);
  CHECK(lost_to(silent, "latency"));
  teller dead = h;
  dead.crash(6, matcher(0));
  CHECK(lost_to(dead, "crash"));
  h.tell(6,
         events::write_refused{token_id::unleased(matcher_id{0}, 1),
                               driver_id{0},
                               ride_id{0},
                               events::write_refusal::driver_busy});
  h.close(6, 1, events::try_ending::not_written);
  CHECK(lost_to(h, "refused"));
}

TEST_CASE("micro-history 21: an offer that is shown twice may be declined and then accepted",
          "[metrics]") {
  teller h = offered(15);
  h.decline(2, 1);
  h.accept(3, 1);
  h.accept(4, 1);
  h.confirm_and_commit(5, 1);
  check_yes(h, {.committed = 1});
}

/// What became of the yes to the first offer of a ride, in a history of its own.
struct told {
  const char* what;
  void (*tell)(teller& h);
  yes became;
};

void check_each(std::span<const told> all) {
  for (const told& each : all) {
    INFO(each.what);
    teller h = offered(15);
    h.what.drivers = 2;
    h.online(0, 1);
    each.tell(h);
    check_yes(h, each.became);
  }
}

constexpr node_id the_driver{node_kind::driver, 0};
constexpr node_id the_manager{node_kind::lease_manager, 0};

TEST_CASE("micro-history 22: the first that decides against a yes finds its ride wanted or not",
          "[metrics]") {
  using events::lease_ending;
  using events::try_ending;
  check_each(std::array<told, 5>{
      {{"called off before the ride was",
        [](teller& h) {
          h.accept(3.9, 1);
          h.close(4, 1, try_ending::withdrawn);
          h.abandon(4.1, 0);
          h.ends(4.1, 1, lease_ending::cancelled);
        },
        {.unwanted = 1}},
       {"called off when its lease had ended",
        [](teller& h) {
          h.accept(14, 1);
          h.expires(15, 1);
          h.close(15.5, 1, try_ending::withdrawn);
          h.abandon(15.5, 0);
        },
        {.lost = 1}},
       {"called off when it had been lost on its way",
        [](teller& h) {
          h.accept(5, 1);
          h.lose(5, the_driver, matcher(0), 1);
          h.close(8, 1, try_ending::withdrawn);
          h.abandon(8, 0);
          h.expires(15, 1);
        },
        {.lost = 1}},
       {"a word of it lost, another refused when the ride was gone",
        [](teller& h) {
          h.accept(5, 1);
          h.lose(5, matcher(0), the_manager, 1);
          h.abandon(8, 0);
          h.refuse(9, 1);
          h.ends(9, 1, lease_ending::cancelled);
        },
        {.unwanted = 1}},
       {"a word of it lost, and said again when the ride was gone",
        [](teller& h) {
          h.accept(5, 1);
          h.lose(5, matcher(0), the_manager, 1);
          h.abandon(5.5, 0);
          h.tell(6,
                 events::call_made{
                     matcher(0), events::call::confirm, driver_id{0}, ride_id{0}, token_id{1}});
          h.ends(7, 1, lease_ending::cancelled);
        },
        {.unwanted = 1}}}});
}

TEST_CASE("micro-history 23: what is lost before a yes, or is not about it, decides nothing",
          "[metrics]") {
  using events::lease_ending;
  check_each(std::array<told, 5>{{{"a word lost before it",
                                   [](teller& h) {
                                     h.lose(2, matcher(0), the_manager, 1);
                                     h.accept(5, 1);
                                     h.abandon(6, 0);
                                     h.ends(7, 1, lease_ending::cancelled);
                                   },
                                   {.unwanted = 1}},
                                  {"a word to the driver lost",
                                   [](teller& h) {
                                     h.accept(5, 1);
                                     h.lose(5, matcher(0), the_driver, 1);
                                     h.abandon(6, 0);
                                     h.ends(7, 1, lease_ending::cancelled);
                                   },
                                   {.unwanted = 1}},
                                  {"a word of the ride's other try lost",
                                   [](teller& h) {
                                     h.grant(0, 2, 1, 0, 1);
                                     h.accept(5, 1);
                                     h.lose(5, the_driver, matcher(1), 2);
                                     h.abandon(6, 0);
                                     h.ends(7, 1, lease_ending::cancelled);
                                   },
                                   {.unwanted = 1}},
                                  {"offered when the ride was gone",
                                   [](teller& h) {
                                     h.abandon(1, 0);
                                     h.grant(1, 2, 1, 0, 1);
                                     h.send(1, 2);
                                     h.show(1, 2, 15);
                                     h.accept(5, 2);
                                     h.expires(15, 2);
                                   },
                                   {.unwanted = 1}},
                                  {"said again when it is late",
                                   [](teller& h) {
                                     h.accept(5, 1);
                                     h.answer(16, 1, events::offer_response::accepted, false);
                                     h.confirm_and_commit(17, 1);
                                   },
                                   {.committed = 1}}}});
}

// The word of it is lost at 5 and comes through at 9; the holder crashes at 7.
TEST_CASE("micro-history 24: the holder's crash decides, though a lost word comes through later",
          "[metrics]") {
  check_each(std::array<told, 3>{{{"gone after the crash",
                                   [](teller& h) {
                                     h.accept(5, 1);
                                     h.lose(5, the_manager, matcher(0), 1);
                                     h.crash(7, matcher(0));
                                     h.abandon(8, 0);
                                     h.refuse(9, 1);
                                   },
                                   {.lost = 1}},
                                  {"gone before the crash",
                                   [](teller& h) {
                                     h.accept(5, 1);
                                     h.lose(5, the_manager, matcher(0), 1);
                                     h.abandon(6, 0);
                                     h.crash(7, matcher(0));
                                     h.refuse(9, 1);
                                   },
                                   {.unwanted = 1}},
                                  {"wanted all the time",
                                   [](teller& h) {
                                     h.accept(5, 1);
                                     h.lose(5, the_manager, matcher(0), 1);
                                     h.crash(7, matcher(0));
                                     h.refuse(9, 1);
                                     h.abandon(10, 0);
                                   },
                                   {.lost = 1}}}});
}

TEST_CASE("micro-history 25: a yes is refused by a no that comes while its holder waits",
          "[metrics]") {
  using events::lease_ending;
  using events::try_ending;
  struct row {
    const char* what;
    void (*tell)(teller& h);
    const char* lost_to;
  };
  static constexpr auto back = [](teller& h, double t) {
    h.close(t, 1, try_ending::no_reply);
    h.tell(t,
           events::call_made{
               matcher(0), events::call::release, driver_id{0}, ride_id{0}, token_id{1}});
  };
  for (const row& each : {row{"no reply, and the holder gives the lease back",
                              [](teller& h) {
                                back(h, 10);
                                h.confirm(10.5, 1);
                                h.ends(11, 1, lease_ending::cancelled);
                              },
                              "latency"},
                          row{"no reply, and what it gives back never arrives",
                              [](teller& h) { back(h, 10); },
                              "latency"},
                          row{"a no that comes when the holder has given up",
                              [](teller& h) {
                                back(h, 10);
                                h.refuse(10.5, 1);
                                h.ends(11, 1, lease_ending::cancelled);
                              },
                              "latency"},
                          row{"a no in the instant in which it gives up",
                              [](teller& h) {
                                h.refuse(10, 1);
                                back(h, 10);
                                h.ends(10, 1, lease_ending::cancelled);
                              },
                              "refused"},
                          row{"her other trip ends the lease",
                              [](teller& h) {
                                h.ends(9, 1, lease_ending::cancelled);
                                back(h, 10);
                              },
                              "refused"},
                          row{"her other trip ends what was given up before",
                              [](teller& h) {
                                h.close(10, 1, try_ending::no_reply);
                                h.ends(11, 1, lease_ending::cancelled);
                              },
                              "latency"}}) {
    INFO(each.what);
    teller h = offered(15);
    h.accept(5, 1);
    each.tell(h);
    check_yes(h, {.lost = 1});
    CHECK(figure(h.measured(), std::string("accepts.lost_count.") + each.lost_to) == 1);
  }
}

TEST_CASE("micro-history 26: a reply that comes in its time was given up by a clock", "[metrics]") {
  using events::call;
  for (const call what : {call::confirm, call::write}) {
    for (const auto& [gives_up, comes, lost_to] :
         {std::tuple(6.0, 8.0, "skew"), {6.0, 10.0, "latency"}, {10.0, 12.0, "latency"}}) {
      teller h = offered(15);
      h.what.reply_timeout = 5s;
      h.accept(5, 1);
      h.tell(5, events::call_made{matcher(0), what, driver_id{0}, ride_id{0}, token_id{1}});
      h.close(gives_up, 1, events::try_ending::no_reply);
      h.tell(gives_up,
             events::call_made{matcher(0), call::release, driver_id{0}, ride_id{0}, token_id{1}});
      h.tell(
          comes,
          events::call_answered{
              matcher(0), what, events::call_answer::yes, driver_id{0}, ride_id{0}, token_id{1}});
      h.ends(12, 1, events::lease_ending::cancelled);
      check_yes(h, {.lost = 1});
      CHECK(figure(h.measured(), std::string("accepts.lost_count.") + lost_to) == 1);
    }
  }
}

}  // namespace
