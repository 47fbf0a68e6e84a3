#include "cli/parse.hpp"

#include "cli/build.hpp"
#include "cli/help.hpp"
#include "cli/study_words.hpp"
#include "lease/protocol.hpp"
#include "scenario/complaints.hpp"
#include "scenario/quantity.hpp"
#include "study/sweep_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <thread>

namespace dibs::cli {
namespace {

template <class T>
using words_for = std::vector<std::pair<std::string, T>>;
const words_for<format>& formats() {
  static const words_for<format> all{{"text", format::text}, {"json", format::json}};
  return all;
}
const words_for<engine::delivery>& deliveries() {
  static const words_for<engine::delivery> all{{"direct", engine::delivery::direct},
                                               {"mailbox", engine::delivery::mailbox}};
  return all;
}
const words_for<map_format>& map_formats() {
  static const words_for<map_format> all{
      {"text", map_format::text}, {"csv", map_format::csv}, {"json", map_format::json}};
  return all;
}
const words_for<table_format>& table_formats() {
  static const words_for<table_format> all{{"text", table_format::text},
                                           {"md", table_format::md},
                                           {"csv", table_format::csv},
                                           {"json", table_format::json}};
  return all;
}
const words_for<report_format>& report_formats() {
  static const words_for<report_format> all{{"html", report_format::html},
                                            {"trace", report_format::trace},
                                            {"md", report_format::md},
                                            {"csv", report_format::csv},
                                            {"json", report_format::json},
                                            {"svg", report_format::svg}};
  return all;
}
const words_for<std::string>& protocols() {
  static const words_for<std::string> all = [] {
    words_for<std::string> names;
    for (const lease::rules& each : lease::all_rules()) {
      names.emplace_back(std::string(each.name), std::string(each.name));
    }
    return names;
  }();
  return all;
}
const words_for<std::string>& shells() {
  static const words_for<std::string> all{{"bash", "bash"}, {"zsh", "zsh"}, {"fish", "fish"}};
  return all;
}
const words_for<calculation>& calculations() {
  static const words_for<calculation> all{{"compat", calculation::compat},
                                          {"corrected", calculation::corrected},
                                          {"both", calculation::both}};
  return all;
}
const words_for<benchmark>& benchmarks() {
  static const words_for<benchmark> all{{"engine", benchmark::engine},
                                        {"lease", benchmark::lease},
                                        {"matching", benchmark::matching}};
  return all;
}
constexpr std::uint32_t runs_max = 100'000;
constexpr std::uint32_t bench_drivers_max = 10'000'000;
constexpr std::uint32_t bench_repeats_max = 1000;
constexpr double bench_hours_max = 1000;
constexpr double bench_seconds_max = 600;
constexpr std::uint32_t matchers_max = 1024;
constexpr std::uint32_t threads_max = 1024;
constexpr std::uint32_t in_flight_max = 1'000'000;
constexpr double rate_max = 10'000'000;
constexpr double speed_max = 100'000;
constexpr std::uint32_t jobs_max = 1024;

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
  CLI::App app{std::string(about_text()), "dibs"};
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
  std::vector<std::string> bench_sizes;
  std::vector<std::string> bench_matchers;
  std::string bench_protocol = "fenced";
  std::string wall;
  completion_request completion;
  std::vector<std::string> set;
  std::vector<std::string> set_validated;
  std::vector<std::string> set_hunted;
  std::string seed_hunted;
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
  void add_live();
  void add_bench();
  void add_bench_matching(CLI::App* to);
  void add_hunt();
};

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

/// What every refusal of a value says: what it must be, and what it is.
std::string must_be(const std::string& what, const std::string& text) {
  return fmt::format("must be {} (got {})", what, text.empty() ? "nothing" : scenario::shown(text));
}

std::string seed_trouble(const std::string& text) {
  return parse_seed(text) ? "" : must_be("a number of 64 bits such as 42 or 0x2a", text);
}

std::string set_trouble(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 ? "" : must_be("path=value", text);
}

std::string out_trouble(const std::string& text) {
  return text.empty() ? must_be("a directory to make", text) : "";
}

std::string file_trouble(const std::string& text) {
  return text.empty() ? must_be("a file to make, or -", text) : "";
}

/// Whole numbers in decimal digits. The library would read 010 in base 8.
CLI::Validator count_between(std::uint32_t least, std::uint32_t most) {
  return {[least, most](std::string& text) {
            std::uint32_t value = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, value);
            const bool fits =
                read.ec == std::errc() && read.ptr == end && value >= least && value <= most;
            if (!fits) {
              return must_be(fmt::format("a whole number from {} to {}", least, most), text);
            }
            text = std::to_string(value);
            return std::string();
          },
          ""};
}

CLI::Validator count_up_to(std::uint32_t most) { return count_between(1, most); }

