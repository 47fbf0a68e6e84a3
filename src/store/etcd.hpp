/// Leases in etcd, through its JSON gateway, by libcurl. It keeps no ledger, and cannot be told the
/// time.
///
/// A lease is a lease of etcd's with one key on it; etcd alone decides when it is over. All keys
/// begin with the run's own name (`open_options::space`).
#pragma once

#include "store/connection.hpp"

#include <memory>

namespace dibs::store {

/// Errors: as `open`.
[[nodiscard]] result<std::unique_ptr<connection>> open_etcd(const address& where,
                                                            const open_options& how);

}  // namespace dibs::store
