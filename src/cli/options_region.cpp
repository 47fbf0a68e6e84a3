// The options of `dibs region`.

#include "cli/grammar.hpp"
#include "sweep/sweep_file.hpp"

namespace dibs::cli {

void grammar::add_region() {
  CLI::App* sub = command("region");
  add_scenario(sub, region.space);
  sub->add_option("--x", region.x, "The field across, with its values or alone")
      ->required()
      ->type_name("PATH[=VALUES]");
  sub->add_option("--y", region.y, "The field down")->required()->type_name("PATH[=VALUES]");
  repeatable(sub, "--require", region.require, "What must hold, with the thresholds; repeatable")
      ->type_name("CONDITION");
  add_derive(sub, region.space.derive);
  repeatable(sub, "--where", region.space.where, "Keep only cells for which this holds; repeatable")
      ->type_name("CONDITION");
  add_set(sub, "--set", region.space.overrides, "Set a field in all cells; repeatable");
  add_share(sub, "--quantile", region.quantile, "Of decisions and latencies, for the bound")
      ->default_str("95%");
  region.space.seeds = 5;
  sub->add_option("--seeds", region.space.seeds, "Replications of each cell, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(sweep::seeds_max))
      ->default_str("5");
  add_seed(sub, region.space.seed, "The first seed; without it, the scenario's");
  add_jobs(sub, region.jobs, "Runs at a time; does not change results");
  add_sharing(sub, region.sharing);
  add_format(sub, region.format, study_formats(), "text, csv or json");
  sub->add_flag("--all", region.shown.all, "Both harms and service in each cell");
  add_show(sub, region.shown.metrics, "These figures in each cell, as dibs metrics names them");
  sub->add_flag("--yes", region.space.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", region.quiet, "No progress");
  sub->add_flag("--force", region.force, "Run even if memory is not expected to suffice");
}

}  // namespace dibs::cli
