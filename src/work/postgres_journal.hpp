/// A journal in the schema `dibs_study` of a PostgreSQL.
///
/// A server that goes away later is waited for, which is told: what was asked is asked again, since
/// each call may be repeated. Not copied, not moved, used by one thread.
#pragma once

#include "store/address.hpp"
#include "work/journal.hpp"

#include <atomic>
#include <memory>

namespace dibs::work {

/// Errors: it cannot be reached (exit code 6), forgets what it has acknowledged, or has text in
/// another form than UTF-8 (3). `stop`: set it to give up waiting.
[[nodiscard]] result<std::unique_ptr<journal>> open_postgres_journal(const store::address& where,
                                                                     teller tell,
                                                                     const std::atomic<bool>* stop);

}  // namespace dibs::work
