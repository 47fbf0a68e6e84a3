// `dibs hunt`: is there a mixture of faults under which a protocol breaks a promise?

#include "base/stopwatch.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/shared_journal.hpp"
#include "commands/shrinking.hpp"
#include "commands/stop_signal.hpp"
#include "lease/protocol.hpp"
#include "swarm/fault_mixture.hpp"
#include "swarm/negative_controls.hpp"
#include "swarm/swarm_run.hpp"
#include "text/number.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dibs::commands {
namespace {

swarm::chase_options options_of(const hunt_request& r, work::shared_study* shared) {
  swarm::chase_options how;
  how.shared = shared;
  how.file = r.file;
  how.seed = r.seed.value_or(1);
  how.runs = r.only ? 1 : r.runs;
  how.jobs = r.jobs;
  how.chance = r.chance;
  how.only = r.only;
  how.guided = !r.blind;
  how.ends_when_broken = r.until_broken;
  how.overrides = r.overrides;
  if (r.protocol) {
    how.overrides.push_back({"lease.protocol", std::string(lease::rules_of(*r.protocol).name)});
  }
  how.stop = stop_flag();
  return how;
}

std::string replay_line(const hunt_request& r,
                        const swarm::broken_run& q,
                        const std::string& program) {
  std::string line = fmt::format("{} run {} --seed {} --no-out", program, r.file, q.seed);
  for (const auto& [path, value] : q.overrides) {
    line += fmt::format(" \\\n    --set '{}={}'", path, value);
  }
  return line;
}

/// What a run's faults and habits leave within bounds differs from run to run: "S1 to S12 in all".
std::string judged_in(const swarm::swarm_result& found) {
  std::vector<std::string> groups;
  for (int i = 0; i < lease::invariants;) {
    const auto of = [&](int k) { return found.judged[static_cast<std::size_t>(k)]; };
    int end = i + 1;
    while (end < lease::invariants && of(end) == of(i)) {
      ++end;
    }
    const auto first = lease::code_of(static_cast<lease::invariant>(i));
    const auto last = lease::code_of(static_cast<lease::invariant>(end - 1));
    groups.push_back(fmt::format("{}{} in {}",
                                 first,
                                 end - i > 1 ? fmt::format(" to {}", last) : "",
                                 of(i) == found.runs ? "all" : text::with_thousands(of(i))));
    i = end;
  }
  return fmt::format("judged: {}\n", fmt::join(groups, ", "));
}

std::string drawing_of(const hunt_request& r) {
  if (!r.blind && r.sharing.journal) {
    return "; drawn blindly, as runs of a journal are";
  }
  return r.blind || r.only ? "; drawn blindly" : ", or near what few runs have seen";
}

std::string text_of(const hunt_request& r,
                    const swarm::swarm_result& found,
                    double seconds,
                    const std::string& program) {
  std::string out = fmt::format(
      "{} of {} runs broke a promise; {} had a double assignment or took a late confirm\n"
      "{} kinds of faults, each with probability {}{}; {} leases, {} events, {:.1f} s\n",
      text::with_thousands(found.broken),
      text::with_thousands(found.runs),
      text::with_thousands(found.harmed),
      swarm::hazard_names().size(),
      r.chance == 0.5 ? "one half" : fmt::format("{:.3g} %", 100 * r.chance),
      drawing_of(r),
      text::with_thousands(found.leases),
      text::with_thousands(found.events),
      seconds);
  out += judged_in(found);
  for (const swarm::broken_run& q : found.first) {
    out += fmt::format("\nrun {}: {}\n", q.number, q.broken.front());
    out += fmt::format("  replay: {}\n", replay_line(r, q, program));
  }
  return out;
}

/// Nothing if it is shared with nobody.
result<std::unique_ptr<work::shared_study>> shared_study_of(const hunt_request& r,
                                                            work::journal* others) {
  if (others == nullptr) {
    return std::unique_ptr<work::shared_study>();
  }
  auto of = work::study_of_file(r.file, r.seed.value_or(1), {}, this_build());
  if (!of) {
    return tl::unexpected<error>(of.error());
  }
  return work::shared_study::open(*others, std::move(*of), decider_of(r.sharing, r.jobs));
}

std::uint32_t control_runs(const hunt_request& r) {
  return r.control_runs.value_or(std::min(r.runs, control_runs_standard));
}

/// Whether controls had so few runs, for the hunt had, that showing nothing says nothing.
bool is_short(const hunt_request& r) { return !r.control_runs && r.runs < control_runs_standard; }

/// `fitted` folds the lines later.
constexpr int unfolded = 1000;

/// The same runs without what the promises rest on: each must show harm.
std::string controls_of(const hunt_request& r, work::shared_study* shared, int& without_harm) {
  text::table shown{{{.title = ""},
                     text::figures("worse in"),
                     text::figures("better in"),
                     text::figures("of"),
                     {.title = ""}},
                    {}};
  for (const swarm::negative_control& c : swarm::controls()) {
    swarm::chase_options how = options_of(r, shared);
    how.runs = control_runs(r);
    how.guided = false;
    how.ends_when_broken = false;
    how.only.reset();
    const auto found = swarm::try_control(c, how);
    if (!found) {
      ++without_harm;
      shown.rows.push_back(
          {std::string(c.name), text::cell(), text::cell(), text::cell(), found.error().text});
      continue;
    }
    without_harm += found->shows_harm ? 0 : 1;
    shown.rows.push_back({std::string(c.name),
                          text::cell(std::uint64_t{found->worse}),
                          text::cell(std::uint64_t{found->better}),
                          text::cell(std::uint64_t{found->runs}),
                          fmt::format("{}{}",
                                      found->shows_harm ? ""
                                      : is_short(r)     ? "not shown by so few runs: "
                                                        : "NOT SHOWN: ",
                                      c.takes_away)});
  }
  return "\nNegative controls, each with and without what it takes away: in how many runs it did "
         "harm\n" +
         text::as_text(shown, {}, {.width = unfolded, .indent = 2});
}

/// The first that broke a promise, with what else it takes left out.
std::string made_small(const hunt_request& r,
                       const swarm::broken_run& q,
                       const std::string& program) {
  const auto text = shrunk_text({.file = r.file,
                                 .overrides = q.overrides,
                                 .harm = {.broken = q.first},
                                 .seed = q.seed,
                                 .seconds = r.shrink_seconds,
                                 .out = {},
                                 .quiet = r.quiet},
                                program);
  return fmt::format("\nRun {} made small\n{}\n", q.number, text ? text->text : text.error().text);
}

}  // namespace

