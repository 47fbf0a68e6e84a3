#include "explain/harm.hpp"

#include "engine/run.hpp"
#include "explain/harms_of_ride.hpp"
#include "history/event_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::harm_kind;
using metrics::try_index;
using metrics::try_record;

/// The trip that kept the driver from coming, if any did: one that she drove, and of those the one
/// that had most of the time of the promise.
try_index rival_of_promise(const history::indexed_run& c, const try_record& own) {
  const auto& all = c.tries();
  const auto in_the_way = [&](const try_record& other) {
    const bool was_driven = !other.revoked && !other.broken;
    return std::pair(was_driven, common(own.commitment(), other.commitment()).length());
  };
  try_index rival = metrics::no_try;
  for (try_index i = 0; i < all.size(); ++i) {
    const bool clashes = on_one_driver(own, all[i]) && in_the_way(all[i]).second > 0ns;
    if (clashes && (rival == metrics::no_try || in_the_way(all[i]) > in_the_way(all[rival]))) {
      rival = i;
    }
  }
  return rival;
}

/// A lease that held a driver near a ride in vain.
struct hold {
  time_interval when;
  try_index of = metrics::no_try;
};

/// In the order of their begin.
std::vector<hold> holds_near(const history::indexed_run& c, ride_id ride) {
  const scenario::scenario& s = c.of().scenario;
  const point& origin = c.rides()[ride.value].origin;
  const double reach = s.matchers.policy.radius_m;
  std::vector<hold> found;
  for (const metrics::spell& spell : c.drivers().held_spells().all()) {
    const try_record& held = c.tries()[spell.of];
    const double x = spell.place.x - origin.x;
    const double y = spell.place.y - origin.y;
    const double z = spell.place.z - origin.z;
    const bool is_near =
        s.world.geography == scenario::geography::none || x * x + y * y + z * z <= reach * reach;
    if (is_near && held.ride != ride && !held.converted) {
      found.push_back({spell.when, spell.of});
    }
  }
  return found;
}

/// Adds who held, one after the other, from the beginning of a wait to its end: of those that are
/// there each time the one that lasts longest.
void cover(const time_interval& wait, const std::vector<hold>& holds, std::vector<try_index>& to) {
  sim_time reached = wait.begin;
  while (reached < wait.end) {
    const hold* longest = nullptr;
    const hold* next = nullptr;
    for (const hold& h : holds) {
      if (h.when.holds(reached)) {
        longest = longest == nullptr || h.when.end > longest->when.end ? &h : longest;
      } else if (h.when.begin > reached) {
        next = &h;
        break;
      }
    }
    if (longest != nullptr) {
      to.push_back(longest->of);
      reached = longest->when.end;
    } else if (next != nullptr) {
      reached = next->when.begin;
    } else {
      return;
    }
  }
}

/// Leases on drivers near a ride that came to nothing while it waited, from `since` on: as few as
/// show who was held all that time, the first of them.
void find_held_near(const history::indexed_run& c, sim_time since, harm& b) {
  constexpr std::size_t told_max = 6;
  const std::vector<hold> holds = holds_near(c, b.ride);
  std::set<try_index> all;
  std::vector<try_index> chain;
  for (const metrics::wait_spell& w : c.riders().spells().all()) {
    const time_interval wait = common(w.when, {since, c.of().end});
    if (w.ride != b.ride || wait.is_empty()) {
      continue;
    }
    cover(wait, holds, chain);
    for (const hold& h : holds) {
      if (!common(h.when, wait).is_empty()) {
        all.insert(h.of);
      }
    }
  }
  for (const try_index i : chain) {
    const bool is_known = std::ranges::find(b.tries, i) != b.tries.end();
    if (!is_known && b.tries.size() < told_max) {
      b.tries.push_back(i);
    }
  }
  b.further = all.size() - b.tries.size();
}

harm of_notable(const history::indexed_run& c, const metrics::harm_case& n) {
  harm b;
  b.harm = n.kind;
  b.t = n.t;
  b.size = metrics::size_of(n);
  b.ride = ride_id{n.ride - 1};
  b.headline = fmt::format("{}: {}", history::name_of(b.ride), n.sentence);
  b.tries = n.tries;
  b.of_one_ride = b.tries.size() == 2 && for_one_ride(c.tries()[b.tries[0]], c.tries()[b.tries[1]]);
  if (n.kind == harm_kind::broken_promise) {
    const try_index rival = rival_of_promise(c, c.tries()[b.tries.front()]);
    if (rival != metrics::no_try) {
      b.tries.insert(b.tries.begin(), rival);
    }
  }
  if (n.kind == harm_kind::starved_ride) {
    find_held_near(c, n.t, b);
  } else if (!b.tries.empty()) {
    b.driver = c.tries()[b.tries.back()].driver;
  }
  return b;
}

