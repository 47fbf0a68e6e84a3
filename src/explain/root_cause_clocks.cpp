// Root causes in clocks: of deadlines that were read off a wrong one, of leases that ended at
// another time than theirs, and of a clock that stood still for a transaction.

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

constexpr sim_duration matters = 50ms;  // less than this is no wrong clock, but a delay
constexpr node_id manager{node_kind::lease_manager, 0};
constexpr node_id sweeper{node_kind::sweeper, 0};

sim_duration length_of(sim_duration d) { return d < d.zero() ? -d : d; }

std::string told_off(sim_duration d) {
  return length_of(d) < 1ms ? std::string("right")
                            : text::duration(length_of(d)) + (d < d.zero() ? " behind" : " ahead");
}

/// How far the clock by which the node judges this lease is ahead of true time.
sim_duration ahead(const history::indexed_run& c, node_id n, sim_time at, const try_record& t) {
  const local_time reads = c.clocks().judging(n, at, t.ride, t.driver);
  return reads.time_since_epoch() - at.time_since_epoch();
}

/// The longest jump of the clock by which a node measured a lease or an offer.
std::optional<history::clock_setting> jump_within(const history::indexed_run& c,
                                                  node_id n,
                                                  const time_interval& when) {
  const auto all = c.clocks().settings(n, when);
  const auto longest = std::ranges::max_element(
      all, [](const auto& x, const auto& y) { return length_of(x.by) < length_of(y.by); });
  return longest == all.end() ? std::nullopt : std::optional(*longest);
}

/// `was set back by 10 s at 5:00.000`.
std::string told_of_jump(const history::clock_setting& jump) {
  return fmt::format("was set {} by {} at {}",
                     jump.by < jump.by.zero() ? "back" : "forward",
                     text::duration(length_of(jump.by)),
                     history::clock_time(jump.at.time_since_epoch()));
}

using reading = std::pair<node_id, sim_time>;

/// ` after it was set back by 10 s at 3:20.000`; empty where nobody had set it before.
std::string told_since(const history::indexed_run& c, node_id n, sim_time at) {
  const auto before = c.clocks().settings(n, {sim_time{}, at + 1ns});
  return before.empty() ? "" : fmt::format(" after it {}", told_of_jump(before.back()));
}

/// `: the clock of matcher/2 was 12 s ahead`, of all that had a part in the deadline.
std::string told_of_wrong(const history::indexed_run& c,
                          const try_record& t,
                          std::initializer_list<reading> readings) {
  std::string text;
  for (const auto& [n, at] : readings) {
    if (const sim_duration off = ahead(c, n, at, t); length_of(off) >= matters) {
      text += fmt::format("{}the clock of {} was {}{}",
                          text.empty() ? " (" : ", ",
                          history::name_of(n),
                          told_off(off),
                          told_since(c, n, at));
    }
  }
  return text.empty() ? text : text + ")";
}

/// The entry of the scenario that bends the clock of the node; null if none does.
const sim::clock_error* error_of(const history::indexed_run& c, node_id n) {
  const auto& all = c.of().scenario.clocks;
  const auto last = std::find_if(
      all.rbegin(), all.rend(), [&](const sim::clock_error& e) { return e.node.covers(n); });
  return last == all.rend() ? nullptr : &*last;
}

bool asked_for_it(const history::indexed_run& c, const try_record& t) {
  const auto* asked = history::first_of<events::call_made>(c.of(), [&](const auto& made, sim_time) {
    return made.token == t.token && made.driver == t.driver &&
           (made.what == events::call::confirm || made.what == events::call::write);
  });
  return asked != nullptr;
}

/// The holder came to the deadline early by its own clock, and let the lease go while it was live.
std::optional<root_cause> of_early_holder(const history::indexed_run& c,
                                          const try_record& t,
                                          const std::string& metric) {
  const auto trusted = c.clocks().trusted_until(t);
  const sim_time ends = std::min(t.deadline, t.over);
  const sim_time closed = closed_at(c, t);
  if (!trusted || t.deadline == never ||
      length_of(ahead(c, manager, t.granted, t) - ahead(c, node_of(t.matcher), t.sent, t)) <
          matters ||
      *trusted + matters > t.deadline || closed >= ends ||
      closed + c.of().scenario.lease.margin + 1ms < *trusted || asked_for_it(c, t)) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = *trusted;
  l.lasts = true;
  l.took = ends - *trusted;
  l.reason = fmt::format(
      "the deadline travelled as an instant, and the clock of {} comes to it {} before the lease "
      "is over: at {} {} takes {} for over, and gives it up{}",
      history::name_of(t.matcher),
      text::duration(t.deadline - *trusted),
      history::clock_time(closed.time_since_epoch()),
      history::name_of(t.matcher),
      history::name_of(t.token),
      told_of_wrong(c, t, {{manager, t.granted}, {node_of(t.matcher), t.sent}}));
  add_measures(c, {remedy_kind::durations}, metric, l.remedies);
  return l;
}