int hunt(const hunt_request& r, const std::string& program) {
  const auto others = journal_of(r.sharing);
  if (!others) {
    return fail(others.error());
  }
  const auto shared = shared_study_of(r, others->get());
  if (!shared) {
    return fail(shared.error());
  }
  swarm::chase_options how = options_of(r, shared->get());
  const stopwatch watch;
  std::optional<result<swarm::swarm_result>> found;
  {
    count_line counter(r.quiet, how.runs, "runs");
    how.on_progress = [&](std::uint32_t done) { counter.show(done); };
    found = swarm::run_swarm(how);
  }
  if (!*found) {
    const auto by_signal = stopped_by();
    return fail(by_signal ? error{*by_signal, "interrupted; nothing is shown of a part"}
                          : found->error());
  }
  std::string text = text_of(r, **found, watch.seconds(), program);
  int without_harm = 0;
  if (control_runs(r) > 0 && !r.only) {
    text += controls_of(r, shared->get(), without_harm);
  }
  const bool kept = (*found)->broken == 0;
  text = text::fitted(text, text::terminal_style_of(STDOUT_FILENO).width);
  if (!kept && !r.as_found) {
    text += made_small(r, (*found)->first.front(), program);  // whose YAML must not be folded
  }
  return finish(text,
                !kept               ? exit_code::invariant_broke
                : without_harm == 0 ? exit_code::done
                : is_short(r)       ? exit_code::inconclusive
                                    : exit_code::threshold_missed);
}

}  // namespace dibs::commands
