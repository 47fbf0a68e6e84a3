// `dibs replay`: runs a kept run again and compares histories and metrics.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/stop_signal.hpp"
#include "commands/stored_run.hpp"
#include "events/history_hash.hpp"
#include "events/jsonl.hpp"
#include "results/metrics_json.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

/// Compares a history with `events.jsonl` and keeps the first line that differs.
class line_comparer final : public events::observer {
 public:
  explicit line_comparer(const fs::path& file) : lines_(file) {
    std::string header;
    std::getline(lines_, header);
  }

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (!found_.empty()) {
        return;
      }
      std::string now;
      events::append_jsonl(now, e);
      now.erase(now.find_last_not_of('\n') + 1);
      std::string before;
      if (!std::getline(lines_, before)) {
        before = "nothing";
      }
      if (now != before) {
        found_ = fmt::format("event {} at t={:.9f} s\n    before {}\n    now    {}",
                             text::with_thousands(index_),
                             in_seconds(e.t),
                             text::display_text(before, 400),
                             text::display_text(now, 400));
      }
      ++index_;
    }
  }

  /// Empty if all that came was as it had been.
  [[nodiscard]] const std::string& found() const { return found_; }

 private:
  std::ifstream lines_;
  std::string found_;
  std::uint64_t index_ = 0;
};

/// The hash of the first so many facts: what an interrupted run had recorded when it stopped.
class beginning_hash final : public events::observer {
 public:
  explicit beginning_hash(std::uint64_t facts) : left_(facts) { stop_ = left_ == 0; }

  void observe(std::span<const events::event> batch) override {
    const auto part =
        batch.first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, batch.size())));
    hash_.observe(part);
    left_ -= part.size();
    stop_ = left_ == 0 || stop_flag()->load();
  }

  [[nodiscard]] std::string digest() const { return hash_.digest(); }
  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }

 private:
  events::history_hash hash_;
  std::uint64_t left_;
  std::atomic<bool> stop_{false};
};

/// What a kept run and its repetition have in common, or not.
struct comparison {
  std::vector<std::string> differences;
  std::string what;  ///< that was compared
};

results::run_results account_of(const results::manifest& m, scenario::scenario s) {
  results::run_results a;
  a.scenario = std::move(s);
  a.file = m.scenario_file;
  a.overrides = m.overrides;
  a.seed = m.seed;
  a.runs_asked = m.runs_asked;
  return a;
}

void compare_history(comparison& c,
                     const results::replication_record& before,
                     const std::string& now,
                     std::uint64_t facts_now) {
  if (before.history != now) {
    c.differences.push_back(
        fmt::format("history of seed {}: {} with {} facts before, {} with {} now",
                    before.seed,
                    before.history,
                    text::with_thousands(before.facts),
                    now,
                    text::with_thousands(facts_now)));
  }
}

/// All replications again, to their ends: histories and every figure must be the same.
result<comparison> compare_whole(const replay_request& r,
                                 const results::manifest& m,
                                 results::run_results& a) {
  const fs::path directory = r.directory;
  watcher progress(r.quiet, m.runs_asked);
  engine::run_options how;
  how.seed = m.seed;
  how.stop = stop_flag();
  how.on_progress = progress.callback();
  std::unique_ptr<line_comparer> lines;
  const auto recorded = recorded_events(directory, m);
  if (!recorded) {
    return tl::unexpected<error>(recorded.error());
  }
  if (*recorded) {
    lines = std::make_unique<line_comparer>(**recorded);
    how.observers.push_back(lines.get());
  }
  auto runs = engine::run_many(a.scenario, how, m.runs_asked, r.jobs);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  a.runs = std::move(*runs);
  comparison c;
  if (stopped_by()) {
    return c;
  }
  for (std::size_t k = 0; k < a.runs.size() && k < m.replications.size(); ++k) {
    compare_history(c, m.replications[k], a.runs[k].history, a.runs[k].facts);
  }
  if (lines && !lines->found().empty()) {
    c.differences.push_back("first to differ: " + lines->found());
  }
  const results::metric_estimates figures(a);
  const std::string now = results::metrics_json(a, figures, results::judge_bounds(a, figures));
  const auto before = results::read_whole(directory / "metrics.json");
  if (!before) {
    return tl::unexpected<error>(before.error());
  }
  for (const std::string& line : results::differences(*before, now)) {
    c.differences.push_back("metrics.json: " + text::display_text(line, 300));
  }
  c.what = a.runs.size() == 1
               ? fmt::format("history {}, {} facts; metrics.json, byte for byte",
                             a.runs.front().history,
                             text::with_thousands(a.runs.front().facts))
               : fmt::format("{} histories; metrics.json, byte for byte", a.runs.size());
  return c;
}

/// An interrupted run ended when somebody pressed a key: each replication is repeated as far as it
/// had come.
result<comparison> compare_beginnings(const replay_request& r,
                                      const results::manifest& m,
                                      const results::run_results& a) {
  comparison c;
  std::uint64_t facts = 0;
  for (const results::replication_record& before : m.replications) {
    watcher progress(r.quiet, 1);
    beginning_hash beginning(before.facts);
    engine::run_options how;
    how.seed = before.seed;
    how.stop = beginning.stop();
    how.on_progress = progress.callback();
    how.observers.push_back(&beginning);
    const auto again = engine::run(a.scenario, how);
    if (!again) {
      return tl::unexpected<error>(again.error());
    }
    if (stopped_by()) {
      return c;
    }
    compare_history(c, before, beginning.digest(), std::min(before.facts, again->facts));
    facts += before.facts;
  }
  c.what =
      fmt::format("{} facts, as far as the interrupted run had come", text::with_thousands(facts));
  return c;
}

}  // namespace

int replay(const replay_request& r) {
  const auto m = results::read_run(r.directory);
  if (!m) {
    return fail(m.error());
  }
  if (!m->real_case.empty()) {
    return fail({exit_code::usage,
                 fmt::format("nothing repeats a run on real servers; `{}` runs the case again",
                             text::display_text(m->replay.empty() ? "" : m->replay.front(), 400))});
  }
  auto s = scenario_of(r.directory, *m);
  if (!s) {
    return fail(s.error());
  }
  results::run_results a = account_of(*m, std::move(*s));
  const auto c = m->interrupted ? compare_beginnings(r, *m, a) : compare_whole(r, *m, a);
  if (!c) {
    return fail(c.error());
  }
  if (const auto stopped = stopped_by()) {
    print_diagnostics("dibs: interrupted, nothing was compared\n");
    return static_cast<int>(*stopped);
  }
  if (c->differences.empty()) {
    return finish(fmt::format("identical: {}\n", c->what));
  }
  std::string text = fmt::format("different: {}\n", text::display_text(r.directory, 400));
  for (const std::string& line : c->differences) {
    text += "  " + line + "\n";
  }
  if (const results::build_info now = this_build(); !(now == m->build)) {
    text += fmt::format(
        "  the run was made by another program: dibs {} ({}, {}), this is {} ({}, {})\n",
        text::display_text(m->build.version),
        text::display_text(m->build.compiler),
        text::display_text(m->build.kind),
        now.version,
        now.compiler,
        now.kind);
  }
  return finish(text, exit_code::replay_differed);
}

}  // namespace dibs::commands
