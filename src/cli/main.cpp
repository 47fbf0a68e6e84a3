// dibs: reads the command line and does what it asks.

#include "base/memory.hpp"
#include "cli/help.hpp"
#include "cli/parse.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace dibs::cli {
namespace {

template <class... Handlers>
struct overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
overloaded(Handlers...) -> overloaded<Handlers...>;

int show(const help_request& r, const std::string& program) {
  constexpr int legible = 100;
  const int width = std::min(report::look_of(STDOUT_FILENO).width, legible);
  return finish(help_text(r.command, program, width));
}

int show(const text_request& r) {
  return finish(report::fitted_paragraphs(r.text, report::look_of(STDOUT_FILENO).width));
}

/// Starts the program beside this one that measures. Returns only if that is not possible.
int start_benchmarks(char** words) {
  std::error_code problem;
  auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  program.replace_filename("dibs-bench");
  ::execv(program.c_str(), words);
  return fail({exit_code::internal_error,
               program.string() + " could not be started; tools/dibs bench builds it, as does " +
                   "cmake --build --preset release"});
}

int act(const request& what, const std::string& program, char** words) {
  return std::visit(overloaded{[&](const run_request& r) { return run(r, program); },
                               [&](const sweep_request& r) { return sweep(r, program); },
                               [](const compare_request& r) { return compare(r); },
                               [&](const tune_request& r) { return tune(r, program); },
                               [&](const region_request& r) { return region(r, program); },
                               [](const replay_request& r) { return replay(r); },
                               [](const explain_request& r) { return explain(r); },
                               [](const report_request& r) { return make_report(r); },
                               [](const validate_request& r) { return validate(r); },
                               [](const schema_request&) { return schema(); },
                               [](const reference_request& r) { return reference(r); },
                               [&](const init_request& r) { return init(r, program); },
                               [](const list_request& r) { return list(r); },
                               [](const metrics_request& r) { return metrics_table(r); },
                               [](const economics_request& r) { return lease_economics(r); },
                               [&](const survive_request& r) { return survival(r, program); },
                               [&](const bench_request&) { return start_benchmarks(words); },
                               [&](const hunt_request& r) { return hunting(r, program); },
                               [](const completion_request& r) { return completion(r); },
                               [](const man_request& r) { return man_pages(r); },
                               [&](const help_request& r) { return show(r, program); },
                               [](const text_request& r) { return show(r); }},
                    what);
}

/// Other commands are over before it matters in which pages their memory lies.
bool simulates(const request& what) {
  return std::visit(overloaded{[](const run_request&) { return true; },
                               [](const sweep_request&) { return true; },
                               [](const tune_request&) { return true; },
                               [](const region_request&) { return true; },
                               [](const replay_request&) { return true; },
                               [](const survive_request&) { return true; },
                               [](const hunt_request&) { return true; },
                               [](const auto&) { return false; }},
                    what);
}

int start(const std::string& program, const std::vector<std::string>& arguments, char** words) {
  const auto what = parse(arguments);
  if (what && simulates(*what)) {
    take_large_pages();
  }
  keep_standard_streams();
  watch_signals();
  return what ? act(*what, program, words) : fail(what.error());
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) {
  return dibs::cli::begin(count, words, [&](const auto& program, const auto& arguments) {
    return dibs::cli::start(program, arguments, words);
  });
}
