// Root causes of offers that never came to a screen, or left it before they were answered: a phone
// that was silent or lost its connection, and a holder that took the offer back.

#include "explain/lost_message.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "metrics/worst_harms.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// When its holder was done with it for that; never if it was not.
sim_time closed_for(const history::indexed_run& c, const try_record& t, events::try_ending cause) {
  return history::time_of(
      history::first_of<events::try_closed>(c.of(), [&](const auto& done, sim_time) {
        return done.token == t.token && done.driver == t.driver && done.cause == cause;
      }));
}

/// What was lost between the holder and her phone before the offer; null if nothing was.
const events::event* lost_greeting(const history::indexed_run& c,
                                   const try_record& t,
                                   const time_interval& when) {
  const node_id phone = node_of(t.driver);
  return history::first_of<events::message_lost>(c.of(), [&](const auto& lost, sim_time at) {
    return lost.token == t.token && (lost.from == phone || lost.to == phone) && when.holds(at);
  });
}

/// The last renewal that its holder asked for, and what came of it.
struct last_renewal {
  sim_time asked = never;
  sim_time refused = never;  ///< by the lease manager
  sim_time granted = never;
};

last_renewal renewal_of(const history::indexed_run& c, const try_record& t, sim_time closed) {
  last_renewal last;
  last.asked = history::time_of(
      history::last_of<events::call_made>(c.of(), [&](const auto& made, sim_time at) {
        return made.what == events::call::renew && made.token == t.token && at <= closed;
      }));
  if (last.asked == never) {
    return last;
  }
  last.refused = history::time_of(history::first_of<events::renewal_refused>(
      c.of(),
      [&](const auto& no, sim_time at) { return no.token == t.token && at >= last.asked; }));
  last.granted = history::time_of(history::first_of<events::lease_renewed>(
      c.of(),
      [&](const auto& yes, sim_time at) { return yes.token == t.token && at >= last.asked; }));
  return last;
}

/// What held up its renewal or the answer to that; null if nothing did.
const events::message_tampered* struck_renewal(const history::indexed_run& c,
                                               const try_record& t,
                                               const time_interval& when) {
  const auto* found =
      history::first_of<events::message_tampered>(c.of(), [&](const auto& each, sim_time at) {
        return each.token == t.token && each.what == events::tampering::delayed &&
               (is_manager(each.from) || is_manager(each.to)) && when.holds(at);
      });
  return found == nullptr ? nullptr : &std::get<events::message_tampered>(found->what);
}

std::string told_of_renewal(const try_record& t, const last_renewal& last, sim_time closed) {
  if (last.asked == never) {
    return fmt::format("{} was not renewed", history::name_of(t.token));
  }
  const std::string asked = fmt::format("{} asked at {} for {} to be renewed",
                                        history::name_of(t.matcher),
                                        told_at(last.asked),
                                        history::name_of(t.token));
  if (last.granted < closed) {
    return fmt::format("{}, and had not heard by {} that it was, at {}",
                       asked,
                       told_at(closed),
                       told_at(last.granted));
  }
  if (t.over <= last.refused && last.refused != never) {
    return fmt::format("{}, which came to the lease manager {} after its end",
                       asked,
                       text::duration(last.refused - t.over));
  }
  if (last.refused < closed) {
    return fmt::format("{}, which was refused at {}", asked, told_at(last.refused));
  }
  return fmt::format("{}, and had no answer by {}", asked, told_at(closed));
}

}  // namespace

sim_time greeted_at(const history::indexed_run& c, const try_record& t) {
  const auto& handshake = c.of().scenario.lease.handshake;
  const sim_time closed = closed_for(c, t, events::try_ending::unreachable);
  return handshake && closed != never ? std::max(closed - *handshake, t.granted) : never;
}

