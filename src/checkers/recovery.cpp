#include "checkers/recovery.hpp"

#include "base/saturating_add.hpp"

#include <tsl/hopscotch_map.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace dibs::checkers {
namespace {

using events::call;

double square_between(const point& a, const point& b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return x * x + y * y + z * z;
}

template <class Spell>
bool earlier(const Spell& a, const Spell& b) {
  return a.from < b.from;
}

/// Spells by where they were, in squares of an eighth of the search radius.
template <class Spell>
class squares {
 public:
  explicit squares(std::optional<double> radius) : radius_(radius) {}

  void add(const Spell& s) { cells_[key_of(square_of(s.place))].all.push_back(&s); }

  /// Those within reach of the place that had begun by `until` and were not over at `from`, as far
  /// as they may be among the `count` nearest. Whoever was there all the while stands before all
  /// who are farther away, save before herself: so nobody beyond the `count` + 1 nearest of these
  /// matters. Requires: `from` and `until` never go back.
  void near(const point& place,
            sim_time from,
            sim_time until,
            std::size_t count,
            std::vector<const Spell*>& found) {
    found.clear();
    all_the_while_.clear();
    const square centre = square_of(place);
    const int rings = radius_ ? squares_per_radius : 0;
    for (int ring = 0; ring <= rings; ++ring) {
      for_each_square(centre, ring, [&](square at) {
        if (const auto c = cells_.find(key_of(at)); c != cells_.end()) {
          look(c.value(), place, from, until, found);
        }
      });
      if (ring < rings && all_the_while_.size() > count && reach_of(count) < room_in(ring)) {
        break;
      }
    }
    if (all_the_while_.size() > count) {
      std::erase_if(found, [&place, reach = reach_of(count)](const Spell* s) {
        return square_between(s->place, place) > reach;
      });
    }
  }

 private:
  static constexpr int squares_per_radius = 8;

  struct cell {
    std::vector<const Spell*> all;  ///< in the order of their begin
    std::vector<const Spell*> open;
    std::size_t next = 0;
  };

  struct square {
    std::int32_t column = 0;
    std::int32_t row = 0;
  };

  /// How far away, squared, everyone is who is beyond this ring around a place's square. A place on
  /// an edge may have been rounded into either square.
  double room_in(int ring) const {
    constexpr double rounding_m = 1e-6;
    const double room = std::max(0.0, ring * *radius_ / squares_per_radius - rounding_m);
    return room * room;
  }

  square square_of(const point& p) const {
    const auto line = [this](double metres) {
      // With a radius of a hair the outermost square takes all beyond it, who are no nearer.
      constexpr double last = std::numeric_limits<std::int32_t>::max();
      const double which = std::floor(metres / *radius_ * squares_per_radius);
      return static_cast<std::int32_t>(std::clamp(which, -last, last));
    };
    return radius_ ? square{line(p.x), line(p.y)} : square{};
  }

  static std::uint64_t key_of(square s) {
    return std::uint64_t{static_cast<std::uint32_t>(s.column)} << 32 |
           static_cast<std::uint32_t>(s.row);
  }

  template <class Visit>
  static void for_each_square(square centre, int ring, const Visit& visit) {
    for (int i = -ring; i <= ring; ++i) {
      const bool is_edge = i == -ring || i == ring;
      for (int j = -ring; j <= ring; j += is_edge || ring == 0 ? 1 : 2 * ring) {
        visit(square{centre.column + i, centre.row + j});
      }
    }
  }

  /// How far away, squared, the `count` + 1 nearest are who were there all the while.
  double reach_of(std::size_t count) {
    const auto last = all_the_while_.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(all_the_while_.begin(), last, all_the_while_.end());
    return *last;
  }

  void look(cell& c,
            const point& place,
            sim_time from,
            sim_time until,
            std::vector<const Spell*>& found) {
    while (c.next < c.all.size() && c.all[c.next]->from <= until) {
      c.open.push_back(c.all[c.next++]);
    }
    std::erase_if(c.open, [from](const Spell* s) { return s->until <= from; });
    for (const Spell* s : c.open) {
      const double distance = square_between(s->place, place);
      if (radius_ && distance > *radius_ * *radius_) {
        continue;
      }
      found.push_back(s);
      if (s->from <= from && until <= s->until) {
        all_the_while_.push_back(distance);
      }
    }
  }