/// Not by a withdrawal, say, which no screen can know of before it arrives.
bool is_over_by_time(const try_record& t) {
  return t.ended &&
         (t.ending == events::lease_ending::expired || t.ending == events::lease_ending::swept);
}

/// The holder, or her screen, came to the deadline when the lease had been over for a while.
std::optional<root_cause> of_late_reader(const history::indexed_run& c,
                                         const try_record& t,
                                         const std::string& metric) {
  if (!is_over_by_time(t) || t.decided < t.over) {
    return std::nullopt;
  }
  const auto trusted = c.clocks().trusted_until(t);
  const auto shown = c.clocks().shown_until(t);
  const bool by_holder = trusted && *trusted - t.over >= matters;
  if (!by_holder && !(shown && *shown - t.over >= matters)) {
    return std::nullopt;
  }
  const reading last =
      by_holder ? reading{node_of(t.matcher), t.sent} : reading{node_of(t.driver), t.shown};
  const std::string wrong = told_of_wrong(c, t, {{manager, t.granted}, last});
  if (wrong.empty()) {
    return std::nullopt;
  }
  const sim_time until = by_holder ? *trusted : *shown;
  // A holder who hears of the end in time believes in the lease no longer; her screen may go on.
  const sim_time believed = by_holder ? std::min(until, closed_at(c, t)) : until;
  const bool is_believed = by_holder && believed - t.over >= matters;
  root_cause l;
  l.decided = by_holder ? t.granted : t.shown;
  l.lasts = true;
  l.took = until - t.over;
  l.reason = fmt::format(
      "the deadline travelled as an instant, and the clock of {} comes to it {} after the lease "
      "manager has ended the lease: ",
      by_holder ? history::name_of(t.matcher) : history::name_of(t.driver),
      text::duration(until - t.over));
  l.reason += is_believed
                  ? fmt::format("until {} {} takes {} for live",
                                history::clock_time(believed.time_since_epoch()),
                                history::name_of(t.matcher),
                                history::name_of(t.token))
                  : fmt::format("until {} her screen shows the offer",
                                history::clock_time(shown.value_or(until).time_since_epoch()));
  l.reason += wrong;
  add_measures(c, {remedy_kind::durations}, metric, l.remedies);
  return l;
}

/// The deadline had passed by the clock of her phone when the offer arrived, which then never came
/// to her screen.
std::optional<root_cause> of_late_arrival(const history::indexed_run& c,
                                          const try_record& t,
                                          const std::string& metric) {
  const auto* over =
      history::first_of<events::offer_dismissed>(c.of(), [&](const auto& gone, sim_time) {
        return gone.token == t.token && gone.driver == t.driver &&
               gone.cause == events::dismissal::timeout;
      });
  if (t.shown != never || over == nullptr) {
    return std::nullopt;
  }
  const std::string wrong = told_of_wrong(
      c, t, {{manager, t.granted}, {node_of(t.matcher), t.sent}, {node_of(t.driver), over->t}});
  if (wrong.empty()) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = over->t;
  l.lasts = true;
  l.took = t.over - over->t;
  l.reason = fmt::format(
      "the deadline travelled as an instant, and by the clock of her phone it had passed when the "
      "offer arrived, which never came to her screen{}",
      wrong);
  add_measures(c, {remedy_kind::durations}, metric, l.remedies);
  return l;
}

/// `the lease ended 4 s before its time`; `late` is below zero then.
std::string told_of_end(const try_record& t, sim_duration late) {
  return fmt::format("{} {} {} {} its time",
                     history::name_of(t.token),
                     t.ended ? "ended" : "was live still",
                     text::duration(length_of(late)),
                     late < late.zero() ? "before" : "after");
}

root_cause of_sweeper(const history::indexed_run& c,
                      const try_record& t,
                      const std::string& metric) {
  const sim_duration off =
      c.clocks().wall(sweeper, t.over).time_since_epoch() - t.over.time_since_epoch();
  root_cause l;
  l.decided = std::min(t.decided, t.over);
  l.lasts = true;
  l.reason = fmt::format("the lease ended {} before its time: the clock of the sweeper was {}",
                         text::duration(t.deadline - t.over),
                         told_off(off));
  add_measures(c, {remedy_kind::timed_cleanup}, metric, l.remedies);
  l.remedies.push_back({"a grace at the lease manager, as long as clocks are wrong",
                        {{"lease.grace", tenths_up(t.deadline - t.over)}},
                        metric});
  return l;
}

