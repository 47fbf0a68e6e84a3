/// Calls: what a client asked the lease manager or the ledger, and what it was told, at the
/// client's own end of the link and at the instants at which it asked and heard.
///
/// They are what an outsider can know of the service: a checker that trusts nothing that the
/// manager says of itself reads them alone. A call without an answer was lost, or its answer was,
/// or the client was down. The hash of a history leaves calls out: whatever a call does shows in
/// the other facts, and a history recorded before calls were can still be compared.
#pragma once

#include "base/ids.hpp"
#include "events/field.hpp"

#include <cstdint>
#include <string_view>

namespace dibs::events {

enum class call : std::uint8_t { acquire, confirm, renew, release, write };

/// Yes (granted, confirmed, renewed, written), no, or that the call was heard, for one that has no
/// other answer.
enum class call_answer : std::uint8_t { yes, no, heard };

struct call_made {
  static constexpr std::string_view name = "call_made";
  static constexpr auto fields = names("client", "call", "driver", "ride", "token", "request");
  node_id client;
  call what{};
  driver_id driver;
  ride_id ride;
  token_id token;  ///< none for an acquire
  /// Of an acquire or a renewal: the same in its answer, and in no other call for the token.
  std::uint32_t request = 0;
};

/// A copy of an answer tells the same once more.
struct call_answered {
  static constexpr std::string_view name = "call_answered";
  static constexpr auto fields =
      names("client", "call", "answer", "driver", "ride", "token", "request");
  node_id client;
  call what{};
  call_answer answer{};
  driver_id driver;
  ride_id ride;
  token_id token;  ///< granted, or as asked
  std::uint32_t request = 0;
};

}  // namespace dibs::events
