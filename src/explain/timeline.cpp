#include "explain/timeline.hpp"

#include "explain/late_reply.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/event_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_index;
using metrics::try_record;

constexpr auto before_a_story = 2min;  // how far back the request of a ride still belongs to it

bool is_own_act_of_rider(const history::subjects& about, const timeline_scope& p) {
  return about.where.kind() == node_kind::rider && p.rides.contains(about.ride);
}

/// Of a message that may be lost, held up or doubled, or of what was never said for an error.
bool is_fate_of_word(const events::fact& what) {
  return std::holds_alternative<events::message_lost>(what) ||
         std::holds_alternative<events::message_tampered>(what) ||
         std::holds_alternative<events::work_failed>(what);
}

bool is_of_node(const events::fact& what) {
  return std::holds_alternative<events::node_crashed>(what) ||
         std::holds_alternative<events::node_restarted>(what) ||
         std::holds_alternative<events::node_paused>(what) ||
         std::holds_alternative<events::node_resumed>(what) ||
         std::holds_alternative<events::leader_changed>(what);
}

/// A matcher's claim to a ride ran out, or the ride was given to another for that.
bool is_lost_claim(const events::fact& what) {
  const auto* ended = std::get_if<events::ride_claim_ended>(&what);
  const auto* given = std::get_if<events::ride_claimed>(&what);
  return (ended != nullptr && ended->cause == events::claim_ending::expired) ||
         (given != nullptr && given->taken_over);
}

/// Of what happens in the same instant, words that are lost and tries that are closed are not it.
bool may_make_harm(const events::fact& what) {
  return !is_fate_of_word(what) && !std::holds_alternative<events::try_closed>(what);
}

/// Whether it befalls one of its rides, drivers or nodes, in whichever try.
bool is_of_it(const events::event& e, const history::subjects& about, const timeline_scope& p) {
  const auto is_hers = [&](const auto& each) { return each.second == about.driver; };
  const bool names_driver = about.driver.is_some() && std::ranges::any_of(p.tries, is_hers);
  return names_driver || p.rides.contains(about.ride) ||
         (is_of_node(e.what) && p.nodes.contains(about.where));
}

bool belongs(const events::event& e, const history::subjects& about, const timeline_scope& p) {
  if (p.singled.contains(&e) || (p.all_of_ride.is_some() && about.ride == p.all_of_ride)) {
    return true;
  }
  if (p.all_of_driver.is_some() && about.driver == p.all_of_driver) {
    return true;
  }
  if (p.decisive.holds(e.t) && is_of_it(e, about, p)) {
    return true;
  }
  if (about.token.is_some() && p.tries.contains({about.token, about.driver})) {
    return true;
  }
  if (e.t < p.when.begin - before_a_story || e.t > p.when.end) {
    return false;
  }
  if (about.token.is_some() && p.newer.contains({about.token, about.driver})) {
    return true;
  }
  if (is_fate_of_word(e.what)) {
    return about.token.is_some()
               ? std::ranges::any_of(p.tries,
                                     [&](const auto& each) { return each.first == about.token; })
               : p.rides.contains(about.ride);
  }
  if (is_lost_claim(e.what)) {
    return p.rides.contains(about.ride);
  }
  // That she asks again while she waits is told where it decides, or where all of her ride is.
  const bool asks_again = std::holds_alternative<events::ride_asked_again>(e.what);
  if (is_own_act_of_rider(about, p) && !about.token.is_some() && !asks_again) {
    return true;
  }
  return is_of_node(e.what) && p.nodes.contains(about.where) && e.t >= p.when.begin &&
         e.t <= p.faults_until;
}

/// A lease that was given back ends just then, but where the lease manager goes on holding it, or
/// another one leads, which does not know of it.
bool is_given_back_in_vain(const history::indexed_run& c, const events::call_made& made) {
  const auto is_open = [&](const try_record& t) {
    return t.token == made.token && t.driver == made.driver && !t.ended && t.committed == never;
  };
  const auto& all = c.tries();
  return made.what == events::call::release &&
         (!c.of().scenario.lease.release_frees ||
          (c.of().scenario.lease.standby && std::ranges::any_of(all, is_open)));
}