  std::optional<double> radius_;
  tsl::hopscotch_pg_map<std::uint64_t, cell> cells_;  // a prime number of buckets, for such keys
  std::vector<double> all_the_while_;  ///< of the search under way: distances, squared
};

}  // namespace

// -- drivers -------------------------------------------------------------------------------------

void recovery::judge(const events::driver_came_online& f, const event_context& s) {
  if (is_on(s)) {
    of(f.driver).is_online = true;
    moves(f.driver, 0, s);
    of(f.driver).place = f.place;
  }
}

void recovery::judge(const events::driver_went_offline& f, const event_context& s) {
  if (is_on(s)) {
    of(f.driver).is_online = false;
    moves(f.driver, 0, s);
  }
}

void recovery::judge(const events::trip_ended& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  moves(f.driver, s.trip() != nullptr ? -1 : 0, s);
  of(f.driver).place = f.place;
}

void recovery::judge(const events::assignment_revoked& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  if (s.trip() != nullptr) {
    moves(f.driver, -1, s);
  }
  ride_ended(f.ride, s);
}

void recovery::moves(driver_id d, int busy, const event_context& s, int asked) {
  free_driver& one = of(d);
  note_free(d, one, s.t, free_);
  one.busy += busy;
  one.asked_for += asked;
  one.since = one.is_online && one.busy <= 0 ? s.t : never;
  if (free_.size() + idle_.size() > std::max(joined_at_, s.what.recovery->joined_at)) {
    join_spells(s);
  }
}

void recovery::note_free(driver_id d,
                         const free_driver& one,
                         sim_time until,
                         std::vector<free_spell>& to) {
  if (one.since != never && one.since < until) {
    to.push_back({d, one.asked_for > 0, one.place, one.since, until});
  }
}

// -- rides ---------------------------------------------------------------------------------------

void recovery::judge(const events::ride_requested& f, const event_context& s) {
  if (waiting_ride* const ride = is_on(s) ? of(f.ride) : nullptr) {
    ride->origin = f.origin;
    idles(*ride, s);
  }
}

void recovery::judge(const events::call_made& f, const event_context& s) {
  if (is_on(s) && f.what == call::acquire) {
    if (waiting_ride* const ride = of(f.ride)) {
      stops_idling(f.ride, *ride, s);
      tries(*ride, f.driver);
      ride->held = token_id::none();
      ++ride->under_way;
    }
    asked_for_[matcher_id{f.client.index()}].push_back({f.driver, f.ride});
    moves(f.driver, 0, s, 1);
  }
}

void recovery::judge(const events::lease_granted& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  moves(f.driver, 1, s);
  if (waiting_ride* const ride = of(f.ride)) {
    ride->held = f.token;
  }
}

void recovery::judge(const events::lease_denied& f, const event_context& s) {
  if (waiting_ride* const ride = is_on(s) ? of(f.ride) : nullptr) {
    tries(*ride, f.driver);
  }
}

void recovery::judge(const events::try_closed& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  ends_try(f.matcher, {f.driver, f.ride}, s);
  waiting_ride* const ride = of(f.ride);
  if (f.cause != events::try_ending::committed && ride != nullptr && ride->under_way == 0) {
    idles(*ride, s);
  }
}

// A matcher that crashes forgets its tries.
void recovery::judge(const events::node_crashed& f, const event_context& s) {
  goes_down(f.node, s);
  if (is_on(s) && f.node.kind() == node_kind::matcher) {
    for (const asked_for& a : std::exchange(asked_for_[matcher_id{f.node.index()}], {})) {
      if (waiting_ride* const ride = of(a.ride)) {
        --ride->under_way;
      }
      moves(a.driver, 0, s, -1);
    }
  }
}

void recovery::ends_try(matcher_id m, const asked_for& what, const event_context& s) {
  auto& all = asked_for_[m];
  const auto found = std::ranges::find(all, what);
  if (found == all.end()) {
    return;
  }
  all.erase(found);
  moves(what.driver, 0, s, -1);
  if (waiting_ride* const ride = of(what.ride)) {
    --ride->under_way;
    for (asked_before& a : ride->tried) {
      a.last = a.driver == what.driver ? s.t : a.last;
    }
  }
}

