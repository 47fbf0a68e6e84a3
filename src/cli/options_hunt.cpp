// The options of `dibs hunt`.

#include "cli/grammar.hpp"

namespace dibs::cli {

void grammar::add_hunt() {
  CLI::App* sub = command("hunt");
  constexpr std::uint32_t hunt_runs_max = 10'000'000;
  sub->add_option("SCENARIO", hunt.file, "The scenario to let faults loose on")
      ->type_name("FILE")
      ->required();
  sub->add_option("--runs", hunt.runs, "How many runs, each with faults of its own")
      ->type_name("N")
      ->transform(count_up_to(hunt_runs_max))
      ->default_str("1000");
  add_share(sub, "--chance", hunt.chance, "Draw each fault with this probability")
      ->default_str("50%");
  add_choice(sub, "--protocol", hunt.protocol, protocols(), "Under this protocol")
      ->type_name("NAME")
      ->default_str("the scenario's");
  sub->add_option("--only", hunt.only, "That run alone, as --blind draws it, counted from 0")
      ->type_name("K")
      ->transform(count_between(0, hunt_runs_max));
  sub->add_option(
         "--controls", hunt.control_runs, "At most so many pairs of runs of each negative control")
      ->type_name("N")
      ->transform(count_between(0, hunt_runs_max))
      ->default_str("as --runs, 2000 at most");
  sub->add_flag("--blind", hunt.blind, "Draw each run by itself, not near what few runs have seen");
  sub->add_flag("--until-broken", hunt.until_broken, "End soon after a promise was broken");
  sub->add_flag("--no-shrink", hunt.as_found, "Do not make small what was found");
  add_shrink_budget(sub, hunt.shrink_seconds);
  add_set(sub, "--set", hunt.overrides, "Set a field, on top of what is drawn; repeatable");
  add_seed(sub, hunt.seed, "The root seed of what is drawn")->default_str("1");
  add_jobs(sub, hunt.jobs, "Runs at a time");
  add_sharing(sub, hunt.sharing);
  sub->add_flag("-q,--quiet", hunt.quiet, "No progress");
}

}  // namespace dibs::cli