/// The trips of a ride that are under way, in the order in which they began.
std::vector<try_index> drivers_of(const history::indexed_run& c, ride_id ride, sim_time t) {
  const auto& all = c.tries();
  std::vector<try_index> trips;
  for (try_index i = 0; i < all.size(); ++i) {
    if (all[i].ride == ride && all[i].commitment().holds(t)) {
      trips.push_back(i);
    }
  }
  std::stable_sort(trips.begin(), trips.end(), [&](try_index x, try_index y) {
    return all[x].committed < all[y].committed;
  });
  return trips;
}

harm of_violation(const history::indexed_run& c, const checkers::violation& v) {
  harm b;
  b.broken = v.broken;
  b.t = v.t;
  b.headline =
      fmt::format("{} {}: {}", lease::code_of(v.broken), lease::sentence_of(v.broken), v.what);
  if (v.event_index >= c.of().events.size()) {
    return b;
  }
  const history::subjects about = history::subjects_of(c.of().events[v.event_index].what, false);
  b.event = v.event_index;
  b.ride = about.ride;
  b.driver = about.driver;
  if (v.of_one_ride) {
    b.tries = drivers_of(c, about.ride, v.t);
    b.of_one_ride = true;
    return b;
  }
  for (try_index i = 0; i < c.tries().size(); ++i) {
    const try_record& t = c.tries()[i];
    const bool is_hers = about.driver.is_some() && t.driver == about.driver;
    const bool is_under_way =
        t.committed != never ? t.commitment().holds(v.t) : t.is_leased() && t.lease().holds(v.t);
    const bool is_it = about.token.is_some() && t.token == about.token;
    if (is_hers && (is_it || is_under_way)) {
      b.tries.push_back(i);
    }
  }
  return b;
}

/// The harms of a ride that figures of this time would count.
std::vector<harm> harms_within(const history::indexed_run& c,
                               ride_id r,
                               const time_interval& when) {
  metrics::options o = engine::metrics_options_of(c.of().scenario);
  o.series_step = sim_duration::zero();
  o.only = r;
  o.measured_from = when.begin;
  o.measured_until = when.end;
  std::vector<harm> all;
  for (const metrics::harm_case& n : metrics::recompute(c.of().events, o, c.of().end).notables) {
    if (n.kind != harm_kind::hiding_lease) {
      all.push_back(of_notable(c, n));
    }
  }
  return all;
}

/// Of other times a harm may last longer. A ride starves once, as far as it is told.
bool is_same(const harm& a, const harm& b) {
  return a.harm == b.harm && a.ride == b.ride &&
         (a.tries == b.tries || a.harm == harm_kind::starved_ride);
}

}  // namespace

bool on_one_driver(const try_record& a, const try_record& b) {
  return a.driver == b.driver && a.ride != b.ride;
}

bool for_one_ride(const try_record& a, const try_record& b) {
  return a.ride == b.ride && a.driver != b.driver;
}

std::vector<harm> harms_of(const history::indexed_run& c) {
  std::vector<harm> all;
  for (const checkers::violation& v : c.of().checks.violations) {
    all.push_back(of_violation(c, v));
  }
  for (const metrics::harm_case& n : c.of().metrics.notables) {
    all.push_back(of_notable(c, n));
  }
  return all;
}

std::vector<harm> harms_of_ride(const history::indexed_run& c, ride_id r) {
  std::vector<harm> all = harms_within(c, r, c.window());
  const std::size_t counted = all.size();
  for (harm& each : harms_within(c, r, {sim_time{}, c.of().end})) {
    const auto is_it = [&](const harm& known) { return is_same(known, each); };
    if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(counted), is_it)) {
      each.counts = false;
      each.headline += each.t < c.window().begin
                           ? " (in the warm-up: no figure counts it)"
                           : " (after the measured time: no figure counts it)";
      all.push_back(std::move(each));
    }
  }
  return all;
}

