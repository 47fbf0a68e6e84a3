// The options of `dibs sweep`.

#include "cli/grammar.hpp"
#include "cli/parse.hpp"
#include "sweep/sweep_file.hpp"

namespace dibs::cli {

void grammar::add_sweep() {
  CLI::App* sub = command("sweep");
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
  add_set(sub, "--set", study.set, "Set a field at all points; repeatable");
  sub->add_option("--seeds", study.seeds, "Replications of each point, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(study::seeds_max))
      ->default_str(std::to_string(study::seeds_standard));
  add_seed(sub, seed, "The first seed; without it, the scenario's");
  add_jobs(sub, sweep.jobs, "Runs at a time; does not change results");
  sub->add_option("--out", out, "The directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""))
      ->default_str("sweeps/NAME, or sweeps/NAME-2 ...");
  add_precision(sub, "Add seeds to each point, 20 at least, until a metric is known to this");
  add_warmup(sub);
  add_format(sub, sweep.format, formats(), "text or json");
  sub->add_flag("--resume", sweep.resume, "Go on with a sweep that was stopped");
  sub->add_flag("--yes", sweep.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", sweep.quiet, "No progress, and no summary but as JSON");
  sub->add_flag("--force", sweep.force, "Run even if memory is not expected to suffice");
}

result<request> grammar::sweep_asked() const {
  sweep_request s = sweep;
  s.seed = parse_seed(seed);
  if (!out.empty()) {
    s.out = out;
  }
  return or_usage("sweep", sweep_of(std::move(s), study));
}

}  // namespace dibs::cli
