// Lessons of accepts that were lost: what stood between her yes and the trip.

#include "report/number.hpp"
#include "show/fact.hpp"
#include "show/lesson_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace dibs::show {
namespace {

using metrics::never;
using metrics::try_record;

constexpr const char* lost_rate = "accepts.lost_rate";

/// A commit at the manager is a confirm, which no holder may judge alone.
remedy confirm_by_phone(const chronicle& c, const char* away) {
  remedy by_phone{
      fmt::format("drivers who confirm at the lease manager themselves (`confirm_by: driver`): "
                  "a matcher that {} is not asked",
                  away),
      {{"lease.confirm_by", "driver"}, {"lease.commit", "manager"}},
      lost_rate};
  if (c.of().scenario.lease.judge == scenario::judge::holder) {
    by_phone.set.push_back({"lease.judge", "manager"});
  }
  return by_phone;
}

std::optional<lesson> of_outage(const chronicle& c, const try_record& t) {
  lesson l;
  if (const sim_time down = c.down().first_within(t.matcher, t.lease()); down != never) {
    l.decided = down;
    l.because = fmt::format(
        "{} forgot the ride when it crashed, and nobody else may confirm what it had leased",
        name_of(t.matcher));
    l.remedies.push_back(confirm_by_phone(c, "is away"));
    return l;
  }
  const metrics::interval after{t.decided, t.over};
  if (const sim_time paused = c.paused().first_within(t.matcher, after); paused != never) {
    l.decided = std::max(paused, t.granted);
    l.because = fmt::format("{} stood still until the lease was over, and only it may confirm",
                            name_of(t.matcher));
    l.remedies.push_back(confirm_by_phone(c, "stands still"));
    return l;
  }
  return std::nullopt;
}

/// What a fault that lay in wait did to a word of this try, or to the matcher's work on it.
std::optional<lesson> of_strike(const chronicle& c, const try_record& t) {
  for (const events::event& e : c.of().events) {
    if (e.t < t.granted || e.t > t.over) {
      continue;
    }
    const auto* held = std::get_if<events::message_tampered>(&e.what);
    const auto* failed = std::get_if<events::work_failed>(&e.what);
    const bool is_held_up =
        held != nullptr && held->token == t.token && held->what == events::tampering::delayed;
    if (is_held_up || (failed != nullptr && failed->token == t.token)) {
      lesson l;
      l.decided = e.t;
      l.because = is_held_up ? fmt::format("a fault held up what {} had to say, for {}",
                                           name_of(held->from),
                                           report::duration(held->by))
                             : fmt::format("what {} did for {} ended with an error",
                                           name_of(t.matcher),
                                           name_of(t.ride));
      l.remedies.push_back(confirm_by_phone(c, "fails"));
      return l;
    }
  }
  return std::nullopt;
}

std::optional<lesson> of_lost_word(const chronicle& c, const try_record& t) {
  const events::event* lost = lost_word(c, t);
  if (lost == nullptr) {
    return std::nullopt;
  }
  lesson l;
  l.decided = lost->t;
  l.because = "a message that this lease waited for was lost, and what repeated it came too late";
  if (auto again = retries_for(c, std::get<events::message_lost>(lost->what))) {
    l.remedies.push_back(std::move(*again));
  }
  return l;
}

/// The rider had left before her yes was heard.
std::optional<lesson> of_called_off(const chronicle& c, const try_record& t) {
  const metrics::ride_record& ride = c.rides()[t.ride.value];
  if (ride.gone == never || ride.gone < t.sent || ride.gone > t.over) {
    return std::nullopt;
  }
  lesson l;
  l.decided = ride.gone;
  const bool is_before = ride.gone < t.decided;
  l.because =
      fmt::format("{} was given up {} {} she said yes, {}",
                  name_of(t.ride),
                  report::duration(is_before ? t.decided - ride.gone : ride.gone - t.decided),
                  is_before ? "before" : "after",
                  is_before ? "and her screen did not know yet" : "while her answer was under way");
  const sim_duration wait = c.of().scenario.matchers.offers.total_wait;
  if (wait > sim_duration::zero() && wait != forever) {
    l.remedies.push_back({"matchers that look for a driver for twice as long",
                          {{"matchers.offers.total_wait", tenths_up(2 * wait)}},
                          lost_rate});
  }
  return l;
}

/// A deadline that travelled as an instant was read off a clock that is behind.
std::optional<lesson> of_foreign_clock(const chronicle& c, const try_record& t) {
  if (!c.clocks().by_wall() || t.over == never || t.decided < t.over) {
    return std::nullopt;
  }
  const auto trusted = c.clocks().trusted_until(t);
  const auto shown = c.clocks().shown_until(t);
  const bool by_holder = trusted && *trusted - t.over >= 50ms;
  if (!by_holder && !(shown && *shown - t.over >= 50ms)) {
    return std::nullopt;
  }
  const sim_time until = by_holder ? *trusted : *shown;
  // A holder who hears of the end in time believes in the lease no longer; her screen may go on.
  const sim_time believed = by_holder ? std::min(until, closed_at(c, t)) : until;
  const bool is_believed = by_holder && believed - t.over >= 50ms;
  lesson l;
  l.decided = by_holder ? t.granted : t.shown;
  l.because = fmt::format(
      "the deadline travelled as an instant, and the clock of {} comes to it {} after the lease "
      "manager has ended the lease: ",
      by_holder ? name_of(t.matcher) : name_of(t.driver),
      report::duration(until - t.over));
  l.because += is_believed ? fmt::format("until {} {} takes {} for live",
                                         clock_time(believed.time_since_epoch()),
                                         name_of(t.matcher),
                                         name_of(t.token))
                           : fmt::format("until {} her screen shows the offer",
                                         clock_time(shown.value_or(until).time_since_epoch()));
  l.remedies.push_back(count_durations(lost_rate));
  return l;
}

std::optional<lesson> of_early_clock(const try_record& t) {
  if (!t.is_leased() || !t.ended || t.over >= t.deadline ||
      t.ending != events::lease_ending::expired) {
    return std::nullopt;
  }
  lesson l;
  l.decided = t.decided;
  l.because = fmt::format("a clock ended the lease {} before its time",
                          report::duration(t.deadline - t.over));
  l.remedies.push_back({"a grace at the lease manager, as long as clocks are wrong",
                        {{"lease.grace", tenths_up(t.deadline - t.over)}},
                        lost_rate});
  return l;
}

/// When the holder asked the ledger to write, and when the ledger had it.
struct late_write {
  sim_time asked = never;
  sim_time there = never;
};

late_write write_of(const chronicle& c, const try_record& t) {
  late_write w;
  for (const events::event& e : c.of().events) {
    const auto* asked = std::get_if<events::call_made>(&e.what);
    const auto* refused = std::get_if<events::write_refused>(&e.what);
    if (asked != nullptr && asked->what == events::call::write && asked->token == t.token &&
        e.t >= t.decided) {
      w.asked = std::min(w.asked, e.t);
    } else if (refused != nullptr && refused->token == t.token && w.asked != never) {
      w.there = std::min(w.there, e.t);
    }
  }
  return w;
}

/// The lease was live when its holder looked, and over when the write was there: as after a pause
/// between the two.
std::optional<lesson> of_late_write(const chronicle& c, const try_record& t) {
  const late_write w = write_of(c, t);
  if (w.asked >= t.over || (w.there != never && w.there <= t.over)) {
    return std::nullopt;
  }
  lesson l;
  l.decided = w.asked;
  const std::string came = w.there == never
                               ? std::string("and the ledger had not answered when it was over")
                               : fmt::format(
                                     "and the ledger had it {} later, when the lease was "
                                     "over: as after a pause between the look and the write",
                                     report::duration(w.there - w.asked));
  l.because = fmt::format("{} looked at the lease, which had {} left, and asked for the write, {}",
                          name_of(t.matcher),
                          report::duration(t.over - w.asked),
                          came);
  l.remedies.push_back(
      {"a confirm that is the commit, at the lease manager itself (`commit: manager`): nothing "
       "that comes late stands between the look at the lease and the trip",
       {{"lease.commit", "manager"}, {"lease.judge", "manager"}},
       lost_rate});
  return l;
}

/// The manager's answer to her accept: how long after she gave it the confirm came.
std::optional<sim_time> refusal_of(const chronicle& c, const try_record& t) {
  for (const events::event& e : c.of().events) {
    const auto* no = std::get_if<events::confirm_refused>(&e.what);
    if (no != nullptr && no->token == t.token && e.t >= t.decided) {
      return e.t;
    }
  }
  return std::nullopt;
}

lesson of_latency(const chronicle& c, const try_record& t) {
  lesson l;
  l.decided = t.decided;
  const auto refused = refusal_of(c, t);
  const sim_duration left = t.over - t.decided;
  if (!refused) {
    l.because = left > sim_duration::zero()
                    ? fmt::format("her answer had {} left to become a confirm, and needed longer",
                                  report::duration(left))
                    : fmt::format(
                          "she answered {} after the lease had ended, which her screen did "
                          "not know",
                          report::duration(-left));
    return l;
  }
  const sim_duration short_of = *refused - t.over;
  l.because = fmt::format(
      "her answer needed {} to become a confirm at the lease manager, and the lease had {} left",
      report::duration(*refused - t.decided),
      report::duration(std::max(left, sim_duration::zero())));
  const scenario::lease_options& lease = c.of().scenario.lease;
  const sim_duration window = lease.offer_window.value_or(lease.ttl);
  const sim_duration shorter = window - short_of - 100ms;
  if (shorter > 1s && lease.ttl != forever) {
    l.remedies.push_back(
        {fmt::format("an offer window that leaves {} more of the lease to delays and clocks",
                     report::duration(short_of)),
         {{"lease.offer_window", tenths_up(shorter - 100ms)}},
         lost_rate});
  }
  return l;
}

}  // namespace

