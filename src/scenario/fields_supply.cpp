// Drivers and matchers.

#include "scenario/distribution_type.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_ranges.hpp"
#include "scenario/fields.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr std::uint32_t drivers_max = 10'000'000;
constexpr std::uint32_t candidates_max = 10'000;
constexpr std::uint32_t tries_max = 1'000'000;
/// Shares that people write with a few decimals add up to 1 within this.
constexpr double share_tolerance = 1e-9;

field_type<world::pickup_effect> pickup_kind() {
  constexpr double change_min = 0.01;
  constexpr double change_max = 100;
  return record<world::pickup_effect>()
      .field(
          "accept_odds",
          &world::pickup_effect::accept_odds,
          a_real({.at_least = change_min, .at_most = change_max}),
          "by how much each minute multiplies the odds of an accept: with 0.8 an `accept` of "
          "80 %, odds of 4, is 72 % at two minutes and 57 % at five. Of what is not accepted the "
          "same share is ignored. An `accept` of 100 % stays what it is")
      .needs(of_map())
      .field("response",
             &world::pickup_effect::response,
             a_real({.at_least = change_min, .at_most = change_max}),
             "by how much each minute multiplies the time to the answer. No pick-up counts as "
             "longer than an hour, here and above")
      .needs(of_map())
      .as_kind();
}

field_type<driver_class> class_kind() {
  return record<driver_class>()
      .field("name", &driver_class::name, a_name(), "for reports and `--set`")
      .required()
      .field("share",
             &driver_class::share,
             a_share(),
             "the share of drivers; over all classes they add up to 1")
      .field("response",
             &driver_class::response,
             a_wait(),
             "from the offer on her screen to her answer")
      .required()
      .field("accept", &driver_class::accept, a_share(), "the share of offers that she accepts")
      .field("ignore",
             &driver_class::ignore,
             a_share(),
             "the share of offers that she never answers; the rest she declines")
      .field("by_pickup",
             &driver_class::by_pickup,
             pickup_kind(),
             "What the time to the pick-up does to the answer. `accept`, `ignore` and `response` "
             "are those of a driver at the door.")
      .check([](reader& r, const node& n, const driver_class& c) {
        if (c.accept + c.ignore > 1 + share_tolerance && r.is_clean("accept") &&
            r.is_clean("ignore")) {
          const node* at = n.find("ignore") != nullptr ? n.find("ignore") : n.find("accept");
          r.complain_at(n.find("ignore") != nullptr ? "ignore" : "accept",
                        {"E-CONFLICT",
                         fmt::format("accept and ignore must add up to at most 1 "
                                     "(got {} + {})",
                                     text::print_real(c.accept),
                                     text::print_real(c.ignore))},
                        at != nullptr ? at->at : n.at);
        }
      })
      .as_kind();
}

void check_shares(reader& r, const node& n, const driver_options& d) {
  double sum = 0;
  for (const driver_class& c : d.classes) {
    sum += c.share;
  }
  const node* at = n.find("classes");
  if (at != nullptr && !d.classes.empty() && r.is_clean("classes") &&
      std::abs(sum - 1) > share_tolerance) {
    r.complain_at("classes",
                  {"E-CONFLICT", fmt::format("the shares must add up to 1 (got {:.6g})", sum)},
                  at->at);
  }
}

need of_nearest() {
  return {[](const scenario& s) { return match::looks_nearby(s.matchers.policy.kind); },
          "whoever is available is as good; see `matchers.policy.kind`"};
}

need of_drop_outs() {
  return {[](const scenario& s) { return s.drivers.drop_out.share > 0; },
          "no driver loses her connection; see `drivers.drop_out.share`"};
}

