// The options of `dibs torment`, and of the processes that it starts.

#include "cli/grammar.hpp"

namespace dibs::cli {

void grammar::add_torment() {
  CLI::App* sub = command("torment");
  constexpr std::uint32_t runs_max = 10'000;
  sub->add_option("CASE", torment.cases, "Cases by name; all if none is named")->type_name("NAME");
  sub->add_flag("--list", torment.list, "Only say which cases there are");
  sub->add_option("--runs", torment.runs, "Runs of each case, with a seed of its own")
      ->type_name("N")
      ->transform(count_up_to(runs_max))
      ->default_str("1");
  constexpr double least = 3;
  constexpr double most = 600;
  sub->add_option("--seconds", torment.seconds, "How long each run takes; else as its case has it")
      ->type_name("S")
      ->transform(number_between(least, most));
  sub->add_option("--out", torment.out, "Keep a run of each case in a folder of its name in here")
      ->type_name("DIR");
  add_seed(sub, torment.seed, "The root seed of faults and matchers")->default_str("1");
  add_format(sub, torment.format, formats(), "text or json");
  sub->add_flag("-q,--quiet", torment.quiet, "No progress");

  sub = app.add_subcommand("matcher", "One matcher of dibs torment")->group("");
  sub->add_option("PLAN", matcher.plan, "What it is told")->required();
}

}  // namespace dibs::cli