bool leases(const chronicle& c) { return c.of().scenario.lease.rules().leases; }

std::string tenths_up(sim_duration d) {
  const auto tenths = static_cast<std::int64_t>(std::ceil(in_seconds(d) * 10));
  return tenths > 0 && tenths % 10 == 0
             ? fmt::format("{}s", tenths / 10)
             : fmt::format("{}ms", std::max<std::int64_t>(tenths, 1) * 100);
}

const events::event* lost_word(const chronicle& c, const try_record& t) {
  for (const events::event& e : c.of().events) {
    const auto* lost = std::get_if<events::message_lost>(&e.what);
    if (lost != nullptr && lost->token == t.token && e.t >= t.granted && e.t <= t.over) {
      return &e;
    }
  }
  return nullptr;
}

std::optional<remedy> retries_for(const chronicle& c, const events::message_lost& lost) {
  constexpr sim_duration soon = 250ms;
  const auto& links = c.of().scenario.network;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const scenario::link_options& l = links[i];
    const bool is_there = l.from.covers(lost.from) && l.to.covers(lost.to);
    const bool is_back = l.both_ways && l.from.covers(lost.to) && l.to.covers(lost.from);
    if (!is_there && !is_back) {
      continue;
    }
    const std::string path = fmt::format("network.{}.retry.", i + 1);
    const sim_duration after = l.retry ? std::min(soon, l.retry->after / 2) : soon;
    return remedy{"a link that repeats what is not acknowledged, sooner and more often (`retry`)",
                  {{path + "after", fmt::format("{}ms", std::max<std::int64_t>(after / 1ms, 1))},
                   {path + "max", "12"}},
                  lost_rate};
  }
  return std::nullopt;
}

remedy count_durations(std::string metric) {
  return {
      "deadlines that travel as durations (`deadline: duration`): each node counts them on its "
      "own monotonic clock, and no wall clock has a part in them",
      {{"lease.deadline", "duration"}},
      std::move(metric)};
}

lesson lesson_of_lost_accept(const chronicle& c, const try_record& t) {
  for (const auto& known : {of_outage(c, t),
                            of_foreign_clock(c, t),
                            of_strike(c, t),
                            of_lost_word(c, t),
                            of_early_clock(t),
                            of_called_off(c, t),
                            of_late_write(c, t)}) {
    if (known) {
      return *known;
    }
  }
  return of_latency(c, t);
}

}  // namespace dibs::show
