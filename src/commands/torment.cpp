// `dibs torment`: matchers as processes on real servers, which are struck while they work. `dibs
// matcher` is one of these processes.

#include "base/stopwatch.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/real_run_directory.hpp"
#include "commands/stop_signal.hpp"
#include "commands/torment_report.hpp"
#include "engine/run.hpp"
#include "lease/protocol.hpp"
#include "results/atomic_file.hpp"
#include "text/number.hpp"
#include "text/quantity.hpp"
#include "torment/cases.hpp"
#include "torment/faults.hpp"
#include "torment/judgement.hpp"
#include "torment/matcher.hpp"
#include "torment/needs.hpp"
#include "torment/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;
using torment::real_case;
using torment::real_run;

result<std::vector<const real_case*>> cases_of(const torment_request& r) {
  std::vector<const real_case*> all;
  for (const real_case& c : torment::all_cases()) {
    if (r.cases.empty() || std::ranges::count(r.cases, c.name) > 0) {
      all.push_back(&c);
    }
  }
  for (const std::string& name : r.cases) {
    if (torment::find_case(name) == nullptr) {
      return failure(exit_code::usage,
                     fmt::format("torment: there is no case `{}`; see dibs torment --list", name));
    }
  }
  return all;
}

/// Counts the run, and keeps it if it is the first that broke.
class case_account {
 public:
  case_account(const torment_request& r, const real_case& c, const std::string& program)
      : request_(r), program_(program) {
    found_.what = &c;
  }

  [[nodiscard]] result<void> add(real_run run) {
    ++found_.runs;
    found_.grants += run.grants;
    found_.trips += run.trips;
    found_.refused_writes += run.refused_writes;
    found_.violations += run.checks.violation_count;
    found_.undecided_drivers += run.checks.undecided_drivers;
    if (!run.checks.kept()) {
      ++found_.broken;
      note_broken(run.checks);
    }
    const bool is_kept = !found_.kept.empty();
    const bool is_first_broken = !run.checks.kept() && found_.broken == 1;
    return request_.out && (!is_kept || is_first_broken) ? keep(run) : result<void>();
  }

  [[nodiscard]] case_result take() { return std::move(found_); }

 private:
  void note_broken(const checkers::check_result& checks) {
    for (int i = 0; i < lease::invariants; ++i) {
      const auto each = static_cast<lease::invariant>(i);
      if ((checks.broken & lease::bit(each)) != 0) {
        ++found_.by_code[std::string(lease::code_of(each))];
      }
    }
    if (found_.first.empty()) {
      const checkers::violation& v = checks.violations.front();
      found_.first = fmt::format(
          "{} at {}: {}", lease::code_of(v.broken), text::duration(in_seconds(v.t)), v.what);
    }
  }

  result<void> keep(const real_run& run) {
    const fs::path where = fs::path(*request_.out) / std::string(found_.what->name);
    std::error_code none;
    if (!found_.kept.empty()) {
      fs::remove_all(where, none);
    }
    fs::create_directories(where.parent_path(), none);
    const real_case& c = *found_.what;
    const real_run_record kept{
        .scenario = torment::scenario_of(c, run.seed, length_of(request_, c)),
        .real_case = std::string(c.name),
        .command = fmt::format("torment {}", c.name),
        .events = run.events,
        .end = run.end,
        .judged_by = torment::checkers_options_of(c),
        .wall_s = run.wall_s};
    if (auto done = keep_real_run(where, kept, program_); !done) {
      return done;
    }
    found_.kept = where.string();
    return {};
  }

  const torment_request& request_;
  const std::string& program_;
  case_result found_;
};

result<case_result> run_case(const torment_request& r,
                             const real_case& c,
                             const std::string& program,
                             const std::function<void(const std::string&)>& on_run) {
  std::error_code failed;
  auto runner =
      torment::case_runner::make({.what = &c,
                                  .length = length_of(r, c),
                                  .program = fs::read_symlink("/proc/self/exe", failed).string(),
                                  .stop = stop_flag()});
  if (!runner) {
    return tl::unexpected<error>(runner.error());
  }
  case_account account(r, c, program);
  for (std::uint32_t k = 0; k < r.runs; ++k) {
    auto run = runner->run(engine::seed_of(r.seed.value_or(1), k));
    if (!run) {
      return tl::unexpected<error>(run.error());
    }
    if (auto done = account.add(std::move(*run)); !done) {
      return tl::unexpected<error>(done.error());
    }
    on_run(std::string(c.name));
  }
  return account.take();
}

/// A fault that needs more time than a run has would let the case hold for nothing.
result<void> check_lengths(const torment_request& r, const std::vector<const real_case*>& cases) {
  for (const real_case* c : cases) {
    const sim_duration length = length_of(r, *c);
    if (!c->pattern.faults.empty() && torment::schedule_of(c->pattern, length, 1).empty()) {
      return failure(exit_code::usage,
                     fmt::format("torment: nothing strikes within {} in {}: leave --seconds out, "
                                 "or give it {}",
                                 text::print_duration(length),
                                 c->name,
                                 text::duration(in_seconds(c->length))));
    }
  }
  return {};
}

/// Takes out of the list what this machine cannot do; a case that was named has to be done.
result<std::vector<case_left_out>> leave_out(const torment_request& r,
                                             std::vector<const real_case*>& cases) {
  std::vector<case_left_out> all;
  for (const real_case* c : std::exchange(cases, {})) {
    if (const auto there = torment::check_needs(*c)) {
      cases.push_back(c);
    } else if (!r.cases.empty()) {
      return tl::unexpected<error>(there.error());
    } else {
      all.push_back({c, there.error().text});
      print_diagnostics(fmt::format("{} is left out: {}\n", c->name, there.error().text));
    }
  }
  return all;
}

exit_code code_of(const std::vector<case_result>& all) {
  const auto held = [](const case_result& c) { return c.what->breaks || c.broken == 0; };
  return !std::ranges::all_of(all, held)                           ? exit_code::invariant_broke
         : !std::ranges::all_of(all, &case_result::is_as_expected) ? exit_code::threshold_missed
                                                                   : exit_code::done;
}

}  // namespace

int torment_stores(const torment_request& r, const std::string& program) {
  if (r.list) {
    return finish(torment_list(r));
  }
  auto cases = cases_of(r);
  if (!cases) {
    return fail(cases.error());
  }
  if (const auto done = check_lengths(r, *cases); !done) {
    return fail(done.error());
  }
  const stopwatch watch;
  auto left_out = leave_out(r, *cases);
  if (!left_out) {
    return fail(left_out.error());
  }
  torment_account account{.left_out = std::move(*left_out)};
  {
    count_line counter(r.quiet, cases->size() * r.runs, "runs");
    std::size_t done = 0;
    for (const real_case* each : *cases) {
      auto found =
          run_case(r, *each, program, [&](const std::string& at) { counter.show(++done, at); });
      if (!found) {
        const auto by_signal = stopped_by();
        return by_signal ? static_cast<int>(*by_signal) : fail(found.error());
      }
      account.cases.push_back(std::move(*found));
    }
  }
  account.wall_s = watch.seconds();
  return finish(r.format == format::json ? torment_json(account, r) : torment_text(account, r),
                code_of(account.cases));
}

int matcher(const matcher_request& r) {
  const auto text = results::read_whole(r.plan);
  if (!text) {
    return fail(text.error());
  }
  const auto plan = torment::plan_from_json(*text);
  if (!plan) {
    return fail(plan.error());
  }
  const auto done = torment::run_matcher(*plan);
  return done ? static_cast<int>(exit_code::done) : fail(done.error());
}

}  // namespace dibs::commands
