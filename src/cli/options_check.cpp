// The options of `dibs check`.

#include "cli/grammar.hpp"

#include <algorithm>

namespace dibs::cli {
namespace {

void read_protocols(const std::vector<std::string>& texts, std::vector<lease::protocol>& into) {
  into.clear();
  for (const std::string& text : texts) {
    const auto found =
        std::ranges::find(protocols(), text, &std::pair<std::string, lease::protocol>::first);
    if (found == protocols().end()) {
      throw CLI::ValidationError("--protocol", must_be("one of the seven protocols", text));
    }
    into.push_back(found->second);
  }
}

}  // namespace

void grammar::add_check() {
  CLI::App* sub = command("check");
  constexpr std::uint32_t variant_runs_max = 1000;
  sub->add_option("SCENARIO", check.file, "A YAML file, or - for standard input")->required();
  repeatable(sub,
             "--cause",
             check.causes,
             "An incident, by name, number or file; repeatable; all that ship without it");
  add_set(
      sub, "--set", check.overrides, "Set a field; of several values each is a column of its own");
  repeatable(
      sub,
      "--protocol",
      [this](const auto& texts) { read_protocols(texts, check.protocols); },
      "A column for this protocol, instead of the scenario's; repeatable")
      ->type_name("NAME");
  add_seed(sub, check.seed, "The first seed; without it, the scenario's");
  sub->add_option("--runs", check.runs, "Replications of each variant, from 2 on")
      ->type_name("N")
      ->transform(count_between(2, variant_runs_max))
      ->default_str("4");
  add_jobs(sub, check.jobs, "Replications at a time");
  sub->add_option("--html", check.html, "Make DIR, with a page and the story of each row")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""));
  add_format(sub, check.format, formats(), "text or json");
  sub->add_flag("--all", check.all, "Every row, and why a cause does not apply");
  sub->add_flag("-q,--quiet", check.quiet, "No progress");
}

}  // namespace dibs::cli
