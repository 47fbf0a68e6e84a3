#include "catch.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "history/event_text.hpp"
#include "report/explanation_text.hpp"

#include <utility>

using namespace dibs;
using namespace dibs::explain;
using dibs::test::has;

namespace {

explanation explanation_of(const history::recorded_run& h, const subject& s) {
  const history::indexed_run c(h);
  auto t = explanation_of(c, s, {});
  INFO((t ? "" : t.error().text));
  REQUIRE(t);
  return *t;
}

}  // namespace

TEST_CASE("explanation: a double assignment was decided by the second yes") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  REQUIRE(t.harm);
  CHECK(t.harm->harm == metrics::harm_kind::double_commit);
  CHECK(has(t.headline, "driver 1 was committed to it and to ride 1"));
  REQUIRE(t.learnt);
  CHECK(t.learnt->decided == metrics::teller::s(6));
  const timeline_step* turn = step_marked(t, step_mark::decided);
  REQUIRE(turn != nullptr);
  CHECK(turn->what == "accepts ride 2");
  const timeline_step* harm = step_marked(t, step_mark::harm);
  REQUIRE(harm != nullptr);
  CHECK(harm->t == metrics::teller::s(7));
  CHECK(has(harm->what, "writes driver 1 down for ride 2"));
  REQUIRE(t.learnt->remedies.size() == 2);
  CHECK(t.learnt->remedies[0].set[0].value == "fenced");
  CHECK(t.learnt->remedies[0].metric == "double.commits");
}

TEST_CASE("explanation: words that were under way at the same time are told, others are not") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  // The two offers, from 1 s to 2 s. Her first yes had arrived at 5.5 s, before the second.
  REQUIRE(t.crossings.size() == 1);
  CHECK(has(t.crossings[0], "the offer of ride 1 (matcher/1 to driver 1, 0:01.000 to 0:02.000)"));
  CHECK(has(t.crossings[0], "the offer of ride 2 (matcher/2 to driver 1"));
}

TEST_CASE("explanation: a yes in vain was decided when its matcher stood still") {
  const history::recorded_run h = told_by(paused_holder(), lease::protocol::fenced);
  const explanation t = explanation_of(h, harm_number{1});
  REQUIRE(t.harm);
  CHECK(t.harm->harm == metrics::harm_kind::lost_accept);
  REQUIRE(t.learnt);
  // Nothing was lost before she had said yes, though the matcher slept already.
  CHECK(t.learnt->decided == metrics::teller::s(5));
  CHECK(has(t.learnt->reason, "matcher/1 stood still"));
  const timeline_step* harm = step_marked(t, step_mark::harm);
  REQUIRE(harm != nullptr);
  CHECK(harm->t == metrics::teller::s(16));
}

TEST_CASE("explanation: what fails when the holder has given up decided nothing") {
  constexpr node_id manager{node_kind::lease_manager, 0};
  constexpr node_id matcher{node_kind::matcher, 0};
  metrics::teller h = accepted();
  h.tell(5.5,
         events::call_made{matcher, events::call::confirm, driver_id{0}, ride_id{0}, token_id{1}});
  h.confirm(6, 1);
  h.lose(6, manager, matcher, 1);
  h.close(8, 1, events::try_ending::no_reply);
  h.expires(16, 1);
  metrics::teller paused = h;
  paused.pause(10, matcher);
  metrics::teller crashed = h;
  crashed.crash(10, matcher);
  for (metrics::teller* each : {&h, &paused, &crashed}) {
    put_in_order(*each);
    const history::recorded_run whole = told_by(*each, lease::protocol::fenced);
    const explanation t = explanation_of(
        whole, number_of(history::indexed_run(whole), metrics::harm_kind::lost_accept));
    CHECK(t.learnt->decided == metrics::teller::s(6));
    CHECK(has(t.learnt->reason, "the answer to the confirm, was lost"));
  }
}

TEST_CASE("explanation: of words that were lost the last one that was waited for decided") {
  constexpr node_id manager{node_kind::lease_manager, 0};
  constexpr node_id matcher{node_kind::matcher, 0};
  metrics::teller h = accepted();
  const auto lose_renewal = [&](double t) {
    h.tell(t,
           events::call_made{matcher, events::call::renew, driver_id{0}, ride_id{0}, token_id{1}});
    h.lose(t, matcher, manager, 1);
  };
  lose_renewal(3);
  lose_renewal(4);
  h.expires(16, 1);
  h.lose(16, manager, matcher, 1);
  put_in_order(h);
  const explanation of_renewal =
      explanation_of(told_by(h, lease::protocol::fenced), harm_number{1});
  CHECK(of_renewal.learnt->decided == metrics::teller::s(4));
  CHECK(has(of_renewal.learnt->reason, "the renewal, was lost 2 times, and did not come through"));
  CHECK(step_marked(of_renewal, step_mark::decided)->t == metrics::teller::s(4));
  h.tell(5.5,
         events::call_made{matcher, events::call::confirm, driver_id{0}, ride_id{0}, token_id{1}});
  h.confirm(6, 1);
  h.lose(6, manager, matcher, 1);
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const explanation of_confirm = explanation_of(
      whole, number_of(history::indexed_run(whole), metrics::harm_kind::lost_accept));
  CHECK(of_confirm.learnt->decided == metrics::teller::s(6));
  CHECK(
      has(of_confirm.learnt->reason, "the answer to the confirm, was lost, and nothing repeated"));
}

