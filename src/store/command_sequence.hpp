/// Random sequences of commands, to hold a store against the lease machine.
///
/// A sequence is drawn beside a machine that answers it, so that its times come close to the
/// instants at which leases end, and its tokens are mostly those that count. It names a token by
/// the command that it was given to, so that it can be played anywhere, and cut shorter.
#pragma once

#include "base/time.hpp"
#include "lease/commands.hpp"
#include "store/terms.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::store {

inline constexpr std::uint32_t drivers_a_sequence = 3;
inline constexpr std::uint32_t rides_a_sequence = 4;
inline constexpr local_time sequence_begins = at_local(1000s);

/// How time passes in a sequence.
enum class passing : std::uint8_t {
  told,      ///< as it is drawn: the store is told what time it is
  none,      ///< not at all, for a store that has its own clock, and leases that outlast a sequence
  one_wait,  ///< once, by `wait_for`: in truth; leases of `waited_ttl` are over then
};
inline constexpr sim_duration waited_ttl = 4s;
inline constexpr sim_duration wait_for = 8s;  ///< etcd ends leases late

struct step {
  lease::any_command what;  ///< its token is filled in when it is played
  local_time at{};          ///< what time it is then
  /// The `acquire` whose token it names, by `number`; nothing: none, or a token that nobody had.
  std::optional<std::uint32_t> token_of;
  std::uint32_t number = 0;  ///< in the sequence as it was drawn, from 1
};

struct command_sequence {
  terms leases;
  std::vector<step> steps;
  std::size_t before_wait = 0;  ///< so many steps, with `passing::one_wait`
};

/// `nth` of those that the seed gives. Without a ledger it has no commands for one.
[[nodiscard]] command_sequence draw_sequence(std::uint64_t seed,
                                             std::uint32_t nth,
                                             bool with_ledger,
                                             passing time = passing::told);

/// Whether the command is the ledger's, or a word of the ledger: nobody gives one without a token.
[[nodiscard]] bool is_about_trip(const lease::any_command& c);

/// The command with this token in it.
[[nodiscard]] lease::any_command with_token(lease::any_command c, token_id token);

}  // namespace dibs::store