/// It ends leases before the expiry that it told their holders, as it was set up to.
root_cause of_early_cleanup(const history::indexed_run& c,
                            const try_record& t,
                            const std::string& metric) {
  root_cause l;
  l.decided = t.over;
  l.reason = fmt::format(
      "{}: the lease manager ends leases before the expiry that it told their holders (`grace: "
      "-{}`)",
      told_of_end(t, t.over - t.deadline),
      text::duration(-c.of().scenario.lease.grace));
  add_measures(c, {remedy_kind::no_early_end}, metric, l.remedies);
  return l;
}

root_cause of_frozen_clock(const history::indexed_run& c,
                           const try_record& t,
                           const std::string& metric) {
  const bool all_right = c.of().scenario.clocks.empty();
  root_cause l;
  l.decided = std::min(t.decided, t.over);
  l.lasts = true;
  l.reason = fmt::format(
      "{}: the lease manager grants it in a transaction that has begun before, and reckons its end "
      "from its clock as it stood then (`transaction`){}",
      told_of_end(t, t.over - t.deadline),
      all_right ? "; no clock is wrong" : "");
  add_measures(c, {remedy_kind::unfrozen_clock}, metric, l.remedies);
  return l;
}

root_cause of_managers_clock(const history::indexed_run& c,
                             const try_record& t,
                             sim_time end,
                             const std::string& metric) {
  const bool is_early = end < t.deadline;
  const sim_time until = std::max(end, t.deadline);
  const auto jump = jump_within(c, manager, {t.granted, is_early ? end + 1ns : until});
  root_cause l;
  l.lasts = true;
  l.decided = jump ? jump->at : is_early ? std::min(t.decided, end) : t.deadline;
  l.reason =
      jump ? fmt::format(
                 "the wall clock on which the lease manager measures leases (`timers: wall`) {}, "
                 "and {}",
                 told_of_jump(*jump),
                 told_of_end(t, end - t.deadline))
           : fmt::format("{}: the clock of the lease manager was {} when it granted it, and {} {}",
                         told_of_end(t, end - t.deadline),
                         told_off(ahead(c, manager, t.granted, t)),
                         told_off(ahead(c, manager, end, t)),
                         t.ended ? "when it ended it" : "when the run was over");
  add_measures(c, {remedy_kind::monotonic_timers}, metric, l.remedies);
  return l;
}

}  // namespace

sim_duration clock_gain(const history::indexed_run& c, node_id n, const time_interval& when) {
  const auto reads = [&](sim_time at) { return c.clocks().timers(n, at); };
  return reads(when.end) - reads(when.begin) - when.length();
}

std::string told_of_timers(const history::indexed_run& c, node_id n, const time_interval& when) {
  const sim_duration more = clock_gain(c, n, when);
  const auto jump = jump_within(c, n, {when.begin, when.end + 1ns});
  const sim::clock_error* error = error_of(c, n);
  if (jump && 2 * length_of(jump->by) >= length_of(more)) {
    return fmt::format("the wall clock on which {} measures time (`timers: wall`) {}",
                       history::name_of(n),
                       told_of_jump(*jump));
  }
  if (error != nullptr && error->strobe && error->timers == sim::timebase::wall) {
    return fmt::format(
        "the wall clock on which {} measures time (`timers: wall`) jumps to and fro (`strobe`), "
        "and {} on it lasted {}",
        history::name_of(n),
        text::duration(when.length() + more),
        text::duration(when.length()));
  }
  return fmt::format("the clock of {} is {}: {} on it last {}",
                     history::name_of(n),
                     more < more.zero() ? "slow" : "fast",
                     text::duration(when.length() + more),
                     text::duration(when.length()));
}

void add_right_clock(const history::indexed_run& c,
                     node_id n,
                     const std::string& metric,
                     std::vector<remedy>& to) {
  const sim::clock_error* error = error_of(c, n);
  if (error == nullptr) {
    return;
  }
  if (error->timers == sim::timebase::wall) {
    add_measures(c, {remedy_kind::monotonic_timers}, metric, to);
  }
  remedy right{
      "a clock that runs at the right rate (`drift: 0ppm`)",
      {{fmt::format("clocks.{}.drift", error - c.of().scenario.clocks.data() + 1), "0ppm"}},
      metric};
  right.is_without_fault = true;
  to.push_back(std::move(right));
}

std::optional<root_cause> root_cause_of_deadline(const history::indexed_run& c,
                                                 const try_record& t,
                                                 const std::string& metric) {
  if (!c.clocks().by_wall() || !t.is_leased()) {
    return std::nullopt;
  }
  if (auto arrival = of_late_arrival(c, t, metric)) {
    return arrival;
  }
  auto early = of_early_holder(c, t, metric);
  return early || t.decided == never ? early : of_late_reader(c, t, metric);
}

