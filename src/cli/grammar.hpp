/// What the command line library fills in, and the commands that it fills it in from. What each
/// command takes, and what was asked for by it, is in the file `options_*.cpp` of its name.
#pragma once

#include "base/result.hpp"
#include "cli/options.hpp"
#include "cli/study_options.hpp"
#include "commands/requests.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::cli {

/// The arguments of `dibs economics` as they were typed, with their units.
struct economics_words {
  std::string operation;
  std::string rtt;
  std::string failures;
  std::string false_positive_cost;
  std::string unavailability_cost;
};

/// What CLI11 fills in, and the commands that it fills it in from.
struct grammar {
  CLI::App app;
  run_request run;
  sweep_request sweep;
  compare_request compare;
  tune_request tune;
  std::string tuned_file;
  std::string holdout;
  region_request region;
  std::string mapped_file;
  study_words study;
  replay_request replay;
  explain_request explain;
  report_request report;
  validate_request validate;
  init_request init;
  list_request list;
  metrics_request metrics;
  economics_request economics;
  survive_request survive;
  hunt_request hunt;
  economics_words priced;
  bench_request bench;
  std::string bench_sizes;
  std::string bench_matchers;
  std::string bench_protocol = "fenced";
  std::string wall;
  completion_request completion;
  reference_request reference;
  man_request man;
  std::vector<std::string> set;
  std::vector<std::string> set_validated;
  std::vector<std::string> set_hunted;
  std::string seed_hunted;
  std::string chance_hunted;
  std::optional<std::uint32_t> hunted;
  std::string seed;
  std::string from;
  std::string until;
  std::string out;
  bool no_out = false;
  bool version = false;

  grammar();
  CLI::App* command(const std::string& name);
  void add_warmup(CLI::App* to);
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
  void add_live(CLI::App* to);
  void add_bench();
  void add_bench_matching(CLI::App* to);
  void add_hunt();

  // What was typed for a command, once the library has read it. Errors (exit 2): options that make
  // no sense together.
  [[nodiscard]] result<request> run_asked() const;
  [[nodiscard]] result<request> sweep_asked() const;
  [[nodiscard]] result<request> compare_asked() const;
  [[nodiscard]] result<request> tune_asked() const;
  [[nodiscard]] result<request> region_asked() const;
  [[nodiscard]] result<request> explain_asked() const;
  [[nodiscard]] result<request> report_asked() const;
  [[nodiscard]] request economics_asked() const;
  [[nodiscard]] result<request> bench_asked() const;
  [[nodiscard]] result<request> hunt_asked() const;
};

/// `text` and `json`.
[[nodiscard]] const words_for<format>& formats();

/// A refusal with where to read on.
[[nodiscard]] tl::unexpected<error> usage(const std::string& command, const std::string& what);

template <class Request>
result<request> or_usage(const std::string& command, result<Request> r) {
  return r ? result<request>(std::move(*r)) : usage(command, r.error().text);
}

}  // namespace dibs::cli