bool is_told(const history::indexed_run& c, const events::fact& what) {
  const auto* made = std::get_if<events::call_made>(&what);
  return (made != nullptr && is_given_back_in_vain(c, *made)) || history::is_notable(what);
}

/// A message that a fault dropped is lost in the same breath: that it is dropped says it.
bool is_said_before(const std::vector<events::event>& all, const events::event& e) {
  const auto* lost = std::get_if<events::message_lost>(&e.what);
  const auto* before = lost != nullptr && &e != all.data()
                           ? std::get_if<events::message_tampered>(&(&e - 1)->what)
                           : nullptr;
  return before != nullptr && before->what == events::tampering::dropped &&
         before->from == lost->from && before->to == lost->to && before->token == lost->token &&
         (&e - 1)->t == e.t;
}

/// Of a lease that was given back, but not by its holder: the last release of her before it ended,
/// which names another lease or none.
void add_foreign_release(const history::indexed_run& c, const try_record& t, timeline_scope& p) {
  if (!t.ended || t.ending != events::lease_ending::released) {
    return;
  }
  const events::event* last = nullptr;
  for (const events::event& e : c.of().events) {
    if (e.t >= t.over) {
      break;
    }
    const auto* made = std::get_if<events::call_made>(&e.what);
    if (made == nullptr || made->what != events::call::release || made->driver != t.driver) {
      continue;
    }
    if (made->token == t.token) {
      return;
    }
    last = &e;
  }
  if (last != nullptr) {
    p.singled.insert(last);
  }
}

/// Of a lease that went with its holder's zone: how the zone was lost, and when it was given last.
void add_zone(const history::indexed_run& c, const try_record& t, timeline_scope& p) {
  if (!t.ended || t.ending != events::lease_ending::zone_lost) {
    return;
  }
  const auto& all = c.of().events;
  const auto is_loss = [&](const events::event& e) {
    const auto* lost = std::get_if<events::zone_ended>(&e.what);
    return lost != nullptr && lost->matcher == t.matcher && e.t == t.over;
  };
  const auto lost = std::ranges::find_if(all, is_loss);
  if (lost == all.end()) {
    return;
  }
  p.singled.insert(&*lost);
  const zone_id zone = std::get<events::zone_ended>(lost->what).zone;
  const auto given =
      std::find_if(std::make_reverse_iterator(lost), all.rend(), [&](const events::event& e) {
        const auto* g = std::get_if<events::zone_granted>(&e.what);
        return g != nullptr && g->matcher == t.matcher && g->zone == zone;
      });
  if (given != all.rend()) {
    p.singled.insert(&*given);
  }
}

/// Whether the ledger hears of each token when it is granted, and not only with a write.
bool raises_fence(const scenario::lease_options& lease) {
  return lease.rules().ledger == lease::ledger_rule::fence &&
         lease.fence == scenario::fence::grant && lease.commit == scenario::commit_at::ledger;
}

/// `beyond`: how far the clock by which the node judges is ahead of that of its timers.
history::clock_reading reading_of(const history::indexed_run& c,
                                  const timeline_scope& p,
                                  const events::event& e,
                                  sim_duration beyond) {
  history::clock_reading by{.off = beyond, .by_wall = c.clocks().by_wall()};
  const scenario::lease_options& lease = c.of().scenario.lease;
  by.memory = lease.restart.leases;
  if (const auto* granted = std::get_if<events::lease_granted>(&e.what)) {
    by.raises_fence = raises_fence(lease) && p.newer.contains({granted->token, granted->driver});
  }
  const auto* made = std::get_if<events::call_made>(&e.what);
  if (made != nullptr && c.lead().of(made->token, e.t).index() > 0) {
    by.manager = "lease manager/2";
  }
  if (const auto* sent = std::get_if<events::offer_sent>(&e.what)) {
    const try_index i = c.table().find(sent->token, sent->driver);
    by.left = i == metrics::no_try ? std::nullopt : c.clocks().left_at_offer(c.tries()[i]);
  }
  return by;
}

bool is_of_millisecond(sim_time s, sim_time t) {
  return std::chrono::floor<std::chrono::milliseconds>(s) ==
         std::chrono::floor<std::chrono::milliseconds>(t);
}

