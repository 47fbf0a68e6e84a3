// The options of `dibs explore`.

#include "cli/grammar.hpp"

namespace dibs::cli {

void grammar::add_explore() {
  constexpr std::uint32_t seeds_max = 1000;
  constexpr std::uint32_t port_max = 65535;
  CLI::App* sub = command("explore");
  sub->add_option("SCENARIO", explore.file, "A scenario")->required();
  repeatable(sub, "--field", explore.fields, "A field to move, alone or with its values; up to six")
      ->type_name("PATH[=VALUES]");
  add_set(sub, "--set", explore.overrides, "Set a field everywhere; repeatable");
  sub->add_option("--seeds", explore.seeds, "Runs of each point, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(seeds_max))
      ->default_str("20");
  add_seed(sub, explore.seed, "The first seed; without it, the scenario's");
  add_jobs(sub, explore.jobs, "Runs at a time; does not change results");
  sub->add_option("--port", explore.port, "Of the page, on 127.0.0.1; 0 is any that is free")
      ->type_name("N")
      ->transform(count_between(0, port_max))
      ->default_str("0");
  sub->add_flag("--open", explore.open, "Open the page in the browser");
  sub->add_flag("--force", explore.force, "Run even if memory is not expected to suffice");
}

}  // namespace dibs::cli