field_type<policy_options> policy_kind() {
  return record<policy_options>()
      .field("kind",
             &policy_options::kind,
             one_of<pick>({{"nearest", pick::nearest},
                           {"random", pick::random},
                           {"least-total", pick::least_total}}),
             "which available driver is tried first: the `nearest`; one at `random`; or, for the "
             "rides of a `batch` together, as many of them as can have one, and among all ways to "
             "do so the one whose pick-ups take the least time in all (`least-total`)")
      .field("candidates",
             &policy_options::candidates,
             a_count({.at_least = 1U, .at_most = candidates_max}),
             "how many of the nearest are looked at")
      .needs(of_map())
      .needs(of_nearest())
      .field("radius",
             &policy_options::radius_m,
             a_quantity(text::distances(), {.at_most = radius_max_m, .above = 0.0}),
             "how far a matcher looks, great-circle; without geography, everywhere")
      .needs(of_map())
      .needs(of_nearest())
      .as_kind();
}

field_type<drop_out_options> drop_out_kind() {
  return record<drop_out_options>()
      .field("share",
             &drop_out_options::share,
             a_share(),
             "the share of offers during which a driver loses her connection")
      .required()
      .field("after",
             &drop_out_options::after,
             a_wait(),
             "how long the offer has been on her screen; required if the share is above 0. If she "
             "has answered by then, she stays")
      .needs(of_drop_outs())
      .field("back_after",
             &drop_out_options::back_after,
             a_delay(),
             "when she is online again; earlier if she learns of a trip")
      .needs(of_drop_outs())
      .check([](reader& r, const node& n, const drop_out_options& d) {
        if (d.share > 0 && r.is_clean("share") && n.find("after") == nullptr) {
          r.complain_at("after",
                        {"E-MISSING",
                         "the field is missing",
                         "after how long, such as {dist: uniform, min: 0s, max: 15s}"},
                        n.at);
        }
      })
      .as_kind();
}

field_type<offer_options> offers_kind() {
  return record<offer_options>()
      .field("max",
             &offer_options::max,
             a_count({.at_least = 1U, .at_most = tries_max}),
             "tries a ride, of the unit that `tries` says")
      .field(
          "broadcast",
          &offer_options::broadcast,
          a_count({.at_least = 1U, .at_most = matchers_max}),
          "how many offers of a ride go out at the same time: so many matchers pursue it side by "
          "side, each with a driver of its own choice; when the rider hears of the first she takes "
          "the "
          "ride back from the other matchers. Two drivers may accept before that: where the "
          "`protocol` does not refuse the second, both drive, and who is there second finds her "
          "gone")
      .field("open",
             &offer_options::open,
             a_count({.at_least = 1U, .at_most = tries_max}),
             "how many offers of a ride one matcher has open at the same time, each to another "
             "driver. The first accept counts: while it is under way others are turned away, and "
             "when it is written the other offers are taken back. All are gone if the matcher "
             "crashes")
      .field("stagger",
             &offer_options::stagger,
             a_duration(),
             "how long after the one before each of the `broadcast` matchers is asked, or each of "
             "the `open` offers goes out, while those before stay open. 0s: all at the same time")
      .needs({[](const scenario& s) { return s.matchers.offers.at_once() > 1; },
              "a ride has one offer at a time; see `matchers.offers.open`"})
      .field("total_wait",
             &offer_options::total_wait,
             a_duration({.above = sim_duration{0}}),
             "a ride is given up so long after its request")
      .field("cooldown_after_decline",
             &offer_options::cooldown_after_decline,
             optional(a_duration(), "forever", "she is not asked again"),
             "when a driver may be asked again for the same ride")
      .field("next_try_after",
             &offer_options::next_try_after,
             a_delay(),
             "how long a matcher waits after a failed try before the next one for the ride: a "
             "jitter that keeps the losers of a race, or the holders of leases that expire "
             "together, from coming back as a herd")
      .as_kind();
}

}  // namespace

