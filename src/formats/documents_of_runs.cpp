// What is kept and printed of runs.

#include "formats/json_document.hpp"

#include <array>

namespace dibs::formats {
namespace {

using enum json_type;

constexpr std::array metrics_members{
    json_member{"metrics_of", text, "", "`dibs run`"},
    json_member{"schema", whole, "", "of this document"},
    json_member{"scenario", text, "", "its name"},
    json_member{"question", text, "", "that it asks"},
    json_member{"status", text, "", "`complete` or `interrupted`"},
    json_member{"seed", whole, "", "the first, up to 2^64 - 1"},
    json_member{"runs", whole, "", "that were asked for"},
    json_member{"runs_counted", whole, "", "that the figures come out of"},
    json_member{"measured_from_s", number, "s", "true time since the start"},
    json_member{"measured_until_s", number, "s", "the same"},
    json_member{"ends_s", number, "s", "the same, with the drain"},
    json_member{"history", text, "", "hash of all events, of a single run"},
    json_member{"reached_s", number, "s", "how far a single run came"},
    json_member{"replications", list, "", "the runs"},
    json_member{"replications[].seed", whole, "", "its own"},
    json_member{"replications[].history", text, "", "hash of all its events"},
    json_member{"replications[].status", text, "", "as above"},
    json_member{"replications[].reached_s", number, "s", "how far it came"},
    json_member{"replications[].facts", whole, "", "in its history"},
    json_member{"replications[].events", whole, "", "that the kernel handled"},
    json_member{"replications[].metrics", object, "", "of several runs each its figures"},
    json_member{"replications[].metrics.<metric>", number, "as under Metrics", "its figure"},
    json_member{"stuck", list, "", "runs that got nowhere and were ended"},
    json_member{"stuck[].seed", whole, "", "of the run"},
    json_member{"stuck[].t_s", number, "s", "when it was ended"},
    json_member{"stuck[].since_s", number, "s", "since when nothing came of it"},
    json_member{"stuck[].why", text, "", "in a sentence"},
    json_member{"stuck[].waits", list, "", "who waits for what, in words"},
    json_member{"idle_faults", list, "", "ids of faults that struck in no run"},
    json_member{"notes", list, "", "what a reader should know, in sentences"},
    json_member{"metrics", object, "", "the figures over all runs"},
    json_member{"metrics.<metric>", number, "as under Metrics", "null where it has no value"},
    json_member{"intervals_95", object, "", "of those that have a 95 % interval"},
    json_member{"intervals_95.<metric>", object, "", "of this one"},
    json_member{"intervals_95.<metric>.half_width", number, "of the metric", "half its width"},
    json_member{"intervals_95.<metric>.low", number, "of the metric", "where it is lopsided"},
    json_member{"intervals_95.<metric>.high", number, "of the metric", "the same"},
    json_member{"hidden_s_by_cause", object, "", "`supply.hidden_s`, by cause"},
    json_member{"hidden_s_by_cause.<cause>", number, "driver-s", "`supply.hidden_s.<cause>`"},
    json_member{"promises", object, "", "of the protocol"},
    json_member{"promises.protocol", text, "", "its name"},
    json_member{"promises.judged", list, "", "those that were judged"},
    json_member{"promises.judged[].code", text, "", "`S4`"},
    json_member{"promises.judged[].promise", text, "", "in a sentence"},
    json_member{"promises.judged[].kept", truth, "", "in all runs"},
    json_member{"promises.undecided", list, "", "those that could not be judged of some drivers"},
    json_member{"promises.undecided[].code", text, "", "as above"},
    json_member{"promises.undecided[].drivers", whole, "", "of how many"},
    json_member{"promises.violation_count", whole, "", "in all runs"},
    json_member{"promises.violations", list, "", "the first of each run"},
    json_member{"promises.violations[].promise", text, "", "its code"},
    json_member{"promises.violations[].t_s", number, "s", "true time"},
    json_member{"promises.violations[].event", whole, "", "number in the history, from 1"},
    json_member{"promises.violations[].seed", whole, "", "of the run"},
    json_member{"promises.violations[].what", text, "", "in a sentence"},
    json_member{"thresholds", list, "", "of the scenario"},
    json_member{"thresholds[].metric", text, "", "its name"},
    json_member{"thresholds[].bound", text, "", "as the scenario has it"},
    json_member{"thresholds[].value", number, "of the metric", "what was found"},
    json_member{"thresholds[].met", truth, "", "null of a run that was interrupted"},
    json_member{"expect", list, "", "what the scenario expects; members as of `thresholds`"},
    json_member{"expect[].metric", text, "", "its name"},
    json_member{"expect[].bound", text, "", "as the scenario has it"},
    json_member{"expect[].value", number, "of the metric", "what was found"},
    json_member{"expect[].met", truth, "", "as above"},
    json_member{"notables", list, "", "harms worth a look"},
    json_member{"notables[].seed", whole, "", "of the run"},
    json_member{"notables[].harm", text, "", "its kind"},
    json_member{"notables[].t_s", number, "s", "true time"},
    json_member{"notables[].ride", whole, "", "number of the ride, from 1"},
    json_member{"notables[].severity", number, "", "to sort those of one kind by"},
    json_member{"notables[].what", text, "", "what happened to the ride"},
    json_member{"live", object, "", "of a live run, when printed: how the machine kept up"},
    json_member{"live.speed", number, "", "virtual seconds in a real one"},
    json_member{"live.threads", whole, "", "that ran it"},
    json_member{"live.late", object, "", "by how much things came late, in real time"},
    json_member{"live.late.<what>", object, "", "`timers` or `messages`"},
    json_member{"live.late.<what>.count", whole, "", "how many there were"},
    json_member{"live.late.<what>.p50_s", number, "s", "half of them by at most this"},
    json_member{"live.late.<what>.p99_s", number, "s", "99 % of them"},
    json_member{"live.late.<what>.p999_s", number, "s", "99.9 % of them"},
    json_member{"live.late.<what>.max_s", number, "s", "all of them"},
    json_member{"live.store", object, "", "where leases are kept outside"},
    json_member{"live.store.kind", text, "", "`postgres`, `redis` or `etcd`"},
    json_member{"live.store.answered", whole, "", "commands"},
    json_member{"live.store.lost", whole, "", "commands of which nobody knows the end"},
    json_member{"live.store.outages", whole, "", "connections that broke"},
    json_member{"live.store.away_s", number, "s", "real time without a store"},
    json_member{"live.store.p50_s", number, "s", "half of the answers took at most this"},
    json_member{"live.store.p99_s", number, "s", "99 % of them"},
    json_member{"live.store.max_s", number, "s", "all of them"},
    json_member{"live.nodes", list, "", "the processes of a run over several"},
    json_member{"live.nodes[].node", whole, "", "its number, from 1"},
    json_member{"live.nodes[].has", text, "", "the nodes of the scenario that it ran"},
    json_member{"live.nodes[].facts", whole, "", "that it told"},
    json_member{"live.nodes[].messages_lost", whole, "", "on their way to others"},
    json_member{"live.nodes[].clock_error_s", number, "s", "at most, against the host's clock"},
    json_member{"live.nodes[].cut_off", list, "", "when it was cut off"},
    json_member{"live.nodes[].cut_off[].from_s", number, "s", "time of the run"},
    json_member{"live.nodes[].cut_off[].until_s", number, "s", "null: to the end"},
    json_member{"live.nodes[].crashed_at_s", number, "s", "null: it did not"},
    json_member{"live.nodes[].told_all", truth, "", "all of its facts are in the history"},
    json_member{"live.as_faults", list, "", "what befell them, as faults of a scenario, in YAML"}};

constexpr std::array manifest_members{
    json_member{"manifest", text, "", "`dibs run`"},
    json_member{"schema", whole, "", "of this document"},
    json_member{"status", text, "", "`complete` or `interrupted`"},
    json_member{"build", object, "", "of the program that ran"},
    json_member{"build.version", text, "", "`0.1.0`"},
    json_member{"build.compiler", text, "", "its name and version"},
    json_member{"build.kind", text, "", "of the build"},
    json_member{"build.binary_xxh3_128", text, "", "hash of the executable"},
    json_member{"scenario", object, "", "as it was read"},
    json_member{"scenario.name", text, "", "its name"},
    json_member{"scenario.file", text, "", "as it was typed"},
    json_member{"scenario.xxh3_128", text, "", "hash of the file"},
    json_member{"scenario.folder", text, "", "that its data is relative to"},
    json_member{"overrides", list, "", "what `--set` and other options set"},
    json_member{"overrides[].path", text, "", "of the field"},
    json_member{"overrides[].value", text, "", "as it was typed"},
    json_member{"seed", whole, "", "the first"},
    json_member{"runs", whole, "", "that were asked for"},
    json_member{"wall_s", number, "s", "real time that all of it took"},
    json_member{"replications", list, "", "the runs"},
    json_member{"replications[].seed", whole, "", "its own"},
    json_member{"replications[].history", text, "", "hash of all its events"},
    json_member{"replications[].status", text, "", "as above"},
    json_member{"replications[].facts", whole, "", "in its history"},
    json_member{"replications[].events", whole, "", "that the kernel handled"},
    json_member{"replications[].reached_ns", whole, "ns", "how far it came"},
    json_member{"replications[].wall_s", number, "s", "real time that it took"},
    json_member{"replications[].replay", text, "", "a command that repeats it"},
    json_member{"data", list, "", "files that the scenario read"},
    json_member{"data[].name", text, "", "as the scenario has it"},
    json_member{"data[].bytes", whole, "bytes", "its length"},
    json_member{"data[].xxh3_128", text, "", "its hash"},
    json_member{"files", list, "", "the other files of the directory; members as of `data`"},
    json_member{"files[].name", text, "", "in the directory"},
    json_member{"files[].bytes", whole, "bytes", "its length"},
    json_member{"files[].xxh3_128", text, "", "its hash"},
    json_member{"real_case", text, "", "of `dibs torment` and `load` alone"},
    json_member{"seal", text, "", "hash of all the rest"}};

constexpr std::array run_documents{
    json_document{"metrics.json",
                  "`dibs run`, `torment` and `load`, into the run's directory; `dibs run --format "
                  "json`",
                  metrics_members},
    json_document{"manifest.json", "the same, last of all", manifest_members}};

}  // namespace

std::span<const json_document> json_documents_of_runs() { return run_documents; }

std::string_view name_of(json_type t) {
  switch (t) {
    case text:
      return "text";
    case whole:
      return "whole number";
    case number:
      return "number";
    case truth:
      return "`true` or `false`";
    case list:
      return "list";
    case object:
      return "object";
  }
  return "";
}

}  // namespace dibs::formats
