/// What the command line library fills in, and the commands that it fills it in from. What each
/// command takes, and what was asked for by it, is in the file `options_*.cpp` of its name.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "commands/requests.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::cli {

/// What CLI11 fills in, and the commands that it fills it in from.
struct grammar {
  CLI::App app;
  commands::run_request run;
  commands::sweep_request sweep;
  commands::compare_request compare;
  commands::tune_request tune;
  commands::region_request region;
  commands::replay_request replay;
  commands::explain_request explain;
  commands::report_request report;
  commands::validate_request validate;
  commands::init_request init;
  commands::list_request list;
  commands::metrics_request metrics;
  commands::formats_request files;
  commands::economics_request economics;
  commands::survive_request survive;
  commands::check_request check;
  commands::hunt_request hunt;
  commands::shrink_request shrink;
  commands::conform_request conform;
  commands::torment_request torment;
  commands::matcher_request matcher;
  commands::worker_request worker;
  commands::node_request node;
  commands::serve_request serve;
  commands::explore_request explore;
  commands::load_request load;
  commands::bench_request bench;
  commands::completion_request completion;
  commands::reference_request reference;
  commands::man_request man;
  std::optional<double> precision;   ///< of a sweep or a comparison
  std::string precise = "ttm.mean";  ///< the metric that `precision` is about
  processes::tls_files tls;          ///< of a run over several nodes
  bool no_out = false;
  bool version = false;

  grammar();
  CLI::App* command(const std::string& name);
  void add_scenario(CLI::App* to, sweep::space_request& into);
  void add_derive(CLI::App* to, std::vector<sweep::derivation>& into);
  void add_warmup(CLI::App* to, bool& into);
  void add_precision(CLI::App* to, const char* what);
  void add_run();
  void add_sweep();
  void add_compare();
  void add_tune();
  void add_region();
  void add_replay();
  void add_explain();
  void add_report();
  void add_documents();
  void add_economics();
  void add_survive();
  void add_check();
  void add_live(CLI::App* to);
  void add_bench();
  void add_bench_matching(CLI::App* to);
  void add_hunt();
  void add_shrink();
  static void add_shrink_budget(CLI::App* to, double& seconds);
  void add_conform();
  void add_torment();
  void add_serve();
  void add_explore();
  void add_load();
  void add_worker();
  void add_node();
  void add_nodes(CLI::App* to, CLI::Option* live);
  void add_tls(CLI::App* to);
  void add_sharing(CLI::App* to, commands::sharing& into);

  // What was typed for a command, once the library has read it. Errors (exit 2): options that make
  // no sense together.
  [[nodiscard]] result<commands::request> run_asked() const;
  [[nodiscard]] result<commands::request> sweep_asked() const;
  [[nodiscard]] result<commands::request> compare_asked() const;
  [[nodiscard]] result<commands::request> tune_asked() const;
  [[nodiscard]] result<commands::request> explain_asked() const;
  [[nodiscard]] result<commands::request> report_asked() const;
  [[nodiscard]] result<commands::request> bench_asked() const;
  [[nodiscard]] result<commands::request> conform_asked() const;
  [[nodiscard]] result<commands::request> node_asked() const;
  /// With the certificates that were given. Errors (exit 2): one of the three files is missing, or
  /// all are, and the place is not on loopback.
  [[nodiscard]] result<processes::meeting_place> meeting_asked(
      const std::string& command, processes::meeting_place where) const;
};

/// `text` and `json`.
[[nodiscard]] const words_for<commands::format>& formats();
[[nodiscard]] const words_for<commands::study_format>& study_formats();

/// A refusal with where to read on.
[[nodiscard]] tl::unexpected<error> usage(const std::string& command, const std::string& what);

/// What was read, for a callback of the library. Throws: its refusal, in the same words.
template <class T>
T or_refuse(result<T> read) {
  if (!read) {
    throw CLI::ValidationError(read.error().text);
  }
  return std::move(*read);
}

}  // namespace dibs::cli