TEST_CASE("explanation: a word that was lost and then heard decided nothing, nor did another's") {
  constexpr node_id manager{node_kind::lease_manager, 0};
  metrics::teller h = accepted_in_vain();
  h.lose(1, manager, {node_kind::matcher, 0}, 1);
  h.lose(1, manager, {node_kind::lease_manager, 1}, 1);
  h.lose(3, {node_kind::matcher, 0}, {node_kind::driver, 0}, 1);
  for (events::event& e : h.history) {
    e.t += std::holds_alternative<events::offer_sent>(e.what) ? 500ms : 0ms;
  }
  put_in_order(h);
  const explanation t = explanation_of(told_by(h, lease::protocol::fenced), harm_number{1});
  CHECK(has(t.learnt->reason, "her answer had 11 s left"));
}

TEST_CASE("explanation: a yes is lost to a lease manager that did not know of her lease") {
  constexpr std::uint64_t of_second = 1'000'000'000'001;
  constexpr node_id second{node_kind::lease_manager, 1};
  metrics::teller h = accepted_in_vain({.rides = 2});
  h.lose(1, {node_kind::lease_manager, 0}, second, 1);
  h.tell(3, events::leader_changed{second, 2});
  h.grant(4, of_second, 0, 1, 1);
  h.tell(7,
         events::write_refused{
             token_id{1}, driver_id{0}, ride_id{0}, events::write_refusal::stale_token});
  put_in_order(h);
  history::recorded_run whole = told_by(h, lease::protocol::fenced);
  whole.scenario.lease.standby.emplace();
  const explanation t = explanation_of(
      whole, number_of(history::indexed_run(whole), metrics::harm_kind::lost_accept));
  CHECK(t.learnt->decided == metrics::teller::s(1));
  CHECK(has(t.learnt->reason, "granted lease 1000000000001 on her at 0:04.000, and the ledger"));
}

TEST_CASE(
    "explanation: a driver who answers after the end of her lease was not hidden by a lost word") {
  metrics::teller h = offered();
  h.expires(16, 1);
  h.lose(16, {node_kind::lease_manager, 0}, {node_kind::matcher, 0}, 1);
  h.decline(18, 1);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const explanation t = explanation_of(
      whole, number_of(history::indexed_run(whole), metrics::harm_kind::hiding_lease));
  CHECK(has(t.learnt->reason, "answered 2 s after its end"));
  CHECK_FALSE(t.learnt->decided);
}

TEST_CASE(
    "explanation: a lease that went with its zone is told with how the zone was given and lost") {
  constexpr matcher_id holder{0};
  metrics::teller h = accepted();
  const auto give = [&](double t, std::uint32_t zone, matcher_id to) {
    h.tell(t, events::zone_granted{zone_id{zone}, to, events::zone_mode::write, {}});
  };
  give(0.1, 4, holder);
  give(0.2, 1, matcher_id{1});
  give(0.3, 1, holder);
  h.tell(7,
         events::zone_ended{
             zone_id{1}, holder, events::zone_mode::write, events::claim_ending::expired});
  h.ends(7, 1, events::lease_ending::zone_lost);
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const explanation t = explanation_of(
      whole, number_of(history::indexed_run(whole), metrics::harm_kind::lost_accept));
  REQUIRE(t.steps.size() > 2);
  const timeline_step& first = t.steps[1];  // after the ride was asked for
  CHECK(first.t == metrics::teller::s(0.3));
  CHECK(history::name_of(first.where) == "lease manager");
  CHECK(first.what == "gives zone 2 to matcher/1");
  const auto lost = std::find_if(t.steps.begin(), t.steps.end(), [](const timeline_step& s) {
    return s.what == "ends the hold of matcher/1 on zone 2: it ran out";
  });
  REQUIRE(lost != t.steps.end());
  CHECK(has((lost + 1)->what, "its holder lost the zone"));
}

TEST_CASE(
    "explanation: the lease manager gives rides, and a message that is dropped is lost once") {
  constexpr node_id manager{node_kind::lease_manager, 0};
  constexpr node_id matcher{node_kind::matcher, 0};
  metrics::teller h = accepted_in_vain();
  h.tell(0.5, events::ride_claimed{ride_id{0}, matcher_id{0}, false, {}});
  h.tell(16,
         events::message_tampered{manager,
                                  matcher,
                                  events::message_kind{12},
                                  events::tampering::dropped,
                                  {},
                                  ride_id{0},
                                  token_id{1}});
  h.lose(16, manager, matcher, 1);
  h.lose(17, manager, matcher, 1);
  put_in_order(h);
  const explanation t = explanation_of(told_by(h, lease::protocol::fenced), ride_id{0});
  const auto told = [&](const std::string& what) {
    return std::count_if(t.steps.begin(), t.steps.end(), [&](const timeline_step& s) {
      return history::name_of(s.where) == "lease manager" && has(s.what, what);
    });
  };
  CHECK(told("gives ride 1 to matcher/1") == 1);
  CHECK(told("dropped by a fault") == 1);
  CHECK(told("lost on the way") == 1);
}