/// An option or argument that takes one of a few words.
template <class T>
CLI::Option* add_choice(CLI::App* to,
                        const std::string& name,
                        T& value,
                        const words_for<T>& known,
                        const std::string& description) {
  const auto find = [&known](const std::string& text) {
    return std::find_if(
        known.begin(), known.end(), [&](const auto& each) { return each.first == text; });
  };
  const auto trouble = [&known, find](const std::string& text) {
    std::string names;
    for (std::size_t i = 0; i < known.size(); ++i) {
      names += i == 0 ? "" : i + 1 == known.size() ? " or " : ", ";
      names += known[i].first;
    }
    return find(text) != known.end() ? "" : must_be(names, text);
  };
  return to
      ->add_option_function<std::string>(
          name,
          [&value, find](const std::string& text) { value = find(text)->second; },
          description)
      ->check(CLI::Validator(trouble, ""));
}

/// Why a reader of quantities refused, for CLI11; empty if it did not.
template <class T>
std::string trouble_of(const scenario::reading_of<T>& read) {
  if (read) {
    return "";
  }
  const scenario::trouble& t = read.error();
  return t.hint.empty() ? t.message : t.message + "; " + t.hint;
}

std::string duration_trouble(const std::string& text) {
  return trouble_of(scenario::read_duration(text));
}

/// Requires: the text has passed the check, or is empty.
std::optional<sim_duration> duration_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(scenario::read_duration(text).value());
}

std::string hourly_trouble(const std::string& text) {
  return trouble_of(scenario::read_quantity(text, scenario::hourly_rates()));
}

std::string real_trouble(const std::string& text) { return trouble_of(scenario::read_real(text)); }

/// The double nearest to the decimal that was typed (up to 104 days), as a literal would be: the
/// exact number of nanoseconds, divided once.
double nearest_seconds(const std::string& text) {
  constexpr double nanoseconds_per_second = 1e9;
  return static_cast<double>(scenario::read_duration(text).value().count()) /
         nanoseconds_per_second;
}

/// Requires: the texts have passed the checks of `add_economics`.
economics::parameters parameters_of(const economics_words& w) {
  return {
      .operation_s = nearest_seconds(w.operation),
      .rtt_s = nearest_seconds(w.rtt),
      .failures_per_hour = scenario::read_quantity(w.failures, scenario::hourly_rates()).value(),
      .false_positive_cost = scenario::read_real(w.false_positive_cost).value(),
      .unavailability_cost = scenario::read_real(w.unavailability_cost).value()};
}

