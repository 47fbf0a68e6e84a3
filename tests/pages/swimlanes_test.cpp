#include "pages/swimlanes.hpp"

#include "catch.hpp"
#include "explain/told.hpp"
#include "history/holder_belief.hpp"
#include "pages/run_svg.hpp"
#include "pages/svg.hpp"
#include "pages/ticks.hpp"

#include <algorithm>

using namespace dibs;
using namespace dibs::pages;

namespace {

constexpr node_id matcher_1{node_kind::matcher, 0};

/// A matcher offers at 1.5 s, crashes at 4 s and is back at 9 s; the driver's yes of 5 s is lost,
/// and the lease runs out at 16 s.
metrics::teller crashed_holder() {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.send(1.5, 1);
  h.show(2, 1, 14);
  h.tell(3,
         events::message_tampered{matcher_1,
                                  {node_kind::lease_manager, 0},
                                  {},
                                  events::tampering::dropped,
                                  {},
                                  ride_id{0},
                                  token_id{1}});
  h.crash(4, matcher_1);
  h.accept(5, 1);
  h.lose(5.1, {node_kind::driver, 0}, matcher_1, 1);
  h.restart(9, matcher_1);
  h.expires(16, 1);
  return h;
}

const lane_bar* bar_of(const swimlane_layout& plan, bar_kind kind) {
  const auto found = std::find_if(
      plan.bars.begin(), plan.bars.end(), [&](const lane_bar& b) { return b.is == kind; });
  return found == plan.bars.end() ? nullptr : &*found;
}

swimlane_layout planned(const history::recorded_run& h) {
  const history::indexed_run c(h);
  const auto all = explain::harms_of(c);
  REQUIRE_FALSE(all.empty());
  return swimlane_layout_of(c, all.front());
}

}  // namespace

TEST_CASE("beliefs: a crash ends what a matcher believed, and one that never offered had none") {
  metrics::teller h = crashed_holder();
  h.grant(20, 2, 0, 0);
  h.expires(35, 2);
  const history::recorded_run told = explain::told_by(h, lease::protocol::lease);
  const auto all = history::holder_beliefs_of(history::indexed_run(told));
  REQUIRE(all.size() == 2);
  CHECK(all[0].when.begin == metrics::teller::s(1.5));
  CHECK(all[0].when.end == at(4s));
  CHECK(all[0].false_from == dibs::never);
  CHECK(all[1].when.is_empty());
}

TEST_CASE("beliefs: one that outlives its lease is false from then on, till the try is closed") {
  metrics::teller h = explain::paused_holder();
  h.close(21, 1, events::try_ending::lease_lost);
  const history::recorded_run told = explain::told_by(h, lease::protocol::lease);
  const auto all = history::holder_beliefs_of(history::indexed_run(told));
  CHECK(all[0].false_from == at(16s));
  CHECK(all[0].when.end == at(21s));
}

TEST_CASE("beliefs: without a lease she is taken for free until she is on another trip") {
  const history::recorded_run told = explain::told_by(explain::two_trips(), lease::protocol::none);
  const auto all = history::holder_beliefs_of(history::indexed_run(told));
  REQUIRE(all.size() == 2);
  CHECK(all[0].false_from == at(7s));
  CHECK(all[1].false_from == metrics::teller::s(5.5));
}

TEST_CASE("swimlanes: a crash is a band, and the belief bar ends where it begins") {
  const history::recorded_run told = explain::told_by(crashed_holder(), lease::protocol::lease);
  const swimlane_layout plan = planned(told);
  const lane_bar* belief = bar_of(plan, bar_kind::belief);
  REQUIRE(belief != nullptr);
  CHECK(belief->when.end == at(4s));
  CHECK(bar_of(plan, bar_kind::stale_belief) == nullptr);
  REQUIRE(plan.bands.size() == 1);
  CHECK(plan.bands[0].what.what == "crash");
  CHECK(plan.lanes[plan.bands[0].lane].of == matcher_1);
  CHECK(plan.bands[0].when.begin == at(4s));
  CHECK(plan.bands[0].when.end == at(9s));
}

TEST_CASE(
    "swimlanes: the stretch is that of the story, and not of a lease that is over long after") {
  metrics::teller stale = explain::offered();
  stale.accept(5, 1);
  stale.close(6, 1, events::try_ending::not_written);
  stale.confirm(5.5, 1);
  stale.ends(45, 1, events::lease_ending::unwritten);
  explain::put_in_order(stale);
  const history::recorded_run told = explain::told_by(stale, lease::protocol::fenced);
  const history::indexed_run c(told);
  explain::harm of_confirm;
  of_confirm.harm = metrics::harm_kind::stale_confirm;
  of_confirm.t = metrics::teller::s(5.5);
  of_confirm.ride = ride_id{0};
  of_confirm.tries = {0};
  const swimlane_layout plan = swimlane_layout_of(c, of_confirm);
  CHECK(plan.span.begin < metrics::teller::s(1));
  CHECK(plan.span.end > metrics::teller::s(6));
  CHECK(plan.span.end < metrics::teller::s(8));
  // A yes that is lost is lost when its lease ends: that is seen.
  of_confirm.harm = metrics::harm_kind::lost_accept;
  CHECK(swimlane_layout_of(c, of_confirm).span.end > metrics::teller::s(45));
}