TEST_CASE("explanation: what comes again and again is told once, with how often and until when") {
  constexpr node_id manager{node_kind::lease_manager, 0};
  metrics::teller h = accepted_in_vain();
  for (int i = 0; i < 4; ++i) {
    h.crash(6 + 2 * i, manager);
    h.restart(6.5 + 2 * i, manager);
    h.tell(6.5 + 2 * i, events::lease_renewed{token_id{1}, driver_id{0}, {}});
  }
  h.tell(11, events::offer_dismissed{token_id{1}, driver_id{0}, events::dismissal::timeout});
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const explanation t = explanation_of(
      whole, number_of(history::indexed_run(whole), metrics::harm_kind::lost_accept));
  std::string times;
  for (const timeline_step& s : t.steps) {
    times += s.is_routine ? std::to_string(s.times) : s.t == metrics::teller::s(11) ? "|" : "";
  }
  // A crash, a restart and a renewal three times; she no longer sees it; and once more.
  CHECK(times == "333|111");
  CHECK(t.steps.front().times == 1);
}

TEST_CASE("explanation: local times are those of the node's own clock") {
  const history::recorded_run h = told_by(paused_holder(), lease::protocol::fenced);
  const std::string text = report::describe(explanation_of(h, ride_id{0}), {}, {.width = 120});
  CHECK(has(text, " 0:01.500   0:03.500  matcher/1"));
  CHECK(has(text, " 0:01.000             lease manager"));
}

TEST_CASE("explanation: a lease, a driver and a ride have stories too") {
  const history::recorded_run h = told_by(paused_holder(), lease::protocol::fenced);
  CHECK(explanation_of(h, token_id{1}).headline == "lease 1 on driver 1 for ride 1");
  CHECK(explanation_of(h, driver_id{0}).headline == "driver 1: 1 try, 0 trips");
  CHECK(has(explanation_of(h, ride_id{0}).headline, "ride 1 still waits"));
}

TEST_CASE("explanation: a driver to whom no offer went has a time all the same") {
  const history::recorded_run h = told_by(accepted_in_vain({.drivers = 2}), lease::protocol::hold);
  const explanation t = explanation_of(h, driver_id{1});
  CHECK(t.headline == "driver 2: 0 tries, 0 trips");
  CHECK(t.span.begin == sim_time{});
  CHECK(t.span.end <= h.end);
}

TEST_CASE("explanation: what the run does not have is refused") {
  const history::recorded_run h = told_by(paused_holder(), lease::protocol::fenced);
  const history::indexed_run c(h);
  CHECK(explanation_of(c, harm_number{3}, {}).error().code == exit_code::usage);
  CHECK(explanation_of(c, ride_id{1}, {}).error().code == exit_code::usage);
  CHECK(explanation_of(c, driver_id{1}, {}).error().code == exit_code::usage);
  CHECK(explanation_of(c, token_id{2}, {}).error().code == exit_code::usage);
  CHECK_FALSE(subject_of("breach", "0"));
  CHECK_FALSE(subject_of("breach", "1x"));
  CHECK_FALSE(subject_of("rider", "1"));
  CHECK(std::get<ride_id>(*subject_of("ride", "17")) == ride_id{16});
}

TEST_CASE("explanation: a promise that was broken comes first, and has its story") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::fenced);
  REQUIRE_FALSE(h.checks.kept());
  const history::indexed_run c(h);
  const auto all = harms_of(c);
  REQUIRE(all.front().broken);
  const auto s4 = std::find_if(all.begin(), all.end(), [](const harm& b) {
    return b.broken == lease::invariant::no_double_commit;
  });
  REQUIRE(s4 != all.end());
  CHECK(s4->headline.starts_with("S4 "));
  CHECK(s4->driver == driver_id{0});
  CHECK(s4->tries.size() == 2);
  const explanation t =
      explanation_of(h, harm_number{static_cast<std::uint32_t>(s4 - all.begin() + 1)});
  REQUIRE(t.learnt);
  CHECK(t.learnt->decided == metrics::teller::s(6));
}

TEST_CASE("explanation: a long story is cut around the harm, and says so") {
  metrics::teller h = two_trips();
  const history::recorded_run whole = told_by(h, lease::protocol::none);
  const history::indexed_run c(whole);
  const auto t = explanation_of(
      c, harm_number{1}, {.within = {sim_time::min(), sim_time::max()}, .steps_max = 4});
  REQUIRE(t);
  CHECK(t->steps.size() == 4);
  CHECK(t->left_out > 0);
  CHECK(step_marked(*t, step_mark::decided) != nullptr);
  CHECK(has(report::describe(*t, {}, {}), "left out in all; --from and --until"));
}

