#include "explain/explanation.hpp"

#include "explain/harms_of_ride.hpp"
#include "explain/timeline.hpp"
#include "history/display_names.hpp"
#include "results/headline_harm.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

namespace dibs::explain {
namespace {

using metrics::try_index;
using metrics::try_record;

void tell_harm(const history::indexed_run& c, const harm& b, timeline_scope& p) {
  for (const try_index i : b.tries) {
    add_try(c, i, p);
  }
  // What it came of belongs to it, as far as that goes: not the trip that followed.
  for (const try_index i : competing_tries(c, b)) {
    const try_record& newer = c.tries()[i];
    p.newer.insert({newer.token, newer.driver});
    p.nodes.insert(node_of(newer.matcher));
  }
  if (!b.broken && b.harm == metrics::harm_kind::hiding_lease) {
    add_rival_yes(c, c.tries()[b.tries.front()], p);
  }
  p.widen(harm_instant(c, b));
  p.widen(b.t);
  if (!b.broken && b.harm == metrics::harm_kind::starved_ride) {
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

/// What befalls the rider at the instant of a harm at which no node does anything.
std::string meaning_of(const harm& b) {
  if (!b.broken && b.harm == metrics::harm_kind::hiding_lease) {
    return "the run is over, and the lease is there still";
  }
  const bool is_starved = !b.broken && b.harm == metrics::harm_kind::starved_ride;
  return is_starved ? history::name_of(b.ride) + " waits, and nobody near it is free"
                    : "the harm is there";
}

/// A driver who was committed to more rides than the two of the harm is on all of these trips, and
/// a ride may have more drivers than two; a driver who was hidden is one of many, and nobody was
/// hurt by more than that.
std::string besides_of(const history::indexed_run& c, const harm& b) {
  if (!b.broken && b.harm == metrics::harm_kind::hiding_lease) {
    const std::vector<harm> all = harms_of(c);
    const bool hurts_nobody = std::ranges::all_of(all, [](const harm& each) {
      return !each.broken && each.harm == metrics::harm_kind::hiding_lease;
    });
    return hurts_nobody ? text_without_harm(c) : "";
  }
  if (b.further > 0) {
    return fmt::format("of the leases that held drivers near it while it waited {} {} not told of",
                       b.further,
                       b.further == 1 ? "is" : "are");
  }
  if (b.tries.size() < 2 || !b.driver.is_some() || b.harm == metrics::harm_kind::starved_ride) {
    return "";
  }
  const auto& all = c.tries();
  const time_interval both = common(all[b.tries[0]].commitment(), all[b.tries[1]].commitment());
  std::vector<std::string> others;
  for (try_index i = 0; i < all.size(); ++i) {
    const bool is_told = std::ranges::find(b.tries, i) != b.tries.end();
    const bool is_of_it = b.of_one_ride ? all[i].ride == b.ride : all[i].driver == b.driver;
    if (!is_told && is_of_it && !common(all[i].commitment(), both).is_empty()) {
      others.push_back(b.of_one_ride ? history::name_of(all[i].driver)
                                     : history::name_of(all[i].ride));
    }
  }
  const std::string names = text::word_list(others);
  if (names.empty()) {
    return "";
  }
  return b.of_one_ride ? fmt::format("in that time {} had been sent to it too", names)
                       : fmt::format("in that time she was on the trip{} of {} too",
                                     others.size() == 1 ? "" : "s",
                                     names);
}

std::vector<try_index> tries_where(const history::indexed_run& c, auto holds) {
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

/// How many offers of a ride were sent until the one that became its first trip was.
std::size_t offers_until_commit(const history::indexed_run& c, ride_id r) {
  const auto& all = c.tries();
  const auto became = std::ranges::find_if(all, [&](const try_record& t) {
    return t.ride == r && t.committed == c.rides()[r.value].first_commit;
  });
  if (became == all.end()) {
    return 0;
  }
  const sim_time sent = (*became).sent;
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [&](const try_record& t) { return t.ride == r && t.sent <= sent; }));
}

std::string outcome_of(const history::indexed_run& c, ride_id r) {
  const metrics::ride_record& ride = c.rides()[r.value];
  if (ride.first_commit != never) {
    const std::size_t until = offers_until_commit(c, r);
    return until < ride.offers
               ? fmt::format("found a driver with offer {} of {}", until, ride.offers)
               : "found a driver after " + text::plural(ride.offers, "offer", "offers");
  }
  return ride.gone != never
             ? "left without a driver after " + text::plural(ride.offers, "offer", "offers")
             : "still waits at the end of the run";
}

/// Whether a ride of the try may have been hurt, so that it is worth a look.
bool may_be_hurt(const history::indexed_run& c, const try_record& t) {
  const bool is_shared =
      t.committed != never && c.rides()[t.ride.value].first_commit != t.committed;
  return (t.accepted && t.committed == never) || t.broken || t.revoked || is_shared ||
         (t.confirmed && t.committed == never);
}

/// The rides of these tries whose harms are to be looked for: at most so many as take a moment.
std::vector<ride_id> rides_to_look_at(const history::indexed_run& c,
                                      const std::vector<try_index>& tries) {
  constexpr std::size_t rides_max = 12;
  std::vector<ride_id> rides;
  for (const try_index i : tries) {
    const try_record& t = c.tries()[i];
    const bool meets = std::ranges::any_of(tries, [&](try_index j) {
      const try_record& other = c.tries()[j];
      return t.ride != other.ride && t.driver == other.driver && t.committed != never &&
             other.committed != never && !common(t.commitment(), other.commitment()).is_empty();
    });
    const bool is_known = std::ranges::find(rides, t.ride) != rides.end();
    if (!is_known && rides.size() < rides_max && (meets || may_be_hurt(c, t))) {
      rides.push_back(t.ride);
    }
  }
  return rides;
}

/// All harms that hold, of the run's list and of these rides: what counts and what it promised
/// first.
std::vector<harm> harms_where(const history::indexed_run& c,
                              const std::vector<ride_id>& rides,
                              auto holds) {
  std::vector<harm> all = harms_of(c);
  for (const ride_id r : rides) {
    for (harm& each : harms_of_ride(c, r)) {
      const bool is_there = std::ranges::any_of(
          all, [&](const harm& known) { return known.headline == each.headline; });
      if (!is_there) {
        all.push_back(std::move(each));
      }
    }
  }
  std::erase_if(all, [&](const harm& each) { return !holds(each); });
  std::ranges::stable_sort(all, [](const harm& x, const harm& y) {
    return std::tuple(!x.counts, !x.broken, x.harm) < std::tuple(!y.counts, !y.broken, y.harm);
  });
  return all;
}

bool has_try(const history::indexed_run& c, const harm& b, auto holds) {
  return std::ranges::any_of(b.tries, [&](try_index i) { return holds(c.tries()[i]); });
}

/// What is to be told, before it is told.
struct draft {
  timeline_scope about;
  explanation told;
};

/// The tries, and the first of the harms; the others by their headlines.
void tell_harms(const history::indexed_run& c, const std::vector<harm>& known, draft& d) {
  constexpr std::size_t others_max = 5;
  for (const try_index i : d.told.tries) {
    add_try(c, i, d.about);
  }
  if (known.empty()) {
    return;
  }
  d.told.harm = known.front();
  tell_harm(c, known.front(), d.about);
  for (std::size_t i = 1; i < known.size() && i <= others_max; ++i) {
    d.told.besides += (i > 1 ? "; " : "harmed as well: ") + known[i].headline;
  }
  if (known.size() > others_max + 1) {
    d.told.besides += fmt::format("; and {} more", known.size() - others_max - 1);
  }
}

result<draft> draft_of(const history::indexed_run& c, const subject& s) {
  draft d;
  const auto tell_of_try = [&](const std::vector<harm>& known) { tell_harms(c, known, d); };
  if (const auto* n = std::get_if<harm_number>(&s)) {
    const std::vector<harm> harms = harms_of(c);
    if (n->value == 0 || n->value > harms.size()) {
      return failure(exit_code::usage,
                     harms.empty()
                         ? "the run has no breach: " + text_without_harm(c)
                         : fmt::format("the run has no breach {}; there are 1 to {}, the worst "
                                       "three of each kind",
                                       n->value,
                                       harms.size()));
    }
    const harm& b = harms[n->value - 1];
    d.told.headline = b.headline;
    d.told.tries = b.tries;
    tell_of_try({b});
    d.about.faults_until = std::max(harm_instant(c, b), b.t);
  } else if (const auto* r = std::get_if<ride_id>(&s)) {
    if (r->value >= c.rides().size() || c.rides()[r->value].requested == never) {
      return no_such(history::name_of(*r));
    }
    d.about.all_of_ride = *r;
    d.told.headline = fmt::format("{} {}", history::name_of(*r), outcome_of(c, *r));
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.ride == *r; });
    tell_of_try(harms_where(c, {*r}, [&](const harm& b) {
      return b.ride == *r || (b.harm != metrics::harm_kind::starved_ride &&
                              has_try(c, b, [&](const try_record& t) { return t.ride == *r; }));
    }));
    d.about.widen(c.rides()[r->value].requested);
  } else if (const auto* who = std::get_if<driver_id>(&s)) {
    if (who->value >= c.of().scenario.drivers.count) {
      return no_such(history::name_of(*who));
    }
    d.about.all_of_driver = *who;
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.driver == *who; });
    const auto trips = std::ranges::count_if(
        d.told.tries, [&](try_index i) { return c.tries()[i].committed != never; });
    d.told.headline = fmt::format("{}: {}, {}",
                                  history::name_of(*who),
                                  text::plural(d.told.tries.size(), "try", "tries"),
                                  text::plural(static_cast<std::size_t>(trips), "trip", "trips"));
    tell_of_try(harms_where(c, rides_to_look_at(c, d.told.tries), [&](const harm& b) {
      return b.driver == *who ||
             (b.harm != metrics::harm_kind::starved_ride &&
              has_try(c, b, [&](const try_record& t) { return t.driver == *who; }));
    }));
  } else {
    const token_id token = std::get<token_id>(s);
    d.told.tries = tries_where(c, [&](const try_record& t) { return t.token == token; });
    if (d.told.tries.empty()) {
      return no_such(history::name_of(token));
    }
    const try_index i = d.told.tries.front();
    const try_record& t = c.tries()[i];
    d.told.headline = fmt::format("{} on {} for {}",
                                  history::name_of(token),
                                  history::name_of(t.driver),
                                  history::name_of(t.ride));
    tell_of_try(harms_where(c, {t.ride}, [&](const harm& b) {
      return std::ranges::find(b.tries, i) != b.tries.end();
    }));
  }
  return d;
}

