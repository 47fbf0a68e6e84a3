#include "commands/shrinking.hpp"

#include "base/stopwatch.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/explain_page.hpp"
#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "history/recorded_run.hpp"
#include "results/atomic_file.hpp"
#include "scenario/written_tree.hpp"
#include "shrink/shrink.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace dibs::commands {
namespace {

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// How small it is by now, on standard error: a live line on a terminal, else one every 10 s.
class size_line {
 public:
  explicit size_line(bool quiet) : quiet_(quiet), live_(::isatty(STDERR_FILENO) != 0) {
    next_ = live_ ? 0 : 10;
  }
  size_line(const size_line&) = delete;
  size_line& operator=(const size_line&) = delete;
  ~size_line() {
    if (live_ && !quiet_) {
      print_diagnostics("\r\x1b[K");
    }
  }

  void show(const scenario::node& best, std::uint64_t runs) {
    const double now = watch_.seconds();
    if (quiet_ || now < next_) {
      return;
    }
    next_ = now + (live_ ? 0.2 : 10);
    const std::string line = fmt::format("shrinking: {} lines after {} runs",
                                         lines_in(scenario::readable_yaml(best)),
                                         text::with_thousands(runs));
    print_diagnostics(live_ ? "\r\x1b[K" + line : "dibs: " + line + "\n");
  }

 private:
  bool quiet_;
  bool live_;
  double next_ = 0;
  stopwatch watch_;
};

/// `from 61 lines to 12, in 1,432 runs and 8.1 s`
std::string effort(const shrinking& what,
                   const shrink::shrunk& s,
                   const std::string& yaml,
                   const std::string& before,
                   double seconds) {
  std::string out = fmt::format("{}: from {} lines to {}, and {}, in {} runs and {:.1f} s{}\n",
                                words_of(what.harm),
                                lines_in(before),
                                lines_in(yaml),
                                text::plural(s.seen.rides, "ride"),
                                text::with_thousands(s.runs),
                                seconds,
                                s.was_stopped ? "; it was stopped there, and may become smaller"
                                : s.ran_out ? "; there it had no runs left, and may become smaller"
                                            : "");
  if (s.fresh_seeds > 0) {
    out +=
        fmt::format("It does the same with {} of {} fresh seeds\n", s.fresh_harmful, s.fresh_seeds);
  }
  return out;
}

/// The end of the command that runs it, and what it must end with.
std::string test_ending(const wanted_harm& harm) {
  return fmt::format(" --no-out --quiet >/dev/null; test $? -eq {}",
                     static_cast<int>(harm.broken ? exit_code::invariant_broke : exit_code::done));
}

std::string test_of(const shrinking& what, const std::string& yaml, const std::string& program) {
  return what.out ? fmt::format("\nThe test:\n{} run {}{}\n",
                                program,
                                text::shell_word(*what.out),
                                test_ending(what.harm))
                  : fmt::format("\nThe test, with the scenario:\n{} run - <<'END'{}\n{}END\n",
                                program,
                                test_ending(what.harm),
                                yaml);
}

/// Why the smallest does harm, as `dibs explain` tells it; empty where that takes too long for one
/// who has interrupted it.
std::string story_of_smallest(const shrinking& what, const std::string& yaml, std::uint64_t seed) {
  const scenario::reading read =
      scenario::read_text(yaml, "smallest", std::filesystem::path(what.file).parent_path());
  if (!read.ok() || stop_flag()->load()) {
    return "";
  }
  history::event_collector kept(UINT64_MAX, stop_flag());
  engine::run_options how;
  how.seed = seed;
  how.observe = false;
  how.observers = {&kept};
  how.stop = kept.stop();
  const auto ran = engine::run(read.value, how);
  if (!ran || stop_flag()->load()) {
    return "";
  }
  const auto told = story_of(history::history_of(read.value, seed, kept.take(), read.value.ends()));
  return told ? "\n" + *told : "";
}

}  // namespace

result<std::string> shrunk_text(const shrinking& what, const std::string& program) {
  const stopwatch watch;
  if (std::error_code failed; what.out && std::filesystem::exists(*what.out, failed)) {
    return failure(exit_code::usage,
                   text::display_text(*what.out, 400) + " is there already, and is not replaced");
  }
  const scenario::written_tree whole = scenario::written_in(what.file, what.overrides);
  if (!whole.ok()) {
    print_diagnostics(whole.diagnostics);
    return failure(exit_code::invalid_input, "the scenario cannot be read");
  }
  harm_oracle oracle(what.harm, std::filesystem::path(what.file).parent_path(), what.seconds);
  size_line line(what.quiet);
  shrink::options how;
  how.seed = what.seed;
  how.on_smaller = [&](const scenario::node& best, std::uint64_t runs) { line.show(best, runs); };
  const auto found = shrink::smallest(
      whole.root,
      [&](const scenario::node& root, std::uint64_t seed, std::uint64_t events_max) {
        return oracle.look(root, seed, events_max);
      },
      how);
  if (const auto by_signal = stopped_by(); !found && by_signal) {
    return failure(*by_signal, "interrupted before the scenario was run once");
  }
  if (!found) {
    return failure(
        exit_code::inconclusive,
        fmt::format(
            "with seed {} the scenario does not do this: {}", what.seed, words_of(what.harm)));
  }
  const std::string yaml = scenario::readable_yaml(with_expectation(found->root, what.harm));
  std::string out =
      effort(what, *found, yaml, scenario::readable_yaml(whole.root), watch.seconds());
  if (what.out) {
    const std::filesystem::path file = *what.out;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (const auto written = results::write_file(folder, file.filename().string(), yaml);
        !written) {
      return tl::unexpected<error>(written.error());
    }
    out += "\n" + yaml;
  }
  out += story_of_smallest(what, yaml, found->seen.seed);
  return out + test_of(what, yaml, program);
}

}  // namespace dibs::commands
