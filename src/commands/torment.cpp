// `dibs torment`: matchers as processes on real servers, which are struck while they work. `dibs
// matcher` is one of these processes.

#include "base/stopwatch.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/real_run_directory.hpp"
#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "lease/protocol.hpp"
#include "results/atomic_file.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/quantity.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"
#include "torment/cases.hpp"
#include "torment/judgement.hpp"
#include "torment/matcher.hpp"
#include "torment/run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;
using torment::real_case;
using torment::real_run;

/// A case that shall break has to in this share of its runs.
constexpr double breaks_min = 0.9;

sim_duration length_of(const torment_request& r) {
  return sim_duration{static_cast<std::int64_t>(r.seconds * 1e9)};
}

struct case_result {
  const real_case* what = nullptr;
  std::uint32_t runs = 0;
  std::uint32_t broken = 0;
  std::map<std::string, std::uint32_t, std::less<>> by_code;  ///< runs that broke each promise
  std::uint64_t violations = 0;
  std::uint64_t undecided_drivers = 0;
  std::uint64_t grants = 0;
  std::uint64_t trips = 0;
  std::uint64_t refused_writes = 0;
  std::string first;  ///< the first violation, as a sentence
  std::string kept;   ///< where a run was kept

  [[nodiscard]] bool is_as_expected() const {
    return what->breaks ? broken >= breaks_min * runs : broken == 0;
  }
};

std::string store_of(const real_case& c) {
  switch (c.leases) {
    case torment::lease_kind::postgres:
      return "PostgreSQL";
    case torment::lease_kind::redis:
      return "Redis";
    case torment::lease_kind::redlock:
      return "five Redis (Redlock)";
    case torment::lease_kind::queue:
      break;
  }
  return "PostgreSQL, SKIP LOCKED";
}

std::string expected_of(const real_case& c) { return c.breaks ? "breaks" : "holds"; }

std::string broken_codes(const case_result& r) {
  std::string all;
  for (const auto& [code, runs] : r.by_code) {
    all += fmt::format("{}{} in {}", all.empty() ? "" : ", ", code, runs);
  }
  return all.empty() ? "-" : all;
}

text::table table_of(const std::vector<case_result>& all) {
  text::table t{{{.title = "case"},
                 {.title = "leases in"},
                 {.title = "fence"},
                 {.title = "broken in"},
                 {.title = "promises"},
                 {.title = "expected"},
                 {.title = "verdict"}},
                {}};
  for (const case_result& r : all) {
    t.rows.push_back({std::string(r.what->name),
                      store_of(*r.what),
                      std::string(r.what->fence ? "yes" : "no"),
                      fmt::format("{} of {}", r.broken, r.runs),
                      broken_codes(r),
                      expected_of(*r.what),
                      std::string(r.is_as_expected() ? "as expected" : "NOT as expected")});
  }
  return t;
}

std::string text_of(const std::vector<case_result>& all, const torment_request& r, double wall_s) {
  const auto style = text::terminal_style_of(STDOUT_FILENO);
  std::string out = fmt::format("Real servers and processes, {} each of {}: {}\n\n",
                                text::plural(r.runs, "run"),
                                text::print_duration(length_of(r)),
                                text::duration(wall_s)) +
                    text::as_text(table_of(all), style, {.width = style.width});
  out += "\nWhat strikes, and what came of it\n";
  for (const case_result& c : all) {
    out += text::fitted(fmt::format("  {}: {}. {} {}; {}, {}, {} refused\n",
                                    c.what->name,
                                    c.what->faults_text,
                                    c.what->breaks ? "It breaks since" : "It holds since",
                                    c.what->because,
                                    text::plural(c.grants, "lease"),
                                    text::plural(c.trips, "trip"),
                                    text::plural(c.refused_writes, "write")),
                        style.width);
    if (!c.first.empty()) {
      out += text::fitted("    first: " + c.first + "\n", style.width);
    }
    if (!c.kept.empty()) {
      out += fmt::format("    kept in {}\n", c.kept);
    }
  }
  return out;
}

std::string json_of(const std::vector<case_result>& all, const torment_request& r, double wall_s) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const case_result& c : all) {
    cases.push_back({{"case", c.what->name},
                     {"leases_in", store_of(*c.what)},
                     {"fence", c.what->fence},
                     {"faults", c.what->faults_text},
                     {"incident", c.what->incident},
                     {"runs", c.runs},
                     {"broken_runs", c.broken},
                     {"broken", c.by_code},
                     {"violations", c.violations},
                     {"undecided_drivers", c.undecided_drivers},
                     {"leases", c.grants},
                     {"trips", c.trips},
                     {"refused_writes", c.refused_writes},
                     {"expected", expected_of(*c.what)},
                     {"as_expected", c.is_as_expected()},
                     {"first", c.first},
                     {"kept", c.kept}});
  }
  const nlohmann::ordered_json j{
      {"runs", r.runs}, {"seconds", r.seconds}, {"wall_s", wall_s}, {"cases", std::move(cases)}};
  return text::json_as_text(j, 2) + "\n";
}

int list_cases(const torment_request& r) {
  text::table t{{{.title = "case"},
                 {.title = "leases in"},
                 {.title = "fence"},
                 {.title = "expected"},
                 {.title = "what strikes"}},
                {}};
  nlohmann::ordered_json j = nlohmann::ordered_json::array();
  for (const real_case& c : torment::all_cases()) {
    t.rows.push_back({std::string(c.name),
                      store_of(c),
                      std::string(c.fence ? "yes" : "no"),
                      expected_of(c),
                      std::string(c.faults_text)});
    j.push_back({{"case", c.name},
                 {"leases_in", store_of(c)},
                 {"fence", c.fence},
                 {"expected", expected_of(c)},
                 {"faults", c.faults_text},
                 {"because", c.because},
                 {"incident", c.incident}});
  }
  if (r.format == format::json) {
    return finish(text::json_as_text(j, 2) + "\n");
  }
  const auto style = text::terminal_style_of(STDOUT_FILENO);
  return finish(text::as_text(t, style, {.width = style.width}));
}

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
    const real_run_record kept{.scenario = torment::scenario_of(c, run.seed, length_of(request_)),
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
                                  .length = length_of(r),
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

}  // namespace

int torment_stores(const torment_request& r, const std::string& program) {
  if (r.list) {
    return list_cases(r);
  }
  const auto cases = cases_of(r);
  if (!cases) {
    return fail(cases.error());
  }
  const stopwatch watch;
  std::vector<case_result> all;
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
      all.push_back(std::move(*found));
    }
  }
  const auto held = [](const case_result& c) { return c.what->breaks || c.broken == 0; };
  const exit_code code = !std::ranges::all_of(all, held) ? exit_code::invariant_broke
                         : !std::ranges::all_of(all, &case_result::is_as_expected)
                             ? exit_code::threshold_missed
                             : exit_code::done;
  return finish(r.format == format::json ? json_of(all, r, watch.seconds())
                                         : text_of(all, r, watch.seconds()),
                code);
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