/// An option that takes one value each time it is given.
CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::vector<std::string>& values,
                        const std::string& what) {
  return to->add_option(name, values, what)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

grammar::grammar() {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Show this and end");
  app.add_flag("--version", version, "Show the version and end");
  app.footer(std::string(footer_of("")));
  add_run();
  add_sweep();
  add_compare();
  add_tune();
  add_region();
  add_replay();
  add_explain();
  add_report();
  add_documents();
  add_economics();
  add_survive();
  add_bench();
  add_hunt();
}

void grammar::add_precision(CLI::App* to, const char* what) {
  to->add_option("--precision", study.precision, what)->type_name("SHARE");
  to->add_option("--of", study.precise, "The metric that --precision is about")
      ->type_name("METRIC")
      ->default_str(study.precise);
}

void grammar::add_warmup(CLI::App* to) {
  to->add_option("--warmup", study.warmup, "auto: leave out what pilot runs show to be unsettled")
      ->type_name("auto")
      ->check(CLI::Validator(
          [](const std::string& text) { return text == "auto" ? "" : must_be("auto", text); }, ""))
      ->default_str("as the scenario says");
}

CLI::App* grammar::command(const std::string& name) {
  CLI::App* sub = app.add_subcommand(name, std::string(summary_of(name)));
  sub->set_help_flag("-h,--help", "Show this and end");
  sub->footer(std::string(footer_of(name)));
  return sub;
}

void grammar::add_run() {
  CLI::App* sub = command("run");
  run.jobs = cores();
  sub->add_option("SCENARIO", run.file, "A YAML file; `dibs list` shows those that ship")
      ->required();
  repeatable(
      sub, "--set", set, "Set a field of the scenario, as in --set lease.ttl=10s; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub->add_option("--seed", seed, "The seed, decimal or 0x...; without it, the scenario's")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--runs", run.runs, "Replications; each figure then carries its 95 % interval")
      ->type_name("K")
      ->transform(count_up_to(runs_max))
      ->default_str("1");
  sub->add_option("--jobs", run.jobs, "Replications at a time; does not change results")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  sub->add_option("--out", out, "The run directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""))
      ->default_str("runs/NAME, or runs/NAME-2 ...");
  sub->add_flag("--no-out", no_out, "Keep nothing; only print. Not with --out");
  add_choice(sub, "--format", run.format, formats(), "text or json (the content of metrics.json)")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("--events", run.events, "Keep every event, in events.jsonl");
  sub->add_flag("--watch", run.watch, "Show supply, harms and matching while it runs");
  sub->add_flag("-q,--quiet", run.quiet, "No progress and no summary; errors and exit code only");
  sub->add_flag("--force", run.force, "Run even if memory is not expected to suffice");
  add_choice(sub,
             "--delivery",
             run.delivery,
             deliveries(),
             "direct or mailbox: how messages reach the actors; same history")
      ->type_name("WAY")
      ->default_str("direct");
  add_live();
}

void grammar::add_live() {
  CLI::App* sub = app.get_subcommand("run");
  run.threads = cores();
  sub->add_flag(
      "--live", run.live, "On the real clock and all cores; keeps nothing, repeats never");
  sub->add_option("--speed", run.speed, "Live: time passes so many times as fast as on the wall")
      ->type_name("X")
      ->check(CLI::Range(0.001, speed_max))
      ->default_str("100");
  sub->add_option("--threads", run.threads, "Live: threads of the scheduler")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("one for each core");
  sub->add_option("--wall", wall, "Live: refuse a run that takes longer in real time")
      ->type_name("TIME")
      ->check(CLI::Validator(duration_trouble, ""))
      ->default_str("10min");
}

void grammar::add_sweep() {
  CLI::App* sub = command("sweep");
  sweep.jobs = cores();
  sub->add_option("SCENARIO", sweep.file, "A scenario, or a sweep file (NAME.sweep.yaml)")
      ->required();
  repeatable(sub, "--grid", study.grid, "A field and its values: every combination; repeatable")
      ->type_name("PATH=VALUES");
  repeatable(
      sub, "--zip", study.zip, "The same, but fields change together; 'A=..; B=..' by themselves")
      ->type_name("PATH=VALUES");
  repeatable(sub, "--derive", study.derive, "A field that follows from others; repeatable")
      ->type_name("PATH=EXPRESSION");
  repeatable(sub, "--where", study.where, "Keep only points for which this holds; repeatable")
      ->type_name("CONDITION");
  repeatable(sub, "--set", study.set, "Set a field at all points; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub->add_option("--seeds", study.seeds, "Replications of each point, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(study::seeds_max))
      ->default_str(std::to_string(study::seeds_standard));
  sub->add_option("--seed", seed, "The first seed; without it, the scenario's")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--jobs", sweep.jobs, "Runs at a time; does not change results")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  sub->add_option("--out", out, "The directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""))
      ->default_str("sweeps/NAME, or sweeps/NAME-2 ...");
  add_precision(sub, "Add seeds to each point until a metric is known to this");
  add_warmup(sub);
  add_choice(sub, "--format", sweep.format, formats(), "text or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("--resume", sweep.resume, "Go on with a sweep that was stopped");
  sub->add_flag("--yes", sweep.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", sweep.quiet, "No progress and no summary");
  sub->add_flag("--force", sweep.force, "Run even if memory is not expected to suffice");
}

void grammar::add_compare() {
  CLI::App* sub = command("compare");
  compare.jobs = cores();
  sub->add_option("A", compare.a, "A scenario, a run directory, or a sweep's (DIR or DIR:POINT)")
      ->required();
  sub->add_option("B", compare.b, "Another one; without it, A with what --set-b says");
  const auto add_set = [&](const char* name, std::vector<std::string>& values, const char* what) {
    repeatable(sub, name, values, what)
        ->type_name("PATH=VALUE")
        ->check(CLI::Validator(set_trouble, ""));
  };
  add_set("--set", study.set, "Set a field of both; repeatable");
  add_set("--set-a", study.set_a, "Set a field of A; repeatable");
  add_set("--set-b", study.set_b, "Set a field of B; repeatable");
  sub->add_option("--seeds", study.seeds, "Pairs of runs")
      ->type_name("K")
      ->transform(count_between(2, study::seeds_max))
      ->default_str(std::to_string(study::seeds_standard));
  sub->add_option("--seed", seed, "The first seed; without it, that of A")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--jobs", compare.jobs, "Runs at a time; does not change results")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  add_precision(sub, "Add pairs until a difference is known to this");
  add_warmup(sub);
  add_choice(sub, "--format", compare.format, formats(), "text or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("-q,--quiet", compare.quiet, "No progress");
  sub->add_flag("--force", compare.force, "Run even if memory is not expected to suffice");
}

void grammar::add_tune() {
  CLI::App* sub = command("tune");
  tune.jobs = cores();
  sub->add_option("SCENARIO", tuned_file, "A scenario")->required();
  repeatable(sub, "--search", study.search, "A field and its range or list; one to three of them")
      ->type_name("PATH=VALUES");
  sub->add_option("--objective",
                  tune.goal.objective,
                  "What to make least, over metrics; most, for a metric of which more is better")
      ->type_name("EXPRESSION")
      ->default_str("(30s * accepts.missed + supply.hidden_s) / rides.requested");
  sub->add_option("--missed",
                  study.missed_weight,
                  "How long a hidden driver weighs as much as a missed accept")
      ->type_name("TIME")
      ->default_str("30s");
  repeatable(sub, "--constraint", tune.goal.constraints, "What must hold; repeatable")
      ->type_name("CONDITION");
  repeatable(sub, "--derive", study.derive, "A field that follows from others; repeatable")
      ->type_name("PATH=EXPRESSION");
  repeatable(sub, "--where", study.where, "Keep only values for which this holds; repeatable")
      ->type_name("CONDITION");
  repeatable(sub, "--set", study.set, "Set a field of all; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub->add_option("--delta", study.delta, "The least difference that matters")
      ->type_name("SHARE")
      ->default_str("1%");
  sub->add_option("--error", study.error, "The probability with which the selection may err")
      ->type_name("SHARE")
      ->default_str("5%");
  sub->add_option("--precision", study.precision, "Go on until the best is known to this")
      ->type_name("SHARE");
  sub->add_option("--budget", study.budget, "Runs, or wall time such as 8min")
      ->type_name("RUNS|TIME")
      ->default_str(std::to_string(tune.how.runs));
  sub->add_option("--holdout", holdout, "Report the best on this scenario's demand too")
      ->type_name("SCENARIO");
  sub->add_option("--seeds", study.seeds, "Seeds of the first look at each value")
      ->type_name("K")
      ->transform(count_between(5, study::seeds_max))
      ->default_str(std::to_string(tune.how.first));
  sub->add_option("--seed", seed, "The first seed; without it, the scenario's")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--jobs", tune.jobs, "Runs at a time; does not change results")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  add_warmup(sub);
  add_choice(sub, "--format", tune.format, formats(), "text or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("--yes", tune.space.yes, "Screen even with more than 10,000 runs");
  sub->add_flag("-q,--quiet", tune.quiet, "No progress");
  sub->add_flag("--force", tune.force, "Run even if memory is not expected to suffice");
}

void grammar::add_region() {
  CLI::App* sub = command("region");
  region.jobs = cores();
  sub->add_option("SCENARIO", mapped_file, "A scenario")->required();
  sub->add_option("--x", region.x, "The field across, with its values or alone")
      ->required()
      ->type_name("PATH[=VALUES]");
  sub->add_option("--y", region.y, "The field down")->required()->type_name("PATH[=VALUES]");
  repeatable(sub, "--require", region.require, "What must hold, with the thresholds; repeatable")
      ->type_name("CONDITION");
  repeatable(sub, "--derive", study.derive, "A field that follows from others; repeatable")
      ->type_name("PATH=EXPRESSION");
  repeatable(sub, "--where", study.where, "Keep only cells for which this holds; repeatable")
      ->type_name("CONDITION");
  repeatable(sub, "--set", study.set, "Set a field in all cells; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub->add_option("--quantile", study.quantile, "Of decisions and latencies, for the bound")
      ->type_name("SHARE")
      ->default_str("95%");
  sub->add_option("--seeds", study.seeds, "Replications of each cell, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(study::seeds_max))
      ->default_str("5");
  sub->add_option("--seed", seed, "The first seed; without it, the scenario's")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""));
  sub->add_option("--jobs", region.jobs, "Runs at a time; does not change results")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  add_choice(sub, "--format", region.format, map_formats(), "text, csv or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("--yes", region.space.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", region.quiet, "No progress");
  sub->add_flag("--force", region.force, "Run even if memory is not expected to suffice");
}

void grammar::add_replay() {
  CLI::App* sub = command("replay");
  replay.jobs = cores();
  sub->add_option("RUN", replay.directory, "A run directory")->required();
  sub->add_option("--jobs", replay.jobs, "Replications at a time")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  sub->add_flag("-q,--quiet", replay.quiet, "No progress");
}

void grammar::add_explain() {
  CLI::App* sub = command("explain");
  sub->add_option("RUN", explain.directory, "A run directory")->required();
  sub->add_option("KIND", explain.what, "breach, ride, driver or lease")->default_str("breach");
  sub->add_option("NUMBER", explain.number, "Which one, from 1")->default_str("1");
  sub->add_option("--seed", seed, "Of several replications, the one with this seed")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""))
      ->default_str("the first");
  const auto add_time = [sub](const char* name, std::string& to, const char* what) {
    sub->add_option(name, to, what)->type_name("TIME")->check(CLI::Validator(duration_trouble, ""));
  };
  add_time("--from", from, "Leave away what came before, counted from the start of the run");
  add_time("--until", until, "Leave away what came at this time or later");
  sub->add_flag("--all", explain.all, "Every step, however many there are");
  sub->add_flag("--quick", explain.quick, "Run nothing: look for no turn, try no remedy");
  sub->add_flag("--html", explain.html, "Make a page of it, with its swim-lanes");
  sub->add_option("--out", out, "Where the page goes; - is standard output")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""))
      ->default_str("RUN/KIND-NUMBER.html");
  sub->add_flag("-q,--quiet", explain.quiet, "No progress");
}

void grammar::add_report() {
  CLI::App* sub = command("report");
  report.jobs = cores();
  sub->add_option("SOURCE",
                  report.sources,
                  "Run directories, a sweep's, or what `dibs tune`, `region` or `survive` printed "
                  "with --format json")
      ->required();
  sub->add_option("--seed", seed, "Of several replications, the one with this seed")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""))
      ->default_str("the first");
  add_choice(sub, "--format", report.format, report_formats(), "html, trace, md, csv, json or svg")
      ->type_name("FORMAT")
      ->default_str("html");
  sub->add_option("--out", out, "Where it goes; - is standard output")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""))
      ->default_str("SOURCE/report.html, SOURCE/trace.json; others: -");
  sub->add_option("--jobs", report.jobs, "Replications at a time, where runs are compared")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  sub->add_flag("-q,--quiet", report.quiet, "No progress");
}

