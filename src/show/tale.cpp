#include "show/tale.hpp"

#include "show/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace dibs::show {
namespace {

using metrics::interval;
using metrics::never;
using metrics::try_index;
using metrics::try_record;

constexpr auto before_a_story = 2min;  // how far back the request of a ride still belongs to it

/// What a story is about.
struct plot {
  std::set<std::pair<token_id, driver_id>> tries;
  std::set<ride_id> rides;  ///< what they do themselves: ask, leave, are picked up
  ride_id all_of_ride;      ///< everything that names it
  driver_id all_of_driver;
  std::set<node_id> nodes;  ///< whose faults matter
  interval when{sim_time::max(), sim_time::min()};

  void widen(sim_time t) {
    if (t != never) {
      when.begin = std::min(when.begin, t);
      when.end = std::max(when.end, t + 1ns);
    }
  }
};

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

bool is_own_act_of_rider(const subjects& about, const plot& p) {
  return about.where.kind() == node_kind::rider && p.rides.contains(about.ride);
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
  if (const auto* lost = std::get_if<events::message_lost>(&e.what)) {
    const bool is_theirs = std::any_of(p.tries.begin(), p.tries.end(), [&](const auto& each) {
      return lost->token.is_some() && each.first == lost->token;
    });
    return is_theirs || (p.all_of_ride.is_some() && lost->ride == p.all_of_ride);
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

std::vector<step> steps_of(const chronicle& c, const plot& p, const tale_options& how) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  std::vector<step> steps;
  for (const events::event& e : c.of().events) {
    const subjects about = subjects_of(e.what, at_manager);
    if (!how.within.holds(e.t) || !is_worth_telling(e.what) || !belongs(e, about, p)) {
      continue;
    }
    step s{e.t, e.local, about.where, told(e), mark::none, 1, e.t};
    if (!steps.empty() && steps.back().where == s.where && steps.back().what == s.what) {
      ++steps.back().times;
      steps.back().last = e.t;
    } else {
      steps.push_back(std::move(s));
    }
  }
  return steps;
}

/// The last step at or before `t`; of what decided a harm, the first one of that very instant,
/// since where nothing takes any time the harm itself follows in it.
void set_mark(std::vector<step>& steps, sim_time t, mark is) {
  step* found = nullptr;
  for (step& s : steps) {
    if (s.t > t || (is == mark::decided && found != nullptr && found->t == t)) {
      break;
    }
    found = &s;
  }
  if (found != nullptr) {
    found->is = is;
  }
}

void tell_breach(const chronicle& c, const breach& b, plot& p) {
  for (const try_index i : b.tries) {
    add_try(c, i, p);
  }
  p.widen(b.t);
  if (!b.broken && b.harm == metrics::harm::starved_ride) {
    p.rides.clear();
    p.all_of_ride = b.ride;
    return;
  }
  if (b.ride.is_some()) {
    p.rides.insert(b.ride);
    if (b.tries.empty()) {
      p.all_of_ride = b.ride;
    }
  }
}

std::vector<try_index> tries_where(const chronicle& c, auto holds) {
  std::vector<try_index> all;
  for (try_index i = 0; i < c.tries().size(); ++i) {
    if (holds(c.tries()[i])) {
      all.push_back(i);
    }
  }
  return all;
}

tl::unexpected<error> no_such(const std::string& what) {
  return failure(exit_code::usage, fmt::format("the run has no {}", what));
}

std::string outcome_of(const chronicle& c, ride_id r) {
  const metrics::ride_record& ride = c.rides()[r.value];
  if (ride.first_commit != never) {
    return fmt::format("found a driver after {} tries", ride.offers);
  }
  return ride.gone != never ? fmt::format("left without a driver after {} tries", ride.offers)
                            : "still waits at the end of the run";
}

/// Of whom the breaches tell already.
const breach* breach_about(const std::vector<breach>& all, auto holds) {
  const auto found = std::find_if(all.begin(), all.end(), holds);
  return found == all.end() ? nullptr : &*found;
}

/// What is to be told, before it is told.
struct draft {
  plot about;
  tale told;
};

result<draft> draft_of(const chronicle& c, const subject& s) {
  const std::vector<breach> breaches = breaches_of(c);
  draft d;
  const auto tell_of_try = [&](const breach* known) {
    for (const try_index i : d.told.tries) {
      add_try(c, i, d.about);
    }
    if (known != nullptr) {
      d.told.harm = *known;
      tell_breach(c, *known, d.about);
    }
  };
  if (const auto* n = std::get_if<breach_number>(&s)) {
    if (n->value == 0 || n->value > breaches.size()) {
      return failure(
          exit_code::usage,
          breaches.empty()
              ? "the run has no breach: nothing was broken, and nobody was hurt"
              : fmt::format(
                    "the run has no breach {}; there are 1 to {}", n->value, breaches.size()));
    }
    const breach& b = breaches[n->value - 1];
    d.told.headline = b.headline;
    d.told.tries = b.tries;
    tell_of_try(&b);
  } else if (const auto* r = std::get_if<ride_id>(&s)) {
    if (r->value >= c.rides().size() || c.rides()[r->value].requested == never) {
      return no_such(name_of(*r));
    }
    d.about.all_of_ride = *r;
    d.told.headline = fmt::format("{} {}", name_of(*r), outcome_of(c, *r));
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.ride == *r; });
    tell_of_try(breach_about(breaches, [&](const breach& b) { return b.ride == *r; }));
    d.about.widen(c.rides()[r->value].requested);
  } else if (const auto* who = std::get_if<driver_id>(&s)) {
    if (who->value >= c.of().scenario.drivers.count) {
      return no_such(name_of(*who));
    }
    d.about.all_of_driver = *who;
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.driver == *who; });
    const auto trips = std::count_if(d.told.tries.begin(), d.told.tries.end(), [&](try_index i) {
      return c.tries()[i].committed != never;
    });
    d.told.headline =
        fmt::format("{}: {} tries, {} trips", name_of(*who), d.told.tries.size(), trips);
    tell_of_try(breach_about(breaches, [&](const breach& b) { return b.driver == *who; }));
  } else {
    const token_id token = std::get<token_id>(s);
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.token == token; });
    if (d.told.tries.empty()) {
      return no_such(name_of(token));
    }
    const try_index i = d.told.tries.front();
    const try_record& t = c.tries()[i];
    d.told.headline =
        fmt::format("{} on {} for {}", name_of(token), name_of(t.driver), name_of(t.ride));
    tell_of_try(breach_about(breaches, [&](const breach& b) {
      return std::find(b.tries.begin(), b.tries.end(), i) != b.tries.end();
    }));
  }
  return d;
}

}  // namespace