/// Something of that millisecond bears a mark.
bool is_decisive(sim_time t, const timeline_scope& p) {
  return p.decisive.holds(t) || (p.decided && is_of_millisecond(*p.decided, t));
}

/// The step that this one repeats: the last one, or among those that come again and again, as when
/// a node crashes every ten seconds, an earlier one with nothing else in between. What bears a mark
/// is told for itself.
timeline_step* same_before(std::vector<timeline_step>& steps,
                           const timeline_step& now,
                           const timeline_scope& p) {
  if (now.is_harm || is_decisive(now.t, p)) {
    return nullptr;
  }
  for (auto s = steps.rbegin(); s != steps.rend() && !s->is_harm && !is_decisive(s->last, p); ++s) {
    if (s->where == now.where && s->what == now.what) {
      return &*s;
    }
    if (!s->is_routine || !now.is_routine) {
      break;
    }
  }
  return nullptr;
}

/// Those of that time, and the last one before where the clock is wrong as it begins.
std::vector<history::clock_setting> settings_of(const history::indexed_run& c,
                                                node_id n,
                                                const time_interval& when,
                                                const time_interval& within) {
  std::vector<history::clock_setting> all = c.clocks().settings(n, when);
  if (when.is_empty()) {
    return all;
  }
  const auto before = c.clocks().settings(n, {sim_time{}, when.begin});
  const sim_duration off =
      c.clocks().judging(n, when.begin, ride_id::none(), driver_id::none()).time_since_epoch() -
      when.begin.time_since_epoch();
  const bool is_wrong = off >= 50ms || off <= -50ms;
  if (is_wrong && !before.empty() && within.holds(before.back().at)) {
    all.insert(all.begin(), before.back());
  }
  return all;
}

/// What somebody does to the clocks of its nodes and drivers: the scenario says so, and no event.
/// It comes before all that happens at its instant, which goes by the clock as it is then.
void add_settings(const history::indexed_run& c,
                  const timeline_scope& p,
                  const time_interval& when,
                  const time_interval& within,
                  std::vector<timeline_step>& steps) {
  std::vector<timeline_step> settings;
  for (const node_id n : p.nodes) {
    for (const history::clock_setting& set : settings_of(c, n, when, within)) {
      const bool is_back = set.by < sim_duration::zero();
      timeline_step s;
      s.t = set.at;
      s.local = c.clocks().judging(n, set.at, ride_id::none(), driver_id::none());
      s.where = n;
      s.what = fmt::format("has its wall clock set {} by {}",
                           is_back ? "back" : "forward",
                           text::duration(is_back ? -set.by : set.by));
      s.last = set.at;
      settings.push_back(std::move(s));
    }
  }
  const auto by_time = [](const timeline_step& x, const timeline_step& y) { return x.t < y.t; };
  std::stable_sort(settings.begin(), settings.end(), by_time);
  std::vector<timeline_step> all;
  std::merge(std::make_move_iterator(settings.begin()),
             std::make_move_iterator(settings.end()),
             std::make_move_iterator(steps.begin()),
             std::make_move_iterator(steps.end()),
             std::back_inserter(all),
             by_time);
  steps = std::move(all);
}

/// Of a try that was given up for want of a reply that came later: the call, the end and the reply.
void add_late_reply(const history::indexed_run& c, const try_record& t, timeline_scope& p) {
  if (const auto late = late_reply_of(c, t)) {
    for (const events::event* each : {late->asked, late->given_up, late->came}) {
      p.singled.insert(each);
      p.widen(each->t);
    }
  }
}

}  // namespace

bool has_event(const history::indexed_run& c, const timeline_scope& p, const time_interval& when) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  const auto& all = c.of().events;
  const auto first =
      std::lower_bound(all.begin(), all.end(), when.begin, [](const events::event& e, sim_time t) {
        return e.t < t;
      });
  for (auto e = first; e != all.end() && e->t < when.end; ++e) {
    const history::subjects about = history::subjects_of(e->what, at_manager);
    if (is_of_it(*e, about, p) && is_told(c, e->what)) {
      return true;
    }
  }
  return false;
}

