/// Leases in Redis or Valkey, by hiredis: one script for each command. It keeps no ledger.
///
/// All keys begin with the run's own name (`open_options::space`).
#pragma once

#include "store/connection.hpp"

#include <memory>

namespace dibs::store {

/// Errors: as `open`.
[[nodiscard]] result<std::unique_ptr<connection>> open_redis(const address& where,
                                                             const open_options& how);

}  // namespace dibs::store
