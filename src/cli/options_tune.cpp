// The options of `dibs tune`.

#include "cli/grammar.hpp"
#include "sweep/sweep_file.hpp"

namespace dibs::cli {
namespace {

/// Runs or a time, into the request; what is wrong with the text, if it is neither.
std::string budget_trouble(const std::string& text, commands::tune_request& into) {
  if (const auto runs = text::read_whole(text); runs && *runs > 0) {
    into.how.runs = *runs;
    return "";
  }
  const auto time = text::read_duration(text);
  if (!time || *time <= sim_duration::zero()) {
    return must_be("runs or a time, such as 2000 or 8min", text);
  }
  into.how.runs = UINT64_MAX;
  into.seconds = in_seconds(*time);
  return "";
}

}  // namespace

void grammar::add_tune() {
  CLI::App* sub = command("tune");
  add_scenario(sub, tune.space);
  repeatable(
      sub, "--search", tune.space.search, "A field and its range or list; one to three of them")
      ->type_name("PATH=VALUES");
  sub->add_option("--objective",
                  tune.goal.objective,
                  "What to make least, over metrics; most, for a metric of which more is better")
      ->type_name("EXPRESSION")
      ->check(CLI::Validator(objective_trouble, ""))
      ->default_str(
          "costs.per_ride, or (30s * accepts.missed + supply.hidden_s) / rides.requested");
  const auto take_weight = [this](const std::string& text) {
    const auto weight = text::read_duration(text);
    const bool is_some = weight && *weight > sim_duration::zero();
    if (is_some) {
      tune.goal.missed_weight_s = in_seconds(*weight);
    }
    return is_some ? "" : must_be("a time such as 30s", text);
  };
  add_taken(
      sub, "--missed", take_weight, "How long a hidden driver weighs as much as a missed accept")
      ->type_name("TIME")
      ->default_str("30s");
  repeatable(sub, "--constraint", tune.goal.constraints, "What must hold; repeatable")
      ->type_name("CONDITION");
  sub->add_flag("--allow-doubles",
                tune.goal.allows_doubles,
                "Choose even what puts drivers on 2 trips or breaks promises to riders");
  add_derive(sub, tune.space.derive);
  repeatable(sub, "--where", tune.space.where, "Keep only values for which this holds; repeatable")
      ->type_name("CONDITION");
  add_set(sub, "--set", tune.space.overrides, "Set a field of all; repeatable");
  add_share(sub, "--delta", tune.how.delta, "The least difference that matters")->default_str("1%");
  add_share(sub, "--error", tune.how.alpha, "The probability with which the selection may err")
      ->default_str("5%");
  add_share(sub, "--precision", tune.how.precision, "Go on until the best is known to this");
  const auto take_budget = [this](const std::string& text) { return budget_trouble(text, tune); };
  add_taken(sub, "--budget", take_budget, "Runs, or wall time such as 8min")
      ->type_name("RUNS|TIME")
      ->default_str(std::to_string(tune.how.runs));
  sub->add_option("--holdout", tune.holdout, "Report the best on this scenario's demand too")
      ->type_name("SCENARIO");
  sub->add_option("--seeds", tune.how.first, "Seeds of the first look at each value")
      ->type_name("K")
      ->transform(count_between(5, sweep::seeds_max))
      ->default_str(std::to_string(tune.how.first));
  add_seed(sub, tune.space.seed, "The first seed; without it, the scenario's");
  add_jobs(sub, tune.jobs, "Runs at a time; does not change results");
  add_warmup(sub, tune.warmup);
  add_sharing(sub, tune.sharing);
  add_format(sub, tune.format, study_formats(), "text, csv or json");
  sub->add_flag("--all", tune.shown.all, "The trade-off, what was ruled out, how sure it is");
  add_show(sub, tune.shown.metrics, "Columns of the table, as dibs metrics names them");
  sub->add_flag("--yes", tune.space.yes, "Screen even with more than 10,000 runs");
  sub->add_flag("-q,--quiet", tune.quiet, "No progress");
  sub->add_flag("--force", tune.force, "Run even if memory is not expected to suffice");
}

result<commands::request> grammar::tune_asked() const {
  commands::tune_request t = tune;
  if (!t.goal.objective.empty() && t.goal.missed_weight_s) {
    return usage("tune",
                 "--missed is part of the objective that --objective replaces; leave one of them "
                 "away");
  }
  t.space.seeds = t.how.first;
  t.goal.shown = t.shown.metrics;
  return t;
}

}  // namespace dibs::cli