void add_try(const history::indexed_run& c, try_index i, timeline_scope& p) {
  const try_record& t = c.tries()[i];
  p.tries.insert({t.token, t.driver});
  p.rides.insert(t.ride);
  p.nodes.insert(node_of(t.driver));
  if (t.matcher.is_some()) {
    p.nodes.insert(node_of(t.matcher));
  }
  p.nodes.insert({node_kind::lease_manager, 0});
  if (c.of().scenario.lease.standby) {
    p.nodes.insert({node_kind::lease_manager, 1});
  }
  p.nodes.insert({node_kind::ledger, 0});
  add_foreign_release(c, t, p);
  add_zone(c, t, p);
  add_late_reply(c, t, p);
  for (const sim_time each :
       {t.granted, t.sent, t.shown, t.decided, t.over, t.committed, t.promised, t.trip_over}) {
    if (each <= c.of().end) {
      p.widen(each);
    }
  }
}

void add_rival_yes(const history::indexed_run& c, const try_record& t, timeline_scope& p) {
  const try_record* first = t.decided == never ? rival_offer(c, t) : nullptr;
  const auto& all = c.of().events;
  const auto yes = std::find_if(all.begin(), all.end(), [&](const events::event& e) {
    const auto* said = std::get_if<events::offer_answered>(&e.what);
    return first != nullptr && said != nullptr && said->token == first->token &&
           said->driver == first->driver;
  });
  if (yes != all.end()) {
    p.singled.insert(&*yes);
  }
}

std::vector<timeline_step> steps_of(const history::indexed_run& c,
                                    const timeline_scope& p,
                                    const explanation_options& how) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  std::vector<timeline_step> steps;
  for (const events::event& e : c.of().events) {
    const history::subjects about = history::subjects_of(e.what, at_manager);
    if (!how.within.holds(e.t) || !belongs(e, about, p) ||
        !(p.singled.contains(&e) || is_told(c, e.what)) || is_said_before(c.of().events, e)) {
      continue;
    }
    const node_id where = c.lead().place_of(e, about);
    const sim_duration beyond = c.clocks().beyond_timers(where, e.t, about.ride, about.driver);
    timeline_step s{e.t,
                    e.local + beyond,
                    where,
                    history::describe(e, reading_of(c, p, e, beyond)),
                    step_mark::none,
                    1,
                    e.t};
    s.makes_harm = may_make_harm(e.what);
    s.is_loss = std::holds_alternative<events::message_lost>(e.what);
    s.is_harm = &e == p.harm;
    s.is_routine = is_of_node(e.what) || std::holds_alternative<events::lease_renewed>(e.what);
    if (timeline_step* before = same_before(steps, s, p)) {
      ++before->times;
      before->last = e.t;
    } else {
      steps.push_back(std::move(s));
    }
  }
  add_settings(c, p, common(p.when, how.within), how.within, steps);
  return steps;
}

// What was lost decides more than who sent it in the same instant.
timeline_step* step_at(std::vector<timeline_step>& steps, sim_time t) {
  const auto lost =
      std::ranges::find_if(steps, [t](const timeline_step& s) { return s.t == t && s.is_loss; });
  const auto found = lost != steps.end() ? lost : std::ranges::find(steps, t, &timeline_step::t);
  return found == steps.end() ? nullptr : &*found;
}

void set_mark(std::vector<timeline_step>& steps,
              sim_time t,
              step_mark is,
              const std::string& meaning,
              std::optional<node_kind> of) {
  // Healed in the millisecond before, it would not happen: what happened in that one decided it.
  const sim_time shown = is == step_mark::unavoidable ? t - 1ms : t;
  timeline_step* found = nullptr;
  auto after = steps.begin();
  for (; after != steps.end() && after->t <= t; ++after) {
    const bool is_first = found == nullptr || is != step_mark::decided;
    const bool is_its = !of || after->where.kind() == *of;
    const bool is_less = is == step_mark::harm && found != nullptr && found->makes_harm;
    if (is_of_millisecond(after->t, shown) && is_first && is_its &&
        (after->makes_harm || !is_less)) {
      found = &*after;
    }
  }
  if (found != nullptr) {
    found->is = is;
    return;
  }
  steps.insert(after,
               timeline_step{.t = t,
                             .local = local_time{t.time_since_epoch()},
                             .where = {},
                             .what = meaning,
                             .is = is,
                             .times = 1,
                             .last = t,
                             .is_event = false});
}

}  // namespace dibs::explain
