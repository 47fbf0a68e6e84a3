#include "formats/fact_table.hpp"

#include "base/point.hpp"
#include "events/enum_names.hpp"
#include "events/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

namespace dibs::formats {
namespace {

struct described {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array fact_meanings{
    described{"driver_came_online", "a driver began to work"},
    described{"driver_went_offline", "a driver ended her work"},
    described{"ride_requested", "a rider asked for a driver"},
    described{"ride_asked_again", "a rider who still waits asked once more"},
    described{"rider_asked", "a driver accepted, and the rider was asked whether she takes her"},
    described{"rider_confirmed", "a rider took the driver who had accepted"},
    described{"ride_abandoned", "a rider left without a driver"},
    described{"ride_cancelled", "a rider called off a driver who was promised"},
    described{"lease_granted", "the lease manager gave a driver to a matcher for a while"},
    described{"lease_denied", "the lease manager did not"},
    described{"lease_renewed", "it gave a lease more time"},
    described{"renewal_refused", "it did not"},
    described{"confirm_accepted", "it took a confirm: the lease stands until the trip is written"},
    described{"confirm_refused", "it did not take a confirm"},
    described{"lease_ended", "a lease was over without a trip"},
    described{"lease_reset", "a lease manager that came back gave a lease time anew"},
    described{"offer_sent", "a matcher sent a ride to a driver's phone"},
    described{"offer_shown", "the offer appeared on her screen"},
    described{"offer_dismissed", "it left her screen unanswered"},
    described{"offer_answered", "she decided"},
    described{"try_closed", "a matcher was done with a driver for a ride"},
    described{"trip_committed", "the ledger wrote the trip down: it began"},
    described{"write_refused", "the ledger did not"},
    described{"ride_promised", "the rider was told who is coming"},
    described{"assignment_revoked", "an assignment was withdrawn"},
    described{"rider_picked_up", "the driver met the rider"},
    described{"trip_ended", "the driver set the rider down"},
    described{"node_crashed", "a node went down"},
    described{"node_restarted", "it came back"},
    described{"node_paused", "a node stood still"},
    described{"node_resumed", "it went on"},
    described{"message_lost", "a copy of a message did not arrive"},
    described{"message_tampered", "a fault struck a message as it was sent"},
    described{"work_failed", "what a matcher did for a ride ended with an error"},
    described{"call_made", "a client asked the lease manager or the ledger"},
    described{"call_answered", "a client heard an answer"},
    described{"ride_claimed", "a matcher took a ride on as its work"},
    described{"ride_claim_ended", "it was its work no longer"},
    described{"zone_granted", "a matcher was given a zone"},
    described{"zone_ended", "it had the zone no longer"},
    described{"leader_changed", "a lease manager began to lead"}};

constexpr std::array member_meanings{
    described{"answer", "what was decided or told"},
    described{"by", "held up by so much, or so long between the copies"},
    described{"call", "what was asked"},
    described{"cause", "why"},
    described{"class", "index of the driver's class, from 0"},
    described{"client", "who asked"},
    described{"deadline", "on the driver's clock: when the offer leaves the screen; null: never"},
    described{"driver", "who"},
    described{"expires", "on the lease manager's clock; null: never"},
    described{"from", "who sent it"},
    described{"gives_back", "a last act returns the lease"},
    described{"in_time", "by the driver's clock"},
    described{"matcher", "which"},
    described{"message", "what was sent"},
    described{"mode", "alone (`write`), or to look at (`read`)"},
    described{"node", "which"},
    described{"origin", "where the ride begins: east, north and up of the centre of the map"},
    described{"place", "where the driver is: the same"},
    described{"repeated", "a retry of a confirm that had been taken"},
    described{"request", "the same in the call and its answer; 0: not told apart"},
    described{"ride", "which"},
    described{"taken_over", "from a matcher whose claim had run out"},
    described{"tampering", "what was done to it"},
    described{"term", "how often the leader has changed, from 1"},
    described{"times", "how often the rider has asked by now, from 2"},
    described{"to", "who should have got it"},
    described{"token", "of the lease or the try"},
    described{"ttl", "as granted; null: for ever"},
    described{"zone", "which"}};

template <std::size_t N>
std::string_view meaning_in(const std::array<described, N>& all, std::string_view name) {
  const auto* it = std::ranges::find(all, name, &described::name);
  return it != all.end() ? it->meaning : std::string_view();
}

// -- what a member holds, by its type ------------------------------------------------------------

std::string type_of(bool /*value*/) { return "`true` or `false`"; }
std::string type_of(std::uint8_t /*value*/) { return "whole number"; }
std::string type_of(std::uint32_t /*value*/) { return "whole number"; }
std::string type_of(sim_duration /*value*/) { return "whole number"; }
std::string type_of(local_time /*value*/) { return "whole number"; }
std::string type_of(const node_id& /*value*/) { return "node: `matcher/2`"; }
std::string type_of(const point& /*value*/) { return "list of three numbers"; }
std::string type_of(events::message_kind /*value*/) { return "text: the message's name"; }
std::string type_of(const token_id& /*value*/) {
  return "whole number; `matcher/2#5` of a try without a lease; null";
}

template <class Tag, class Number>
std::string type_of(const strong_id<Tag, Number>& /*value*/) {
  return "whole number from 1, or null";
}

template <class Enum>
requires std::is_enum_v<Enum> std::string type_of(Enum /*value*/) {
  std::string words;
  for (const std::string_view each : events::enum_names<Enum>) {
    words += fmt::format("{}`{}`", words.empty() ? "" : ", ", each);
  }
  return words;
}

template <class Value>
constexpr std::string_view unit_of() {
  if constexpr (std::is_same_v<Value, sim_duration> || std::is_same_v<Value, local_time>) {
    return "ns";
  } else if constexpr (std::is_same_v<Value, point>) {
    return "m";
  } else {
    return "";
  }
}

template <class Fact>
fact_description description_of() {
  fact_description d{Fact::name, meaning_in(fact_meanings, Fact::name), {}};
  Fact what{};
  events::each_field(what, [&]<class Value>(std::string_view name, const Value& value) {
    d.members.push_back(
        {name, type_of(value), unit_of<Value>(), meaning_in(member_meanings, name)});
  });
  return d;
}

template <class... Facts>
std::vector<fact_description> descriptions_of(std::type_identity<std::variant<Facts...>> /*all*/) {
  return {description_of<Facts>()...};
}

}  // namespace

std::vector<fact_description> described_facts() {
  return descriptions_of(std::type_identity<events::fact>{});
}

std::vector<fact_member> members_of_each_fact() {
  return {{"t", "whole number", "ns", "true time since the start of the run"},
          {"local", "whole number", "ns", "the same by the clock of the node to which it happened"},
          {"fact", "text", "", "what happened: one of those below"}};
}

}  // namespace dibs::formats