TEST_CASE("swimlanes: bars of a page that overlap have rows of their own, each on its track") {
  const history::recorded_run told = explain::told_by(explain::two_trips(), lease::protocol::none);
  const history::indexed_run c(told);
  const auto rows = bar_rows_of(c, history::holder_beliefs_of(c), {0, 1});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].code() == 0);
  CHECK(rows[1].trip == 1);
  CHECK(rows[1].lease == 0);
  CHECK(rows[1].belief == 1);
  CHECK(rows[1].screen == 1);
  // Another matcher has a lane of its own, and so its own rows.
  CHECK(c.tries()[0].matcher != c.tries()[1].matcher);
  CHECK(rows[1].of_matcher == 0);
  CHECK(rows[1].code() == 32 * (1 + 32 * (1 + 32 * 1)));
  // Of one alone nothing overlaps.
  CHECK(bar_rows_of(c, history::holder_beliefs_of(c), {1})[0].code() == 0);
}

TEST_CASE("swimlanes: a bar that begins where another ends takes its row") {
  metrics::teller h;
  h.online(0, 0);
  for (std::uint32_t r = 0; r < 3; ++r) {
    h.request(1 + 15 * r, r);
    h.grant(1 + 15 * r, r + 1, 0, r);
    h.expires(16 + 15 * r, r + 1);
  }
  const history::recorded_run told = explain::told_by(h, lease::protocol::lease);
  const history::indexed_run c(told);
  for (const bar_rows& each : bar_rows_of(c, history::holder_beliefs_of(c), {0, 1, 2})) {
    CHECK(each.code() == 0);
  }
}

TEST_CASE("swimlanes: a harm that comes true long after is no part of what a page shows first") {
  metrics::teller late = explain::accepted();
  late.expires(100, 1);
  const history::recorded_run told = explain::told_by(late, lease::protocol::hold);
  const history::indexed_run c(told);
  const explain::harm b = explain::harms_of(c).front();
  const sim_duration later = explain::harm_instant(c, b) - b.t;
  REQUIRE(later > 1min);
  CHECK(told_span(c, b, later).end == b.t + later);
  CHECK(told_span(c, b, later - 1ns).end < b.t + 1min);
}

TEST_CASE("swimlanes: a strike is marked at its sender, and what was lost does not arrive") {
  const history::recorded_run told = explain::told_by(crashed_holder(), lease::protocol::lease);
  const swimlane_layout plan = planned(told);
  REQUIRE(plan.faults.size() == 1);
  CHECK(plan.faults[0].what == "drop");
  CHECK(plan.faults[0].t == at(3s));
  CHECK(plan.lanes[plan.faults[0].from].of == matcher_1);
  const auto lost = std::count_if(
      plan.messages.begin(), plan.messages.end(), [](const lane_message& w) { return w.is_lost; });
  CHECK(lost == 2);
}

TEST_CASE("swimlanes: a picture has a key to each sign that is on it") {
  const history::recorded_run told = explain::told_by(crashed_holder(), lease::protocol::lease);
  const std::string picture = run_svg(history::indexed_run(told));
  for (const char* words : {"crash of matcher/1",
                            "in a ring: where a fault struck a message",
                            "message that was lost",
                            "a matcher believes that it may have her"}) {
    CAPTURE(words);
    CHECK(picture.find(words) != std::string::npos);
  }
  CHECK(picture.find("it is no longer true") == std::string::npos);
}

TEST_CASE("run svg: a long question goes on in the next line, even without a space") {
  history::recorded_run told = explain::told_by(crashed_holder(), lease::protocol::lease);
  for (const bool with_spaces : {true, false}) {
    told.scenario.question.clear();
    for (int i = 0; i < 60; ++i) {
      told.scenario.question += with_spaces ? "who? " : "whoami";
    }
    const std::string picture = run_svg(history::indexed_run(told));
    int lines = 0;
    for (std::size_t at = picture.find("font-size=\"15\" fill=\"#5b6472\"");
         at != std::string::npos;
         at = picture.find("font-size=\"15\" fill=\"#5b6472\"", at + 1)) {
      const std::size_t begin = picture.find('>', at) + 1;
      const std::string words = picture.substr(begin, picture.find('<', begin) - begin);
      CHECK(width_of(words, 15) <= 1128);
      lines += words == "Double assignment" || words == "Supply hiding" ? 0 : 1;
    }
    CHECK(lines == 3);
  }
}

TEST_CASE("ticks: labels of an axis of time do not touch, however long it is") {
  const auto label = [](sim_time t, sim_duration) {
    return std::to_string(t.time_since_epoch() / 1s);
  };
  for (const sim_duration span :
       {sim_duration{90ms}, sim_duration{7s}, sim_duration{20min}, sim_duration{50h}}) {
    const auto all = time_ticks(at(3s), at(3s) + span, 1000, 12, label);
    REQUIRE(all.size() > 2);
    for (std::size_t i = 1; i < all.size(); ++i) {
      const double apart = 1000 * in_seconds(all[i].at - all[i - 1].at) / in_seconds(span);
      const double half = (width_of(all[i].label, 12) + width_of(all[i - 1].label, 12)) / 2;
      CHECK(apart > half);
    }
    CHECK(all.front().at >= at(3s));
    CHECK(all.back().at <= at(3s) + span);
  }
}
