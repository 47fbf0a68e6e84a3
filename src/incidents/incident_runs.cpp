#include "incidents/incident_runs.hpp"

#include "engine/run.hpp"

#include <utility>

namespace dibs::incidents {
namespace {

scenario::diagnostic no_cause(const std::filesystem::path& file, bool is_unnamed) {
  scenario::diagnostic c;
  c.code = "E-MISSING";
  c.file = file.string();
  c.line = 1;
  c.column = 1;
  c.path = is_unnamed ? "incident.cause" : "incident.without";
  c.message = is_unnamed ? "no incident: there is no cause whose effect could be shown"
                         : "nothing takes the cause away, so there is nothing to compare with";
  c.hint = "add `incident: {cause: ..., without: [path=value]}`";
  return c;
}

/// The reports of all replications, what happened in them, and how many of them broke a promise.
struct outcome {
  std::vector<metrics::report> reports;
  std::vector<std::string> histories;
  std::uint32_t broken = 0;
};

result<outcome> outcome_of(scenario::scenario s, lease::protocol p, const incident_options& how) {
  s.lease.protocol = p;
  auto runs = engine::run_many(s, {.seed = s.seed, .stop = how.stop}, how.runs, how.jobs);
  if (!runs) {
    return tl::unexpected(std::move(runs.error()));
  }
  outcome all;
  for (engine::run_result& r : *runs) {
    if (r.interrupted || r.history.empty()) {
      return failure(exit_code::interrupted, "interrupted");
    }
    all.broken += r.checks.kept() ? 0U : 1U;
    all.reports.push_back(std::move(r.metrics));
    all.histories.push_back(std::move(r.history));
  }
  return all;
}

}  // namespace

incident_reading read_incident(const std::filesystem::path& file) {
  incident_reading r;
  r.value.file = file;
  scenario::reading whole = scenario::read_file(file);
  if (!whole.ok()) {
    r.diagnostics = std::move(whole.diagnostics);
    return r;
  }
  if (whole.value.incident.cause.empty() || whole.value.incident.without.empty()) {
    r.diagnostics.push_back(no_cause(file, whole.value.incident.cause.empty()));
    return r;
  }
  std::vector<scenario::override_value> overrides;
  for (const std::string& each : whole.value.incident.without) {
    overrides.push_back(scenario::override_of(each));
  }
  scenario::reading calm = scenario::read_file(file, overrides);
  r.diagnostics = std::move(calm.diagnostics);
  r.value.with_cause = std::move(whole.value);
  r.value.without = std::move(calm.value);
  return r;
}

result<incident_row> run_incident(const incident& what, const incident_options& how) {
  const scenario::incident_options& told = what.with_cause.incident;
  incident_row r{.name = what.with_cause.name,
                 .cause = told.cause,
                 .source = told.source,
                 .cells = {},
                 .file = what.file,
                 .without = told.without,
                 .seed = what.with_cause.seed,
                 .runs = how.runs};
  for (const lease::protocol p : how.protocols) {
    auto with_cause = outcome_of(what.with_cause, p, how);
    if (!with_cause) {
      return tl::unexpected(std::move(with_cause.error()));
    }
    auto without = outcome_of(what.without, p, how);
    if (!without) {
      return tl::unexpected(std::move(without.error()));
    }
    r.cells.push_back({p,
                       judge(with_cause->reports, without->reports, told.harms),
                       with_cause->broken + without->broken});
    if (with_cause->histories == without->histories) {
      r.cells.back().assessment.outcome = incident_outcome::untouched;
    }
    if (how.on_cell) {
      how.on_cell();
    }
  }
  return r;
}

}  // namespace dibs::incidents