TEST_CASE(
    "explanation: a story that is cut keeps what is marked, and says where something is missing") {
  metrics::teller h = two_trips();
  for (std::uint64_t i = 0; i < 40; ++i) {
    h.offer(6.01 + 0.02 * static_cast<double>(i), 3 + i, 0, 1, 2);
  }
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::none);
  const history::indexed_run c(whole);
  const explanation all = *explanation_of(c, ride_id{1}, {});
  const explanation t = *explanation_of(
      c, ride_id{1}, {.within = {sim_time::min(), sim_time::max()}, .steps_max = 10});
  CHECK(t.steps.size() == 10);
  CHECK(t.left_out == all.steps.size() - 10);
  REQUIRE(step_marked(t, step_mark::decided) != nullptr);
  REQUIRE(step_marked(t, step_mark::harm) != nullptr);
  CHECK(step_marked(t, step_mark::harm)->what == step_marked(all, step_mark::harm)->what);
  std::size_t skipped = 0;
  for (const timeline_step& each : t.steps) {
    skipped += each.skipped;
  }
  CHECK(skipped > 30);
  CHECK(has(report::describe(t, {}, {}), " steps left out\n"));
}

TEST_CASE("tell: a scenario's words can neither colour a terminal nor break a line") {
  explanation t;
  t.headline = "ride 1\x1b[31m\nof Bob";
  t.steps.push_back(
      {sim_time{}, local_time{}, {}, "sees \x1b]0;title\x07", step_mark::none, 1, sim_time{}});
  const std::string text = report::describe(t, {}, {.colour = true, .unicode = true, .width = 100});
  CHECK_FALSE(has(text, "\x1b[31m\n"));
  CHECK_FALSE(has(text, "\x1b]0"));
  CHECK_FALSE(has(text, "\x07"));
}

TEST_CASE("explanation: what branches of the run have found is told and marked") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const history::indexed_run c(h);
  const auto told_with = [&](const point_of_no_return& turn) {
    const explanation_options how{.find_turn = [&](const harm&) { return std::optional(turn); }};
    return *explanation_of(c, harm_number{1}, how);
  };
  const auto at_ms = [](std::int64_t n) { return at(std::chrono::milliseconds(n)); };
  const explanation turned = told_with({at_ms(1'499), at_ms(1'500), 17});
  // Nothing happened in that millisecond: the mark has a row of its own, at its instant.
  const timeline_step* marked = step_marked(turned, step_mark::unavoidable);
  REQUIRE(marked != nullptr);
  CHECK(marked->t == metrics::teller::s(1.5));
  CHECK_FALSE(marked->is_event);
  CHECK(step_marked(turned, step_mark::decided) == nullptr);
  const std::string text = report::describe(turned, {}, {.width = 200});
  CHECK(has(text, "Unavoidable from 0:01.500 on ( > )\n"));
  CHECK(has(text, "from 0:01.499 on"));
  CHECK(has(text, "(17 runs of the same seed)"));
  CHECK(has(text, "by its events, decided at 0:06.000: with her answer"));
  const explanation hopeless = told_with({{}, sim_time{}, 5});
  CHECK(step_marked(hopeless, step_mark::decided) != nullptr);
  // The sign stands with what it marks: her second yes.
  CHECK(has(report::describe(hopeless, {}, {.width = 200}), "Unavoidable from the start\n"));
  CHECK(has(report::describe(hopeless, {}, {.width = 200}),
            "decided at 0:06.000 ( > ): with her answer"));
  const explanation at_once = told_with({at_ms(7'000), at_ms(7'001), 17});
  CHECK(step_marked(at_once, step_mark::unavoidable) == nullptr);
  CHECK(has(report::describe(at_once, {}, {}), "Unavoidable from 0:07.001 on ( ! )\n"));
  CHECK(has(report::describe(told_with({at_ms(7'001), {}, 1}), {}, {}),
            "Avoidable until it happened"));
}

namespace {

counterfactual tried(double after,
                     std::optional<bool> happens,
                     std::string command = "dibs run x") {
  counterfactual t{std::move(command), 1.0, after, happens};
  t.what = {"a feature", {{"lease.protocol", "fenced"}}, "double.commits"};
  return t;
}

}  // namespace

TEST_CASE("tell: remedies say what they did on the same seed") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  counterfactual good = tried(0, false, "dibs run x --set lease.protocol=fenced");
  good.besides = {{"double.commits", 1, 0}, {"rides.match_rate", 0.5, 0.45}};
  good.missed = {"rides.match_rate >= 0.5 (45 %)"};
  good.ride_outcome = "ride 2 gets driver 7 at 0:09.000";
  counterfactual bad = tried(1, true);
  bad.what.set[0].value = "optimistic";
  const std::string text = report::describe(t, {bad, good}, {.width = 200});
  CHECK(has(text, "What would have prevented it\n  a feature.\n"));
  CHECK(has(text, "besides: rides.match_rate 50 % -> 45 %; ride 2 gets driver 7 at 0:09.000\n"));
  CHECK(has(text, "a threshold is missed that the run met: rides.match_rate >= 0.5 (45 %)"));
  CHECK(has(text, "this harm does not happen; double.commits 1 -> 0\n"));
  // What does not help is none of what would have prevented it.
  CHECK(has(text, "tried as well, without success: `lease.protocol=optimistic`"));
  const std::string vain = report::describe(t, {bad}, {.width = 200});
  CHECK(has(vain, "What would have prevented it is not known\n"));
  CHECK_FALSE(has(vain, "a feature."));
}

TEST_CASE("tell: a remedy is named if the figure is lower, and what was tried in vain otherwise") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  const auto told_of = [&](const counterfactual& each) {
    return report::describe(t, {each}, {.width = 400});
  };
  const auto is_vain = [&](const counterfactual& each, const std::string& price) {
    return report::explanation_heading({each}) == "What would have prevented it is not known" &&
           report::notable_counterfactuals({each}).empty() &&
           report::explanation_summary(t, {each}) ==
               "the one feature that was tried on the same seed does not spare it and lower "
               "double.commits: `lease.protocol=fenced`" +
                   price;
  };
  CHECK(is_vain(tried(0.5, true), ""));
  CHECK(has(told_of(tried(0.99, false)), "What would have prevented it\n  a feature.\n"));
  CHECK(is_vain(tried(1, false), " (spares this one, and others suffer it)"));
  CHECK(is_vain(tried(1.05, false), " (spares this one, and more others suffer it)"));
  // A harm that no figure counts lowers none.
  counterfactual uncounted = tried(0, false);
  uncounted.before.reset();
  CHECK(outcome_of(uncounted) == counterfactual_outcome::trades);
  uncounted.before = 0;
  CHECK(outcome_of(uncounted) == counterfactual_outcome::trades);
  counterfactual doubles = tried(0, false);
  doubles.besides = {{"double.commits", 0, 7}};
  CHECK(is_vain(doubles, " (spares this one, and puts more drivers on two trips)"));
  counterfactual starves = tried(0, false);
  starves.besides = {{"rides.match_rate", 0.5, 0.1}};
  CHECK(is_vain(starves, " (spares this one, and far fewer riders get a driver)"));
  const std::string untried = told_of(tried(2, {}));
  CHECK(has(untried, "What may prevent it, and was not tried\n  a feature.\n"));
  CHECK_FALSE(has(untried, "->"));
}

TEST_CASE("tell: one of many remedies has to do more than to take another course") {
  counterfactual further = tried(0.95, false);
  further.is_further = true;
  CHECK(outcome_of(further) == counterfactual_outcome::trades);
  further.after = 0.5;
  CHECK(outcome_of(further) == counterfactual_outcome::prevents);
  // But for the very yes that was lost; where the figure is no lower it is none even so.
  further.is_very_yes = true;
  further.after = 0.95;
  CHECK(outcome_of(further) == counterfactual_outcome::prevents);
  further.after = 1;
  CHECK(outcome_of(further) == counterfactual_outcome::trades);
  // So has one by which the ride and the driver of the harm never meet.
  counterfactual apart = tried(0.95, false);
  apart.is_apart = true;
  CHECK(outcome_of(apart) == counterfactual_outcome::trades);
  apart.after = 0.5;
  CHECK(outcome_of(apart) == counterfactual_outcome::prevents);
}

TEST_CASE("tell: a remedy by which the ride leaves without a driver is no way out") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  counterfactual lost = tried(0.5, false);
  lost.loses_ride = true;
  CHECK(outcome_of(lost) == counterfactual_outcome::loses);
  CHECK(has(report::explanation_summary(t, {lost}),
            "`lease.protocol=fenced` (spares this one, but its ride leaves)"));
}

