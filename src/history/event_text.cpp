#include "history/event_text.hpp"

#include "events/enum_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <array>
#include <type_traits>
#include <variant>

namespace dibs::history {
namespace {

using namespace dibs::events;

template <class Fact>
constexpr bool at_lease_manager =
    std::is_same_v<Fact, lease_granted> || std::is_same_v<Fact, lease_denied> ||
    std::is_same_v<Fact, lease_renewed> || std::is_same_v<Fact, lease_reset> ||
    std::is_same_v<Fact, renewal_refused> || std::is_same_v<Fact, confirm_accepted> ||
    std::is_same_v<Fact, confirm_refused> || std::is_same_v<Fact, lease_ended> ||
    std::is_same_v<Fact, ride_claimed> || std::is_same_v<Fact, ride_claim_ended> ||
    std::is_same_v<Fact, zone_granted> || std::is_same_v<Fact, zone_ended>;

/// A rider is known here by the ride.
node_id rider_of(node_id n, ride_id about) {
  return n.kind() == node_kind::rider && about.is_some() ? node_id{node_kind::rider, about.value}
                                                         : n;
}

template <class Fact>
node_id place_of(const Fact& f, bool commits_at_manager) {
  constexpr node_id manager{node_kind::lease_manager, 0};
  constexpr node_id ledger{node_kind::ledger, 0};
  if constexpr (requires { f.node; }) {
    return f.node;
  } else if constexpr (requires { f.client; }) {
    return f.client;
  } else if constexpr (std::is_same_v<Fact, message_tampered>) {
    return rider_of(f.from, f.ride);
  } else if constexpr (std::is_same_v<Fact, message_lost>) {
    return rider_of(f.cause == loss_cause::crash ? f.to : f.from, f.ride);
  } else if constexpr (std::is_same_v<Fact, trip_committed>) {
    return commits_at_manager ? manager : ledger;
  } else if constexpr (std::is_same_v<Fact, write_refused> ||
                       std::is_same_v<Fact, assignment_revoked>) {
    return ledger;
  } else if constexpr (std::is_same_v<Fact, offer_sent> || std::is_same_v<Fact, try_closed> ||
                       std::is_same_v<Fact, rider_asked>) {
    return node_of(f.matcher);
  } else if constexpr (at_lease_manager<Fact>) {
    return manager;
  } else if constexpr (std::is_same_v<Fact, ride_requested> ||
                       std::is_same_v<Fact, ride_asked_again> ||
                       std::is_same_v<Fact, ride_abandoned> ||
                       std::is_same_v<Fact, ride_cancelled> ||
                       std::is_same_v<Fact, ride_promised> ||
                       std::is_same_v<Fact, rider_confirmed> ||
                       std::is_same_v<Fact, rider_picked_up>) {
    return {node_kind::rider, f.ride.value};
  } else if constexpr (requires { f.driver; }) {
    return node_of(f.driver);
  } else {
    return {};
  }
}

// Why things ended or were refused, in the order of the causes.

template <class Cause>
constexpr auto reasons = nullptr;

template <>
constexpr auto reasons<denial> =
    std::to_array<std::string_view>({"she is under another lease",
                                     "she is on a trip",
                                     "her last lease expired too recently",
                                     "it does not hold her zone"});

template <>
constexpr auto reasons<lease_ending> =
    std::to_array<std::string_view>({"she declined",
                                     "its time is over",
                                     "the sweep found it expired",
                                     "it was given back",
                                     "it is no longer wanted",
                                     "the ledger refused the write",
                                     "it was confirmed, and no write came",
                                     "the lease manager no longer knows of it",
                                     "its holder lost the zone"});

template <>
constexpr auto reasons<dismissal> =
    std::to_array<std::string_view>({"her time to answer is over",
                                     "it was withdrawn",
                                     "a newer one took its place",
                                     "her phone takes no second one",
                                     "she went offline"});

template <>
constexpr auto reasons<try_ending> =
    std::to_array<std::string_view>({"the assignment stands",
                                     "no lease was granted",
                                     "she declined",
                                     "no answer came in time",
                                     "the lease is over",
                                     "the confirm was refused",
                                     "the ledger refused",
                                     "no reply came",
                                     "the ride is no longer wanted",
                                     "her phone did not answer",
                                     "it lost the ride, or the zone"});

template <>
constexpr auto reasons<write_refusal> =
    std::to_array<std::string_view>({"it knows a newer token of hers, or this one by another trip",
                                     "she is on a trip",
                                     "the ride has a driver",
                                     "she was assigned since her version was read"});

template <>
constexpr auto reasons<confirm_refusal> =
    std::to_array<std::string_view>({"there is no such lease any more",
                                     "she is under another lease",
                                     "it has expired",
                                     "she is on a trip",
                                     "the ride has a driver",
                                     "it is not the next renewal"});

template <>
constexpr auto reasons<revocation> = std::to_array<std::string_view>({"she never came",
                                                                      "the rider called it off",
                                                                      "she called it off"});

template <class Cause>
std::string_view reason_of(Cause cause) {
  static_assert(reasons<Cause>.size() == enum_names<Cause>.size(), "each cause has its reason");
  return reasons<Cause>[static_cast<std::size_t>(cause)];
}

// One short sentence for each kind of fact, after the name of the node to which it happened.

std::string say(const driver_came_online& /*f*/) { return "comes online"; }
std::string say(const driver_went_offline& /*f*/) { return "goes offline"; }
std::string say(const ride_requested& /*f*/) { return "asks for a driver"; }

std::string say(const ride_asked_again& f) {
  return fmt::format("still waits, and asks again (time {})", f.times);
}

std::string say(const rider_asked& f) {
  return fmt::format(
      "asks the rider of {} whether she takes {}", name_of(f.ride), name_of(f.driver));
}

std::string say(const rider_confirmed& f) {
  return fmt::format("takes the driver of {}", name_of(f.token));
}

std::string say(const ride_abandoned& f) {
  switch (f.cause) {
    case abandonment::patience:
      return "runs out of patience and leaves";
    case abandonment::tries:
      return "is told that no driver will come: all tries are used up";
    case abandonment::wait:
      return "is told that no driver will come: it has waited too long";
    case abandonment::cancelled:
      return "calls the ride off before she knows of a driver";
    case abandonment::unconfirmed:
      return "does not take a driver in time, and leaves";
  }
  return "";
}

std::string say(const ride_cancelled& /*f*/) { return "calls the ride off"; }

std::string on_clock(local_time t, const clock_reading& by) {
  return clock_time(t.time_since_epoch() + by.off);
}

std::string say(const lease_granted& f, const clock_reading& by) {
  const std::string ttl = f.ttl == forever ? "without end" : "for " + text::duration(f.ttl);
  const bool tells_instant = by.by_wall && f.expires != local_time::max();
  return fmt::format("grants {} on {} to {} for {}, {}{}{}",
                     name_of(f.token),
                     name_of(f.driver),
                     name_of(f.matcher),
                     name_of(f.ride),
                     ttl,
                     tells_instant ? ", until " + on_clock(f.expires, by) + " on its clock" : "",
                     by.raises_fence ? ", and has the ledger raise her fence to it" : "");
}

std::string say(const lease_denied& f) {
  return fmt::format("denies {} a lease on {} for {}: {}",
                     name_of(f.matcher),
                     name_of(f.driver),
                     name_of(f.ride),
                     reason_of(f.cause));
}

std::string say(const lease_renewed& f) { return fmt::format("renews {}", name_of(f.token)); }

std::string say(const lease_reset& f) {
  return fmt::format("gives {} time anew, unasked", name_of(f.token));
}

std::string say(const confirm_accepted& f) {
  return fmt::format("takes the {} of {} ({} for {})",
                     f.repeated ? "repeated confirm" : "confirm",
                     name_of(f.token),
                     name_of(f.driver),
                     name_of(f.ride));
}

std::string say(const confirm_refused& f) {
  return fmt::format("refuses the confirm of {} ({} for {}): {}",
                     name_of(f.token),
                     name_of(f.driver),
                     name_of(f.ride),
                     reason_of(f.cause));
}

std::string say(const lease_ended& f) {
  return fmt::format("ends {} on {} for {}: {}",
                     name_of(f.token),
                     name_of(f.driver),
                     name_of(f.ride),
                     reason_of(f.cause));
}

std::string say(const offer_sent& f, const clock_reading& by) {
  const sim_duration length = by.left.value_or(sim_duration::zero());
  std::string left;
  if (length > sim_duration::zero()) {
    left = fmt::format(", of which its clock says that {} is left", text::duration(length));
  } else if (length < sim_duration::zero()) {
    left = fmt::format(", which was over {} ago by its clock", text::duration(-length));
  } else if (by.left) {
    left = ", which is over just now by its clock";
  }
  return fmt::format("sends {} the offer of {} ({}{})",
                     name_of(f.driver),
                     name_of(f.ride),
                     name_of(f.token),
                     left);
}

std::string say(const offer_shown& f, const clock_reading& by) {
  return f.deadline == local_time::max()
             ? fmt::format("sees the offer of {}", name_of(f.ride))
             : fmt::format("sees the offer of {}, until {} on her clock",
                           name_of(f.ride),
                           on_clock(f.deadline, by));
}

std::string say(const offer_dismissed& f) {
  return fmt::format("no longer sees the offer under {}: {}", name_of(f.token), reason_of(f.cause));
}

std::string say(const offer_answered& f) {
  return fmt::format("{} {}{}",
                     f.answer == offer_response::accepted ? "accepts" : "declines",
                     name_of(f.ride),
                     f.in_time ? "" : ", too late by her own clock");
}

std::string say(const try_closed& f) {
  return fmt::format(
      "is done with {} for {}: {}", name_of(f.driver), name_of(f.ride), reason_of(f.cause));
}

std::string say(const trip_committed& f) {
  return fmt::format("writes {} down for {} ({}, from {}): the trip begins",
                     name_of(f.driver),
                     name_of(f.ride),
                     name_of(f.token),
                     name_of(f.matcher));
}

std::string say(const write_refused& f) {
  return fmt::format("refuses {} for {} ({}): {}",
                     name_of(f.driver),
                     name_of(f.ride),
                     name_of(f.token),
                     reason_of(f.cause));
}

std::string say(const ride_promised& f) { return fmt::format("is promised {}", name_of(f.driver)); }

std::string say(const assignment_revoked& f) {
  return fmt::format(
      "takes {} off {} again: {}", name_of(f.driver), name_of(f.ride), reason_of(f.cause));
}

std::string say(const rider_picked_up& f) {
  return fmt::format("is picked up by {}", name_of(f.driver));
}

std::string say(const trip_ended& f) { return fmt::format("ends the trip of {}", name_of(f.ride)); }

bool has_memory(node_id n, const clock_reading& by) {
  return n.kind() == node_kind::lease_manager && by.memory != scenario::after_restart::forgotten;
}

std::string say(const node_crashed& f, const clock_reading& by) {
  return has_memory(f.node, by) ? "crashes" : "crashes, and forgets";
}

std::string say(const node_restarted& f, const clock_reading& by) {
  if (!has_memory(f.node, by)) {
    return "is up again";
  }
  switch (by.memory) {
    case scenario::after_restart::extended:
      return "is up again, and gives each of its leases a whole TTL";
    case scenario::after_restart::checkpoint:
      return "is up again, with its leases as they were when they were last written down";
    case scenario::after_restart::kept:
    case scenario::after_restart::forgotten:
      break;
  }
  return "is up again, with its leases as they were";
}

std::string say(const node_paused& /*f*/) { return "stops for a while: what reaches it waits"; }
std::string say(const node_resumed& /*f*/) { return "goes on, with all that has waited"; }

/// At the other end of a link: riders have numbers of their own there, others than their rides.
std::string party(node_id n) { return n.kind() == node_kind::rider ? "the rider" : name_of(n); }

std::string say(const message_lost& f) {
  const std::string what = f.ride.is_some() ? " about " + name_of(f.ride) : "";
  switch (f.cause) {
    case loss_cause::loss:
      return fmt::format("has a message to {}{} lost on the way", party(f.to), what);
    case loss_cause::partition:
      return fmt::format("has a message to {}{} lost to the partition", party(f.to), what);
    case loss_cause::crash:
      return fmt::format("misses a message of {}{}: nobody is up to take it", party(f.from), what);
  }
  return "";
}

std::string say(const message_tampered& f) {
  const std::string what = fmt::format("{} to {}{}",
                                       spaced(events::name_of(f.message)),
                                       party(f.to),
                                       f.ride.is_some() ? " about " + name_of(f.ride) : "");
  switch (f.what) {
    case tampering::dropped:
      return fmt::format("has its message {} dropped by a fault", what);
    case tampering::delayed:
      return fmt::format(
          "has its message {} held up by a fault, for {}", what, text::duration(f.by));
    case tampering::doubled:
      return fmt::format("has its message {} doubled by a fault: a copy follows {} later",
                         what,
                         text::duration(f.by));
  }
  return "";
}

std::string say(const work_failed& f) {
  return fmt::format("fails with an error while it works on {} for {}: {}",
                     name_of(f.driver),
                     name_of(f.ride),
                     f.gives_back ? "all that it still does is to give the lease back"
                                  : "what it was about to do is never done");
}

std::string say(const call_made& f, const clock_reading& by) {
  if (f.what == call::release && !f.token.is_some()) {
    return fmt::format(
        "gives back {} for {}, although it was refused her", name_of(f.driver), name_of(f.ride));
  }
  if (f.what == call::acquire) {
    return fmt::format(
        "asks {} for a lease on {} for {}", by.manager, name_of(f.driver), name_of(f.ride));
  }
  const std::string what = f.what == call::write     ? "asks the ledger to write"
                           : f.what == call::confirm ? fmt::format("asks {} to confirm", by.manager)
                           : f.what == call::renew   ? fmt::format("asks {} to renew", by.manager)
                                                     : "gives back";
  return fmt::format(
      "{} {} for {} ({})", what, name_of(f.driver), name_of(f.ride), name_of(f.token));
}

std::string say(const call_answered& f) {
  // A ledger that refuses does not name the driver whom it was asked for.
  return fmt::format("hears {} about {} for {}",
                     f.answer == call_answer::no ? "a no" : "a yes",
                     f.driver.is_some() ? name_of(f.driver) : name_of(f.token),
                     name_of(f.ride));
}

std::string say(const renewal_refused& f) {
  return fmt::format("refuses to renew {} ({} for {}): {}",
                     name_of(f.token),
                     name_of(f.driver),
                     name_of(f.ride),
                     reason_of(f.cause));
}

std::string say(const ride_claimed& f) {
  return fmt::format("gives {} to {}{}",
                     name_of(f.ride),
                     name_of(f.matcher),
                     f.taken_over ? ", for the claim of another had run out" : "");
}

std::string say(const ride_claim_ended& f) {
  return fmt::format("ends the claim of {} to {}: {}",
                     name_of(f.matcher),
                     name_of(f.ride),
                     f.cause == claim_ending::released ? "it was given back" : "it ran out");
}

std::string say(const zone_granted& f) {
  return fmt::format("gives {} to {}{}",
                     name_of(f.zone),
                     name_of(f.matcher),
                     f.mode == zone_mode::read ? " to look into" : "");
}

std::string say(const zone_ended& f) {
  return fmt::format("ends the hold of {} on {}: {}",
                     name_of(f.matcher),
                     name_of(f.zone),
                     f.cause == claim_ending::released ? "it was given back" : "it ran out");
}

std::string say(const leader_changed& f) { return fmt::format("leads, in term {}", f.term); }

/// A kind of fact that has no sentence here yet is told by its name.
template <class Fact>
std::string say_any(const Fact& f, const clock_reading& by) {
  if constexpr (requires { say(f, by); }) {
    return say(f, by);
  } else if constexpr (requires { say(f); }) {
    return say(f);
  } else {
    return spaced(Fact::name);
  }
}

}  // namespace

subjects subjects_of(const fact& what, bool commits_at_manager) {
  return std::visit(
      [&](const auto& f) {
        subjects s;
        if constexpr (requires { f.driver; }) {
          s.driver = f.driver;
        }
        if constexpr (requires { f.ride; }) {
          s.ride = f.ride;
        }
        if constexpr (requires { f.token; }) {
          s.token = f.token;
        }
        if constexpr (requires { f.matcher; }) {
          s.matcher = f.matcher;
        }
        s.where = place_of(f, commits_at_manager);
        return s;
      },
      what);
}

std::string describe(const event& e, const clock_reading& by) {
  return std::visit([&](const auto& f) { return say_any(f, by); }, e.what);
}

bool is_of_lease_manager(const fact& what) {
  return std::visit([](const auto& f) { return at_lease_manager<std::decay_t<decltype(f)>>; },
                    what) ||
         std::holds_alternative<trip_committed>(what);
}

bool is_notable(const fact& what) {
  if (const auto* made = std::get_if<call_made>(&what)) {
    return made->what == call::confirm || made->what == call::write;
  }
  if (const auto* answered = std::get_if<call_answered>(&what)) {
    return answered->answer == call_answer::no && answered->what != call::acquire;
  }
  return true;
}

}  // namespace dibs::history
