/// A journal that several processes work on, as the commands that run studies use it.
#pragma once

#include "base/stopwatch.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/requests.hpp"
#include "work/shared_study.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace dibs::commands {

/// Says on standard error what a journal waits for.
[[nodiscard]] work::teller journal_teller();

/// Nothing if nothing is to be shared. Errors: as `work::open_journal`.
[[nodiscard]] result<std::unique_ptr<work::journal>> journal_of(const sharing& s);

[[nodiscard]] work::decider_options decider_of(const sharing& s, std::uint32_t jobs);

/// For the progress of so many runs; empty if nothing is to be shown. The watcher must outlive it.
[[nodiscard]] work::counter counter_of(watcher& w, std::size_t runs);

}  // namespace dibs::commands
