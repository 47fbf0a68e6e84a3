#include "incidents/incident_runs.hpp"

#include "engine/run.hpp"
#include "incidents/replicated.hpp"

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

result<replicated> outcome_of(scenario::scenario s,
                              lease::protocol p,
                              const incident_options& how) {
  s.lease.protocol = p;
  return replicate(s, {.seed = s.seed, .stop = how.stop}, how.runs, how.jobs);
}

/// A protocol under an incident, and without its cause.
struct outcome_pair {
  replicated with_cause;
  replicated without;
};

result<std::vector<outcome_pair>> outcomes_here(const incident& what, const incident_options& how) {
  std::vector<outcome_pair> all;
  for (const lease::protocol p : how.protocols) {
    auto with_cause = outcome_of(what.with_cause, p, how);
    if (!with_cause) {
      return tl::unexpected(std::move(with_cause.error()));
    }
    auto without = outcome_of(what.without, p, how);
    if (!without) {
      return tl::unexpected(std::move(without.error()));
    }
    all.push_back({std::move(*with_cause), std::move(*without)});
    if (how.on_cell) {
      how.on_cell();
    }
  }
  return all;
}

replicated outcome_of(std::span<const work::outcome> runs) {
  replicated all;
  for (const work::outcome& r : runs) {
    all.runs.push_back(r.record);
  }
  return all;
}

/// The points of all protocols, each with the cause and without.
result<std::vector<work::point>> points_of(const incident& what, const incident_options& how) {
  std::vector<scenario::override_value> without;
  for (const std::string& each : what.with_cause.incident.without) {
    without.push_back(scenario::override_of(each));
  }
  std::vector<work::point> points;
  for (const lease::protocol p : how.protocols) {
    const scenario::override_value protocol{"lease.protocol", std::string(lease::rules_of(p).name)};
    for (const bool has_cause : {true, false}) {
      scenario::scenario s = has_cause ? what.with_cause : what.without;
      s.lease.protocol = p;
      auto overrides = has_cause ? std::vector<scenario::override_value>() : without;
      overrides.push_back(protocol);
      auto point = work::point_of(std::move(s), what.with_cause.seed, std::move(overrides));
      if (!point) {
        return tl::unexpected<error>(point.error());
      }
      points.push_back(std::move(*point));
    }
  }
  return points;
}

result<std::vector<outcome_pair>> outcomes_shared(const incident& what,
                                                  const incident_options& how) {
  const scenario::scenario& s = what.with_cause;
  auto of =
      work::study_of_file(what.file, s.seed, metrics_looked_at(s.incident.harms), how.shared.build);
  const auto points = points_of(what, how);
  if (!of || !points) {
    return tl::unexpected<error>(of ? points.error() : of.error());
  }
  auto study = work::shared_study::open(*how.shared.journal, std::move(*of), how.shared.how);
  if (!study) {
    return tl::unexpected<error>(study.error());
  }
  std::vector<work::wanted_run> runs;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const std::uint64_t root = i % 2 == 0 ? s.seed : what.without.seed;
    for (std::uint32_t k = 0; k < how.runs; ++k) {
      runs.push_back({i, engine::seed_of(root, k)});
    }
  }
  std::vector<work::outcome> found(runs.size());
  const auto keep = [&](std::size_t i, const work::outcome& o) -> result<bool> {
    found[i] = o;
    return true;
  };
  const auto ended = (*study)->run(*points, runs, keep, {});
  if (!ended) {
    return tl::unexpected<error>(ended.error());
  }
  if (*ended != work::run_ending::whole) {
    return failure(exit_code::interrupted, "interrupted");
  }
  std::vector<outcome_pair> all;
  for (std::size_t i = 0; i < how.protocols.size(); ++i) {
    const auto side = [&](std::size_t k) {
      return outcome_of(
          std::span<const work::outcome>(found).subspan((2 * i + k) * how.runs, how.runs));
    };
    all.push_back({side(0), side(1)});
    if (how.on_cell) {
      how.on_cell();
    }
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
  const auto outcomes =
      how.shared.journal == nullptr ? outcomes_here(what, how) : outcomes_shared(what, how);
  if (!outcomes) {
    return tl::unexpected<error>(outcomes.error());
  }
  for (std::size_t i = 0; i < outcomes->size(); ++i) {
    const auto& [with_cause, without] = (*outcomes)[i];
    r.cells.push_back({how.protocols[i],
                       judge(with_cause, without, told.harms),
                       with_cause.broken() + without.broken()});
    if (with_cause.is_same_as(without)) {
      r.cells.back().assessment.outcome = incident_outcome::untouched;
    }
  }
  return r;
}

}  // namespace dibs::incidents
