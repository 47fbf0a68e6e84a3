#include "metrics/judges.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace dibs::metrics {
namespace {

/// For a while, one of these (a driver, or a ride) was taken by another.
struct claim {
  std::uint32_t of = 0;
  std::uint32_t by = 0;
  interval when;
  try_index which = no_try;
};

/// Calls `meet(a, b, overlap)` for each two claims by different ones on the same, `a` the earlier.
template <class Meet>
void each_meeting(std::vector<claim>& claims, Meet meet) {
  std::sort(claims.begin(), claims.end(), [](const claim& a, const claim& b) {
    return std::tie(a.of, a.when.begin, a.which) < std::tie(b.of, b.when.begin, b.which);
  });
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const claim& a = claims[i];
    for (std::size_t j = i + 1; j < claims.size(); ++j) {
      const claim& b = claims[j];
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
wide_ns covered(std::vector<std::pair<std::uint32_t, interval>>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) {
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
  harm what{};
  std::string_view words;
};
constexpr level same_screen{harm::double_offer,
                            "{} saw its offer and that of ride {} at once, for {}"};
constexpr level both_accepted{harm::double_accept,
                              "{} accepted it while she was bound to ride {}, for {}"};
constexpr level both_committed{harm::double_commit,
                               "{} was committed to it and to ride {} at once, for {}"};

/// The meetings of one level: how many within the window, and their pieces in it.
struct tally {
  std::uint64_t pairs = 0;
  std::vector<std::pair<std::uint32_t, interval>> pieces;
};

void add_claim(std::vector<claim>& to, const claim& c, sim_time end) {
  claim closed = c;
  closed.when.end = std::min(c.when.end, end);
  if (!closed.when.is_empty()) {
    to.push_back(closed);
  }
}

/// Rides that met on drivers; `taken(try)` says when a try took its driver, and `meet(a, b,
/// overlap, counts)` hears of each two, and whether the window holds any of it.
template <class Taken, class Meet>
tally judge_level(const try_table& tries,
                  const evidence& e,
                  const level& l,
                  findings& found,
                  Taken taken,
                  Meet meet) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    add_claim(claims, {t.driver.value, t.ride.value, taken(t), i}, e.end);
  }
  tally all;
  each_meeting(claims, [&](const claim& a, const claim& b, const interval& overlap) {
    const interval inside = common(overlap, e.window);
    meet(a, b, overlap, !inside.is_empty());
    if (inside.is_empty()) {
      return;
    }
    ++all.pairs;
    all.pieces.emplace_back(a.of, inside);
    const auto words = [&] {
      return fmt::format(fmt::runtime(l.words),
                         told(driver_id{a.of}),
                         std::uint64_t{a.by} + 1,
                         told(inside.length()));
    };
    found.add(l.what, inside.length(), inside.begin, ride_id{b.by}, words, ride_id{a.by});
  });
  return all;
}

void judge_offers(try_table& tries,
                  const evidence& e,
                  sheet& figures,
                  findings& found,
                  std::vector<sim_time>& met) {
  tally offers = judge_level(
      tries,
      e,
      same_screen,
      found,
      [](const try_record& t) { return t.shown != never ? t.on_screen() : interval{}; },
      [&](const claim& a, const claim& b, const interval& overlap, bool counts) {
        met.push_back(overlap.begin);
        tries.at(a.which).contended = tries.at(a.which).contended || counts;
        tries.at(b.which).contended = tries.at(b.which).contended || counts;
      });
  figures.count("double.offers", offers.pairs);
  figures.time("double.offer_s", covered(offers.pieces));
}

/// From the accept until it is settled. A late accept binds nobody unless it was committed.
interval bound_by_accept(const try_record& t) {
  const bool counts = t.accepted && (t.in_time || t.committed != never);
  if (!counts) {
    return {};
  }
  return {t.decided, t.committed != never ? t.trip_over : t.over};
}

interval on_trip(const try_record& t) { return t.committed != never ? t.commitment() : interval{}; }

void judge_both_accepted(const try_table& tries,
                         const evidence& e,
                         sheet& figures,
                         findings& found) {
  const tally accepts = judge_level(tries,
                                    e,
                                    both_accepted,
                                    found,
                                    bound_by_accept,
                                    [](const claim&, const claim&, const interval&, bool) {});
  figures.count("double.accepts", accepts.pairs);
}

void judge_commits(const try_table& tries,
                   const evidence& e,
                   sheet& figures,
                   findings& found,
                   std::vector<sim_time>& met) {
  tally commits = judge_level(tries,
                              e,
                              both_committed,
                              found,
                              on_trip,
                              [&](const claim&, const claim&, const interval& overlap, bool) {
                                met.push_back(overlap.begin);
                              });
  figures.count("double.commits", commits.pairs);
  figures.time("double.commit_s", covered(commits.pieces));
}

void judge_rides(const try_table& tries, const evidence& e, sheet& figures, findings& found) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    add_claim(claims, {t.ride.value, t.driver.value, on_trip(t), i}, e.end);
  }
  std::vector<std::uint32_t> rides;
  each_meeting(claims, [&](const claim& a, const claim& b, const interval& overlap) {
    const interval inside = common(overlap, e.window);
    if (inside.is_empty()) {
      return;
    }
    rides.push_back(a.of);
    found.add(harm::double_commit, inside.length(), inside.begin, ride_id{a.of}, [&] {
      return fmt::format("{} and {} were committed to it at once, for {}",
                         told(driver_id{a.by}),
                         told(driver_id{b.by}),
                         told(inside.length()));
    });
  });
  std::sort(rides.begin(), rides.end());
  rides.erase(std::unique(rides.begin(), rides.end()), rides.end());
  figures.count("double.rides", rides.size());
}

}  // namespace

meetings judge_doubles(try_table& tries, const evidence& e, sheet& figures, findings& harms_found) {
  meetings met;
  judge_offers(tries, e, figures, harms_found, met.offers);
  judge_both_accepted(tries, e, figures, harms_found);
  judge_commits(tries, e, figures, harms_found, met.commits);
  judge_rides(tries, e, figures, harms_found);
  return met;
}

}  // namespace dibs::metrics
