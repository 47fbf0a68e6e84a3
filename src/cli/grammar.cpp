#include "cli/grammar.hpp"

#include "cli/help.hpp"

#include <fmt/format.h>

namespace dibs::cli {

grammar::grammar() : app(std::string(page_of("").summary), "dibs") {
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Show this and end");
  app.add_flag("--version", version, "Show the version and end");
  add_run();
  add_sweep();
  add_compare();
  add_tune();
  add_region();
  add_replay();
  add_explain();
  add_report();
  add_documents();
  add_economics();
  add_survive();
  add_bench();
  add_hunt();
}

CLI::App* grammar::command(const std::string& name) {
  CLI::App* sub = app.add_subcommand(name, std::string(page_of(name).summary));
  sub->set_help_flag("-h,--help", "Show this and end");
  return sub;
}

void grammar::add_precision(CLI::App* to, const char* what) {
  auto* const precision = to->add_option("--precision", study.precision, what)->type_name("SHARE");
  to->add_option("--of", study.precise, "The metric that --precision is about")
      ->type_name("METRIC")
      ->default_str(study.precise)
      ->needs(precision);
}

void grammar::add_warmup(CLI::App* to) {
  to->add_option("--warmup", study.warmup, "auto: leave out what pilot runs show to be unsettled")
      ->type_name("auto")
      ->check(CLI::Validator(
          [](const std::string& text) { return text == "auto" ? "" : must_be("auto", text); }, ""))
      ->default_str("as the scenario says");
}

const words_for<format>& formats() {
  static const words_for<format> all{{"text", format::text}, {"json", format::json}};
  return all;
}

tl::unexpected<error> usage(const std::string& command, const std::string& what) {
  const std::string name = command.empty() ? "dibs" : "dibs " + command;
  return failure(exit_code::usage, fmt::format("{}: {}\nSee {} --help.", name, what, name));
}

}  // namespace dibs::cli
