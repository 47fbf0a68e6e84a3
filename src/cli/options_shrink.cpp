// The options of `dibs shrink`.

#include "cli/grammar.hpp"

namespace dibs::cli {

void grammar::add_shrink_budget(CLI::App* to, double& seconds) {
  const auto take_budget = [&seconds](const std::string& text) {
    const auto time = text::read_duration(text);
    if (!time || *time <= sim_duration::zero()) {
      return must_be("a time, such as 2min", text);
    }
    seconds = in_seconds(*time);
    return std::string();
  };
  add_taken(to, "--budget", take_budget, "Wall time for making it small, at most")
      ->type_name("TIME")
      ->default_str("2min");
}

void grammar::add_shrink() {
  CLI::App* sub = command("shrink");
  sub->add_option("SCENARIO", shrink.file, "The scenario to make small")
      ->type_name("FILE")
      ->required();
  sub->add_option("--while",
                  shrink.harm,
                  "What is to stay: a promise that is broken, or the bound of a metric")
      ->type_name("HARM")
      ->required();
  add_shrink_budget(sub, shrink.seconds);
  sub->add_option("--out", shrink.out, "Write what is left to this file")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""));
  add_set(sub, "--set", shrink.overrides, "Set a field; repeatable");
  add_seed(sub, shrink.seed, "The seed with which it does harm")->default_str("the scenario's");
  sub->add_flag("-q,--quiet", shrink.quiet, "No progress");
}

}  // namespace dibs::cli
