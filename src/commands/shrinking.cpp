#include "commands/shrinking.hpp"

#include "base/stopwatch.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/explain_page.hpp"
#include "commands/files_from_afar.hpp"
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
#include <filesystem>
#include <optional>
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

std::string test_of(const std::optional<std::string>& written,
                    const shrinking& what,
                    const moved_scenario& small,
                    const std::string& program) {
  std::string out = small.options.empty()
                        ? ""
                        : "\nFrom its place no path in it may name the file that it "
                          "reads: run it with\n " +
                              small.options + "\n";
  const std::string end = small.options + test_ending(what.harm);
  out += written
             ? fmt::format("\nThe test:\n{} run {}{}\n", program, text::shell_word(*written), end)
             : fmt::format("\nThe test, with the scenario:\n{} run - <<'END'{}\n{}END\n",
                           program,
                           end,
                           scenario::readable_yaml(small.root));
  return out;
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

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

std::string name_of(const std::filesystem::path& file) { return file.filename().string(); }

/// Why no file can be written there, if so: what takes minutes to find is not to be lost.
std::optional<error> trouble_with_file(const std::filesystem::path& file) {
  if (std::error_code failed; std::filesystem::exists(file, failed)) {
    return error{exit_code::usage,
                 text::display_text(file.string(), 400) + " is there already, and is not replaced"};
  }
  const auto trial = results::pending_file::open(folder_of(file), name_of(file));
  return trial ? std::nullopt : std::optional(trial.error());
}

}  // namespace

result<shrunk_scenario> shrunk_text(const shrinking& what, const std::string& program) {
  const stopwatch watch;
  if (auto wrong = what.out ? trouble_with_file(*what.out) : std::nullopt) {
    return tl::unexpected<error>(std::move(*wrong));
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
  const scenario::node root = with_expectation(found->root, what.harm);
  const std::filesystem::path folder = std::filesystem::path(what.file).parent_path();
  const std::string yaml = scenario::readable_yaml(root);
  shrunk_scenario small;
  small.text = effort(what, *found, yaml, scenario::readable_yaml(whole.root), watch.seconds());
  moved_scenario there = moved(root, folder, what.out ? folder_of(*what.out) : "");
  std::optional<std::string> file = what.out;
  if (what.out) {
    const std::string text = scenario::readable_yaml(there.root);
    if (const auto written = results::write_file(folder_of(*what.out), name_of(*what.out), text);
        !written) {
      small.not_written = written.error();
      file.reset();
      there = moved(root, folder, "");
    } else {
      small.text += "\n" + text;
    }
  }
  small.text += story_of_smallest(what, yaml, found->seen.seed);
  small.text += test_of(file, what, there, program);
  return small;
}

}  // namespace dibs::commands