void recovery::judge(const events::lease_ended& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  if (s.token() != nullptr && s.token()->is_live()) {
    moves(f.driver, -1, s);
    judge_orphan(*s.token(), s);
  }
  // Its holder, if it is alive, knows what it does for the ride.
  waiting_ride* const ride = of(f.ride);
  if (ride != nullptr && ride->held == f.token && s.token() != nullptr &&
      is_orphan(*s.token(), s)) {
    idles(*ride, s);
  }
}

void recovery::judge(const events::trip_committed& f, const event_context& s) {
  if (!is_on(s)) {
    return;
  }
  const bool was_leased = s.token() != nullptr && s.token()->is_live();
  moves(f.driver, was_leased ? 0 : 1, s);
  ride_ended(f.ride, s);
}

void recovery::idles(waiting_ride& one, const event_context& s) {
  one.idle_since = std::min(one.idle_since, s.t);
}

void recovery::stops_idling(ride_id r, waiting_ride& one, const event_context& s) {
  if (one.idle_since == never) {
    return;
  }
  const sim_time from = std::max(one.idle_since, calm_since(s));
  if (s.t > from && s.t - from > s.what.recovery->within) {
    idle_.push_back({r, one.origin, from, s.t, s.index, one.tried});
  }
  one.idle_since = never;
}

void recovery::ride_ended(ride_id r, const event_context& s) {
  waiting_ride* const one = is_on(s) ? of(r) : nullptr;
  if (one == nullptr) {
    return;
  }
  stops_idling(r, *one, s);
  one->tried.clear();
  left_.push_back(std::exchange(slot_of_[r.value], closed));
}

void recovery::tries(waiting_ride& one, driver_id d) {
  const auto before = std::ranges::find(one.tried, d, &asked_before::driver);
  if (before == one.tried.end()) {
    one.tried.push_back({d});
  } else {
    before->last = never;
  }
}

// -- faults --------------------------------------------------------------------------------------

void recovery::judge(const events::work_failed&, const event_context& s) {
  strikes(sim_duration::zero(), s);
}

void recovery::goes_down(node_id n, const event_context& s) {
  if (is_on(s)) {
    out_.insert(n);
  }
}

void recovery::comes_back(node_id n, const event_context& s) {
  if (is_on(s)) {
    out_.erase(n);
    strikes(sim_duration::zero(), s);
  }
}

void recovery::strikes(sim_duration for_so_long, const event_context& s) {
  if (is_on(s)) {
    calm_from_ = std::max(
        calm_from_, saturating_add(saturating_add(s.t, for_so_long), s.what.recovery->settling));
  }
}

sim_time recovery::calm_since(const event_context& s) const {
  return out_.empty() ? std::max(s.what.recovery->from, calm_from_) : never;
}

// -- what is joined ------------------------------------------------------------------------------

bool recovery::is_orphan(const token_record& r, const event_context& s) {
  const outage* const dead = s.so_far.last_crash_of(node_of(r.holder));
  return r.holder.is_some() && dead != nullptr && r.since <= dead->down;
}

void recovery::judge_orphan(const token_record& r, const event_context& s) const {
  if (s.what.recovery->orphans_end && is_orphan(r, s) && s.t > calm_since(s)) {
    s.report_violation(invariant::service_recovers,
                       "token {} still held driver {} for a holder that crashed at {:.3f} s",
                       r.token.value,
                       ordinal(r.driver),
                       in_seconds(s.so_far.last_crash_of(node_of(r.holder))->down));
  }
}

void recovery::finish(const event_context& s, std::span<const record_index> live) {
  if (!is_on(s)) {
    return;
  }
  for (const record_index i : live) {
    judge_orphan(s.so_far.at(i), s);
  }
  for (std::uint32_t r = 0; r < slot_of_.size(); ++r) {
    if (const slot at = slot_of_[r]; at != 0 && at != closed) {
      stops_idling(ride_id{r}, rides_[at - 1], s);
    }
  }
  judge_spells(s);
  std::ranges::stable_sort(overlooked_, earlier<unserved_match>);
  for (const unserved_match& o : overlooked_) {
    s.violations.enter(invariant::service_recovers,
                       o.from + s.what.recovery->within,
                       o.index,
                       "ride {} waited for {:.3f} s without a try although driver {} was free",
                       ordinal(o.ride),
                       in_seconds(o.until - o.from),
                       ordinal(o.driver));
  }
}