TEST_CASE("tell: what takes most of the figure away is named, though it does not spare this ride") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const explanation t = explanation_of(h, harm_number{1});
  counterfactual most = tried(49, true);
  most.before = 100;
  const std::string text = report::describe(t, {tried(1, true), most}, {.width = 400});
  CHECK(has(text,
            "What would have prevented most harms of its kind, and not this one\n  a feature.\n"));
  CHECK(has(text,
            "tried on the same seed: this harm happens all the same; double.commits 100 -> 49\n"));
  CHECK(has(text, "    dibs run x\n"));
  CHECK(has(text, "tried as well, without success: `lease.protocol=fenced`."));
  counterfactual leaves = most;
  leaves.happens = false;
  leaves.loses_ride = true;
  CHECK(helps_others(leaves));
  // Not where others pay for it, nor beside one that spares this ride too.
  counterfactual doubles = most;
  doubles.besides = {{"double.commits", 0, 7}};
  CHECK_FALSE(helps_others(doubles));
  counterfactual starves = most;
  starves.besides = {{"rides.match_rate", 0.5, 0.1}};
  CHECK_FALSE(helps_others(starves));
  CHECK_FALSE(helps_others(tried(0.5, true)));
  CHECK(report::notable_counterfactuals({most, tried(0, false)}).size() == 1);
  CHECK(has(report::explanation_summary(t, {most, tried(0, false)}),
            "(fewer suffer it, but this one does)"));
  // Of many that do not go for the cause it is the best.
  counterfactual further = most;
  further.is_further = true;
  counterfactual best = further;
  best.after = 10;
  CHECK(report::notable_counterfactuals({further, best}).front().after == 10);
  CHECK(report::notable_counterfactuals({most, best}).front().after == 49);
}

