#include "metrics/evaluators.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace dibs::metrics {
namespace {

// -- who claimed what -----------------------------------------------------------------------------

time_interval on_screen(const try_record& t, const evaluation_context& /*e*/) {
  return t.shown != never ? t.on_screen() : time_interval{};
}

/// From the accept until it is decided. A late accept binds nobody unless it was committed.
time_interval bound_by_accept(const try_record& t, const evaluation_context& /*e*/) {
  const bool counts = t.accepted && (t.in_time || t.committed != never);
  if (!counts) {
    return {};
  }
  return {t.decided, t.committed != never ? t.trip_over : t.over};
}

time_interval on_trip(const try_record& t, const evaluation_context& /*e*/) {
  return t.commitment();
}

/// Until its matcher is done with it, or crashes.
time_interval worked_on(const try_record& t, const evaluation_context& e) {
  const sim_time begin = t.begin();
  return {begin, std::min(t.closed, e.down.first_within(t.matcher, {begin, t.closed}))};
}

exclusive_use of_driver(const try_record& t) { return {.of = t.driver.value, .by = t.ride.value}; }
exclusive_use of_ride(const try_record& t) { return {.of = t.ride.value, .by = t.driver.value}; }
exclusive_use by_matcher(const try_record& t) {
  return {.of = t.ride.value, .by = t.matcher.value};
}

/// What a try claims, and of whom.
struct question {
  time_interval (*taken)(const try_record&, const evaluation_context&);
  exclusive_use (*claimed)(const try_record&);
};
constexpr std::array<question, double_assignment_evaluator::levels> questions{
    {{&on_screen, &of_driver},
     {&bound_by_accept, &of_driver},
     {&on_trip, &of_driver},
     {&on_trip, &of_ride},
     {&worked_on, &by_matcher}}};

/// Calls `hear(question number, claim)` for all that the try claimed before the run's end.
template <class Hear>
void each_claim(try_index i, const try_record& t, const evaluation_context& e, Hear hear) {
  for (std::size_t q = 0; q < questions.size(); ++q) {
    time_interval when = questions[q].taken(t, e);
    when.end = std::min(when.end, e.end);
    if (!when.is_empty()) {
      exclusive_use c = questions[q].claimed(t);
      c.when = when;
      c.which = i;
      c.was_sent = e.window.holds(t.sent);
      hear(q, c);
    }
  }
}

using all_claims = std::array<std::vector<exclusive_use>, questions.size()>;

/// For each question those claims that may have met another: mostly few of many.
all_claims rival_claims(const std::array<overlap_index, questions.size()>& rivals,
                        const try_table& tries,
                        const evaluation_context& e) {
  all_claims all;
  if (std::ranges::none_of(rivals, [](const overlap_index& r) { return r.any(); })) {
    return all;
  }
  for (try_index i = 0; i < tries.all().size(); ++i) {
    each_claim(i, tries.at(i), e, [&](std::size_t q, const exclusive_use& c) {
      if (rivals[q].over(c)) {
        all[q].push_back(c);
      }
    });
  }
  return all;
}

// -- who met --------------------------------------------------------------------------------------

/// Calls `meet(a, b, overlap)` for each two claims by different ones on the same, `a` the earlier.
template <class Meet>
void each_meeting(std::vector<exclusive_use>& claims, Meet meet) {
  std::ranges::sort(claims, [](const exclusive_use& a, const exclusive_use& b) {
    return std::tie(a.of, a.when.begin, a.which) < std::tie(b.of, b.when.begin, b.which);
  });
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const exclusive_use& a = claims[i];
    for (std::size_t j = i + 1; j < claims.size(); ++j) {
      const exclusive_use& b = claims[j];
      if (b.of != a.of || b.when.begin >= a.when.end) {
        break;
      }
      if (b.by != a.by) {
        meet(a, b, common(a.when, b.when));
      }
    }
  }
}

