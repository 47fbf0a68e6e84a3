#include "base/ensure.hpp"
#include "metrics/judges.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace dibs::metrics {
namespace {

using events::lease_ending;

/// What a hidden second went to.
enum class slice : std::uint8_t {
  zombie,
  overhang,
  declined,
  ignored,
  undelivered,
  lost_accept,
  cancelled,
  denied_by_ledger,
  censored,
};
constexpr std::array<std::string_view, 9> slice_names{"zombie",
                                                      "overhang",
                                                      "declined",
                                                      "ignored",
                                                      "undelivered",
                                                      "lost_accept",
                                                      "cancelled",
                                                      "denied_by_ledger",
                                                      "censored"};

/// To what the rest of a lease that came to nothing goes.
slice cause_of(const try_record& t, const evidence& e) {
  if (t.over >= e.window.end) {
    return slice::censored;
  }
  if (t.ending == lease_ending::denied_by_ledger) {
    return slice::denied_by_ledger;
  }
  if (t.ending == lease_ending::cancelled) {
    return slice::cancelled;
  }
  // A commit that came after the lease's end was not what the lease was kept for, unless she had
  // accepted while it lasted.
  if (t.accepted && t.in_time && (t.committed == never || t.decided < t.over)) {
    return is_gone_by(t.ride, t.decided, e) ? slice::cancelled : slice::lost_accept;
  }
  const bool is_declined = t.decided < t.over && !t.accepted && t.in_time;
  if (is_declined || t.ending == lease_ending::declined) {
    return slice::declined;
  }
  return t.shown < t.over ? slice::ignored : slice::undelivered;
}

/// The instant at which the offer of a lease could no longer lead to anything.
sim_time pointless_from(const try_record& t, const evidence& e) {
  if (t.shown == never) {
    return t.granted;
  }
  const sim_time gone = t.ride.value < e.rides.size() ? e.rides[t.ride.value].gone : never;
  return std::min({t.left_screen, t.stranded, gone, e.down.first_within(t.matcher, t.lease())});
}

struct totals {
  wide_ns hidden = 0;
  wide_ns converted = 0;
  wide_ns overhang = 0;
  wide_ns zombie = 0;
  wide_ns phantom = 0;
  std::array<wide_ns, slice_names.size()> slices{};

