// `dibs worker`: runs parts of the studies of a journal.

#include "base/stopwatch.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/shared_journal.hpp"
#include "commands/stop_signal.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "work/work_loop.hpp"

#include <fmt/format.h>

namespace dibs::commands {
namespace {

/// What the worker did.
struct account {
  std::uint64_t kept = 0;
  std::uint64_t broken_off = 0;
  std::size_t refused = 0;  ///< studies that are left to others
};

/// Errors (exit 3): there is nothing for this build, and another is at work.
result<bool> is_without_work(work::journal& j,
                             const std::string& build,
                             const std::vector<std::string>& refused) {
  const auto open = j.open_runs_for(build, refused);
  if (!open) {
    return tl::unexpected<error>(open.error());
  }
  if (open->own == 0 && !open->other_build.empty()) {
    return failure(exit_code::invalid_input,
                   fmt::format("the journal has runs of another build, {}, and this is {}: their "
                               "results need not be the same",
                               open->other_build,
                               results::words_of(this_build())));
  }
  return open->own == 0;
}

/// Works until there has been nothing to do for a while. Errors: those of the journal.
result<account> work_until_idle(const worker_request& r,
                                work::journal& j,
                                work::work_loop& loop,
                                const std::string& build) {
  account done;
  stopwatch since_work;
  while (!stopped_by()) {
    const auto kept = loop.turn();
    if (!kept) {
      return tl::unexpected<error>(kept.error());
    }
    for (; done.refused < loop.refusals().size(); ++done.refused) {
      print_diagnostics(fmt::format("dibs: the runs of a study are left to others: {}\n",
                                    loop.refusals()[done.refused]));
    }
    for (const work::finished_run& each : *kept) {
      ++(each.failed ? done.broken_off : done.kept);
      if (each.failed && !r.quiet) {
        print_diagnostics(fmt::format("dibs: a run broke off: {}\n", each.failed->text));
      }
    }
    if (!loop.is_idle()) {
      since_work = {};
      continue;
    }
    const auto without = is_without_work(j, build, loop.refused_studies());
    if (!without) {
      return tl::unexpected<error>(without.error());
    }
    if (!*without) {
      since_work = {};  // others hold what is left, and may let go of it
      continue;
    }
    if (since_work.seconds() >= r.idle_s) {
      break;
    }
  }
  return done;
}

}  // namespace

int work_on(const worker_request& r) {
  const auto j = journal_of({.journal = r.journal});
  if (!j) {
    return fail(j.error());
  }
  const std::string build = this_build().binary;
  work::work_loop loop(**j,
                       {.jobs = r.jobs,
                        .lease_s = r.lease_s,
                        .batch = r.batch,
                        .build = build,
                        .own = {},
                        .stop = stop_flag()});
  const auto done = work_until_idle(r, **j, loop, build);
  const auto given_back = loop.give_back();
  if (const auto signal = stopped_by()) {
    return static_cast<int>(*signal);
  }
  if (!done || !given_back) {
    return fail(done ? given_back.error() : done.error());
  }
  if (!r.quiet) {
    print_diagnostics(fmt::format(
        "dibs: {} handed in{}; nothing is left to do{}\n",
        text::plural(done->kept, "run"),
        done->broken_off > 0 ? fmt::format(", {} broke off", text::with_thousands(done->broken_off))
                             : "",
        done->refused > 0 ? " here" : ""));
  }
  return static_cast<int>(done->refused > 0      ? exit_code::invalid_input
                          : done->broken_off > 0 ? exit_code::internal_error
                                                 : exit_code::done);
}

}  // namespace dibs::commands