/// The time covered by any of the pieces, each on its own driver.
wide_ns covered(std::vector<std::pair<std::uint32_t, time_interval>>& pieces) {
  std::ranges::sort(pieces, [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.begin) < std::tie(b.first, b.second.begin);
  });
  wide_ns total = 0;
  std::uint32_t of = 0;
  sim_time reach = sim_time::min();
  for (const auto& [driver, when] : pieces) {
    if (driver != of) {
      of = driver;
      reach = sim_time::min();
    }
    total += common(when, {reach, never}).length().count();
    reach = std::max(reach, when.end);
  }
  return total;
}

/// What two rides can have of one driver at once, and how it is told: of a driver, the other ride,
/// and for how long.
struct level {
  harm_kind what{};
  std::string_view words;
};
constexpr level same_screen{harm_kind::double_offer,
                            "{} saw its offer and that of ride {} at once, for {}"};
constexpr level both_accepted{harm_kind::double_accept,
                              "{} accepted it while she was bound to ride {}, for {}"};
constexpr level both_committed{harm_kind::double_commit,
                               "{} was committed to it and to ride {} at once, for {}"};

/// The meetings of one level: how many within the window, and their pieces in it.
struct tally {
  std::uint64_t pairs = 0;
  std::vector<std::pair<std::uint32_t, time_interval>> pieces;
};

/// Rides that met on drivers; `meet(a, b, overlap, counts)` hears of each two, and whether the
/// window holds any of it.
template <class Meet>
tally judge_level(std::vector<exclusive_use>& claims,
                  const evaluation_context& e,
                  const level& l,
                  worst_harms& found,
                  Meet meet) {
  tally all;
  each_meeting(claims, [&](const auto& a, const auto& b, const time_interval& overlap) {
    const time_interval inside = common(overlap, e.window);
    meet(a, b, overlap, !inside.is_empty());
    if (inside.is_empty()) {
      return;
    }
    ++all.pairs;
    all.pieces.emplace_back(a.of, inside);
    const auto words = [&] {
      return fmt::format(fmt::runtime(l.words),
                         describe(driver_id{a.of}),
                         std::uint64_t{a.by} + 1,
                         describe(inside.length()));
    };
    found.add(l.what,
              inside.length(),
              inside.begin,
              ride_id{b.by},
              {a.which, b.which},
              words,
              ride_id{a.by});
  });
  return all;
}

std::uint64_t count_different(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  const auto last = std::unique(numbers.begin(), numbers.end());
  return static_cast<std::uint64_t>(last - numbers.begin());
}

void judge_offers(std::vector<exclusive_use>& claims,
                  const evaluation_context& e,
                  sums_writer& figures,
                  worst_harms& found,
                  std::vector<sim_time>& met) {
  std::vector<try_index> contended;
  const auto contend = [&](const exclusive_use& c) {
    if (c.was_sent) {
      contended.push_back(c.which);
    }
  };
  tally offers = judge_level(claims,
                             e,
                             same_screen,
                             found,
                             [&](const exclusive_use& a,
                                 const exclusive_use& b,
                                 const time_interval& overlap,
                                 bool counts) {
                               met.push_back(overlap.begin);
                               if (counts) {
                                 contend(a);
                                 contend(b);
                               }
                             });
  figures.count("offers.contended", count_different(contended));
  figures.count("double.offers", offers.pairs);
  figures.time("double.offer_s", covered(offers.pieces));
}

void judge_both_accepted(std::vector<exclusive_use>& claims,
                         const evaluation_context& e,
                         sums_writer& figures,
                         worst_harms& found) {
  const tally accepts =
      judge_level(claims,
                  e,
                  both_accepted,
                  found,
                  [](const exclusive_use&, const exclusive_use&, const time_interval&, bool) {});
  figures.count("double.accepts", accepts.pairs);
}

