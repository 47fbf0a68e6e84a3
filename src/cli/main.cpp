// dibs: reads the command line and does what it asks.

#include "base/last_words.hpp"
#include "base/memory.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/parse.hpp"
#include "cli/stop.hpp"
#include "report/account.hpp"
#include "report/fitting.hpp"
#include "report/look.hpp"

#include <unistd.h>

#include <string>
#include <variant>
#include <vector>

namespace dibs::cli {
namespace {

/// As it was typed if that was a path, so that the commands which dibs suggests can be pasted.
std::string program_of(const char* typed) {
  const std::string name = typed == nullptr ? "dibs" : typed;
  return name.empty() ? "dibs" : name;
}

template <class... Handlers>
struct overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
overloaded(Handlers...) -> overloaded<Handlers...>;

int show(const text_request& r) {
  return finish(report::fitted_paragraphs(r.text, report::look_of(STDOUT_FILENO).width));
}

int act(const request& what, const std::string& program) {
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
                               [](const reference_request&) { return reference(); },
                               [&](const init_request& r) { return init(r, program); },
                               [](const list_request& r) { return list(r); },
                               [](const metrics_request& r) { return metrics_table(r); },
                               [](const economics_request& r) { return lease_economics(r); },
                               [&](const survive_request& r) { return survival(r, program); },
                               [](const bench_request& r) { return bench(r); },
                               [&](const hunt_request& r) { return hunting(r, program); },
                               [](const completion_request& r) { return completion(r); },
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
                               [](const bench_request&) { return true; },
                               [](const hunt_request&) { return true; },
                               [](const auto&) { return false; }},
                    what);
}

/// The command as it was given, to repeat what no run is to blame for.
std::string line_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::string line = report::quoted(program);
  for (const std::string& word : arguments) {
    line += " " + report::quoted(word);
  }
  return line;
}

int start(int count, char** words) {
  const std::vector<std::string> arguments(words + (count > 0 ? 1 : 0), words + count);
  const std::string program = program_of(count > 0 ? words[0] : nullptr);
  install_last_words();
  set_replay_line(line_of(program, arguments));
  const auto what = parse(arguments);
  if (what && simulates(*what)) {
    take_large_pages();
  }
  keep_standard_streams();
  watch_signals();
  return what ? act(*what, program) : fail(what.error());
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) {
  // The last resort: whatever reaches it is a mistake of ours, or memory or a disk that failed.
  try {
    return dibs::cli::start(count, words);
  } catch (...) {
    dibs::say_last_words();
  }
  return static_cast<int>(dibs::exit_code::internal_error);
}
