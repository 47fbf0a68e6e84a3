#include "show/lesson.hpp"

#include "report/number.hpp"
#include "show/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace dibs::show {
namespace {

using metrics::harm;
using metrics::never;
using metrics::try_record;

const try_record& at(const chronicle& c, const breach& b, std::size_t i) {
  return c.tries()[b.tries[i]];
}

bool leases(const chronicle& c) { return c.of().scenario.lease.rules().leases; }

std::string seconds_up(sim_duration d) {
  const auto tenths = static_cast<std::int64_t>(std::ceil(in_seconds(d) * 10));
  return fmt::format("{}ms", std::max<std::int64_t>(tenths, 1) * 100);
}

remedy fence(const chronicle& c, std::string metric) {
  const bool has_leases = leases(c);
  return {
      has_leases
          ? "a fenced ledger (`fenced`): it refuses a token older than the newest that it knows, "
            "and a driver who is on a trip"
          : "a lease before the offer, and a fenced ledger (`fenced`): one matcher at a time may "
            "offer to a driver, and the ledger refuses a driver who is on a trip",
      {{"lease.protocol", "fenced"}},
      std::move(metric)};
}

/// The instant of her answer, or of the commit where she was not asked.
sim_time decision(const try_record& t) { return t.decided != never ? t.decided : t.committed; }

lesson of_double_commit(const chronicle& c, const breach& b, std::string metric) {
  lesson l;
  const try_record& first = at(c, b, 0);
  const try_record& second = at(c, b, 1);
  const bool one_ride = first.ride == second.ride;
  const try_record& later = decision(first) > decision(second) ? first : second;
  l.decided = decision(later);
  if (one_ride) {
    l.because = fmt::format(
        "with the answer of {} both of them had said yes to {}, and nothing between them and the "
        "ledger asks whether the ride has a driver",
        name_of(later.driver),
        name_of(later.ride));
    l.remedies.push_back(
        {"the ride as the key of the write (`idempotent`): the ledger gives a ride "
         "no second driver",
         {{"lease.protocol", "idempotent"}},
         "double.rides"});
    l.remedies.push_back(fence(c, "double.rides"));
    return l;
  }
  l.because = fmt::format(
      "with her answer to {} she had said yes to both, and nothing between her and the ledger asks "
      "whether she is free",
      name_of(later.ride));
  if (leases(c) && first.is_leased() && second.is_leased() && first.over < second.granted) {
    l.because = fmt::format(
        "{} had ended and {} was granted, {} still meant to write under the old one, and the "
        "ledger "
        "does not look at tokens",
        name_of(first.token),
        name_of(second.token),
        name_of(first.matcher));
  }
  l.remedies.push_back(fence(c, metric));
  if (!leases(c)) {
    l.remedies.push_back(
        {"a version of the driver that is read at the pick and compared at the "
         "write (`optimistic`): the second write comes too late",
         {{"lease.protocol", "optimistic"}},
         std::move(metric)});
  }
  return l;
}

lesson of_two_on_screen(const chronicle& c, const breach& b, std::string metric) {
  lesson l;
  const try_record& second = at(c, b, 1);
  const bool answered = b.harm == harm::double_accept;
  l.decided = answered ? second.decided : second.sent;
  l.because = answered ? "until she said yes a second time she could have declined"
                       : fmt::format(
                             "once {} had sent its offer only a quick answer to the other one "
                             "could have kept them apart",
                             name_of(second.matcher));
  if (leases(c)) {
    l.remedies.push_back({"a phone that takes no second offer while one is shown",
                          {{"drivers.phone", "first"}},
                          std::move(metric)});
  } else {
    l.remedies.push_back(fence(c, std::move(metric)));
  }
  return l;
}

/// The word that this try waited for, if it was lost.
const events::event* lost_word(const chronicle& c, const try_record& t) {
  for (const events::event& e : c.of().events) {
    const auto* lost = std::get_if<events::message_lost>(&e.what);
    if (lost != nullptr && lost->token == t.token && e.t >= t.granted && e.t <= t.over) {
      return &e;
    }
  }
  return nullptr;
}

/// Repeats what is not acknowledged on the link that lost it; nothing if no link is named there.
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
                  "accepts.lost_rate"};
  }
  return std::nullopt;
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
    l.because = fmt::format("her answer had {} left to become a confirm, and needed longer",
                            report::duration(std::max(left, sim_duration::zero())));
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
         {{"lease.offer_window", seconds_up(shorter - 100ms)}},
         "accepts.lost_rate"});
  }
  return l;
}

