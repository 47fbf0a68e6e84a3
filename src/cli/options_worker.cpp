// The options of `dibs worker`, and those of every study that is shared.

#include "cli/grammar.hpp"

namespace dibs::cli {
namespace {

CLI::Option* add_seconds(CLI::App* to,
                         const char* name,
                         double& into,
                         sim_duration least,
                         const char* bounds,
                         const char* what) {
  const auto take = [&into, least, bounds](const std::string& text) -> std::string {
    const auto read = text::read_duration(text);
    if (read && (*read < least || *read > 24h)) {
      return must_be(bounds, text);
    }
    into = read ? in_seconds(*read) : into;
    return trouble_of(read);
  };
  return add_taken(to, name, take, what)->type_name("DURATION");
}

constexpr const char* lease_bounds = "a duration from 100ms to 24h";

}  // namespace

void grammar::add_sharing(CLI::App* to, commands::sharing& into) {
  const auto read = [&into](const std::string& text) {
    into.journal = or_refuse(work::read_journal_place(text));
  };
  auto* const journal = to->add_option_function<std::string>(
      "--journal",
      read,
      "Share the runs with workers: postgres://HOST/DATABASE, as in psql, or sqlite:FILE");
  journal->type_name("ADDRESS");
  add_seconds(to,
              "--lease",
              into.lease_s,
              100ms,
              lease_bounds,
              "How long a run is held by a process that says nothing")
      ->default_str("30s")
      ->needs(journal);
  to->add_flag("--only-decide", into.only_decides, "Leave all runs to workers")->needs(journal);
}

void grammar::add_worker() {
  CLI::App* sub = command("worker");
  const auto read = [this](const std::string& text) {
    worker.journal = or_refuse(work::read_journal_place(text));
  };
  sub->add_option_function<std::string>(
         "--journal",
         read,
         "Where the runs are: postgres://HOST/DATABASE, as in psql, or sqlite:FILE")
      ->type_name("ADDRESS")
      ->required();
  add_jobs(sub, worker.jobs, "Runs at a time");
  constexpr std::uint32_t batch_max = 10'000;
  sub->add_option("--batch", worker.batch, "Runs taken at once")
      ->type_name("N")
      ->transform(count_up_to(batch_max))
      ->default_str("a quarter of a second of work");
  add_seconds(sub,
              "--lease",
              worker.lease_s,
              100ms,
              lease_bounds,
              "How long a run is held by a worker that says nothing")
      ->default_str("30s");
  add_seconds(sub,
              "--idle",
              worker.idle_s,
              0s,
              "a duration from 0s to 24h",
              "How long to wait for work before it ends")
      ->default_str("60s");
  sub->add_flag("-q,--quiet", worker.quiet, "Say nothing but errors");
}

}  // namespace dibs::cli
