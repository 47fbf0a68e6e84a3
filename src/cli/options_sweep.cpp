// The options of `dibs sweep`.

#include "cli/grammar.hpp"
#include "sweep/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace dibs::cli {
namespace {

void read_axes(const std::vector<std::string>& texts, std::vector<sweep::axis>& into) {
  for (const std::string& text : texts) {
    into.push_back(or_refuse(sweep::parse_axis(text)));
  }
}

/// Axes of one option are a group of their own if there are several, as in `a=1,2; b=3,4`; options
/// with one axis each are one group together.
void read_zips(const std::vector<std::string>& texts, sweep::grid_spec& into) {
  const std::size_t together = sweep::next_group(into);
  std::size_t next = together + 1;
  for (const std::string& text : texts) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(';', at), text.size());
      parts.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const std::size_t before = into.zip.size();
    read_axes(parts, into.zip);
    for (std::size_t i = before; i < into.zip.size(); ++i) {
      into.zip[i].group = parts.size() > 1 ? next : together;
    }
    next += parts.size() > 1 ? 1U : 0U;
  }
}

}  // namespace

void grammar::add_sweep() {
  CLI::App* sub = command("sweep");
  sub->add_option("SCENARIO", sweep.file, "A scenario, a sweep file (NAME.sweep.yaml), or merge")
      ->required();
  sub->add_option("PARTS", sweep.parts, "With merge: the directories of all parts")
      ->type_name("DIR");
  repeatable(
      sub,
      "--grid",
      [this](const auto& texts) { read_axes(texts, sweep.design.grid); },
      "A field and its values: every combination; repeatable")
      ->type_name("PATH=VALUES");
  repeatable(
      sub,
      "--zip",
      [this](const auto& texts) { read_zips(texts, sweep.design); },
      "The same, but fields change together; 'A=..; B=..' by themselves")
      ->type_name("PATH=VALUES");
  add_derive(sub, sweep.design.derive);
  repeatable(
      sub, "--where", sweep.design.where, "Keep only points for which this holds; repeatable")
      ->type_name("CONDITION");
  add_set(sub, "--set", sweep.overrides, "Set a field at all points; repeatable");
  sub->add_option("--seeds", sweep.seeds, "Replications of each point, on the same seeds")
      ->type_name("K")
      ->transform(count_up_to(sweep::seeds_max))
      ->default_str(std::to_string(sweep::seeds_standard));
  add_seed(sub, sweep.seed, "The first seed; without it, the scenario's");
  add_jobs(sub, sweep.jobs, "Runs at a time; does not change results");
  sub->add_option("--out", sweep.out, "The directory to make; it must not exist")
      ->type_name("DIR")
      ->check(CLI::Validator(out_trouble, ""))
      ->default_str("sweeps/NAME, or sweeps/NAME-2 ...");
  add_precision(sub, "Add seeds to each point, 20 at least, until a metric is known to this");
  sub->add_flag("--all", sweep.shown.all, "Every figure, below the main ones");
  add_show(sub, sweep.shown.metrics, "Columns of the table, as dibs metrics names them");
  add_warmup(sub, sweep.warmup);
  add_sharing(sub, sweep.sharing);
  const auto take_shard = [this](const std::string& text) -> std::string {
    const auto read = sweep::read_shard(text);
    sweep.shard = read ? std::optional(*read) : std::nullopt;
    return read ? "" : read.error().text;
  };
  add_taken(sub, "--shard", take_shard, "Run only this part, as 3/8, to be merged with the others")
      ->type_name("PART/PARTS");
  add_format(sub, sweep.format, formats(), "text or json");
  sub->add_flag("--resume", sweep.resume, "Go on with a sweep that was stopped");
  sub->add_flag("--yes", sweep.yes, "Run even more than 10,000 runs");
  sub->add_flag("-q,--quiet", sweep.quiet, "No progress, and no summary but as JSON");
  sub->add_flag("--force", sweep.force, "Run even if memory is not expected to suffice");
}

result<commands::request> grammar::sweep_asked() const {
  commands::sweep_request s = sweep;
  if (precision) {
    s.precision = sweep::wanted_precision{*precision, precise};
  }
  const bool is_merge = s.file == "merge";
  if (is_merge != !s.parts.empty()) {
    return usage("sweep",
                 is_merge ? "merge: name the directories of all parts"
                          : "there is an argument too many: only `dibs sweep merge` takes several");
  }
  if (is_merge) {
    // Of a merged sweep all else was said when its parts were run.
    static const std::set<std::string> known{
        "SCENARIO", "PARTS", "--out", "--format", "--all", "--show", "--quiet"};
    for (const CLI::Option* each : app.get_subcommand("sweep")->get_options()) {
      if (each->count() > 0 && !known.contains(each->get_name())) {
        return usage("sweep",
                     fmt::format("{} does not go with merge: the parts say it", each->get_name()));
      }
    }
  }
  if (s.shard && (s.precision || s.sharing.journal)) {
    return usage("sweep",
                 s.precision ? "--shard does not go with --precision: how many runs that takes "
                               "depends on all of them"
                             : "--shard does not go with --journal: one of them shares the runs");
  }
  return s;
}

}  // namespace dibs::cli