  void add(slice to, sim_duration length) {
    slices[static_cast<std::size_t>(to)] += length.count();
  }
};

/// The time of one lease that came to nothing, within the window.
void add_hidden(const try_record& t, const evidence& e, totals& sum) {
  const interval held = common(t.lease(), e.window);
  const interval past = common(held, {t.deadline, never});
  const sim_duration zombie = e.down.length_within(t.matcher, held);
  const sim_duration overhang = past.length() - e.down.length_within(t.matcher, past);
  sum.hidden += held.length().count();
  sum.zombie += zombie.count();
  sum.overhang += past.length().count();
  sum.phantom += common(held, {pointless_from(t, e), never}).length().count();
  sum.add(slice::zombie, zombie);
  sum.add(slice::overhang, overhang);
  sum.add(cause_of(t, e), held.length() - zombie - overhang);
}

/// Goes after "came to nothing: ".
std::string_view words_of(slice cause) {
  switch (cause) {
    case slice::declined:
      return "she declined";
    case slice::ignored:
      return "she did not answer its offer in time";
    case slice::undelivered:
      return "its offer never reached her";
    case slice::lost_accept:
      return "she accepted in vain";
    case slice::cancelled:
      return "it was called off";
    case slice::denied_by_ledger:
      return "the ledger refused the trip";
    case slice::censored:
      return "it was there still when the measured time was over";
    case slice::zombie:
    case slice::overhang:
      break;
  }
  return "";
}

/// How long it held a driver to no end, and why.
std::string told_hiding(const try_record& t, const evidence& e) {
  const interval held = common(t.lease(), e.window);
  std::string text = fmt::format(
      "its lease hid {} from everybody else for {}", told(t.driver), told(held.length()));
  const sim_duration past = common(held, {t.deadline, never}).length();
  if (past > 1s) {
    text += fmt::format(", {} of that past its deadline", told(past));
  }
  const sim_duration down = e.down.length_within(t.matcher, held);
  if (down > sim_duration::zero()) {
    text += fmt::format(", {} of that with {} down", told(down), told(t.matcher));
  }
  return text + fmt::format(", and came to nothing: {}", words_of(cause_of(t, e)));
}

void judge_time(const try_table& tries, const evidence& e, sheet& figures, findings& found) {
  totals sum;
  for (const try_record& t : tries.all()) {
    if (!t.is_leased() || common(t.lease(), e.window).is_empty()) {
      continue;
    }
    // Open at the end of the window: censored, whatever became of it afterwards.
    if (t.converted && t.over < e.window.end) {
      sum.converted += common(t.lease(), e.window).length().count();
    } else {
      add_hidden(t, e, sum);
      // What becomes of it after the measured time shows only whether it was held for nothing.
      if (!t.converted && t.ride.is_some()) {
        found.add(harm::hiding_lease, common(t.lease(), e.window).length(), t.granted, t.ride, [&] {
          return told_hiding(t, e);
        });
      }
    }
  }
  wide_ns parts = 0;
  for (std::size_t i = 0; i < slice_names.size(); ++i) {
    figures.time(fmt::format("supply.hidden_s.{}", slice_names[i]), sum.slices[i]);
    parts += sum.slices[i];
  }
  ensure(parts == sum.hidden, "the parts of the hidden time add up");
  figures.time("supply.hidden_s", sum.hidden);
  figures.time("supply.converted_s", sum.converted);
  figures.time("supply.lease_s", sum.hidden + sum.converted);
  figures.time("leases.overhang_s", sum.overhang);
  figures.time("leases.zombie_s", sum.zombie);
  figures.time("leases.phantom_s", sum.phantom);
}

void judge_early_releases(const try_table& tries, const evidence& e, sheet& figures) {
  std::uint64_t count = 0;
  wide_ns left = 0;
  for (const try_record& t : tries.all()) {
    const bool is_early = is_let_go(t) && e.window.holds(t.over) && t.over < t.deadline;
    // A lease without end has no time left that could be counted.
    if (is_early) {
      ++count;
      left += t.deadline == never ? 0 : (t.deadline - t.over).count();
    }
  }
  figures.count("leases.early_release", count);
  figures.time("leases.early_release_s", left);
}

void judge_counts(const try_table& tries, const evidence& e, sheet& figures) {
  std::uint64_t granted = 0;
  std::uint64_t censored = 0;
  std::uint64_t converted = 0;
  std::uint64_t expired = 0;
  std::uint64_t orphaned = 0;
  histogram& holds = figures.durations("leases.hold");
  for (const try_record& t : tries.all()) {
    if (!e.window.holds(t.granted)) {
      continue;
    }
    ++granted;
    if (e.down.any_within(t.matcher, common(t.lease(), e.window))) {
      ++orphaned;
    }
    if (t.over >= e.window.end) {
      ++censored;
      continue;
    }
    holds.add(t.over - t.granted);
    const bool has_run_out =
        t.ended && (t.ending == lease_ending::expired || t.ending == lease_ending::swept);
    if (t.converted) {
      ++converted;
    } else if (has_run_out) {
      ++expired;
    }
  }
  figures.count("leases.granted", granted);
  figures.count("leases.censored", censored);
  figures.count("leases.ended", granted - censored);
  figures.count("leases.converted", converted);
  figures.count("leases.expired", expired);
  figures.count("leases.orphaned", orphaned);
}

}  // namespace

static_assert(zombie_part == static_cast<std::size_t>(slice::zombie));
static_assert(overhang_part == static_cast<std::size_t>(slice::overhang));

std::span<const std::string_view> hidden_parts() { return slice_names; }

std::size_t hidden_part_of(const try_record& t, const evidence& e) {
  return static_cast<std::size_t>(cause_of(t, e));
}

bool is_let_go(const try_record& t) {
  if (!t.is_leased() || !t.ended) {
    return false;
  }
  switch (t.ending) {
    case lease_ending::expired:
    case lease_ending::swept:
    case lease_ending::released:
    case lease_ending::unwritten:
    case lease_ending::forgotten:
    case lease_ending::zone_lost:
      return true;
    case lease_ending::declined:
    case lease_ending::cancelled:
    case lease_ending::denied_by_ledger:
      return false;
  }
  return false;
}

void judge_leases(const try_table& tries, const evidence& e, sheet& figures, findings& found) {
  judge_time(tries, e, figures, found);
  judge_early_releases(tries, e, figures);
  judge_counts(tries, e, figures);
}

}  // namespace dibs::metrics
