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
  add_check();
  add_survive();
  add_bench();
  add_hunt();
  add_shrink();
  add_conform();
  add_torment();
  add_serve();
  add_explore();
  add_load();
  add_worker();
  add_node();
}

CLI::App* grammar::command(const std::string& name) {
  CLI::App* sub = app.add_subcommand(name, std::string(page_of(name).summary));
  sub->set_help_flag("-h,--help", "Show this and end");
  return sub;
}

void grammar::add_scenario(CLI::App* to, sweep::space_request& into) {
  to->add_option_function<std::string>(
        "SCENARIO", [&into](const std::string& file) { into.file = file; }, "A scenario")
      ->required();
}

void grammar::add_derive(CLI::App* to, std::vector<sweep::derivation>& into) {
  const auto read = [&into](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      into.push_back(or_refuse(sweep::parse_derivation(text)));
    }
  };
  repeatable(to, "--derive", read, "A field that follows from others; repeatable")
      ->type_name("PATH=EXPRESSION");
}

void grammar::add_precision(CLI::App* to, const char* what) {
  auto* const share = add_share(to, "--precision", precision, what);
  to->add_option("--of", precise, "The metric that --precision is about")
      ->type_name("METRIC")
      ->default_str(precise)
      ->needs(share);
}

void grammar::add_warmup(CLI::App* to, bool& into) {
  const auto take = [&into](const std::string& text) {
    into = text == "auto";
    return into ? "" : must_be("auto", text);
  };
  add_taken(to, "--warmup", take, "auto: leave out what pilot runs show to be unsettled")
      ->type_name("auto")
      ->default_str("as the scenario says");
}

const words_for<commands::format>& formats() {
  static const words_for<commands::format> all{{"text", commands::format::text},
                                               {"json", commands::format::json}};
  return all;
}

const words_for<commands::study_format>& study_formats() {
  static const words_for<commands::study_format> all{{"text", commands::study_format::text},
                                                     {"csv", commands::study_format::csv},
                                                     {"json", commands::study_format::json}};
  return all;
}

tl::unexpected<error> usage(const std::string& command, const std::string& what) {
  const std::string name = command.empty() ? "dibs" : "dibs " + command;
  return failure(exit_code::usage, fmt::format("{}: {}\nSee {} --help.", name, what, name));
}

}  // namespace dibs::cli