void judge_commits(std::vector<exclusive_use>& claims,
                   const evaluation_context& e,
                   sums_writer& figures,
                   worst_harms& found,
                   std::vector<sim_time>& met) {
  tally commits = judge_level(
      claims,
      e,
      both_committed,
      found,
      [&](const exclusive_use&, const exclusive_use&, const time_interval& overlap, bool) {
        met.push_back(overlap.begin);
      });
  figures.count("double.commits", commits.pairs);
  figures.time("double.commit_s", covered(commits.pieces));
}

void judge_both_committed(std::vector<exclusive_use>& claims,
                          const evaluation_context& e,
                          sums_writer& figures,
                          worst_harms& found) {
  std::vector<std::uint32_t> rides;
  each_meeting(claims, [&](const auto& a, const auto& b, const time_interval& overlap) {
    const time_interval inside = common(overlap, e.window);
    if (inside.is_empty()) {
      return;
    }
    rides.push_back(a.of);
    found.add(harm_kind::double_commit,
              inside.length(),
              inside.begin,
              ride_id{a.of},
              {a.which, b.which},
              [&] {
                return fmt::format("{} and {} were committed to it at once, for {}",
                                   describe(driver_id{a.by}),
                                   describe(driver_id{b.by}),
                                   describe(inside.length()));
              });
  });
  figures.count("double.rides", count_different(rides));
}

void count_worked_on_twice(std::vector<exclusive_use>& claims,
                           const evaluation_context& e,
                           sums_writer& figures) {
  std::vector<std::uint32_t> rides;
  each_meeting(claims, [&](const auto& a, const auto& /*b*/, const time_interval& overlap) {
    if (!common(overlap, e.window).is_empty()) {
      rides.push_back(a.of);
    }
  });
  figures.count("double.workers", count_different(rides));
}

}  // namespace

void overlap_index::see(const exclusive_use& c) {
  if (c.of >= reach_.size()) {
    reach_.resize(std::max<std::size_t>(c.of + std::size_t{1}, reach_.size() * 2), sim_time::min());
  }
  sim_time& reach = reach_[c.of];
  if (c.when.begin < reach) {
    stretches_.push_back({c.of, c.when});
  }
  reach = std::max(reach, c.when.end);
}

void overlap_index::sort() {
  std::ranges::sort(stretches_, [](const stretch& a, const stretch& b) {
    return std::tie(a.of, a.when.begin) < std::tie(b.of, b.when.begin);
  });
  std::size_t kept = 0;
  for (const stretch& s : stretches_) {
    if (kept > 0 && stretches_[kept - 1].of == s.of &&
        s.when.begin <= stretches_[kept - 1].when.end) {
      sim_time& end = stretches_[kept - 1].when.end;
      end = std::max(end, s.when.end);
    } else {
      stretches_[kept++] = s;
    }
  }
  stretches_.resize(kept);
}

bool overlap_index::over(const exclusive_use& c) const {
  // The first that ends after the claim begins: there is no other that could hold any of it.
  const auto found =
      std::partition_point(stretches_.begin(), stretches_.end(), [&](const stretch& s) {
        return std::tie(s.of, s.when.end) <= std::tie(c.of, c.when.begin);
      });
  return found != stretches_.end() && found->of == c.of && found->when.begin < c.when.end;
}

void double_assignment_evaluator::see(try_index i,
                                      const try_record& t,
                                      const evaluation_context& e) {
  each_claim(i, t, e, [this](std::size_t q, const exclusive_use& c) { rivals_[q].see(c); });
}

first_conflicts double_assignment_evaluator::finish(const try_table& tries,
                                                    const evaluation_context& e,
                                                    sums_writer& to,
                                                    worst_harms& found) {
  first_conflicts met;
  for (overlap_index& r : rivals_) {
    r.sort();
  }
  auto [screens, accepts, commits, rides, work] = rival_claims(rivals_, tries, e);
  judge_offers(screens, e, to, found, met.offers);
  judge_both_accepted(accepts, e, to, found);
  judge_commits(commits, e, to, found, met.commits);
  judge_both_committed(rides, e, to, found);
  count_worked_on_twice(work, e, to);
  return met;
}

}  // namespace dibs::metrics