result<subject> subject_of(const std::string& kind, const std::string& number) {
  std::uint32_t n = 0;
  const char* end = number.data() + number.size();
  const auto read = std::from_chars(number.data(), end, n);
  const bool is_number = read.ec == std::errc() && read.ptr == end && n > 0;
  const bool is_kind = kind == "breach" || kind == "ride" || kind == "driver" || kind == "lease";
  if (!is_kind || !is_number) {
    return failure(exit_code::usage,
                   "what is to be explained is one of: breach N, ride R, driver D, lease T; all "
                   "count from 1");
  }
  if (kind == "breach") {
    return breach_number{n};
  }
  if (kind == "ride") {
    return ride_id{n - 1};
  }
  return kind == "driver" ? subject{driver_id{n - 1}} : subject{token_id{n}};
}

result<tale> tale_of(const chronicle& c, const subject& s, const tale_options& how) {
  auto d = draft_of(c, s);
  if (!d) {
    return tl::unexpected<error>(d.error());
  }
  tale t = std::move(d->told);
  t.steps = steps_of(c, d->about, how);
  if (t.harm) {
    t.learnt = lesson_of(c, *t.harm);
    t.turn = how.find_turn ? how.find_turn(*t.harm) : std::nullopt;
    set_mark(t.steps, harm_instant(c, *t.harm), mark::harm);
    if (const auto turn = t.unavoidable()) {
      set_mark(t.steps, *turn, mark::unavoidable);
    } else if (const auto decided = t.decided()) {
      set_mark(t.steps, *decided, mark::decided);
    }
    t.flights = flights_of(c, t.harm->tries);
  } else if (t.tries.size() <= 16) {
    t.flights = flights_of(c, t.tries);
  }
  t.crossings = crossings_of(c, t.flights);
  t.span = d->about.when;
  if (t.steps.size() > how.steps_max) {
    // What led to the harm matters more than what came long before it.
    const auto marked = std::find_if(
        t.steps.begin(), t.steps.end(), [](const step& each) { return each.is != mark::none; });
    const auto at = marked == t.steps.end() ? 0 : marked - t.steps.begin();
    const auto half = static_cast<std::ptrdiff_t>(how.steps_max / 2);
    const auto most = static_cast<std::ptrdiff_t>(t.steps.size() - how.steps_max);
    const auto from = std::clamp<std::ptrdiff_t>(at - half, 0, most);
    t.left_out = t.steps.size() - how.steps_max;
    t.steps.erase(t.steps.begin() + from + static_cast<std::ptrdiff_t>(how.steps_max),
                  t.steps.end());
    t.steps.erase(t.steps.begin(), t.steps.begin() + from);
  }
  return t;
}

}  // namespace dibs::show
