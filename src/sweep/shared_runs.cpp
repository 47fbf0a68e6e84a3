#include "sweep/shared_runs.hpp"

namespace dibs::sweep {

work::study study_of(const plan& p,
                     const std::vector<std::string>& metrics,
                     const results::build_info& b) {
  return work::study_of_text(p.base.name, p.file, p.text, p.seed, metrics, b);
}

std::vector<work::point> points_of(const plan& p) {
  std::vector<work::point> points;
  for (const planned_point& each : p.points) {
    points.push_back({each.hash, overrides_at(p, each.what)});
  }
  return points;
}

result<void> run_rest_shared(const plan& p,
                             std::span<const std::uint32_t> replications,
                             const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
                             work::shared_study& shared,
                             const std::function<result<void>(const results::run_record&)>& keep,
                             const work::counter& count) {
  std::vector<work::wanted_run> runs;
  std::vector<std::uint32_t> of_run;
  for (std::uint32_t point = 1; point <= p.points.size(); ++point) {
    for (std::uint32_t k = 1; k <= replications[point - 1]; ++k) {
      if (!finished.contains({point, k})) {
        runs.push_back({point - 1U, engine::seed_of(p.seed, k - 1)});
        of_run.push_back(k);
      }
    }
  }
  const auto take = [&](std::size_t i, const work::outcome& o) -> result<bool> {
    results::run_record record = o.record;
    record.point = static_cast<std::uint32_t>(runs[i].point + 1);
    record.replication = of_run[i];
    return keep(record).map([] { return true; });
  };
  return shared.run(points_of(p), runs, take, count).map([](work::run_ending) {});
}

run_sample sample_of(const work::outcome& o, const std::vector<std::string>& metrics) {
  run_sample s;
  for (const std::string& name : metrics) {
    const results::metric_sample* m = o.record.find(name);
    s.figures.push_back(m == nullptr ? metric_sums{} : sums_of(*m));
  }
  s.violations = o.record.violations;
  s.violation = o.record.violation;
  s.history = o.record.history;
  s.stuck = results::is_stuck(o.record);
  s.idle_faults = results::idle_faults_of(std::span(&o.record, 1));
  return s;
}

}  // namespace dibs::sweep
