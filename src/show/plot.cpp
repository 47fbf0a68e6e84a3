#include "show/plot.hpp"

#include "show/fact.hpp"

#include <algorithm>
#include <variant>

namespace dibs::show {
namespace {

using metrics::never;
using metrics::try_index;
using metrics::try_record;

constexpr auto before_a_story = 2min;  // how far back the request of a ride still belongs to it

bool is_own_act_of_rider(const subjects& about, const plot& p) {
  return about.where.kind() == node_kind::rider && p.rides.contains(about.ride);
}

/// Of a message that may be lost, held up or doubled, or of what was never said for an error.
bool is_fate_of_word(const events::fact& what) {
  return std::holds_alternative<events::message_lost>(what) ||
         std::holds_alternative<events::message_tampered>(what) ||
         std::holds_alternative<events::work_failed>(what);
}

bool belongs(const events::event& e, const subjects& about, const plot& p) {
  if (p.all_of_ride.is_some() && about.ride == p.all_of_ride) {
    return true;
  }
  if (p.all_of_driver.is_some() && about.driver == p.all_of_driver) {
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
               ? std::any_of(p.tries.begin(),
                             p.tries.end(),
                             [&](const auto& each) { return each.first == about.token; })
               : p.rides.contains(about.ride);
  }
  if (is_own_act_of_rider(about, p) && !about.token.is_some()) {
    return true;
  }
  const bool is_fault = std::holds_alternative<events::node_crashed>(e.what) ||
                        std::holds_alternative<events::node_restarted>(e.what) ||
                        std::holds_alternative<events::node_paused>(e.what) ||
                        std::holds_alternative<events::node_resumed>(e.what);
  return is_fault && p.nodes.contains(about.where) && e.t >= p.when.begin;
}

/// `beyond`: how far the clock by which the node judges is ahead of that of its timers.
reading reading_of(const chronicle& c, const events::event& e, sim_duration beyond) {
  reading by{.off = beyond, .by_wall = c.clocks().by_wall()};
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

}  // namespace

void add_try(const chronicle& c, try_index i, plot& p) {
  const try_record& t = c.tries()[i];
  p.tries.insert({t.token, t.driver});
  p.rides.insert(t.ride);
  if (t.matcher.is_some()) {
    p.nodes.insert(node_of(t.matcher));
  }
  p.nodes.insert({node_kind::lease_manager, 0});
  p.nodes.insert({node_kind::ledger, 0});
  for (const sim_time each :
       {t.granted, t.sent, t.shown, t.decided, t.over, t.committed, t.promised, t.trip_over}) {
    if (each <= c.of().end) {
      p.widen(each);
    }
  }
}

std::vector<step> steps_of(const chronicle& c, const plot& p, const tale_options& how) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  std::vector<step> steps;
  for (const events::event& e : c.of().events) {
    const subjects about = subjects_of(e.what, at_manager);
    if (!how.within.holds(e.t) || !is_worth_telling(e.what) || !belongs(e, about, p)) {
      continue;
    }
    const sim_duration beyond =
        c.clocks().beyond_timers(about.where, e.t, about.ride, about.driver);
    step s{
        e.t, e.local + beyond, about.where, told(e, reading_of(c, e, beyond)), mark::none, 1, e.t};
    if (!steps.empty() && steps.back().where == s.where && steps.back().what == s.what) {
      ++steps.back().times;
      steps.back().last = e.t;
    } else {
      steps.push_back(std::move(s));
    }
  }
  return steps;
}

void set_mark(std::vector<step>& steps,
              sim_time t,
              mark is,
              const std::string& meaning,
              std::optional<node_kind> of) {
  // Healed in the millisecond before, it would not happen: what happened in that one decided it.
  const sim_time shown = is == mark::unavoidable ? t - 1ms : t;
  step* found = nullptr;
  auto after = steps.begin();
  for (; after != steps.end() && after->t <= t; ++after) {
    const bool is_first = found == nullptr || is != mark::decided;
    const bool is_its = !of || after->where.kind() == *of;
    if (is_of_millisecond(after->t, shown) && is_first && is_its) {
      found = &*after;
    }
  }
  if (found != nullptr) {
    found->is = is;
    return;
  }
  steps.insert(after,
               step{.t = t,
                    .local = local_time{t.time_since_epoch()},
                    .where = {},
                    .what = meaning,
                    .is = is,
                    .times = 1,
                    .last = t,
                    .is_event = false});
}

}  // namespace dibs::show