TEST_CASE("tell: where nothing helps, that is said") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  explanation t = explanation_of(h, harm_number{1});
  counterfactual further = tried(1, true);
  further.is_further = true;
  const std::string text = report::describe(t, {tried(1, true), further}, {.width = 400});
  CHECK(has(text, "none of the 2 features that were tried on the same seed spares it"));
  CHECK(has(report::describe(t, {}, {.width = 400}), "without --quick"));
  t.learnt->further.clear();
  CHECK(has(report::describe(t, {}, {.width = 400}), "no feature of a protocol goes for this"));
}

TEST_CASE("explanation: where nothing of the story happens, no moment is called the turn") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const history::indexed_run c(h);
  const auto told_with = [&](const point_of_no_return& turn) {
    const explanation_options how{.find_turn = [&](const harm&) { return std::optional(turn); }};
    return *explanation_of(c, harm_number{1}, how);
  };
  const auto at_ms = [](std::int64_t n) { return at(std::chrono::milliseconds(n)); };
  // From 2 s, when she sees both, to 5 s, when she answers, nothing happens.
  CHECK(told_with({at_ms(2'999), at_ms(3'000), 17}).unavoidable());
  const explanation chance = told_with({at_ms(3'499), at_ms(3'500), 17});
  CHECK_FALSE(chance.unavoidable());
  CHECK(step_marked(chance, step_mark::decided) != nullptr);
  CHECK(chance.turn->by == inconclusive_reason::aside);
  CHECK(has(report::describe(chance, {}, {}), "Decided at 0:06.000 ( > )\n"));
  CHECK(has(report::describe(*chance.turn),
            "nothing of its story happens then, and why it turns is not known"));
  CHECK_FALSE(has(report::describe(*chance.turn), "by chance"));
  // The first offer is sent at 1 s: healed before, it comes all the same.
  metrics::teller late = two_trips();
  for (auto& e : late.history) {
    e.t += 60s;
  }
  const history::recorded_run shifted = told_by(late, lease::protocol::none);
  const history::indexed_run c2(shifted);
  const explanation ruled =
      *explanation_of(c2, harm_number{1}, {.find_turn = [&](const harm&) {
                        return std::optional(point_of_no_return{at_ms(50'000), at_ms(50'001), 17});
                      }});
  CHECK(ruled.turn->by == inconclusive_reason::rules);
  CHECK(has(report::describe(*ruled.turn), "nothing that goes wrong then made it"));
  CHECK_FALSE(has(report::describe(*ruled.turn), "by chance"));
}

TEST_CASE("explanation: chance is what branches before the turn show") {
  const history::recorded_run h = told_by(two_trips(), lease::protocol::none);
  const history::indexed_run c(h);
  const auto told_with = [&](sim_time unavoidable) {
    explanation_options how;
    how.find_turn = [&](const harm&) {
      return std::optional(point_of_no_return{unavoidable - 1ms, unavoidable, 17});
    };
    how.look_before = [](const harm&, point_of_no_return& found) {
      found.by = inconclusive_reason::mixed;
      found.otherwise = at(2s);
    };
    return report::describe(*explanation_of(c, harm_number{1}, how)->turn);
  };
  CHECK(has(told_with(at(3500ms)), "and from 0:02.000 on it does again: by chance"));
  // Where something happens at the turn, it is that.
  CHECK_FALSE(has(told_with(at(3s)), "by chance"));
}

