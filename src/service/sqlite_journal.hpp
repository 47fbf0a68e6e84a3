/// The record of a service in a file of SQLite, which one service has to itself.
///
/// A write waits for the disk (`synchronous = FULL`), so what was answered outlives `kill -9` and a
/// power cut.
#pragma once

#include "base/result.hpp"
#include "service/journal.hpp"

#include <filesystem>
#include <memory>

namespace dibs::service {

/// The file is made if it is not there. Errors: exit 3 for a file that is no record of leases, exit
/// 1 for one that another service has, or that cannot be written.
[[nodiscard]] result<std::unique_ptr<journal>> open_sqlite_journal(
    const std::filesystem::path& file);

}  // namespace dibs::service
