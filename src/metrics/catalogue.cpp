#include "metrics/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace dibs::metrics {
namespace {

constexpr auto more = direction::more_is_better;
constexpr auto less = direction::less_is_better;
constexpr auto neither = direction::neither;

constexpr entry entries[] = {
    // -- double assignment -----------------------------------------------------------------------
    {"double.offers",
     unit::count,
     less,
     "pairs of offers of different rides that one driver saw at the same time"},
    {"double.offer_s",
     unit::driver_s,
     less,
     "time during which drivers saw offers of two or more rides"},
    {"double.offers_per_1000",
     unit::ratio,
     less,
     "double.offers per 1,000 offers sent",
     "double.offers",
     "offers.sent",
     1e3},
    {"double.accepts",
     unit::count,
     less,
     "pairs of rides that one driver had accepted at the same time: from her accept to the end of "
     "the trip, or of the lease or try that came to nothing"},
    {"double.accepts_per_1000",
     unit::ratio,
     less,
     "double.accepts per 1,000 accepts in time",
     "double.accepts",
     "accepts.in_time",
     1e3},
    {"double.commits",
     unit::count,
     less,
     "pairs of rides that one driver was committed to at the same time"},
    {"double.commit_s",
     unit::driver_s,
     less,
     "time during which drivers were committed to two or more rides"},
    {"double.commits_per_million",
     unit::ratio,
     less,
     "double.commits per million commits",
     "double.commits",
     "rides.committed",
     1e6},
    {"double.commits_bound",
     unit::share,
     less,
     "if no double commit was seen: with 99.9 % confidence they are rarer than this, 6.908 / "
     "rides.committed",
     "double.commits",
     "rides.committed",
     6.908},
    {"double.rides",
     unit::count,
     less,
     "rides that were committed to two drivers at the same time"},
    // -- promises --------------------------------------------------------------------------------
    {"promises.made", unit::count, neither, "riders told that a driver is coming"},
    {"promises.broken",
     unit::count,
     less,
     "of these, withdrawn although neither the rider nor the driver had called off"},
    {"promises.broken_rate",
     unit::share,
     less,
     "promises.broken / promises.made",
     "promises.broken",
     "promises.made"},
    // -- confirms --------------------------------------------------------------------------------
    {"confirms.taken",
     unit::count,
     neither,
     "confirms that the lease manager took, without repeats"},
    {"confirms.refused", unit::count, less, "confirms that the lease manager refused"},
    {"confirms.stale_accepted",
     unit::count,
     less,
     "confirms taken although the lease was no longer current or had run out by the lease "
     "manager's "
     "clock; must be 0 where leases are checked"},
    {"confirms.stale_refused", unit::count, less, "such confirms that were refused"},
    {"confirms.duplicate", unit::count, neither, "repeats of a confirm that had been taken"},
    // -- accepts ---------------------------------------------------------------------------------
    {"accepts.would_be",
     unit::count,
     neither,
     "offers that their driver accepted, in time by her own clock or late"},
    {"accepts.in_time", unit::count, neither, "accepts before the deadline on the driver's phone"},
    {"accepts.lost",
     unit::count,
     less,
     "accepts in time that never became a commit, for a ride that was still wanted"},
    {"accepts.late",
     unit::count,
     less,
     "accepts at or after the deadline on the driver's phone, sent or not"},
    {"accepts.missed", unit::count, less, "accepts.lost + accepts.late"},
    {"accepts.lost_rate",
     unit::share,
     less,
     "accepts.lost / accepts.would_be",
     "accepts.lost",
     "accepts.would_be"},
    {"accepts.late_rate",
     unit::share,
     less,
     "accepts.late / accepts.would_be",
     "accepts.late",
     "accepts.would_be"},
    {"accepts.missed_rate",
     unit::share,
     less,
     "accepts.missed / accepts.would_be: what a TTL that is too short costs",
     "accepts.missed",
     "accepts.would_be"},
    {"accepts.premature_rate",
     unit::share,
     less,
     "lost accepts whose lease the manager ended for want of time or on a release, / "
     "accepts.would_be",
     "accepts.premature",
     "accepts.would_be"},
    {"accepts.premature.crash",
     unit::share,
     less,
     "of these, the holder was down while the lease was live",
     "accepts.premature_count.crash",
     "accepts.would_be"},
    {"accepts.premature.pause",
     unit::share,
     less,
     "of the rest, the holder was paused between the grant and the offer, or between the accept "
     "and "
     "the lease's end",
     "accepts.premature_count.pause",
     "accepts.would_be"},
    {"accepts.premature.loss",
     unit::share,
     less,
     "of the rest, a message about the lease was lost while it was live",
     "accepts.premature_count.loss",
     "accepts.would_be"},
    {"accepts.premature.skew",
     unit::share,
     less,
     "of the rest, the lease expired before its time was over: the clock that judged it ran ahead "
     "(offset or drift)",
     "accepts.premature_count.skew",
     "accepts.would_be"},
    {"accepts.premature.early_cleanup",
     unit::share,
     less,
     "of the rest, a sweep or a release ended the lease before its time was over",
     "accepts.premature_count.early_cleanup",
     "accepts.would_be"},
    {"accepts.premature.latency",
     unit::share,
     less,
     "of the rest, the accept was under way when the lease's time was over",
     "accepts.premature_count.latency",
     "accepts.would_be"},
    // -- supply ----------------------------------------------------------------------------------
    {"supply.online_s",
     unit::driver_s,
     neither,
     "drivers' time online = supply.available_s + supply.leased_s + supply.trip_s"},
    {"supply.available_s", unit::driver_s, neither, "time online, not on a trip and not leased"},
    {"supply.leased_s", unit::driver_s, less, "time online, not on a trip and leased"},
    {"supply.trip_s", unit::driver_s, more, "time online and on a trip"},
    {"supply.lease_s",
     unit::driver_s,
     neither,
     "sum of all leases from grant to commit or end = supply.hidden_s + supply.converted_s"},
    {"supply.hidden_s", unit::driver_s, less, "sum of all leases that did not become a trip"},
    {"supply.converted_s", unit::driver_s, neither, "sum of all leases that became a trip"},
    {"supply.hidden_share",
     unit::share,
     less,
     "supply.hidden_s / supply.online_s",
     "supply.hidden_s",
     "supply.online_s"},
    {"supply.leased_share",
     unit::share,
     less,
     "supply.lease_s / supply.online_s",
     "supply.lease_s",
     "supply.online_s"},
    {"supply.hidden_share_of_lease",
     unit::share,
     less,
     "supply.hidden_s / supply.lease_s",
     "supply.hidden_s",
     "supply.lease_s"},
    {"supply.hidden_s.zombie",
     unit::driver_s,
     less,
     "hidden while the holder was down, from a crash to its restart; a paused holder is not down"},
    {"supply.hidden_s.overhang",
     unit::driver_s,
     less,
     "hidden, with the holder up, past the lease's own time"},
    {"supply.hidden_s.declined",
     unit::driver_s,
     less,
     "hidden, the rest of a lease whose offer the driver declined"},
    {"supply.hidden_s.ignored",
     unit::driver_s,
     less,
     "hidden, the rest of a lease whose offer the driver saw and did not answer in time"},
    {"supply.hidden_s.undelivered",
     unit::driver_s,
     less,
     "hidden, the rest of a lease whose offer never appeared on the driver's screen"},
    {"supply.hidden_s.lost_accept",
     unit::driver_s,
     less,
     "hidden, the rest of a lease whose offer the driver accepted in time and in vain"},
    {"supply.hidden_s.cancelled",
     unit::driver_s,
     less,
     "hidden, the rest of a lease that was cancelled, or whose ride was gone before the accept"},
    {"supply.hidden_s.denied_by_ledger",
     unit::driver_s,
     less,
     "hidden, the rest of a lease whose write the ledger refused"},
    {"supply.hidden_s.censored",
     unit::driver_s,
     less,
     "hidden, the rest of a lease that was open at the end of the measured time"},
    {"supply.wait_s",
     unit::rider_s,
     less,
     "time for which riders waited without a live offer and without a driver"},
    {"supply.starved_s",
     unit::rider_s,
     less,
     "waiting time with no eligible driver available and at least one held by a lease that came to "
     "nothing; eligible: online and within the search radius"},
    {"supply.starved_upper_s",
     unit::rider_s,
     less,
     "the same with any lease, whatever became of it: what could be known at the time"},
    {"supply.starved_share",
     unit::share,
     less,
     "supply.starved_s / supply.wait_s",
     "supply.starved_s",
     "supply.wait_s"},
    {"supply.utilisation",
     unit::share,
     more,
     "supply.trip_s / supply.online_s",
     "supply.trip_s",
     "supply.online_s"},
    // -- leases ----------------------------------------------------------------------------------
    {"leases.granted", unit::count, neither, "leases granted"},
    {"leases.denied", unit::count, less, "requests for a lease that were denied"},
    {"leases.denials_per_grant",
     unit::ratio,
     less,
     "leases.denied / leases.granted",
     "leases.denied",
     "leases.granted"},
    {"leases.censored",
     unit::count,
     neither,
     "leases granted that were open at the end of the measured time"},
    {"leases.ended", unit::count, neither, "leases.granted - leases.censored"},
    {"leases.converted", unit::count, more, "of leases.ended, those that became a trip"},
    {"leases.expired", unit::count, less, "of leases.ended, those that expired or were swept"},
    {"leases.expired_rate",
     unit::share,
     less,
     "leases.expired / leases.ended",
     "leases.expired",
     "leases.ended"},
    {"leases.conversion",
     unit::share,
     more,
     "leases.converted / leases.ended",
     "leases.converted",
     "leases.ended"},
    {"leases.hold.<stat>", unit::seconds, less, "from grant to commit or end, over leases.ended"},
    {"leases.early_release",
     unit::count,
     less,
     "leases that the manager ended, for want of time or on a release, before their time was over"},
    {"leases.early_release_s", unit::driver_s, neither, "the time that these had left"},
    {"leases.overhang_s",
     unit::driver_s,
     less,
     "time past their own end for which leases that came to nothing were kept"},
    {"leases.zombie_s",
     unit::driver_s,
     less,
     "time for which leases that came to nothing outlived their crashed holder"},
    {"leases.phantom_s",
     unit::driver_s,
     less,
     "time for which leases that came to nothing were kept after their offer had become pointless: "
     "lost, answered, off the screen, the driver offline, the ride gone, the holder down"},
    {"leases.orphaned", unit::count, less, "leases whose holder was down while they were live"},
    // -- offers ----------------------------------------------------------------------------------
    {"offers.sent", unit::count, neither, "offers sent by matchers"},
    {"offers.shown", unit::count, neither, "offers that appeared on a driver's screen"},
    {"offers.per_match",
     unit::ratio,
     less,
     "offers sent for the rides requested / rides.matched",
     "offers.of_rides",
     "rides.matched"},
    {"offers.contended", unit::count, less, "offers sent that are part of a pair of double.offers"},
    {"offers.contended_share",
     unit::share,
     less,
     "offers.contended / offers.sent",
     "offers.contended",
     "offers.sent"},
    // -- rides -----------------------------------------------------------------------------------
    {"rides.requested", unit::count, neither, "rides requested"},
    {"rides.matched", unit::count, more, "of these, committed to a driver by the end of the run"},
    {"rides.abandoned", unit::count, less, "of these, left without a driver"},
    {"rides.cancelled", unit::count, less, "of these, called off by the rider after the promise"},
    {"rides.committed", unit::count, more, "commits: assignments of a driver to a ride"},
    {"rides.match_rate",
     unit::share,
     more,
     "rides.matched / rides.requested",
     "rides.matched",
     "rides.requested"},
    {"rides.abandon_rate",
     unit::share,
     less,
     "rides.abandoned / rides.requested",
     "rides.abandoned",
     "rides.requested"},
    {"rides.goodput",
     unit::per_hour,
     more,
     "rides committed and never called off afterwards, per measured hour",
     "rides.kept",
     "measured_s",
     3600},
    // -- delays ----------------------------------------------------------------------------------
    {"ttm.<stat>",
     unit::seconds,
     less,
     "time to match: from request to first commit, over rides.matched"},
    {"pickup.<stat>",
     unit::seconds,
     less,
     "from commit to pick-up, over the rides requested that were picked up"},
};

constexpr std::array<std::string_view, 5> stats{"mean", "p50", "p90", "p95", "p99"};

/// How many letters must be inserted, removed or replaced (Wagner and Fischer 1974).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const entry> catalogue() { return entries; }

std::span<const std::string_view> shown_stats() { return stats; }

std::optional<double> percentile_of(std::string_view stat) {
  if (stat.size() < 2 || stat[0] != 'p') {
    return std::nullopt;
  }
  double value = 0;
  double place = 0;  // of the next digit after the point; 0 before it
  std::size_t digits = 0;
  for (const char letter : stat.substr(1)) {
    if (letter == '.' && place == 0 && digits > 0) {
      place = 10;
      digits = 0;
    } else if (letter >= '0' && letter <= '9' && digits < 3) {
      const double digit = letter - '0';
      value = place == 0 ? value * 10 + digit : value + digit / place;
      place *= 10;
      ++digits;
    } else {
      return std::nullopt;
    }
  }
  return digits > 0 && value > 0 && value < 100 ? std::optional(value / 100) : std::nullopt;
}

const entry* find(std::string_view name) {
  for (const entry& e : entries) {
    if (!e.is_family()) {
      if (e.name == name) {
        return &e;
      }
      continue;
    }
    if (name.starts_with(e.prefix())) {
      const std::string_view stat = name.substr(e.prefix().size());
      if (stat == "mean" || stat == "min" || stat == "max" || percentile_of(stat)) {
        return &e;
      }
    }
  }
  return nullptr;
}

std::string nearest(std::string_view name) {
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  const auto consider = [&](std::string candidate) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = std::move(candidate);
    }
  };
  for (const entry& e : entries) {
    if (!e.is_family()) {
      consider(std::string(e.name));
      continue;
    }
    for (const std::string_view stat : stats) {
      consider(e.with(stat));
    }
  }
  return best;
}

}  // namespace dibs::metrics