field_type<driver_options> drivers_kind() {
  return record<driver_options>()
      .field("count",
             &driver_options::count,
             a_count({.at_least = 1U, .at_most = drivers_max}),
             "how many are online at any time")
      .required()
      .field("placement",
             &driver_options::placement,
             one_of<placement>({{"demand", placement::demand}, {"uniform", placement::uniform}}),
             "where drivers come online: where rides are asked for, or anywhere")
      .field(
          "phone",
          &driver_options::phone,
          one_of<phone>({{"all", phone::all}, {"latest", phone::latest}, {"first", phone::first}}),
          "what a second offer does: both are shown, it replaces the first, or it is turned away")
      .field("late_answer",
             &driver_options::late_answer,
             one_of<late_answer>({{"dropped", late_answer::dropped}, {"sent", late_answer::sent}}),
             "what the phone does with an answer after the offer has left the screen. Where it is "
             "`sent`, matchers wait for it until the lease ends, if it does")
      .field(
          "failing_offers",
          &driver_options::failing_offers,
          one_of<failing_offer>({{"as-drawn", failing_offer::as_drawn},
                                 {"declined-at-once", failing_offer::declined_at_once}}),
          "for the counterfactual hidden share: with `declined-at-once` an offer that she would "
          "not accept in time is declined the instant it arrives, so leases that come to nothing "
          "last no longer than their messages; compare with `dibs compare --set-b`")
      .field("drop_out",
             &driver_options::drop_out,
             drop_out_kind(),
             "Drivers whose phones lose the connection with an offer on the screen: the offer is "
             "gone, nobody hears of it, and the lease runs on.")
      .field("shifts",
             &driver_options::shifts,
             optional(a_delay(), "none", "every driver stays online"),
             "how long a driver stays online; who leaves is replaced, so that the count holds")
      .field("classes",
             &driver_options::classes,
             list_of(class_kind(), "name", false),
             "Groups of drivers who answer alike.")
      .required()
      .check(check_shares)
      .as_kind();
}

field_type<matcher_options> matchers_kind() {
  return record<matcher_options>()
      .field("count",
             &matcher_options::count,
             a_count({.at_least = 1U, .at_most = matchers_max}),
             "how many compete")
      .field("assignment",
             &matcher_options::assignment,
             one_of<assignment>({{"in-turn", assignment::in_turn}, {"random", assignment::random}}),
             "which matcher a rider asks, each time the same: one ride after another in turn, or "
             "any of them alike")
      .needs({[](const scenario& s) { return s.matchers.count > 1; },
              "there is one matcher; see `matchers.count`"})
      .field("policy", &matcher_options::policy, policy_kind(), "Whom a matcher tries.")
      .field("view",
             &matcher_options::view,
             one_of<view>({{"facts", view::facts}, {"blind", view::blind}}),
             "`facts`: who was available `view_lag` ago; `blind`: everyone is taken for available")
      .field("view_lag",
             &matcher_options::view_lag,
             a_duration(),
             "how stale a matcher's supply view is")
      .field("offers", &matcher_options::offers, offers_kind(), "How long a matcher tries.")
      .field("tries",
             &matcher_options::tries,
             one_of<try_unit>({{"offer", try_unit::offer}, {"acquire", try_unit::acquire}}),
             "what counts towards `offers.max`: offers sent, or leases asked for, denied ones too")
      .field("look_again",
             &matcher_options::look_again,
             optional(a_duration({.at_least = repeat_min}), "none", "the ride is given up at once"),
             "when a matcher that found nobody looks again")
      .field(
          "reply_timeout",
          &matcher_options::reply_timeout,
          a_duration({.at_least = repeat_min}),
          "how long a matcher waits for the lease manager or the ledger, and for a driver's answer "
          "after the offer's window (`lease.offer_window`)")
      .field("queue",
             &matcher_options::queue,
             one_of<bool>({{"none", false}, {"fifo", true}}),
             "what a ride does for which nobody is there: it looks again as `look_again` says, or "
             "waits in line for the next driver to be free, first come, first served")
      .field("batch",
             &matcher_options::batch,
             optional(a_duration({.at_least = repeat_min}), "none", "each ride is tried at once"),
             "a matcher tries the rides that wait together, so often, in the order in which they "
             "began to "
             "wait")
      .field("claims",
             &matcher_options::claims,
             optional(claims_kind(), "none", "a ride stays with the matcher that it asked"),
             "Rides as work: a matcher claims a ride at the lease manager before it serves it, and "
             "keeps it by heartbeats; a dead matcher's rides are taken over by others")
      .field("overhead",
             &matcher_options::overhead,
             a_duration(),
             "what each try costs before a driver is looked for: batching, ranking, routing")
      .as_kind();
}

}  // namespace dibs::scenario