/// Whether something of the story happens within a second of it.
bool is_near(const std::vector<timeline_step>& steps, sim_time t) {
  constexpr sim_duration near = 1s;
  return std::ranges::any_of(
      steps, [&](const timeline_step& s) { return s.t >= t - near && s.t <= t + near; });
}

/// Healed at its beginning it does not happen, at its end it does.
time_interval decisive(const point_of_no_return& t) {
  return {*t.last_avoidable, *t.first_unavoidable + 1ns};
}

/// Nothing of the harm's own story happens near the turn, whatever else is told with it, nothing at
/// all befalls its rides, drivers and nodes just then, and nothing that decides it is due. A ride
/// that starves does nothing but wait, a lease that hides a driver nothing but stay, and a wrong
/// clock nothing but run, and a node that is out nothing at all: any instant of that is of its
/// story.
bool is_aside(const history::indexed_run& c,
              const explain::harm& harm,
              const root_cause& learnt,
              const point_of_no_return& found) {
  timeline_scope own;
  tell_harm(c, harm, own);
  const time_interval then = decisive(found);
  const bool is_due = learnt.decided && then.holds(*learnt.decided);
  const bool runs_wrong = learnt.lasts && then.begin >= own.when.begin;
  const bool lasts = found.is_by_length && own.when.holds(*found.first_unavoidable);
  return !is_due && !runs_wrong && !is_near(steps_of(c, own, {}), *found.first_unavoidable) &&
         !has_event(c, own, then) && !(found.since && *found.first_unavoidable >= *found.since) &&
         !lasts;
}

