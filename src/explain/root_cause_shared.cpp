// Root causes for rides that several matchers or drivers had a part in: offered to several at once,
// taken over from a matcher that goes on all the same, or given up by one before it heard of its
// trip; and of leases without an end.

#include "explain/late_reply.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// From the offer to her answer, or to the end of the try.
time_interval offer_of(const try_record& t) {
  return t.sent == never ? time_interval{} : time_interval{t.sent, std::min(t.decided, t.over)};
}

/// When the claim of its matcher had run out before this try was written; never if it had not.
sim_time claim_lost(const history::indexed_run& c, const try_record& t) {
  return history::time_of(
      history::first_of<events::ride_claim_ended>(c.of(), [&](const auto& over, sim_time at) {
        return over.ride == t.ride && over.matcher == t.matcher &&
               over.cause == events::claim_ending::expired && at >= t.sent && at < t.committed;
      }));
}

}  // namespace

const try_record* rival_offer(const history::indexed_run& c, const try_record& t) {
  if (c.of().scenario.matchers.offers.at_once() < 2) {
    return nullptr;
  }
  const try_record* first = nullptr;
  for (const try_record& each : c.tries()) {
    const bool is_rival = each.ride == t.ride && each.driver != t.driver && each.accepted &&
                          each.committed != never &&
                          !common(offer_of(each), offer_of(t)).is_empty();
    first = is_rival && (first == nullptr || each.committed < first->committed) ? &each : first;
  }
  return first;
}

std::string told_of_broadcast(const history::indexed_run& c, ride_id r) {
  const auto& offers = c.of().scenario.matchers.offers;
  return fmt::format("{} was offered to up to {} drivers at once ({})",
                     history::name_of(r),
                     offers.at_once(),
                     offers.open == 1 ? fmt::format("`broadcast: {}`", offers.broadcast)
                                      : fmt::format("`open: {}`", offers.open));
}

std::optional<root_cause> root_cause_of_taken_over(const history::indexed_run& c,
                                                   const try_record& one,
                                                   const try_record& other,
                                                   const std::string& metric) {
  const auto& claims = c.of().scenario.matchers.claims;
  if (!claims || claims->at_completion) {
    return std::nullopt;
  }
  const sim_time first = claim_lost(c, one);
  const bool is_first = first <= claim_lost(c, other);
  const sim_time lost = is_first ? first : claim_lost(c, other);
  if (lost == never) {
    return std::nullopt;
  }
  const try_record& late = is_first ? one : other;
  const try_record& heir = is_first ? other : one;
  root_cause l;
  l.decided = late.committed;
  l.reason = fmt::format(
      "the claim of {} to {} had run out at {}, and {} took the ride over; {} had {} written at {} "
      "all the same, for it does not renew its claim before that (`at_completion: trusted`)",
      history::name_of(late.matcher),
      history::name_of(late.ride),
      history::clock_time(lost.time_since_epoch()),
      history::name_of(heir.matcher),
      history::name_of(late.matcher),
      history::name_of(late.driver),
      history::clock_time(late.committed.time_since_epoch()));
  add_measures(c, {remedy_kind::claim_renewed}, metric, l.remedies);
  return l;
}

std::optional<root_cause> late_reply_cause(const history::indexed_run& c,
                                           const try_record& one,
                                           const try_record& other,
                                           const char* metric) {
  for (const auto& [t, heir] : {std::pair{&one, &other}, std::pair{&other, &one}}) {
    const auto late = late_reply_of(c, *t);
    if (late && heir->sent != never && heir->sent >= late->given_up->t) {
      root_cause l;
      l.decided = late->given_up->t;
      l.by_rule = true;
      l.reason = fmt::format(
          "{}, and {} was offered {}",
          describe(c, *t, *late),
          history::name_of(heir->ride),
          heir->driver == t->driver ? "to her again" : "to " + history::name_of(heir->driver));
      add_patience(c, *t, *late, metric, l.remedies);
      return l;
    }
  }
  return std::nullopt;
}

std::string told_at(sim_time t) { return history::clock_time(t.time_since_epoch()); }

std::string told_of_endless(const try_record& t) {
  return fmt::format("{} has no end, and stays until its holder gives it back",
                     history::name_of(t.token));
}

}  // namespace dibs::explain