void grammar::add_documents() {
  CLI::App* sub = command("validate");
  sub->add_option("FILE", validate.files, "Scenarios")->required();
  repeatable(sub, "--set", set_validated, "Set a field first, as in `dibs run`; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub = command("list");
  const auto add_format = [](CLI::App* to, format& f) {
    add_choice(to, "--format", f, formats(), "text or json")
        ->type_name("FORMAT")
        ->default_str("text");
  };
  add_format(sub, list.format);
  sub = command("init");
  sub->add_option("FILE", init.file, "The file to make; it must not exist. `-` is standard output")
      ->default_str(init.file);
  command("schema");
  command("reference");
  add_format(command("metrics"), metrics.format);
  sub = command("completion");
  add_choice(sub, "SHELL", completion.shell, shells(), "bash, zsh or fish")->required();
}

void grammar::add_survive() {
  CLI::App* sub = command("survive");
  survive.jobs = cores();
  constexpr std::uint32_t cell_runs_max = 10'000;
  sub->add_option("INCIDENT", survive.incidents, "Names, numbers or files; all that ship if none")
      ->default_str("all");
  sub->add_option("--runs", survive.runs, "Replications of each cell, from 2 on")
      ->type_name("N")
      ->transform(count_between(2, cell_runs_max))
      ->default_str("5");
  sub->add_option("--jobs", survive.jobs, "Replications at a time")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  add_choice(sub, "--format", survive.format, table_formats(), "text, md, csv or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("-q,--quiet", survive.quiet, "No progress");
}

void grammar::add_hunt() {
  CLI::App* sub = command("hunt");
  hunt.jobs = cores();
  constexpr std::uint32_t hunt_runs_max = 10'000'000;
  sub->add_option("SCENARIO", hunt.file, "The scenario to let faults loose on")
      ->type_name("FILE")
      ->required();
  sub->add_option("--runs", hunt.runs, "How many runs, each with faults of its own")
      ->type_name("N")
      ->transform(count_up_to(hunt_runs_max))
      ->default_str("1000");
  add_choice(sub, "--protocol", hunt.protocol, protocols(), "Under this protocol")
      ->type_name("NAME")
      ->default_str("the scenario's");
  sub->add_option("--only", hunted, "That run alone, counted from 0")
      ->type_name("K")
      ->transform(count_between(0, hunt_runs_max));
  sub->add_option(
         "--controls", hunt.control_runs, "At most so many pairs of runs of each negative control")
      ->type_name("N")
      ->transform(count_between(0, hunt_runs_max))
      ->default_str("2000");
  repeatable(sub, "--set", set_hunted, "Set a field, on top of what is drawn; repeatable")
      ->type_name("PATH=VALUE")
      ->check(CLI::Validator(set_trouble, ""));
  sub->add_option("--seed", seed_hunted, "The root seed of what is drawn")
      ->type_name("N")
      ->check(CLI::Validator(seed_trouble, ""))
      ->default_str("1");
  sub->add_option("--jobs", hunt.jobs, "Runs at a time")
      ->type_name("N")
      ->transform(count_up_to(jobs_max))
      ->default_str("one for each core");
  sub->add_flag("-q,--quiet", hunt.quiet, "No progress");
}

void grammar::add_economics() {
  CLI::App* sub = command("economics");
  const auto add = [sub](const std::string& name,
                         std::string& to,
                         const std::string& what,
                         const std::string& type,
                         std::string (*trouble)(const std::string&)) {
    sub->add_option(name, to, what)
        ->required()
        ->type_name(type)
        ->check(CLI::Validator(trouble, ""));
  };
  add("--operation",
      priced.operation,
      "How long an owner works under a lease, as in 5s",
      "TIME",
      duration_trouble);
  add("--rtt",
      priced.rtt,
      "A round trip between owner and lease manager, as in 50ms",
      "TIME",
      duration_trouble);
  add("--failures", priced.failures, "How often an owner fails, as in 2/h", "RATE", hourly_trouble);
  add("--false-positive-cost",
      priced.false_positive_cost,
      "What it costs to take a living owner for a dead one, in $",
      "COST",
      real_trouble);
  add("--unavailability-cost",
      priced.unavailability_cost,
      "What a second costs in which a dead owner holds the lease, in $",
      "COST",
      real_trouble);
  add_choice(sub, "--mode", economics.mode, calculations(), "compat, corrected or both; see below")
      ->type_name("MODE")
      ->default_str("both");
  add_choice(sub, "--format", economics.format, formats(), "text or json")
      ->type_name("FORMAT")
      ->default_str("text");
}

void grammar::add_bench() {
  CLI::App* sub = command("bench");
  add_choice(sub, "WHAT", bench.what, benchmarks(), "engine, lease or matching")->required();
  sub->add_option("--drivers", bench_sizes, "How many drivers; several sizes with commas between")
      ->delimiter(',')
      ->check(count_up_to(bench_drivers_max))
      ->type_name("N,...")
      ->default_str("1000,10000,100000");
  sub->add_option("--hours", bench.hours, "Virtual time of a run of the engine")
      ->type_name("H")
      ->check(CLI::Range(0.001, bench_hours_max))
      ->default_str("1");
  sub->add_option("--repeats", bench.repeats, "Measurements, of which the median counts")
      ->type_name("K")
      ->transform(count_up_to(bench_repeats_max))
      ->default_str("5");
  add_choice(sub, "--format", bench.format, formats(), "text or json")
      ->type_name("FORMAT")
      ->default_str("text");
  sub->add_flag("-q,--quiet", bench.quiet, "No progress");
  add_bench_matching(sub);
}

void grammar::add_bench_matching(CLI::App* to) {
  bench::matching_options& m = bench.matching;
  m.threads = cores();
  to->add_option("--matchers", bench_matchers, "matching: how many; several with commas between")
      ->delimiter(',')
      ->check(count_up_to(matchers_max))
      ->type_name("N,...")
      ->default_str("1,2,4,8,16,32,64");
  add_choice(to, "--protocol", bench_protocol, protocols(), "matching: one of the seven")
      ->type_name("NAME")
      ->default_str("fenced");
  to->add_option("--zipf", m.zipf, "matching: exponent of the drivers' popularity; 0: all alike")
      ->type_name("S")
      ->check(CLI::Range(0.0, 10.0))
      ->default_str("0");
  to->add_option("--candidates", m.candidates, "matching: drivers looked at for one try")
      ->type_name("N")
      ->transform(count_up_to(bench_drivers_max))
      ->default_str("8");
  to->add_flag("--blind", m.blind, "matching: matchers do not see who is available");
  to->add_option("--cores", m.threads, "matching: threads of the scheduler")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("one for each core");
  to->add_option("--seconds", m.seconds, "matching: real time of one measurement")
      ->type_name("S")
      ->check(CLI::Range(0.01, bench_seconds_max))
      ->default_str("1");
  to->add_option("--speed", m.speed, "matching: how much faster than the wall leases run out")
      ->type_name("X")
      ->check(CLI::Range(0.001, speed_max))
      ->default_str("10");
  to->add_option("--in-flight", m.in_flight, "matching: rides of the closed loop")
      ->type_name("N")
      ->transform(count_up_to(in_flight_max))
      ->default_str("256");
  to->add_option("--rate", m.rate, "matching: an open loop with so many rides a second instead")
      ->type_name("R")
      ->check(CLI::Range(0.001, rate_max));
}

/// `; did you mean `--seed`?`
std::string suggestion(const std::string& misspelt, const std::vector<std::string>& known) {
  // Whoever stops in the middle of a word is far from it, counted in letters.
  const auto begins = [&](const std::string& name) { return name.starts_with(misspelt); };
  const bool cut_short =
      misspelt.size() > 2 && std::count_if(known.begin(), known.end(), begins) == 1;
  const std::string near = cut_short ? *std::find_if(known.begin(), known.end(), begins)
                                     : scenario::nearest_of(misspelt, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& name : o->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

tl::unexpected<error> usage(const std::string& command, const std::string& what) {
  const std::string name = command.empty() ? "dibs" : "dibs " + command;
  return failure(exit_code::usage, fmt::format("{}: {}\nSee {} --help.", name, what, name));
}

/// An option that the command does not have, or that takes no value.
result<void> look_at_option(const CLI::App& app,
                            const std::string& command,
                            const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const bool number = word[1] >= '0' && word[1] <= '9';
  const CLI::Option* option = app.get_option_no_throw(name);
  if (number) {
    return {};
  }
  if (option == nullptr) {
    return usage(
        command,
        fmt::format(
            "there is no option {}{}", scenario::shown(name), suggestion(name, options_of(app))));
  }
  if (name != word && option->get_expected_max() == 0) {
    return usage(command, fmt::format("{} takes no value", name));
  }
  return {};
}

result<CLI::App*> command_called(grammar& g, const std::string& word) {
  std::vector<std::string> names;
  for (CLI::App* each : g.app.get_subcommands({})) {
    if (each->get_name() == word) {
      return each;
    }
    names.push_back(each->get_name());
  }
  return usage(
      "", fmt::format("there is no command {}{}", scenario::shown(word), suggestion(word, names)));
}

/// The words that CLI11 would refuse, but with the nearest known word.
result<void> look_for_strangers(grammar& g, const std::vector<std::string>& arguments) {
  CLI::App* sub = nullptr;
  for (const std::string& word : arguments) {
    if (word == "--") {
      break;
    }
    if (word.size() > 1 && word[0] == '-') {
      const CLI::App& app = sub == nullptr ? g.app : *sub;
      const auto known = look_at_option(app, sub == nullptr ? "" : sub->get_name(), word);
      if (!known) {
        return known;
      }
    } else if (sub == nullptr) {
      const auto found = command_called(g, word);
      if (!found) {
        return tl::unexpected<error>(found.error());
      }
      sub = *found;
    }
  }
  return {};
}

/// What the library found out, in words of ours; it says which option only in its text.
std::string in_words(const CLI::App& app, const CLI::App& sub, const CLI::ParseError& problem) {
  const std::string text = problem.what();
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = sub.get_option_no_throw(name);
  if (dynamic_cast<const CLI::ValidationError*>(&problem) != nullptr) {
    return text;  // from the checks above
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
    const auto extra = app.remaining(true);
    return extra.empty() ? "there is an argument too many"
                         : "there is an argument too many: " + scenario::shown(extra.front());
  }
  if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr) {
    for (const CLI::Option* each : sub.get_options()) {
      if (each->get_required() && each->count() == 0) {
        return fmt::format("{} is missing: {}", each->get_name(), each->get_description());
      }
    }
  }
  if (option != nullptr && option->count() > 1) {
    return name + " is given twice; leave one of them away";
  }
  if (option != nullptr) {
    return fmt::format("{}: the value is missing ({})", name, option->get_type_name());
  }
  return "these arguments cannot be read together";
}

template <class Request>
result<request> or_usage(const std::string& command, result<Request> r) {
  return r ? result<request>(std::move(*r)) : usage(command, r.error().text);
}

/// An option that has no meaning for a live run; null if there is none.
const char* not_live(const run_request& r) {
  if (r.runs > 1) {
    return "--runs";
  }
  if (r.out) {
    return "--out";
  }
  if (r.events) {
    return "--events";
  }
  if (r.watch) {
    return "--watch";
  }
  return r.delivery == engine::delivery::direct ? nullptr : "--delivery";
}

result<request> run_of(const grammar& g, const std::string& command) {
  run_request r = g.run;
  r.overrides = overrides_of(g.set);
  r.seed = parse_seed(g.seed);
  r.keep = !g.no_out;
  if (!g.out.empty()) {
    r.out = g.out;
  }
  if (g.no_out && r.out) {
    return usage(command, "--out keeps the run and --no-out does not; leave one of them away");
  }
  if (r.events && r.runs > 1) {
    return usage(command,
                 "--events keeps the history of one run; leave --runs away and choose the run "
                 "by --seed");
  }
  if (r.watch && (r.runs > 1 || r.quiet)) {
    return usage(command, "--watch shows one run; leave --runs and --quiet away");
  }
  if (const char* other = r.live ? not_live(r) : nullptr) {
    return usage(
        command,
        fmt::format("--live runs once, on the real clock, and keeps nothing; leave {} away",
                    other));
  }
  if (const auto longest = duration_of(g.wall)) {
    r.wall_max_s = in_seconds(*longest);
  }
  if (r.events && !r.keep) {
    return usage(command, "--events needs a run directory; leave --no-out away");
  }
  return r;
}

result<request> explain_of(const grammar& g, const std::string& command) {
  explain_request e = g.explain;
  e.seed = parse_seed(g.seed);
  e.from = duration_of(g.from);
  e.until = duration_of(g.until);
  if (!g.out.empty()) {
    e.out = g.out;
  }
  if (e.out && !e.html) {
    return usage(command, "--out is for the page; add --html");
  }
  return e;
}

result<request> report_of(const grammar& g, const std::string& command) {
  report_request p = g.report;
  p.seed = parse_seed(g.seed);
  if (!g.out.empty()) {
    p.out = g.out;
  }
  const bool is_one_page = p.format == report_format::html || p.format == report_format::json;
  if (p.out && *p.out != "-" && p.sources.size() > 1 && !is_one_page) {
    return usage(command, "--out is one place, and there are several reports; leave it away");
  }
  return p;
}

std::vector<std::uint32_t> counts_of(const std::vector<std::string>& words) {
  std::vector<std::uint32_t> counts;
  for (const std::string& word : words) {
    counts.push_back(static_cast<std::uint32_t>(std::stoul(word)));
  }
  return counts;
}

result<request> bench_of(const grammar& g, const std::string& command) {
  bench_request b = g.bench;
  b.drivers = counts_of(g.bench_sizes);
  b.matchers = counts_of(g.bench_matchers);
  if (b.matchers.empty()) {
    b.matchers = {1, 2, 4, 8, 16, 32, 64};
  }
  if (b.what == benchmark::matching) {
    if (b.drivers.size() > 1) {
      return usage(command, "matching measures one number of --drivers and many of --matchers");
    }
    b.matching.drivers = b.drivers.empty() ? b.matching.drivers : b.drivers.front();
    for (const lease::rules& each : lease::all_rules()) {
      b.matching.protocol = each.name == g.bench_protocol ? each.which : b.matching.protocol;
    }
  }
  if (b.drivers.empty()) {
    b.drivers = {1'000, 10'000, 100'000};
  }
  return b;
}

result<request> request_of(grammar& g, const std::string& command) {
  if (command == "run") {
    return run_of(g, command);
  }
  if (command == "explain") {
    return explain_of(g, command);
  }
  if (command == "report") {
    return report_of(g, command);
  }
  if (command == "sweep") {
    g.sweep.seed = parse_seed(g.seed);
    if (!g.out.empty()) {
      g.sweep.out = g.out;
    }
    return or_usage(command, sweep_of(g.sweep, g.study));
  }
  if (command == "compare") {
    g.compare.seed = parse_seed(g.seed);
    return or_usage(command, compare_of(g.compare, g.study));
  }
  if (command == "tune") {
    g.tune.space.file = g.tuned_file;
    g.tune.space.seed = parse_seed(g.seed);
    if (!g.holdout.empty()) {
      g.tune.holdout = g.holdout;
    }
    return or_usage(command, tune_of(g.tune, g.study));
  }
  if (command == "region") {
    g.region.space.file = g.mapped_file;
    g.region.space.seed = parse_seed(g.seed);
    return or_usage(command, region_of(g.region, g.study));
  }
  if (command == "validate") {
    validate_request v = g.validate;
    v.overrides = overrides_of(g.set_validated);
    return v;
  }
  if (command == "economics") {
    economics_request e = g.economics;
    e.parameters = parameters_of(g.priced);
    return e;
  }
  if (command == "bench") {
    return bench_of(g, command);
  }
  if (command == "hunt") {
    hunt_request h = g.hunt;
    h.overrides = overrides_of(g.set_hunted);
    h.seed = parse_seed(g.seed_hunted);
    h.only = g.hunted;
    return h;
  }
  const std::map<std::string, request> others{{"replay", g.replay},
                                              {"survive", g.survive},
                                              {"schema", schema_request{}},
                                              {"reference", reference_request{}},
                                              {"init", g.init},
                                              {"list", g.list},
                                              {"metrics", g.metrics},
                                              {"completion", g.completion}};
  return others.at(command);
}

}  // namespace

result<request> parse(const std::vector<std::string>& arguments) {
  // `dibs help run` is what many type first.
  std::vector<std::string> words = arguments;
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const auto g = std::make_unique<grammar>();
  if (const auto known = look_for_strangers(*g, words); !known) {
    return tl::unexpected<error>(known.error());
  }
  std::string command;
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    g->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return text_request{g->app.help()};
  } catch (const CLI::ParseError& problem) {
    if (g->version) {
      return text_request{version_text()};
    }
    const auto chosen = g->app.get_subcommands();
    command = chosen.empty() ? "" : chosen.front()->get_name();
    if (command.empty()) {
      return usage("", "which command? " + all_commands());
    }
    return usage(command, scenario::shown(in_words(g->app, *chosen.front(), problem), 400));
  }
  if (g->version) {
    return text_request{version_text()};
  }
  return request_of(*g, g->app.get_subcommands().front()->get_name());
}

std::vector<command_words> words() {
  const auto g = std::make_unique<grammar>();
  std::vector<command_words> all;
  for (const CLI::App* each : g->app.get_subcommands({})) {
    all.push_back({each->get_name(), each->get_description(), options_of(*each)});
  }
  return all;
}

std::optional<std::uint64_t> parse_seed(const std::string& text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* from = text.data() + (hexadecimal ? 2 : 0);
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto read = std::from_chars(from, end, value, hexadecimal ? 16 : 10);
  return from != end && read.ec == std::errc() && read.ptr == end ? std::optional(value)
                                                                  : std::nullopt;
}

}  // namespace dibs::cli