bool is_before_tries(const history::indexed_run& c, const explain::harm& harm, sim_time turn) {
  return !harm.tries.empty() && std::ranges::all_of(harm.tries, [&](try_index i) {
    return turn < std::min(c.tries()[i].granted, c.tries()[i].sent);
  });
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
    return harm_number{n};
  }
  if (kind == "ride") {
    return ride_id{n - 1};
  }
  return kind == "driver" ? subject{driver_id{n - 1}} : subject{token_id{n}};
}

subject most_telling(const history::indexed_run& c) {
  const auto& harms = c.of().metrics.notables;
  if (c.of().checks.violations.empty() && !harms.empty()) {
    const std::size_t place = results::headline_harm(harms, c.of().scenario.incident);
    return harm_number{static_cast<std::uint32_t>(place + 1)};
  }
  const ride_id left = first_unmatched_ride(c);
  const bool is_calm = harms_of(c).empty();
  return is_calm && left.is_some() ? subject{left} : subject{harm_number{1}};
}

std::string words_of(const subject& s) {
  if (const auto* n = std::get_if<harm_number>(&s)) {
    return fmt::format("breach {}", n->value);
  }
  if (const auto* r = std::get_if<ride_id>(&s)) {
    return history::name_of(*r);
  }
  const auto* d = std::get_if<driver_id>(&s);
  return d != nullptr ? history::name_of(*d) : history::name_of(std::get<token_id>(s));
}

