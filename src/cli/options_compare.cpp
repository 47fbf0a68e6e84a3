// The options of `dibs compare`.

#include "cli/grammar.hpp"
#include "cli/parse.hpp"
#include "study/sweep_file.hpp"

namespace dibs::cli {

void grammar::add_compare() {
  CLI::App* sub = command("compare");
  sub->add_option("A", compare.a, "A scenario, a run directory, or a sweep's (DIR or DIR:POINT)")
      ->required();
  sub->add_option("B", compare.b, "Another one; without it, A with what --set-b says");
  add_set(sub, "--set", study.set, "Set a field of both; repeatable");
  add_set(sub, "--set-a", study.set_a, "Set a field of A; repeatable");
  add_set(sub, "--set-b", study.set_b, "Set a field of B; repeatable");
  sub->add_option("--seeds", study.seeds, "Pairs of runs")
      ->type_name("K")
      ->transform(count_between(2, study::seeds_max))
      ->default_str(std::to_string(study::seeds_standard));
  add_seed(sub, seed, "The first seed; without it, that of A");
  add_jobs(sub, compare.jobs, "Runs at a time; does not change results");
  add_precision(sub, "Add pairs, 20 at least, until a difference is known to this");
  add_warmup(sub);
  add_format(sub, compare.format, formats(), "text or json");
  sub->add_flag("--yes", compare.yes, "Run even more than 10,000 runs for a precision");
  sub->add_flag("-q,--quiet", compare.quiet, "No progress");
  sub->add_flag("--force", compare.force, "Run even if memory is not expected to suffice");
}

result<request> grammar::compare_asked() const {
  compare_request c = compare;
  c.seed = parse_seed(seed);
  return or_usage("compare", compare_of(std::move(c), study));
}

}  // namespace dibs::cli
