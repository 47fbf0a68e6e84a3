// The options of `dibs replay` and `dibs explain`.

#include "cli/grammar.hpp"
#include "cli/run_time.hpp"

namespace dibs::cli {

void grammar::add_replay() {
  CLI::App* sub = command("replay");
  sub->add_option("RUN", replay.directory, "A run directory")->required();
  add_jobs(sub, replay.jobs, "Replications at a time");
  sub->add_flag("-q,--quiet", replay.quiet, "No progress");
}

void grammar::add_explain() {
  CLI::App* sub = command("explain");
  sub->add_option("RUN", explain.directory, "A run directory")->required();
  sub->add_option("KIND", explain.what, "breach, ride, driver or lease")
      ->default_str("what says most: breach 1, or a ride that found nobody");
  sub->add_option("NUMBER",
                  explain.number,
                  "Which one, from 1; of breaches a run lists the worst three of each kind, "
                  "16 at most: the story of a ride, driver or lease names all of its own")
      ->default_str("1");
  add_seed(sub, explain.seed, "Of several replications, the one with this seed")
      ->default_str("the first");
  const auto add_time = [sub](const char* name, auto& to, const char* what) {
    add_quantity(sub, name, to, read_time_of_run, what)->type_name("TIME");
  };
  add_time(
      "--from", explain.from, "Leave away what came before, counted from the start of the run");
  add_time("--until", explain.until, "Leave away what came at this time or later");
  sub->add_flag("--all", explain.all, "Every step, however many there are");
  sub->add_flag("--quick", explain.quick, "Run nothing: look for no turn, try no remedy");
  sub->add_flag("--html", explain.html, "Make a page of it, with its swim-lanes");
  sub->add_option("--out", explain.out, "Where the page goes; - is standard output")
      ->type_name("FILE")
      ->check(CLI::Validator(file_trouble, ""))
      ->default_str("RUN/KIND-NUMBER.html");
  sub->add_flag("-q,--quiet", explain.quiet, "No progress");
}

result<commands::request> grammar::explain_asked() const {
  if (explain.out && !explain.html) {
    return usage("explain", "--out is for the page; add --html");
  }
  return explain;
}

}  // namespace dibs::cli