std::string text_without_harm(const history::indexed_run& c) {
  const metrics::report& figures = c.of().metrics;
  const auto value = [&](const char* name) { return figures.value(name).value_or(0); };
  std::string text =
      "no promise was broken, nobody was on two trips at once, no accept was lost, and no ride "
      "was blocked by a driver who was held for nothing";
  const double hidden = value("supply.hidden_share");
  const double left = value("rides.abandoned");
  if (hidden <= 0 && left <= 0) {
    return text;
  }
  text += ". That is not to say that all is well:";
  if (left > 0) {
    text += fmt::format(" {} of {} rides were given up ({})",
                        text::with_thousands(static_cast<std::uint64_t>(left)),
                        text::with_thousands(static_cast<std::uint64_t>(value("rides.requested"))),
                        text::format_value(value("rides.abandon_rate"), text::unit::share));
  }
  if (hidden > 0) {
    text += fmt::format("{} leases that came to nothing hid {} of the drivers' time on line",
                        left > 0 ? ", and" : "",
                        text::format_value(hidden, text::unit::share));
  }
  if (const ride_id worst = first_unmatched_ride(c); worst.is_some()) {
    text += fmt::format("; `{}` is one of those that found nobody, after {}",
                        history::name_of(worst),
                        text::plural(c.rides()[worst.value].offers, "try", "tries"));
  }
  return text;
}

ride_id first_unmatched_ride(const history::indexed_run& c) {
  const auto& rides = c.rides();
  std::size_t worst = rides.size();
  for (std::size_t r = 0; r < rides.size(); ++r) {
    const bool is_given_up = rides[r].abandoned && rides[r].first_commit == never &&
                             c.window().holds(rides[r].requested);
    if (is_given_up && (worst == rides.size() || rides[r].offers > rides[worst].offers)) {
      worst = r;
    }
  }
  return worst < rides.size() ? ride_id{static_cast<std::uint32_t>(worst)} : ride_id::none();
}

sim_time harm_instant(const history::indexed_run& c, const harm& b) {
  if (b.tries.empty()) {
    return b.t;
  }
  const try_record& last = c.tries()[b.tries.back()];
  if (!b.broken && b.harm == metrics::harm_kind::lost_accept) {
    const sim_time refused = refused_write(c, last);
    return std::min(refused == never ? last.over : std::max(last.over, refused), c.of().end);
  }
  if (!b.broken && b.harm == metrics::harm_kind::broken_promise) {
    return std::min(last.trip_over, c.of().end);
  }
  if (!b.broken && b.harm == metrics::harm_kind::hiding_lease) {
    return std::min(last.over, c.of().end);
  }
  return b.t;
}

sim_time closed_at(const history::indexed_run& c, const try_record& t) {
  return history::time_of(
      history::first_of<events::try_closed>(c.of(), [&](const auto& done, sim_time) {
        return done.token == t.token && done.driver == t.driver;
      }));
}

sim_time refused_write(const history::indexed_run& c, const try_record& t) {
  return history::time_of(
      history::first_of<events::write_refused>(c.of(), [&](const auto& no, sim_time at) {
        return no.token == t.token && no.driver == t.driver && at >= t.decided;
      }));
}

sim_time story_begin(const history::indexed_run& c, const harm& b) {
  sim_time begin = b.t;
  if (b.ride.is_some() && b.ride.value < c.rides().size()) {
    begin = std::min(begin, c.rides()[b.ride.value].requested);
  }
  for (const try_index i : b.tries) {
    begin = std::min({begin, c.tries()[i].granted, c.tries()[i].sent});
  }
  return begin;
}

std::vector<try_index> competing_tries(const history::indexed_run& c, const harm& b) {
  const bool is_confirm = b.harm == harm_kind::stale_confirm;
  std::vector<try_index> rivals;
  if (b.broken || b.tries.empty() || (!is_confirm && b.harm != harm_kind::lost_accept)) {
    return rivals;
  }
  const try_record& own = c.tries()[b.tries.back()];
  const sim_time until = is_confirm ? b.t : refused_write(c, own);
  for (try_index i = 0; i < c.tries().size(); ++i) {
    const try_record& t = c.tries()[i];
    const bool is_hers = t.driver == own.driver && t.is_leased() && t.token != own.token;
    const bool is_newer = until != never && t.granted > own.granted && t.granted <= until;
    const bool has_her = is_confirm ? t.lease().holds(b.t) : is_newer;
    const bool has_ride =
        !is_confirm && t.ride == own.ride && t.driver != own.driver && t.committed <= own.decided;
    if ((is_hers && has_her) || has_ride) {
      rivals.push_back(i);
    }
  }
  return rivals;
}

}  // namespace dibs::explain
