/// What a table of leases and a ledger can be asked, as data, so that the same commands go to the
/// machines of this room and to a store outside.
///
/// An answer of a machine comes at once. That of a store comes later or never: then nobody knows
/// whether the command had its effect.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "lease/lease_machine.hpp"
#include "lease/ledger_machine.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace dibs::lease {

/// Commands; each is a function of `lease::machine` or, below, of `lease::ledger`.
namespace command {

struct acquire {
  driver_id driver;
  ride_id ride;
  matcher_id holder;
  std::uint32_t request = 0;
  sim_duration longer{};  ///< than the TTL
};

struct confirm {
  driver_id driver;
  token_id token;
};

struct renew {
  driver_id driver;
  token_id token;
  sim_duration longer{};
};

struct release {
  driver_id driver;
  token_id token;
  events::lease_ending cause{};
};

struct expire {
  driver_id driver;
  token_id token;
};

struct trip_began {
  driver_id driver;
  token_id token;
};

struct trip_ended {
  driver_id driver;
  token_id token;
  ride_id ride;
};

struct write_refused {
  driver_id driver;
  token_id token;
};

struct raise_fence {
  driver_id driver;
  token_id token;
};

struct write {
  driver_id driver;
  token_id token;
  ride_id ride;
};

struct close {
  driver_id driver;  ///< on the trip; by her a store finds the connection
  token_id token;
};

}  // namespace command

using any_command = std::variant<command::acquire,
                                 command::confirm,
                                 command::renew,
                                 command::release,
                                 command::expire,
                                 command::trip_began,
                                 command::trip_ended,
                                 command::write_refused,
                                 command::raise_fence,
                                 command::write,
                                 command::close>;

/// The outcome is the machine's own type: that of `release`, `expire`, `trip_began` and
/// `write_refused` is an optional `ended`, that of `trip_ended` a bool, and `raise_fence` has none.
using any_outcome = std::variant<std::monostate,
                                 acquire_outcome,
                                 confirm_outcome,
                                 renew_outcome,
                                 std::optional<ended>,
                                 bool,
                                 write_outcome,
                                 std::optional<trip_record>>;

/// "acquire", "confirm" and so on.
[[nodiscard]] std::string_view name_of(const any_command& c);
[[nodiscard]] driver_id driver_of(const any_command& c);
/// None for `acquire`.
[[nodiscard]] token_id token_of(const any_command& c);
/// Whether the ledger is asked, and not the table of leases.
[[nodiscard]] bool is_for_ledger(const any_command& c);

/// The lease that the outcome gives, to a first request or to a retry; null if it gives none.
[[nodiscard]] const granted* grant_in(const any_outcome& o);

/// Until when something holds, of a grant, a confirm or a renewal.
struct time_limit {
  local_time* until = nullptr;   ///< null: the outcome has none
  sim_duration* left = nullptr;  ///< what is left of a lease by then; null for a confirm
};
[[nodiscard]] time_limit limit_in(any_outcome& o);

/// The machines' own answer, at once.
[[nodiscard]] any_outcome apply(machine& leases,
                                ledger& trips,
                                const any_command& c,
                                local_time now);

}  // namespace dibs::lease
