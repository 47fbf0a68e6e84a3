/// Leases and the ledger in PostgreSQL, by libpq in pipeline mode. Each command is a transaction of
/// its own.
///
/// The functions and tables lie in a schema of the run's own (`open_options::space`).
#pragma once

#include "store/connection.hpp"

#include <memory>

namespace dibs::store {

/// Errors: as `open`.
[[nodiscard]] result<std::unique_ptr<connection>> open_postgres(const address& where,
                                                                const open_options& how);

}  // namespace dibs::store
