/// A journal in a file of SQLite, for the processes of one machine.
///
/// A process that is killed at any instant leaves it whole. Not copied, not moved, used by one
/// thread.
#pragma once

#include "work/journal.hpp"

#include <atomic>
#include <filesystem>
#include <memory>

namespace dibs::work {

/// Makes the file if it is not there. Errors (exit 3): it is something else, or damaged. `stop`:
/// set it to give up waiting for another process.
[[nodiscard]] result<std::unique_ptr<journal>> open_sqlite_journal(
    const std::filesystem::path& file, const std::atomic<bool>* stop);

}  // namespace dibs::work
