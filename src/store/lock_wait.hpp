/// What a store does with a command that waits for somebody's lock on the driver's row, in real
/// time: the lease may run out while it waits.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "store/address.hpp"

#include <string_view>

namespace dibs::store {

struct lock_wait {
  sim_duration lock{};           ///< how long the row was locked
  sim_duration lease{};          ///< TTL of the lease that was confirmed behind it
  bool confirm_taken = false;    ///< though the lease had run out before the lock was given back
  sim_duration granted{};        ///< TTL of a grant behind the lock
  sim_duration left_of_grant{};  ///< when it was answered
};

/// Takes about 2.5 s, in a schema of its own. `variant` as in `open_options`. Errors: as `open`,
/// and no PostgreSQL (exit code 2): no other store has locks to wait for.
[[nodiscard]] result<lock_wait> try_lock_wait(const address& where, std::string_view variant);

}  // namespace dibs::store
