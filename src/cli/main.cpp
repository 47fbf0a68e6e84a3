// dibs: reads the command line and does what it asks.

#include "base/memory.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/man_pages.hpp"
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

int show(const commands::help_request& r, const std::string& program) {
  constexpr int legible = 100;
  const int width = std::min(text::terminal_style_of(STDOUT_FILENO).width, legible);
  return commands::finish(help_text(r.command, program, width));
}

int show(const commands::text_request& r) {
  return commands::finish(
      text::fitted_paragraphs(r.text, text::terminal_style_of(STDOUT_FILENO).width));
}

/// Starts a program beside this one. Returns only if that is not possible.
int start_beside(const std::string& name, const std::string& command, char** words) {
  std::error_code problem;
  auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  program.replace_filename(name);
  ::execv(program.c_str(), words);
  return commands::fail({exit_code::internal_error,
                         program.string() + " could not be started; tools/dibs " + command +
                             " builds it, as does cmake --build --preset release"});
}

int act(const commands::request& what, const std::string& program, char** words) {
  return std::visit(
      overloaded{
          [&](const commands::run_request& r) { return commands::run(r, program); },
          [&](const commands::sweep_request& r) { return commands::sweep(r, program); },
          [](const commands::compare_request& r) { return commands::compare(r); },
          [&](const commands::tune_request& r) { return commands::tune(r, program); },
          [&](const commands::region_request& r) { return commands::region(r, program); },
          [](const commands::replay_request& r) { return commands::replay(r); },
          [](const commands::explain_request& r) { return commands::explain(r); },
          [](const commands::report_request& r) { return commands::make_report(r); },
          [](const commands::validate_request& r) { return commands::validate(r); },
          [](const commands::schema_request&) { return commands::schema(); },
          [](const commands::reference_request& r) { return commands::reference(r); },
          [&](const commands::init_request& r) { return commands::init(r, program); },
          [](const commands::list_request& r) { return commands::list(r); },
          [](const commands::metrics_request& r) { return commands::metrics_table(r); },
          [](const commands::formats_request& r) { return commands::formats_table(r); },
          [](const commands::economics_request& r) { return commands::lease_economics(r); },
          [](const commands::check_request& r) { return commands::check_incidents(r); },
          [&](const commands::survive_request& r) { return commands::survive(r, program); },
          [&](const commands::bench_request&) {
            return start_beside("dibs-bench", "bench", words);
          },
          [&](const commands::hunt_request& r) { return commands::hunt(r, program); },
          [&](const commands::shrink_request& r) { return commands::shrink_scenario(r, program); },
          [](const commands::conform_request& r) { return commands::conform(r); },
          [&](const commands::torment_request& r) { return commands::torment_stores(r, program); },
          [](const commands::matcher_request& r) { return commands::matcher(r); },
          [](const commands::node_request& r) { return commands::join_run(r); },
          [](const commands::worker_request& r) { return commands::work_on(r); },
          [&](const commands::serve_request&) {
            return start_beside("dibs-serve", "serve", words);
          },
          [&](const commands::explore_request&) {
            return start_beside("dibs-serve", "explore", words);
          },
          [&](const commands::load_request& r) { return commands::load_service(r, program); },
          [](const commands::completion_request& r) { return completion(r); },
          [](const commands::man_request& r) { return man_pages(r); },
          [&](const commands::help_request& r) { return show(r, program); },
          [](const commands::text_request& r) { return show(r); }},
      what);
}

/// Other commands are over before it matters in which pages their memory lies.
bool simulates(const commands::request& what) {
  return std::visit(overloaded{[](const commands::run_request&) { return true; },
                               [](const commands::sweep_request&) { return true; },
                               [](const commands::tune_request&) { return true; },
                               [](const commands::region_request&) { return true; },
                               [](const commands::replay_request&) { return true; },
                               [](const commands::survive_request&) { return true; },
                               [](const commands::check_request&) { return true; },
                               [](const commands::hunt_request&) { return true; },
                               [](const commands::shrink_request&) { return true; },
                               [](const commands::explain_request&) { return true; },
                               [](const commands::worker_request&) { return true; },
                               [](const auto&) { return false; }},
                    what);
}

int start(const std::string& program, const std::vector<std::string>& arguments, char** words) {
  const auto what = parse(arguments);
  if (what && simulates(*what)) {
    take_large_pages();
  }
  commands::keep_standard_streams();
  commands::watch_signals();
  return what ? act(*what, program, words) : commands::fail(what.error());
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) {
  return dibs::commands::begin(count, words, [&](const auto& program, const auto& arguments) {
    return dibs::cli::start(program, arguments, words);
  });
}
