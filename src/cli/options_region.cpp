// The options of `dibs region`.

#include "cli/grammar.hpp"
#include "cli/parse.hpp"
#include "sweep/sweep_file.hpp"

namespace dibs::cli {
namespace {

const words_for<map_format>& map_formats() {
  static const words_for<map_format> all{
      {"text", map_format::text}, {"csv", map_format::csv}, {"json", map_format::json}};
  return all;
}

}  // namespace

void grammar::add_region() {
  CLI::App* sub = command("region");
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
  add_set(sub, "--set", study.set, "Set a field in all cells; repeatable");
  sub->add_option("--quantile", study.quantile, "Of decisions and latencies, for the bound")
      ->type_name("SHARE")
      ->default_str("95%");
  sub->add_option("--seeds", study.seeds, "Replications of each cell, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(study::seeds_max))
      ->default_str("5");
  add_seed(sub, seed, "The first seed; without it, the scenario's");
  add_jobs(sub, region.jobs, "Runs at a time; does not change results");
  add_format(sub, region.format, map_formats(), "text, csv or json");
  sub->add_flag("--yes", region.space.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", region.quiet, "No progress");
  sub->add_flag("--force", region.force, "Run even if memory is not expected to suffice");
}

result<request> grammar::region_asked() const {
  region_request r = region;
  r.space.file = mapped_file;
  r.space.seed = parse_seed(seed);
  return or_usage("region", region_of(std::move(r), study));
}

}  // namespace dibs::cli
