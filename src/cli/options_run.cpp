// The options of `dibs run`.

#include "cli/grammar.hpp"
#include "processes/placement.hpp"

#include <fmt/format.h>

namespace dibs::cli {
namespace {

const words_for<engine::delivery>& deliveries() {
  static const words_for<engine::delivery> all{{"direct", engine::delivery::direct},
                                               {"mailbox", engine::delivery::mailbox}};
  return all;
}

constexpr std::uint32_t runs_max = 100'000;

/// An option that has no meaning for a live run; null if there is none.
const char* not_live(const commands::run_request& r) {
  if (r.runs > 1) {
    return "--runs";
  }
  if (r.out && r.nodes == 0) {
    return "--out";
  }
  if (r.events) {
    return "--events";
  }
  if (r.watch) {
    return "--watch";
  }
  return r.delivery == engine::delivery::direct ? nullptr : "--delivery";
}

}  // namespace

void grammar::add_run() {
  CLI::App* sub = command("run");
  sub->add_option("SCENARIO",
                  run.file,
                  "A YAML file, or - for standard input; `dibs list` shows those that ship")
      ->required();
  add_set(sub,
          "--set",
          run.overrides,
          "Set a field of the scenario, as in --set lease.ttl=10s; repeatable");
  add_seed(sub, run.seed, "The seed, decimal or 0x...; without it, the scenario's");
  sub->add_option("--runs", run.runs, "Replications; each figure then carries its 95 % interval")
      ->type_name("K")
      ->transform(count_up_to(runs_max))
      ->default_str("1");
  add_jobs(
      sub, run.jobs, "Replications at a time, or one and its readers; does not change results");
  sub->add_option("--out", run.out, "The run directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""))
      ->default_str("runs/NAME, or runs/NAME-2 ...");
  sub->add_flag("--no-out", no_out, "Keep nothing; only print. Not with --out");
  add_format(sub, run.format, formats(), "text or json (the content of metrics.json)");
  sub->add_flag("--all", run.shown.all, "Every figure, below the main ones");
  add_show(sub, run.shown.metrics, "These figures alone, as dibs metrics names them");
  sub->add_flag("--events", run.events, "Keep every event, in events.jsonl");
  sub->add_flag("--watch", run.watch, "Show supply, harms and matching while it runs");
  sub->add_flag("-q,--quiet", run.quiet, "No progress and no summary; errors and exit code only");
  sub->add_flag("--force", run.force, "Run even if memory is not expected to suffice");
  add_choice(sub,
             "--delivery",
             run.delivery,
             deliveries(),
             "direct or mailbox: how messages reach the actors; same history")
      ->type_name("WAY")
      ->default_str("direct");
  add_live(sub);
}

void grammar::add_live(CLI::App* to) {
  run.threads = cores();
  auto* const live = to->add_flag(
      "--live", run.live, "On the real clock and all cores; keeps nothing, repeats never");
  to->add_option("--speed", run.speed, "Live: time passes so many times as fast as on the wall")
      ->type_name("X")
      ->check(number_between(0.001, speed_max))
      ->default_str("100")
      ->needs(live);
  to->add_option("--cores,--threads", run.threads, "Live: threads of the scheduler")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("one for each core")
      ->needs(live);
  const auto take_wall = [this](const std::string& text) {
    const auto longest = text::read_duration(text);
    run.wall_max_s = longest ? in_seconds(*longest) : 0;
    return trouble_of(longest);
  };
  add_taken(to, "--wall", take_wall, "Live: refuse a run that takes longer in real time")
      ->type_name("TIME")
      ->default_str("10min")
      ->needs(live);
  const auto read_store = [this](const std::string& text) {
    run.store = or_refuse(store::read_address(text));
  };
  to->add_option_function<std::string>(
        "--store", read_store, "Live: keep leases in postgres://..., redis://... or etcd://...")
      ->type_name("ADDRESS")
      ->default_str("as lease.store, else memory")
      ->needs(live);
  constexpr std::uint32_t connections_max = 64;
  to->add_option("--connections", run.connections, "Live: connections to the store")
      ->type_name("N")
      ->transform(count_up_to(connections_max))
      ->default_str("as lease.store, else 8")
      ->needs(live);
  to->add_flag(
        "--unsafe", run.unsafe_store, "Live: take a store that may forget what it has acknowledged")
      ->needs(live);
  add_nodes(to, live);
}

result<commands::request> grammar::run_asked() const {
  commands::run_request r = run;
  r.keep = !no_out;
  if (no_out && r.out) {
    return usage("run", "--out keeps the run and --no-out does not; leave one of them away");
  }
  if (r.events && r.runs > 1) {
    return usage("run",
                 "--events keeps the history of one run; leave --runs away and choose the run "
                 "by --seed");
  }
  if (r.watch && (r.runs > 1 || r.quiet)) {
    return usage("run", "--watch shows one run; leave --runs and --quiet away");
  }
  if (const char* other = r.live ? not_live(r) : nullptr) {
    return usage(
        "run",
        fmt::format("--live runs once, on the real clock, and keeps nothing; leave {} away",
                    other));
  }
  if (r.events && !r.keep) {
    return usage("run", "--events needs a run directory; leave --no-out away");
  }
  if (r.nodes > 0) {
    auto where = meeting_asked("run", r.meeting);
    if (!where) {
      return tl::unexpected<error>(where.error());
    }
    r.meeting = std::move(*where);
    if (const auto who = processes::placement::read(r.place, r.nodes); !who) {
      return usage("run", "--place: " + who.error().text);
    }
  }
  return r;
}

}  // namespace dibs::cli
