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

/// Counts the meetings of one level, within the window.
struct level {
  const evidence& e;
  std::uint64_t pairs = 0;
  std::vector<std::pair<std::uint32_t, interval>> pieces;

  /// What of a meeting counts; empty if nothing.
  interval count(const claim& a, const interval& overlap) {
    const interval inside = common(overlap, e.window);
    if (!inside.is_empty()) {
      ++pairs;
      pieces.emplace_back(a.of, inside);
    }
    return inside;
  }
};

void add_claim(std::vector<claim>& to, const claim& c, sim_time end) {
  claim closed = c;
  closed.when.end = std::min(c.when.end, end);
  if (!closed.when.is_empty()) {
    to.push_back(closed);
  }
}

void judge_offers(try_table& tries,
                  const evidence& e,
                  sheet& figures,
                  findings& found,
                  std::vector<sim_time>& met) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    if (t.shown != never) {
      add_claim(claims, {t.driver.value, t.ride.value, t.on_screen(), i}, e.end);
    }
  }
  level offers{e, 0, {}};
  each_meeting(claims, [&](const claim& a, const claim& b, const interval& overlap) {
    met.push_back(overlap.begin);
    const interval inside = offers.count(a, overlap);
    if (inside.is_empty()) {
      return;
    }
    tries.at(a.which).contended = true;
    tries.at(b.which).contended = true;
    found.add(harm::double_offer, inside.length(), inside.begin, ride_id{b.by}, [&] {
      return fmt::format("{} saw its offer and that of ride {} at once, for {}",
                         told(driver_id{a.of}),
                         std::uint64_t{a.by} + 1,
                         told(inside.length()));
    });
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

void judge_both_accepted(const try_table& tries,
                         const evidence& e,
                         sheet& figures,
                         findings& found) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    add_claim(claims, {t.driver.value, t.ride.value, bound_by_accept(t), i}, e.end);
  }
  level accepts{e, 0, {}};
  each_meeting(claims, [&](const claim& a, const claim& b, const interval& overlap) {
    const interval inside = accepts.count(a, overlap);
    if (inside.is_empty()) {
      return;
    }
    found.add(harm::double_accept, inside.length(), inside.begin, ride_id{b.by}, [&] {
      return fmt::format("{} accepted it while she was bound to ride {}, for {}",
                         told(driver_id{a.of}),
                         std::uint64_t{a.by} + 1,
                         told(inside.length()));
    });
  });
  figures.count("double.accepts", accepts.pairs);
}

void judge_commits(const try_table& tries,
                   const evidence& e,
                   sheet& figures,
                   findings& found,
                   std::vector<sim_time>& met) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    if (t.committed != never) {
      add_claim(claims, {t.driver.value, t.ride.value, t.commitment(), i}, e.end);
    }
  }
  level commits{e, 0, {}};
  each_meeting(claims, [&](const claim& a, const claim& b, const interval& overlap) {
    met.push_back(overlap.begin);
    const interval inside = commits.count(a, overlap);
    if (inside.is_empty()) {
      return;
    }
    found.add(harm::double_commit, inside.length(), inside.begin, ride_id{b.by}, [&] {
      return fmt::format("{} was committed to it and to ride {} at once, for {}",
                         told(driver_id{a.of}),
                         std::uint64_t{a.by} + 1,
                         told(inside.length()));
    });
  });
  figures.count("double.commits", commits.pairs);
  figures.time("double.commit_s", covered(commits.pieces));
}

void judge_rides(const try_table& tries, const evidence& e, sheet& figures, findings& found) {
  std::vector<claim> claims;
  for (try_index i = 0; i < tries.all().size(); ++i) {
    const try_record& t = tries.at(i);
    if (t.committed != never) {
      add_claim(claims, {t.ride.value, t.driver.value, t.commitment(), i}, e.end);
    }
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
