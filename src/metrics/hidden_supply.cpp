#include "base/ensure.hpp"
#include "metrics/evaluators.hpp"

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
constexpr std::array<std::string_view, hidden_parts_count> slice_names{"zombie",
                                                                       "overhang",
                                                                       "declined",
                                                                       "ignored",
                                                                       "undelivered",
                                                                       "lost_accept",
                                                                       "cancelled",
                                                                       "denied_by_ledger",
                                                                       "censored"};

/// To what the rest of a lease that came to nothing goes.
slice cause_of(const try_record& t, const evaluation_context& e) {
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
    return t.unwanted ? slice::cancelled : slice::lost_accept;
  }
  const bool is_declined = t.decided < t.over && !t.accepted && t.in_time;
  if (is_declined || t.ending == lease_ending::declined) {
    return slice::declined;
  }
  return t.shown < t.over ? slice::ignored : slice::undelivered;
}

/// The instant at which the offer of a lease could no longer lead to anything.
sim_time pointless_from(const try_record& t, const evaluation_context& e) {
  if (t.shown == never) {
    return t.granted;
  }
  return std::min({t.left_screen, t.in_vain, e.down.first_within(t.matcher, t.lease())});
}

/// Goes after "came to nothing: ".
std::string_view words_of(slice cause) {
  switch (cause) {
    case slice::declined:
      return "she declined";
    case slice::ignored:
      return "she did not answer its offer in time";
    case slice::undelivered:
      return "its offer never came to her screen";
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
std::string told_hiding(const try_record& t, const evaluation_context& e) {
  const time_interval held = common(t.lease(), e.window);
  std::string text = fmt::format(
      "its lease hid {} from everybody else for {}", describe(t.driver), describe(held.length()));
  const sim_duration past = common(held, {t.deadline, never}).length();
  if (past > 1s) {
    text += fmt::format(", {} of that past its deadline", describe(past));
  }
  const sim_duration zombie = common(held, zombie_of(t, e)).length();
  if (zombie > sim_duration::zero()) {
    const bool is_back = e.down.length_within(t.matcher, held) < zombie;
    text += fmt::format(", {} of that with {} down{}",
                        describe(zombie),
                        describe(t.matcher),
                        is_back ? " or back without its memory" : "");
  }
  const slice cause = cause_of(t, e);
  const bool is_trip_all_the_same = cause == slice::lost_accept && t.committed != never;
  return text + fmt::format(", and came to nothing: {}",
                            is_trip_all_the_same ? "it was over when her trip was written"
                                                 : words_of(cause));
}

}  // namespace

static_assert(zombie_part == static_cast<std::size_t>(slice::zombie));
static_assert(overhang_part == static_cast<std::size_t>(slice::overhang));

std::span<const std::string_view> hidden_parts() { return slice_names; }

std::size_t hidden_part_of(const try_record& t, const evaluation_context& e) {
  return static_cast<std::size_t>(cause_of(t, e));
}

time_interval zombie_of(const try_record& t, const evaluation_context& e) {
  return {e.down.first_within(t.matcher, t.lease()), t.over};
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

void lease_evaluator::see(try_index i,
                          const try_record& t,
                          const evaluation_context& e,
                          worst_harms& found) {
  see_time(i, t, e, found);
  see_release(t, e);
  see_end(t, e);
}

void lease_evaluator::see_time(try_index i,
                               const try_record& t,
                               const evaluation_context& e,
                               worst_harms& found) {
  if (!t.is_leased() || common(t.lease(), e.window).is_empty()) {
    return;
  }
  // Open at the end of the window: censored, whatever became of it afterwards.
  if (t.converted && t.over < e.window.end) {
    time_.converted += common(t.lease(), e.window).length().count();
    return;
  }
  add_hidden(t, e);
  // What becomes of it after the measured time shows only whether it was held for nothing.
  if (!t.converted && t.ride.is_some()) {
    // Of leases of equal length, one under which nobody was asked comes first: it was of no use.
    constexpr sim_duration ahead_of_equals = 10us;
    const sim_duration size =
        common(t.lease(), e.window).length() + (t.sent == never ? ahead_of_equals : 0us);
    found.add(
        harm_kind::hiding_lease, size, t.granted, t.ride, {i}, [&] { return told_hiding(t, e); });
  }
}

void lease_evaluator::add_hidden(const try_record& t, const evaluation_context& e) {
  const time_interval held = common(t.lease(), e.window);
  const time_interval past = common(held, {t.deadline, never});
  const sim_duration zombie = common(held, zombie_of(t, e)).length();
  const sim_duration overhang = past.length() - common(past, zombie_of(t, e)).length();
  time_.hidden += held.length().count();
  time_.zombie += zombie.count();
  time_.overhang += past.length().count();
  time_.phantom += common(held, {pointless_from(t, e), never}).length().count();
  time_.parts[zombie_part] += zombie.count();
  time_.parts[overhang_part] += overhang.count();
  time_.parts[hidden_part_of(t, e)] += (held.length() - zombie - overhang).count();
}

void lease_evaluator::see_release(const try_record& t, const evaluation_context& e) {
  const bool is_early = is_let_go(t) && e.window.holds(t.over) && t.over < t.deadline;
  // A lease without end has no time left that could be counted.
  if (is_early) {
    ++released_early_;
    left_of_early_ += t.deadline == never ? 0 : (t.deadline - t.over).count();
  }
}

void lease_evaluator::see_end(const try_record& t, const evaluation_context& e) {
  if (!e.window.holds(t.granted)) {
    return;
  }
  ++counts_.granted;
  if (e.down.any_within(t.matcher, common(t.lease(), e.window))) {
    ++counts_.orphaned;
  }
  if (t.over >= e.window.end) {
    ++counts_.censored;
    return;
  }
  holds_.add(t.over - t.granted);
  const bool has_run_out =
      t.ended && (t.ending == lease_ending::expired || t.ending == lease_ending::swept);
  if (t.converted) {
    ++counts_.converted;
  } else if (has_run_out) {
    ++counts_.expired;
  }
}

void lease_evaluator::enter(sums_writer& figures) {
  wide_ns parts = 0;
  for (std::size_t i = 0; i < hidden_parts_count; ++i) {
    figures.time(fmt::format("supply.hidden_s.{}", slice_names[i]), time_.parts[i]);
    parts += time_.parts[i];
  }
  ensure(parts == time_.hidden, "the parts of the hidden time add up");
  figures.time("supply.hidden_s", time_.hidden);
  figures.time("supply.converted_s", time_.converted);
  figures.time("supply.lease_s", time_.hidden + time_.converted);
  figures.time("leases.overhang_s", time_.overhang);
  figures.time("leases.zombie_s", time_.zombie);
  figures.time("leases.phantom_s", time_.phantom);
  figures.count("leases.early_release", released_early_);
  figures.time("leases.early_release_s", left_of_early_);
  figures.count("leases.granted", counts_.granted);
  figures.count("leases.censored", counts_.censored);
  figures.count("leases.ended", counts_.granted - counts_.censored);
  figures.count("leases.converted", counts_.converted);
  figures.count("leases.expired", counts_.expired);
  figures.count("leases.orphaned", counts_.orphaned);
  figures.durations("leases.hold") = std::move(holds_);
}

}  // namespace dibs::metrics
