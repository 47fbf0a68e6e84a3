// The options of `dibs shrink`.

#include "cli/grammar.hpp"

namespace dibs::cli {

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
  const auto take_budget = [this](const std::string& text) {
    const auto time = text::read_duration(text);
    if (!time || *time <= sim_duration::zero()) {
      return must_be("a time, such as 2min", text);
    }
    shrink.seconds = in_seconds(*time);
    return std::string();
  };
  add_taken(sub, "--budget", take_budget, "Wall time, at most")
      ->type_name("TIME")
      ->default_str("2min");
  sub->add_option("--out", shrink.out, "Write what is left to this file")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""));
  add_set(sub, "--set", shrink.overrides, "Set a field; repeatable");
  add_seed(sub, shrink.seed, "The seed with which it does harm")->default_str("the scenario's");
  sub->add_flag("-q,--quiet", shrink.quiet, "No progress");
}

}  // namespace dibs::cli