std::optional<root_cause> root_cause_of_unreachable(const history::indexed_run& c,
                                                    const try_record& t,
                                                    const std::string& metric) {
  const auto& handshake = c.of().scenario.lease.handshake;
  const sim_time closed = closed_for(c, t, events::try_ending::unreachable);
  if (!handshake || closed == never) {
    return std::nullopt;
  }
  const events::event* lost = lost_greeting(c, t, {t.granted, closed});
  root_cause l;
  l.decided = closed;
  l.by_rule = lost == nullptr;
  l.reason = fmt::format(
      "{} waits {} for a phone to say that it is there before it sends an offer (`handshake`), and "
      "that of {} did not in that time{}",
      history::name_of(t.matcher),
      text::duration(*handshake),
      history::name_of(t.driver),
      lost != nullptr ? fmt::format(": what they said was lost at {}", told_at(lost->t)) : "");
  if (lost != nullptr) {
    add(l.remedies, retries_for(c, std::get<events::message_lost>(lost->what), metric.c_str()));
  }
  l.remedies.push_back(
      {"a holder that waits for longer until a phone says that it is there "
       "(`handshake`)",
       {{"lease.handshake", tenths_up(4 * *handshake)}},
       metric});
  l.remedies.push_back(
      {"an offer that is sent at once, without asking first whether the phone is "
       "there (`handshake: none`)",
       {{"lease.handshake", "none"}},
       metric});
  return l;
}

std::optional<root_cause> root_cause_of_offline(const history::indexed_run& c,
                                                const try_record& t,
                                                const std::string& metric) {
  const auto* gone =
      history::first_of<events::offer_dismissed>(c.of(), [&](const auto& off, sim_time) {
        return off.token == t.token && off.driver == t.driver &&
               off.cause == events::dismissal::went_offline;
      });
  if (t.shown == never || t.decided != never || gone == nullptr || gone->t >= t.over) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = gone->t;
  l.reason = fmt::format(
      "she went offline at {}, {} after the offer had come to her screen: it was gone, and nobody "
      "heard of that{}",
      told_at(gone->t),
      text::duration(gone->t - t.shown),
      t.deadline == never ? ", and " + told_of_endless(t)
                          : fmt::format(" until {} ran out", history::name_of(t.token)));
  if (c.of().scenario.drivers.drop_out.share > 0) {
    remedy connected{"phones that stay connected, that is, without `drop_out`",
                     {{"drivers.drop_out.share", "0"}},
                     metric};
    connected.is_without_fault = true;
    l.remedies.push_back(std::move(connected));
  }
  return l;
}

std::optional<root_cause> root_cause_of_unrenewed(const history::indexed_run& c,
                                                  const try_record& t,
                                                  const std::string& metric) {
  const sim_time closed = closed_for(c, t, events::try_ending::lease_lost);
  const auto* off =
      history::first_of<events::offer_dismissed>(c.of(), [&](const auto& gone, sim_time) {
        return gone.token == t.token && gone.driver == t.driver &&
               gone.cause == events::dismissal::withdrawn;
      });
  const bool is_ended_by_other = t.ended && t.ending != events::lease_ending::expired &&
                                 t.ending != events::lease_ending::swept;
  if (closed == never || off == nullptr || t.decided != never || is_ended_by_other) {
    return std::nullopt;
  }
  const last_renewal last = renewal_of(c, t, closed);
  const auto* struck = last.asked == never ? nullptr : struck_renewal(c, t, {last.asked, closed});
  root_cause l;
  l.decided = last.asked == never ? closed : last.asked;
  l.reason = fmt::format(
      "{}{}; {} took it for over at {}, and the offer was withdrawn before she had answered",
      told_of_renewal(t, last, closed),
      struck != nullptr ? fmt::format(", for a fault held up what {} had to say, for {}",
                                      metrics::describe(struck->from),
                                      text::duration(struck->by))
                        : "",
      history::name_of(t.matcher),
      told_at(closed));
  if (struck != nullptr) {
    add(l.remedies, without_strike(c, *struck, metric));
  }
  add_measures(c, {remedy_kind::renewed_early}, metric, l.remedies);
  add(l.remedies, longer_lease(c, metric.c_str()));
  return l;
}

std::optional<root_cause> root_cause_of_lost_zone(const history::indexed_run& c,
                                                  const try_record& t) {
  const sim_time off = history::time_of(
      history::first_of<events::offer_dismissed>(c.of(), [&](const auto& gone, sim_time) {
        return gone.token == t.token && gone.driver == t.driver &&
               gone.cause == events::dismissal::withdrawn;
      }));
  if (!t.ended || t.ending != events::lease_ending::zone_lost || t.decided != never ||
      off == never) {
    return std::nullopt;
  }
  root_cause l;
  l.decided = t.over;
  l.reason = fmt::format(
      "the zone of {} was over at {}, and with it {}: the offer was withdrawn at {}, before she "
      "had "
      "answered",
      history::name_of(t.matcher),
      told_at(t.over),
      history::name_of(t.token),
      told_at(off));
  return l;
}

}  // namespace dibs::explain
