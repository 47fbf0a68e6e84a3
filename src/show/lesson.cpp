#include "show/lesson.hpp"

#include "report/number.hpp"
#include "show/lesson_parts.hpp"
#include "show/naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::show {
namespace {

using metrics::harm;
using metrics::never;
using metrics::try_record;

const try_record& at(const chronicle& c, const breach& b, std::size_t i) {
  return c.tries()[b.tries[i]];
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

remedy look_at_expiry(const chronicle& c) {
  // A scenario may take the look at the expiry out of a protocol that has it.
  const bool is_taken_out = c.of().scenario.lease.checks_expiry == false;
  const char* metric = "confirms.stale_accepted";
  return is_taken_out ? remedy{"a lease manager that looks at the expiry whenever it takes a "
                               "confirm (`expiry: checked`), and does not wait for a sweep",
                               {{"lease.expiry", "checked"}},
                               metric}
                      : remedy{"a confirm that asks for the current token and looks at the expiry",
                               {{"lease.protocol", "fenced"}},
                               metric};
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
  const bool is_first_stale = first.over <= second.granted;
  const try_record& stale = is_first_stale ? first : second;
  const try_record& next = is_first_stale ? second : first;
  if (leases(c) && stale.is_leased() && next.is_leased() && stale.over <= next.granted) {
    const auto trusted = c.clocks().trusted_until(stale);
    const bool by_clock = trusted && *trusted - stale.over >= 50ms;
    l.because = fmt::format(
        "{} had ended and {} was granted, {} still meant to write under the old one{}, and the "
        "ledger does not look at tokens",
        name_of(stale.token),
        name_of(next.token),
        name_of(stale.matcher),
        by_clock ? fmt::format(", whose deadline its clock reaches {} later than the lease manager",
                               report::duration(*trusted - stale.over))
                 : "");
    l.remedies.push_back(fence(c, metric));
    if (by_clock) {
      l.remedies.push_back(count_durations(std::move(metric)));
    }
    return l;
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

/// Another lease on the driver that was live at the instant; null if there was none.
const try_record* rival_at(const chronicle& c, const try_record& own, sim_time t) {
  for (const try_record& each : c.tries()) {
    const bool is_hers = each.driver == own.driver && each.is_leased() && each.token != own.token;
    if (is_hers && each.lease().holds(t)) {
      return &each;
    }
  }
  return nullptr;
}

/// A standby that outlasts every partition of the scenario never leads beside the leader.
std::optional<remedy> patient_standby(const chronicle& c) {
  sim_duration longest{};
  for (const scenario::fault& f : c.of().scenario.faults) {
    const auto* cut = std::get_if<scenario::partition_fault>(&f.what);
    longest = cut != nullptr ? std::max(longest, cut->length) : longest;
  }
  const auto& standby = c.of().scenario.lease.standby;
  if (!standby || longest == sim_duration::zero() || standby->after > longest) {
    return std::nullopt;
  }
  return remedy{"a standby that waits for longer than a partition lasts before it leads",
                {{"lease.standby.after", tenths_up(longest + standby->after)}},
                "confirms.stale_accepted"};
}

lesson of_stale_confirm(const chronicle& c, const breach& b) {
  lesson l;
  const try_record& t = at(c, b, 0);
  const try_record* rival = rival_at(c, t, b.t);
  if (rival != nullptr && std::min(t.over, t.deadline) > b.t) {
    l.decided = std::max(rival->granted, t.granted);
    l.because = fmt::format("{} and {} were live on her at once{}",
                            name_of(t.token),
                            name_of(rival->token),
                            c.of().scenario.lease.standby
                                ? ": two lease managers led, each of which grants what its own "
                                  "table says is free, and takes a confirm of what it granted"
                                : "");
    if (auto patient = patient_standby(c)) {
      l.remedies.push_back(std::move(*patient));
    }
    return l;
  }
  l.decided = std::min(t.over, t.deadline);
  l.because = "the lease was over, and a confirm of this protocol is taken all the same";
  l.remedies.push_back(look_at_expiry(c));
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
    return lesson_of_starved(c, b);
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
      return lesson_of_lost_accept(c, at(c, b, 0));
    case harm::stale_confirm:
      return of_stale_confirm(c, b);
    case harm::hiding_lease:
      return lesson_of_hiding(c, b);
    case harm::starved_ride:
      break;
  }
  return {};
}

}  // namespace dibs::show