lesson of_lost_accept(const chronicle& c, const breach& b) {
  const try_record& t = at(c, b, 0);
  lesson l;
  if (const sim_time down = c.down().first_within(t.matcher, t.lease()); down != never) {
    l.decided = down;
    l.because = fmt::format(
        "{} forgot the ride when it crashed, and nobody else may confirm what it had leased",
        name_of(t.matcher));
    l.remedies.push_back(
        {"drivers who confirm at the lease manager themselves "
         "(`confirm_by: driver`): a matcher that is away is not asked",
         {{"lease.confirm_by", "driver"}, {"lease.commit", "manager"}},
         "accepts.lost_rate"});
    return l;
  }
  const metrics::interval after{t.decided, t.over};
  if (const sim_time paused = c.paused().first_within(t.matcher, after); paused != never) {
    l.decided = std::max(paused, t.granted);
    l.because = fmt::format("{} stood still until the lease was over, and only it may confirm",
                            name_of(t.matcher));
    l.remedies.push_back(
        {"drivers who confirm at the lease manager themselves "
         "(`confirm_by: driver`): a matcher that stands still is not asked",
         {{"lease.confirm_by", "driver"}, {"lease.commit", "manager"}},
         "accepts.lost_rate"});
    return l;
  }
  if (const events::event* lost = lost_word(c, t)) {
    l.decided = lost->t;
    l.because = "a message that this lease waited for was lost, and what repeated it came too late";
    if (auto again = retries_for(c, std::get<events::message_lost>(lost->what))) {
      l.remedies.push_back(std::move(*again));
    }
    return l;
  }
  if (t.is_leased() && t.ended && t.over < t.deadline &&
      t.ending == events::lease_ending::expired) {
    l.decided = t.decided;
    l.because = fmt::format("a clock ended the lease {} before its time",
                            report::duration(t.deadline - t.over));
    l.remedies.push_back({"a grace at the lease manager, as long as clocks are wrong",
                          {{"lease.grace", seconds_up(t.deadline - t.over)}},
                          "accepts.lost_rate"});
    return l;
  }
  return of_latency(c, t);
}

lesson of_broken_promise(const chronicle& c, const breach& b) {
  if (b.tries.size() > 1) {
    lesson l = of_double_commit(c, b, "promises.broken");
    return l;
  }
  lesson l;
  const try_record& t = at(c, b, 0);
  const events::event* lost = lost_word(c, t);
  l.decided = lost != nullptr ? std::optional(lost->t) : std::nullopt;
  l.because = "the word of her trip never reached her";
  if (lost != nullptr) {
    auto again = retries_for(c, std::get<events::message_lost>(lost->what));
    if (again) {
      again->metric = "promises.broken";
      l.remedies.push_back(std::move(*again));
    }
  }
  return l;
}

lesson of_starved(const chronicle& c) {
  lesson l;
  l.because = "every driver near it was on a trip or under a lease";
  const scenario::lease_options& lease = c.of().scenario.lease;
  if (leases(c) && lease.ttl != forever && lease.ttl >= 2s) {
    const sim_duration half = lease.ttl / 2;
    const sim_duration margin =
        lease.offer_window ? std::max(lease.ttl - *lease.offer_window, sim_duration::zero())
                           : sim_duration::zero();
    remedy shorter{
        "a lease of half the length", {{"lease.ttl", seconds_up(half)}}, "supply.starved_share"};
    if (lease.offer_window && half > margin + 200ms) {
      shorter.set.push_back({"lease.offer_window", seconds_up(half - margin)});
    }
    l.remedies.push_back(std::move(shorter));
  }
  return l;
}

lesson of_broken_invariant(const chronicle& c, const breach& b) {
  lesson l;
  if (b.broken == lease::invariant::no_double_commit && b.tries.size() > 1) {
    return of_double_commit(c, b, "double.commits");
  }
  l.because = "the history leaves what the protocol promised; the event at which it does is marked";
  return l;
}

}  // namespace

lesson lesson_of(const chronicle& c, const breach& b) {
  if (b.broken) {
    return of_broken_invariant(c, b);
  }
  const std::size_t needed =
      b.harm == harm::double_commit || b.harm == harm::double_accept || b.harm == harm::double_offer
          ? 2
          : 1;
  if (b.harm == harm::starved_ride) {
    return of_starved(c);
  }
  if (b.tries.size() < needed) {
    return {};
  }
  switch (b.harm) {
    case harm::double_commit:
      return of_double_commit(c, b, "double.commits");
    case harm::broken_promise:
      return of_broken_promise(c, b);
    case harm::double_accept:
      return of_two_on_screen(c, b, "double.accepts");
    case harm::double_offer:
      return of_two_on_screen(c, b, "double.offers");
    case harm::lost_accept:
      return of_lost_accept(c, b);
    case harm::stale_confirm: {
      lesson l;
      l.decided = std::min(at(c, b, 0).over, at(c, b, 0).deadline);
      l.because = "the lease was over, and a confirm of this protocol is taken all the same";
      l.remedies.push_back({"a confirm that asks for the current token and looks at the expiry",
                            {{"lease.protocol", "fenced"}},
                            "confirms.stale_accepted"});
      return l;
    }
    case harm::starved_ride:
      break;
  }
  return {};
}

}  // namespace dibs::show
