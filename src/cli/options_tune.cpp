// The options of `dibs tune`.

#include "cli/grammar.hpp"
#include "cli/parse.hpp"
#include "sweep/sweep_file.hpp"

namespace dibs::cli {

void grammar::add_tune() {
  CLI::App* sub = command("tune");
  sub->add_option("SCENARIO", tuned_file, "A scenario")->required();
  repeatable(sub, "--search", study.search, "A field and its range or list; one to three of them")
      ->type_name("PATH=VALUES");
  sub->add_option("--objective",
                  tune.goal.objective,
                  "What to make least, over metrics; most, for a metric of which more is better")
      ->type_name("EXPRESSION")
      ->check(CLI::Validator(objective_trouble, ""))
      ->default_str("(30s * accepts.missed + supply.hidden_s) / rides.requested");
  sub->add_option("--missed",
                  study.missed_weight,
                  "How long a hidden driver weighs as much as a missed accept")
      ->type_name("TIME")
      ->default_str("30s");
  repeatable(sub, "--constraint", tune.goal.constraints, "What must hold; repeatable")
      ->type_name("CONDITION");
  sub->add_flag("--allow-doubles",
                tune.goal.allows_doubles,
                "Choose even what puts drivers on 2 trips or breaks promises to riders");
  repeatable(sub, "--derive", study.derive, "A field that follows from others; repeatable")
      ->type_name("PATH=EXPRESSION");
  repeatable(sub, "--where", study.where, "Keep only values for which this holds; repeatable")
      ->type_name("CONDITION");
  add_set(sub, "--set", study.set, "Set a field of all; repeatable");
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
  add_seed(sub, seed, "The first seed; without it, the scenario's");
  add_jobs(sub, tune.jobs, "Runs at a time; does not change results");
  add_warmup(sub);
  add_format(sub, tune.format, formats(), "text or json");
  sub->add_flag("--yes", tune.space.yes, "Screen even with more than 10,000 runs");
  sub->add_flag("-q,--quiet", tune.quiet, "No progress");
  sub->add_flag("--force", tune.force, "Run even if memory is not expected to suffice");
}

result<request> grammar::tune_asked() const {
  tune_request t = tune;
  t.space.file = tuned_file;
  t.space.seed = parse_seed(seed);
  if (!holdout.empty()) {
    t.holdout = holdout;
  }
  return or_usage("tune", tune_of(std::move(t), study));
}

}  // namespace dibs::cli
