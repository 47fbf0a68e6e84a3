// The options of `dibs survive`.

#include "cli/grammar.hpp"
#include "cli/options.hpp"

namespace dibs::cli {
namespace {

const words_for<commands::table_format>& table_formats() {
  static const words_for<commands::table_format> all{{"text", commands::table_format::text},
                                                     {"md", commands::table_format::md},
                                                     {"csv", commands::table_format::csv},
                                                     {"json", commands::table_format::json}};
  return all;
}

}  // namespace

void grammar::add_survive() {
  CLI::App* sub = command("survive");
  constexpr std::uint32_t cell_runs_max = 10'000;
  sub->add_option("INCIDENT",
                  survive.incidents,
                  "Names, numbers or files (`-`: standard input); all that ship if none")
      ->default_str("all");
  sub->add_option("--runs", survive.runs, "Replications of each cell, from 2 on")
      ->type_name("N")
      ->transform(count_between(2, cell_runs_max))
      ->default_str("10");
  add_jobs(sub, survive.jobs, "Replications at a time");
  sub->add_option(
         "--pages", survive.pages, "Keep the runs of each cell in DIR, with pages to walk through")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""));
  add_sharing(sub, survive.sharing);
  add_format(sub, survive.format, table_formats(), "text, md, csv or json");
  sub->add_flag("--all", survive.shown.all, "What is worse in each cell, below the table");
  add_show(sub, survive.shown.metrics, "What is worse of these figures alone, below the table");
  sub->add_flag("-q,--quiet", survive.quiet, "No progress");
}

}  // namespace dibs::cli