std::optional<root_cause> root_cause_of_slow_screen(const history::indexed_run& c,
                                                    const try_record& t,
                                                    const std::string& metric) {
  const auto until = c.clocks().shown_until(t);
  if (c.clocks().by_wall() || !until || !is_over_by_time(t) || t.decided < t.over) {
    return std::nullopt;
  }
  const node_id phone = node_of(t.driver);
  const sim_duration own = t.phone_deadline - c.clocks().judging(phone, t.shown, t.ride, t.driver);
  if (t.decided <= t.shown + own) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = t.shown + own;
  l.lasts = true;
  l.took = *until - t.shown - own;
  l.reason = fmt::format(
      "{}, so that her screen shows the offer until {}, {} after the end of the lease; by a right "
      "clock it had left her screen at {}",
      told_of_timers(c, phone, {t.shown, *until}),
      history::clock_time(until->time_since_epoch()),
      text::duration(*until - t.over),
      history::clock_time((t.shown + own).time_since_epoch()));
  add_right_clock(c, phone, metric, l.remedies);
  return l;
}

std::optional<root_cause> root_cause_of_fast_screen(const history::indexed_run& c,
                                                    const try_record& t,
                                                    const std::string& metric) {
  const auto until = c.clocks().shown_until(t);
  const bool is_unheard = t.decided == never || !t.in_time;
  if (c.clocks().by_wall() || !until || !is_unheard || *until >= t.over) {
    return std::nullopt;
  }
  const node_id phone = node_of(t.driver);
  const sim_duration more = clock_gain(c, phone, {t.shown, *until});
  // By a right clock it would have stayed for that much longer, and until her answer.
  if (more < matters || (t.decided != never && t.decided > *until + more)) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = *until;
  l.lasts = true;
  l.took = more;
  l.reason =
      fmt::format("{}, so that the offer left her screen at {}, {} before the lease was over",
                  told_of_timers(c, phone, {t.shown, *until}),
                  history::clock_time(until->time_since_epoch()),
                  text::duration(t.over - *until));
  add_right_clock(c, phone, metric, l.remedies);
  return l;
}

std::optional<root_cause> root_cause_of_fast_holder(const history::indexed_run& c,
                                                    const try_record& t,
                                                    const std::string& metric) {
  const node_id holder = node_of(t.matcher);
  if (!t.given_up || t.sent == never || asked_for_it(c, t)) {
    return std::nullopt;
  }
  const sim_time closed = closed_at(c, t);
  const time_interval waited{t.sent, closed};
  const sim_duration more = clock_gain(c, holder, waited);
  // By a right clock it would have waited for that much longer, and for her answer.
  if (more < matters || (t.decided != never && t.decided > closed + more)) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = closed;
  l.lasts = true;
  l.took = more;
  l.reason = fmt::format("{}, so that it gave the offer up at {}, {} before the lease was over",
                         told_of_timers(c, holder, waited),
                         history::clock_time(closed.time_since_epoch()),
                         text::duration(std::min(t.over, t.deadline) - closed));
  add_right_clock(c, holder, metric, l.remedies);
  return l;
}

std::optional<root_cause> root_cause_of_moved_end(const history::indexed_run& c,
                                                  const try_record& t,
                                                  const std::string& metric) {
  if (!t.is_leased() || t.deadline == never) {
    return std::nullopt;
  }
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_time end = std::min(t.over, c.of().end);
  if (is_ended_early(t) && t.ending == events::lease_ending::swept &&
      lease.cleanup.by == scenario::sweep_clock::sweeper) {
    return of_sweeper(c, t, metric);
  }
  // What the clock gained while the lease was live is what the lease lost.
  const sim_duration more = clock_gain(c, manager, {t.granted, end});
  const sim_duration late = end - t.deadline - std::max(lease.grace, sim_duration::zero());
  if (is_ended_early(t)) {
    return more >= matters || (lease.grace >= lease.grace.zero() &&
                               !c.of().scenario.lease.transactions_take_time())
               ? of_managers_clock(c, t, end, metric)
           : lease.grace < lease.grace.zero() ? of_early_cleanup(c, t, metric)
                                              : of_frozen_clock(c, t, metric);
  }
  // That a lease stays is owed to the clock if by it the lease was hardly over.
  const bool by_clock = late >= matters && more <= -matters && late + more < late / 2;
  return by_clock ? std::optional(of_managers_clock(c, t, end, metric)) : std::nullopt;
}

}  // namespace dibs::explain