// Those who have waited are judged, and whoever waits now, or will, meets nobody who was free
// before that: each is judged by the same spells as at the end of the run.
void recovery::join_spells(const event_context& s) {
  judge_spells(s);
  idle_.clear();
  std::erase_if(free_,
                [oldest = longest_wait(s)](const free_spell& f) { return f.until <= oldest; });
  // To join takes as long as there are drivers and spells: so many are new before the next time.
  joined_at_ = free_.size() * 2 + drivers_.size();
}

std::vector<recovery::free_spell> recovery::all_free(sim_time now) const {
  std::vector<free_spell> all = free_;
  for (std::uint32_t d = 0; d < drivers_.size(); ++d) {
    note_free(driver_id{d}, drivers_[d], now, all);
  }
  return all;
}

sim_time recovery::longest_wait(const event_context& s) const {
  sim_time since = s.t;
  for (const waiting_ride& one : rides_) {
    since = std::min(since, one.idle_since);
  }
  return std::max({since, s.what.recovery->from, calm_from_});
}

void recovery::judge_spells(const event_context& s) {
  if (idle_.empty()) {
    return;
  }
  std::vector<free_spell> free = all_free(s.t);
  std::ranges::sort(free, [](const free_spell& a, const free_spell& b) {
    return std::tie(a.from, a.driver) < std::tie(b.from, b.driver);
  });
  std::ranges::stable_sort(idle_, earlier<idle_spell>);
  squares<free_spell> places(s.what.recovery->radius);
  for (const free_spell& f : free) {
    places.add(f);
  }
  std::vector<const free_spell*> near;
  for (const idle_spell& wait : idle_) {
    // A later wait may ask about an earlier end than one before it, so all that begin in time stay.
    places.near(wait.origin, wait.from, wait.until, s.what.recovery->candidates, near);
    const driver_id d = overlooked_by(wait, near, s);
    if (d.is_some()) {
      overlooked_.push_back({wait.ride, d, wait.from, wait.until, wait.index});
    }
  }
}

sim_time recovery::free_for(const idle_spell& wait, driver_id d, const event_context& s) {
  const auto tried = std::ranges::find(wait.tried, d, &asked_before::driver);
  if (tried == wait.tried.end()) {
    return sim_time{};
  }
  const bool rests_for_good = tried->last == never || s.what.recovery->rest == forever;
  return rests_for_good ? never : saturating_add(tried->last, s.what.recovery->rest);
}

driver_id recovery::overlooked_by(const idle_spell& wait,
                                  const std::vector<const free_spell*>& near,
                                  const event_context& s) {
  for (const free_spell* f : near) {
    const sim_time from = std::max({f->from, wait.from, free_for(wait, f->driver, s)});
    const sim_time until = std::min(f->until, wait.until);
    const bool long_enough = from < until && until - from > s.what.recovery->within;
    if (f->is_asked_for || !long_enough) {
      continue;
    }
    const double distance = square_between(f->place, wait.origin);
    const auto nearer = std::ranges::count_if(near, [&](const free_spell* other) {
      return other->driver != f->driver && other->from < until && other->until > from &&
             square_between(other->place, wait.origin) <= distance;
    });
    if (std::cmp_less(nearer, s.what.recovery->candidates)) {
      return f->driver;
    }
  }
  return driver_id::none();
}

bool recovery::is_on(const event_context& s) const {
  return s.what.recovery && s.violations.judges(invariant::service_recovers);
}

recovery::waiting_ride* recovery::of(ride_id r) {
  slot& at = slot_of_.grown(r.value);
  if (at == closed) {
    return nullptr;
  }
  if (at == 0 && !left_.empty()) {
    at = left_.back();
    left_.pop_back();
    waiting_ride one;
    one.tried = std::move(rides_[at - 1].tried);  // for its room
    rides_[at - 1] = std::move(one);
  } else if (at == 0) {
    rides_.emplace_back();
    at = static_cast<slot>(rides_.size());
  }
  return &rides_[at - 1];
}

recovery::free_driver& recovery::of(driver_id d) {
  if (d.value >= drivers_.size()) {
    drivers_.resize(std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2));
  }
  return drivers_[d.value];
}

}  // namespace dibs::checkers
