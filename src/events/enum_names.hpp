/// The names of all enumerations of facts, as `events.jsonl` and people read them.
#pragma once

#include "events/facts.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace dibs::events {

/// The names of the values of an enumeration, in its order.
template <class Enum>
inline constexpr auto enum_names = nullptr;

template <>
inline constexpr std::array<std::string_view, 4> enum_names<denial>{
    "leased", "on_trip", "lock_delay", "no_zone"};

template <>
inline constexpr std::array<std::string_view, 6> enum_names<confirm_refusal>{
    "no_lease", "other_token", "expired", "on_trip", "ride_taken", "other_count"};

template <>
inline constexpr std::array<std::string_view, 9> enum_names<lease_ending>{"declined",
                                                                          "expired",
                                                                          "swept",
                                                                          "released",
                                                                          "cancelled",
                                                                          "denied_by_ledger",
                                                                          "unwritten",
                                                                          "forgotten",
                                                                          "zone_lost"};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<dismissal>{
    "timeout", "withdrawn", "replaced", "turned_away", "went_offline"};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<offer_response>{"accepted", "declined"};

template <>
inline constexpr std::array<std::string_view, 11> enum_names<try_ending>{"committed",
                                                                         "denied",
                                                                         "declined",
                                                                         "timed_out",
                                                                         "lease_lost",
                                                                         "refused",
                                                                         "not_written",
                                                                         "no_reply",
                                                                         "withdrawn",
                                                                         "unreachable",
                                                                         "displaced"};

template <>
inline constexpr std::array<std::string_view, 4> enum_names<write_refusal>{
    "stale_token", "driver_busy", "ride_taken", "stale_version"};

template <>
inline constexpr std::array<std::string_view, 5> enum_names<abandonment>{
    "patience", "tries", "wait", "cancelled", "unconfirmed"};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<revocation>{
    "no_show", "rider_cancelled", "driver_cancelled"};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<claim_ending>{"released", "expired"};

template <>
inline constexpr std::array<std::string_view, 2> enum_names<zone_mode>{"write", "read"};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<loss_cause>{
    "loss", "partition", "crash"};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<tampering>{
    "dropped", "delayed", "doubled"};

template <>
inline constexpr auto enum_names<message_kind> = message_words;

template <>
inline constexpr std::array<std::string_view, 5> enum_names<call>{
    "acquire", "confirm", "renew", "release", "write"};

template <>
inline constexpr std::array<std::string_view, 3> enum_names<call_answer>{"yes", "no", "heard"};

template <>
inline constexpr std::array<std::string_view, node_kinds> enum_names<node_kind>{
    "driver", "rider", "matcher", "lease_manager", "ledger", "demand", "sweeper"};

// A value that is added at the end of an enumeration must be named above.
template <class Enum>
constexpr bool names_up_to(Enum last) {
  return enum_names<Enum>.size() == static_cast<std::size_t>(last) + 1;
}
static_assert(names_up_to(denial::no_zone));
static_assert(names_up_to(confirm_refusal::other_count));
static_assert(names_up_to(lease_ending::zone_lost));
static_assert(names_up_to(dismissal::went_offline));
static_assert(names_up_to(offer_response::declined));
static_assert(names_up_to(try_ending::displaced));
static_assert(names_up_to(write_refusal::stale_version));
static_assert(names_up_to(abandonment::unconfirmed));
static_assert(names_up_to(revocation::driver_cancelled));
static_assert(names_up_to(loss_cause::crash));
static_assert(names_up_to(tampering::doubled));
static_assert(names_up_to(call::write));
static_assert(names_up_to(call_answer::heard));
static_assert(names_up_to(claim_ending::expired));
static_assert(names_up_to(zone_mode::read));
static_assert(names_up_to(node_kind::sweeper));

template <class Enum>
[[nodiscard]] constexpr std::string_view name_of(Enum value) {
  return enum_names<Enum>[static_cast<std::size_t>(value)];
}

/// The value of this name, or nothing.
template <class Enum>
[[nodiscard]] constexpr std::optional<Enum> named(std::string_view name) {
  for (std::size_t i = 0; i < enum_names<Enum>.size(); ++i) {
    if (enum_names<Enum>[i] == name) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

}  // namespace dibs::events