TEST_CASE("explanation: whatever befalls the driver at the turn decided it, in whichever try") {
  metrics::teller h = two_trips();
  h.offer(3.4995, 3, 0, 2, 0);
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::none);
  const history::indexed_run c(whole);
  const auto told_with = [&](std::int64_t unavoidable) {
    const explanation_options how{.find_turn = [&](const harm&) {
      return std::optional(point_of_no_return{at(std::chrono::milliseconds(unavoidable - 1)),
                                              at(std::chrono::milliseconds(unavoidable)),
                                              17});
    }};
    return *explanation_of(c, harm_number{1}, how);
  };
  const explanation turned = told_with(3'500);
  CHECK(turned.unavoidable());
  REQUIRE(step_marked(turned, step_mark::unavoidable) != nullptr);
  CHECK(has(step_marked(turned, step_mark::unavoidable)->what, "the offer of ride 3"));
  CHECK_FALSE(told_with(3'600).unavoidable());
}

TEST_CASE("explanation: a clock that runs wrong has a turn at which nothing happens") {
  metrics::teller h = offered();
  h.expires(9, 1);
  h.accept(12, 1);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  const explanation_options how{.find_turn = [](const harm&) {
    return std::optional(point_of_no_return{at(5s), at(5s + 1ms), 17});
  }};
  const subject asked = number_of(c, metrics::harm_kind::lost_accept);
  CHECK(explanation_of(c, asked, how)->unavoidable());
  CHECK_FALSE(step_marked(*explanation_of(c, asked, how), step_mark::unavoidable)->is_event);
}

TEST_CASE("explanation: the lease that an old confirm passes for is in the story, and decides it") {
  metrics::teller h = accepted_in_vain({.rides = 2});
  h.grant(17, 2, 0, 1);
  h.tell(20, events::confirm_accepted{token_id{1}, driver_id{0}, ride_id{0}});
  history::recorded_run whole = told_by(h, lease::protocol::fenced);
  whole.scenario.lease.known_by = lease::identity::holder;
  const history::indexed_run c(whole);
  const explanation t = explanation_of(whole, number_of(c, metrics::harm_kind::stale_confirm));
  CHECK(t.learnt->decided == metrics::teller::s(17));
  CHECK(has(t.learnt->reason, "its name alone"));
  REQUIRE(step_marked(t, step_mark::decided) != nullptr);
  CHECK(has(step_marked(t, step_mark::decided)->what, "grants lease 2"));
  REQUIRE_FALSE(t.learnt->remedies.empty());
  CHECK(t.learnt->remedies[0].set[0].path == "lease.known_by");
}

TEST_CASE(
    "explanation: the harm is marked at what makes it, not at a word or a note of the same "
    "instant") {
  metrics::teller h = accepted_in_vain();
  h.tell(16,
         events::message_lost{node_id{node_kind::lease_manager, 0},
                              node_id{node_kind::matcher, 0},
                              ride_id{0},
                              token_id{1},
                              events::loss_cause::loss});
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const explanation t = explanation_of(whole, ride_id{0});
  REQUIRE(step_marked(t, step_mark::harm) != nullptr);
  CHECK(has(step_marked(t, step_mark::harm)->what, "ends lease 1"));
}

TEST_CASE("explanation: a ride, a driver and a lease name their harms, which no list has") {
  metrics::teller h;
  h.what.drivers = 6;
  for (std::uint32_t i = 0; i < 6; ++i) {
    h.online(0, i);
    h.request(0, i);
    h.grant(1 + i, 1 + i, i, i);
    h.send(1 + i, 1 + i);
    h.show(1 + i, 1 + i, 20);
    h.accept(10 + i, 1 + i);
    h.expires(17 + i, 1 + i);
  }
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  const auto all = harms_of(c);
  REQUIRE(std::none_of(
      all.begin(), all.end(), [](const harm& b) { return !b.broken && b.ride == ride_id{5}; }));
  for (const subject& s : {subject{ride_id{5}}, subject{driver_id{5}}, subject{token_id{6}}}) {
    const explanation t = explanation_of(whole, s);
    REQUIRE(t.harm);
    CHECK(has(t.harm->headline + t.besides, "ride 6: driver 6 accepted"));
  }
}

TEST_CASE("explanation: a harm of the warm-up has its story, which says that no figure counts it") {
  const history::recorded_run counted = told_by(accepted_in_vain(), lease::protocol::hold);
  CHECK(explanation_of(counted, ride_id{0}).harm->counts);
  const auto check = [](const history::recorded_run& h, const std::string& why) {
    const history::indexed_run c(h);
    CHECK(harms_of(c).empty());
    for (const subject& s : {subject{ride_id{0}}, subject{driver_id{0}}, subject{token_id{1}}}) {
      const explanation t = explanation_of(h, s);
      REQUIRE(t.harm);
      CHECK_FALSE(t.harm->counts);
      CHECK(step_marked(t, step_mark::harm)->t == metrics::teller::s(16));
      CHECK(t.harm->headline.ends_with(" (" + why + ": no figure counts it)"));
      CHECK(has(report::describe(t, {}, {}), "  Harm: ride 1: driver 1 accepted"));
    }
  };
  check(measured_within(counted, 50s, 0s), "in the warm-up");
  check(measured_within(counted, 0s, 99s), "after the measured time");
}

TEST_CASE("explanation: of several harms what the run counts comes first, and each is told once") {
  metrics::teller h = accepted_in_vain();
  h.grant(61, 2, 0, 0);
  h.send(61, 2);
  h.show(62, 2, 74);
  h.accept(65, 2);
  h.expires(76, 2);
  const history::recorded_run whole = measured_within(told_by(h, lease::protocol::hold), 50s, 0s);
  const explanation t = explanation_of(whole, ride_id{0});
  CHECK(t.harm->counts);
  CHECK(t.harm->t == metrics::teller::s(65));
  CHECK(has(t.besides, "; ride 1: driver 1 accepted"));
  CHECK(t.besides.find("in the warm-up") == t.besides.rfind("in the warm-up"));
}

TEST_CASE("explanation: of two lease managers each does what it does under its own name") {
  constexpr std::uint64_t of_second = 1'000'000'000'001;
  metrics::teller h;
  h.what.drivers = 2;
  h.online(0, 0);
  h.online(0, 1);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0);
  h.tell(4, events::leader_changed{node_id{node_kind::lease_manager, 1}, 2});
  h.grant(5, of_second, 1, 1);
  h.grant(6, 2, 0, 0);
  h.expires(7, 1);
  h.tell(8, events::node_paused{node_id{node_kind::lease_manager, 0}});
  h.expires(9, 2);
  history::recorded_run whole = told_by(h, lease::protocol::fenced);
  whole.scenario.lease.standby.emplace();
  const history::indexed_run c(whole);
  const auto who = [&](double t) {
    const auto at_t = std::find_if(c.of().events.begin(), c.of().events.end(), [&](const auto& e) {
      return e.t == metrics::teller::s(t);
    });
    return history::name_of(c.lead().place_of(*at_t, history::subjects_of(at_t->what, false)));
  };
  CHECK(who(1) == "lease manager");
  CHECK(who(5) == "lease manager/2");
  CHECK(who(6) == "lease manager");
  CHECK(who(9) == "lease manager/2");
}

TEST_CASE(
    "explanation: the turn of a harm is judged by the harm, however much else is told with it") {
  // The ride is offered to another driver first, who never answers: near that, nothing of the harm.
  metrics::teller h = two_trips();
  for (auto& e : h.history) {
    e.t += std::holds_alternative<events::ride_requested>(e.what) ? 0s : 40s;
  }
  h.what.drivers = 2;
  h.online(0, 1);
  h.offer(5, 3, 1, 1, 1);
  h.show(6, 3, 18);
  put_in_order(h);
  const history::recorded_run whole = told_by(h, lease::protocol::none);
  const history::indexed_run c(whole);
  const explanation_options how{.find_turn = [](const harm&) {
    return std::optional(point_of_no_return{at(7s), at(7s + 1ms), 17});
  }};
  const explanation of_breach = *explanation_of(c, harm_number{1}, how);
  REQUIRE(of_breach.harm);
  const explanation of_ride = *explanation_of(c, of_breach.harm->ride, how);
  CHECK(of_ride.steps.size() > of_breach.steps.size());
  CHECK(of_breach.turn->by == inconclusive_reason::rules);
  CHECK(of_ride.turn->by == inconclusive_reason::rules);
  CHECK(report::explanation_heading(of_ride) == report::explanation_heading(of_breach));
  CHECK(report::describe(*of_ride.turn) == report::describe(*of_breach.turn));
}

TEST_CASE("explanation: a driver who was hidden has a story, where nobody was hurt") {
  metrics::teller h = offered();
  h.expires(16, 1);
  h.abandon(20, 0);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  REQUIRE(std::get<harm_number>(most_telling(c)).value == 1);
  const explanation t = explanation_of(whole, most_telling(c));
  CHECK(t.headline ==
        "ride 1: its lease hid driver 1 from everybody else for 15.0 s, and came to nothing: she "
        "did not answer its offer in time");
  CHECK(has(t.besides, "1 of 1 rides were given up"));
  CHECK(t.learnt->decided == metrics::teller::s(2));
  CHECK(step_marked(t, step_mark::harm)->where.kind() == node_kind::lease_manager);
  REQUIRE(t.learnt->remedies.size() == 1);
  CHECK(t.learnt->remedies[0].set[0].path == "lease.ttl");
  CHECK(t.learnt->remedies[0].metric == "supply.hidden_share");
}

TEST_CASE("explanation: where nothing was held in vain, a ride that found nobody is told") {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.abandon(20, 0);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  CHECK(words_of(most_telling(c)) == "ride 1");
  CHECK(has(explanation_of(whole, most_telling(c)).headline, "left without a driver"));
}

TEST_CASE("explanation: a ride that starved is told by how late it could have been helped") {
  point_of_no_return turn{at(30s), at(30s + 1ms), 12};
  turn.since = at(10s);
  CHECK(has(report::describe(turn), "as late as 0:30.000, when it had been blocked for 20 s"));
  CHECK(has(report::describe(turn), "from 0:30.001 on for half as long or longer"));
  turn.since = at(40s);
  CHECK(has(report::describe(turn), "it does not happen, from 0:30.001 on it does"));
}

TEST_CASE("explanation: the newer lease that made a token stale is in the story, its trip is not") {
  metrics::teller h = accepted_in_vain({.rides = 2});
  h.grant(17, 2, 0, 1, 1);
  h.send(17, 2);
  h.show(18, 2, 29);
  h.accept(19, 2);
  h.confirm_and_commit(20, 2);
  h.tell(30,
         events::write_refused{
             token_id{1}, driver_id{0}, ride_id{0}, events::write_refusal::stale_token});
  h.trip_ends(60, 2);
  const history::recorded_run whole = told_by(h, lease::protocol::fenced);
  const history::indexed_run c(whole);
  const explanation t = explanation_of(whole, number_of(c, metrics::harm_kind::lost_accept));
  // The write was asked for in time: it is the refusal that loses it.
  CHECK(step_marked(t, step_mark::harm)->t == metrics::teller::s(30));
  const auto tells = [&](const std::string& what) {
    return std::any_of(
        t.steps.begin(), t.steps.end(), [&](const timeline_step& s) { return has(s.what, what); });
  };
  CHECK(tells(
      "grants lease 2 on driver 1 to matcher/2 for ride 2, for 15 s, and has the ledger raise"));
  CHECK_FALSE(tells("grants lease 1 on driver 1 to matcher/1 for ride 1, for 15 s, and"));
  CHECK(tells("down for ride 2"));
  CHECK(t.steps.back().t <= metrics::teller::s(30));
}

TEST_CASE("fact: times of day are read as minutes, and as hours from one on") {
  CHECK(history::clock_time(59min + 59s + 999ms) == "59:59.999");
  CHECK(history::clock_time(1h) == "1:00:00.000");
  CHECK(history::clock_time(-1500ms) == "-0:01.500");
}
