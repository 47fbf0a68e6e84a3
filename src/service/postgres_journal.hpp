/// The record of a service in PostgreSQL, in a schema `dibs_service` of its own, which one service
/// has to itself.
///
/// A session of it holds an advisory lock for as long as it is connected, and whoever does not have
/// the lock writes nothing. So two services on one database never give a lease each, and another
/// machine may take over once the first is gone. A write is one statement, which waits for the
/// disk.
#pragma once

#include "base/result.hpp"
#include "service/journal.hpp"
#include "store/address.hpp"

#include <memory>

namespace dibs::service {

/// The schema is made if it is not there. Errors: exit 6 where it cannot be reached, exit 3 where
/// it may forget what it has acknowledged, exit 1 while another service has it.
[[nodiscard]] result<std::unique_ptr<journal>> open_postgres_journal(const store::address& where);

}  // namespace dibs::service