namespace {

/// What there is to learn of its harm, and from when on that was unavoidable.
void judge(const history::indexed_run& c,
           const explanation_options& how,
           explanation& t,
           timeline_scope& about) {
  t.learnt = root_cause_of(c, *t.harm);
  about.decided = t.learnt->decided;
  about.harm = harm_event(c, *t.harm);
  t.turn = how.find_turn ? how.find_turn(*t.harm) : std::nullopt;
  const std::string others = besides_of(c, *t.harm);
  t.besides += (t.besides.empty() || others.empty() ? "" : "; ") + others;
  const auto turn = t.unavoidable();
  if (turn && is_aside(c, *t.harm, *t.learnt, *t.turn)) {
    t.turn->by = is_before_tries(c, *t.harm, *turn) ? inconclusive_reason::rules
                                                    : inconclusive_reason::aside;
    if (how.look_before) {
      how.look_before(*t.harm, *t.turn);
    }
  } else if (turn) {
    about.decisive = decisive(*t.turn);
  }
  if (t.turn && t.turn->by == inconclusive_reason::mixed && t.learnt->by_rule) {
    t.turn->by = inconclusive_reason::courses;
  }
}

/// What lies beyond the stretch that is told is not marked.
void mark_harm(const history::indexed_run& c, const explanation_options& how, explanation& t) {
  const std::string& due = t.learnt->then;
  const auto turn = t.unavoidable();
  const auto decided = t.decided();
  if (turn && how.within.holds(*turn)) {
    const bool is_due = decided && decisive(*t.turn).holds(*decided);
    if (timeline_step* const act = is_due ? step_at(t.steps, *decided) : nullptr) {
      act->is = step_mark::unavoidable;
    } else {
      set_mark(t.steps,
               *turn,
               step_mark::unavoidable,
               is_due && !due.empty() ? due : "from here on the harm cannot be avoided");
    }
  } else if (!turn && decided && how.within.holds(*decided)) {
    if (timeline_step* const act = step_at(t.steps, *decided)) {
      act->is = step_mark::decided;
    } else {
      set_mark(t.steps, *decided, step_mark::decided, due.empty() ? "here it is decided" : due);
    }
  }
  const auto own = std::find_if(
      t.steps.begin(), t.steps.end(), [](const timeline_step& s) { return s.is_harm; });
  if (own != t.steps.end()) {
    (*own).is = step_mark::harm;
    return;
  }
  const sim_time harm = harm_instant(c, *t.harm);
  if (!how.within.holds(harm)) {
    return;
  }
  const bool is_hiding = !t.harm->broken && t.harm->harm == metrics::harm_kind::hiding_lease;
  set_mark(t.steps,
           harm,
           step_mark::harm,
           meaning_of(*t.harm),
           is_hiding ? std::optional(node_kind::lease_manager) : std::nullopt);
}

/// How far each step is from the nearest that is marked, or from the first where none is.
std::vector<std::size_t> far_from_marks(const std::vector<timeline_step>& steps) {
  std::vector<std::size_t> marked;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].is != step_mark::none) {
      marked.push_back(i);
    }
  }
  std::vector<std::size_t> far(steps.size(), SIZE_MAX);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const std::size_t m : marked) {
      far[i] = std::min(far[i], i < m ? m - i : i - m);
    }
    far[i] = marked.empty() ? i : far[i];
  }
  return far;
}

/// Keeps what is marked and what lies nearest to it: what led to the harm matters more than what
/// came long before it.
void cut(std::size_t steps_max, explanation& t) {
  if (t.steps.size() <= steps_max) {
    return;
  }
  const std::vector<std::size_t> far = far_from_marks(t.steps);
  std::vector<std::size_t> kept(t.steps.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::ranges::stable_sort(kept, [&](std::size_t a, std::size_t b) { return far[a] < far[b]; });
  kept.resize(steps_max);
  std::ranges::sort(kept);
  std::vector<timeline_step> steps;
  std::size_t next = 0;
  for (const std::size_t i : kept) {
    steps.push_back(std::move(t.steps[i]));
    steps.back().skipped = i - next;
    next = i + 1;
  }
  t.left_out = t.steps.size() - steps_max;
  t.steps = std::move(steps);
}

}  // namespace

result<explanation> explanation_of(const history::indexed_run& c,
                                   const subject& s,
                                   const explanation_options& how) {
  auto d = draft_of(c, s);
  if (!d) {
    return tl::unexpected<error>(d.error());
  }
  explanation t = std::move(d->told);
  if (t.harm) {
    judge(c, how, t, d->about);
  }
  t.steps = steps_of(c, d->about, how);
  if (d->about.when.is_empty()) {
    // A driver to whom no offer went: there is only what she did herself.
    d->about.widen(t.steps.empty() ? c.window().begin : t.steps.front().t);
  }
  if (t.harm) {
    mark_harm(c, how, t);
    t.messages = history::messages_in_flight(c, t.harm->tries);
  } else if (t.tries.size() <= 16) {
    t.messages = history::messages_in_flight(c, t.tries);
  }
  t.by_wall = c.clocks().by_wall();
  t.crossings = history::message_crossings(c, t.messages);
  t.span = d->about.when;
  cut(how.steps_max, t);
  return t;
}

}  // namespace dibs::explain
