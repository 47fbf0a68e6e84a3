#include "commands/runs_page.hpp"

#include "commands/build_info.hpp"
#include "commands/compare_inputs.hpp"
#include "commands/stop_signal.hpp"
#include "commands/stored_run.hpp"
#include "pages/runs_model.hpp"
#include "results/manifest.hpp"
#include "sweep/comparison.hpp"
#include "text/escape.hpp"

#include <optional>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

/// The same seeds once more, for what differs from seed to seed; nothing if fewer than two are in
/// common.
result<std::optional<sweep::comparison>> difference_of(compare_input& first,
                                                       compare_input& other,
                                                       const runs_page_options& how) {
  const bool can_pair = first.count > 1 && other.count > 1 && first.seed == other.seed;
  if (!can_pair) {
    return std::optional<sweep::comparison>();
  }
  for (compare_input* each : {&first, &other}) {
    if (each->runs.empty()) {
      if (auto done = run_side(*each, how.jobs, how.quiet); !done) {
        return tl::unexpected<error>(done.error());
      }
    }
    if (const auto stopped = stopped_by()) {
      return failure(*stopped, "interrupted");
    }
  }
  auto found = sweep::compare(first.label, first.runs, other.label, other.runs);
  return found ? std::optional(std::move(*found)) : std::optional<sweep::comparison>();
}

/// `page`: where this one goes, for links to those of the runs.
result<pages::compared_run> run_beside_of(const std::string& source,
                                          const fs::path& page,
                                          bool quiet) {
  const auto m = results::read_run(source);
  if (!m) {
    return tl::unexpected<error>(m.error());
  }
  auto figures = figures_of(source, quiet);
  if (!figures) {
    return tl::unexpected<error>(figures.error());
  }
  std::error_code none;
  const fs::path own = fs::path(source) / "report.html";
  const fs::path folder = page.has_parent_path() ? page.parent_path() : fs::path(".");
  return pages::compared_run{
      .directory = source,
      .metrics = std::move(*figures),
      .page =
          fs::is_regular_file(own, none) ? fs::relative(own, folder, none).generic_string() : "",
      .make_page =
          "dibs report " + text::shell_word(fs::relative(source, folder, none).generic_string()),
      .replay_line = m->replay.empty() ? "" : m->replay.front()};
}

}  // namespace

result<nlohmann::ordered_json> runs_page_model(const std::vector<std::string>& directories,
                                               const fs::path& page,
                                               const runs_page_options& how) {
  std::vector<pages::compared_run> all;
  std::vector<compare_input> sides;
  for (const std::string& source : directories) {
    auto one = run_beside_of(source, page, how.quiet);
    auto its_sides = compare_inputs_of(source, {});
    if (!one || !its_sides) {
      return tl::unexpected<error>(one ? its_sides.error() : one.error());
    }
    sides.push_back(std::move(its_sides->front()));
    if (sides.size() > 1) {
      auto differs = difference_of(sides.front(), sides.back(), how);
      if (!differs) {
        return tl::unexpected<error>(differs.error());
      }
      one->from_first = std::move(*differs);
    }
    all.push_back(std::move(*one));
  }
  return pages::runs_model_of(all, {how.note, how.story, how.metrics}, this_build().version);
}

}  // namespace dibs::commands
