#include "sweep/comparison.hpp"

#include "metrics/catalogue.hpp"
#include "scenario/field_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dibs::sweep {
namespace {

bool has_value(const std::vector<const results::metric_sample*>& runs) {
  return std::ranges::count_if(
             runs, [](const results::metric_sample* m) { return m != nullptr && m->value; }) > 1;
}

}  // namespace

result<comparison> compare(std::string a,
                           std::span<const results::run_record> runs_of_a,
                           std::string b,
                           std::span<const results::run_record> runs_of_b) {
  std::map<std::uint64_t, const results::run_record*> by_seed;
  for (const results::run_record& r : runs_of_b) {
    by_seed.emplace(r.seed, &r);
  }
  std::vector<std::pair<const results::run_record*, const results::run_record*>> pairs;
  comparison c{std::move(a), std::move(b), {}, {}, {}};
  for (const results::run_record& r : runs_of_a) {
    if (const auto other = by_seed.find(r.seed); other != by_seed.end()) {
      pairs.emplace_back(&r, other->second);
      c.seeds.push_back(r.seed);
    }
  }
  if (pairs.size() < 2) {
    return failure(exit_code::usage,
                   fmt::format("{} and {} have {} in common, and a comparison takes two",
                               c.a,
                               c.b,
                               pairs.empty() ? "no seed" : "one seed"));
  }
  c.is_same = std::ranges::all_of(pairs, [](const auto& pair) {
    return !pair.first->history.empty() && pair.first->history == pair.second->history &&
           pair.first->violations == pair.second->violations;
  });
  for (const std::string& name : results::metric_names()) {
    std::vector<const results::metric_sample*> of_a;
    std::vector<const results::metric_sample*> of_b;
    for (const auto& [one, other] : pairs) {
      of_a.push_back(one->find(name));
      of_b.push_back(other->find(name));
    }
    if (auto d = results::difference_of(name, of_a, of_b)) {
      c.differences.push_back(std::move(*d));
    } else if (metrics::percentile_in(name) && has_value(of_a) && has_value(of_b)) {
      c.too_few.push_back(name);
    }
  }
  std::ranges::stable_sort(c.differences, results::is_before);
  const std::vector<std::string> idle_in_b = results::idle_faults_of(runs_of_b);
  for (const std::string& id : results::idle_faults_of(runs_of_a)) {
    if (std::ranges::find(idle_in_b, id) != idle_in_b.end()) {
      c.idle.push_back(idle_fault(id));
    }
  }
  return c;
}

std::optional<double> comparison::reduction() const {
  std::vector<double> all;
  for (const results::paired_difference& d : differences) {
    if (d.variance_ratio) {
      all.push_back(*d.variance_ratio);
    }
  }
  if (all.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void note_without_effect(comparison& c, const scenario::scenario* a, const scenario::scenario* b) {
  for (const scenario::field_difference& d : c.fields) {
    if (!scenario::is_of_runs(d.path)) {
      if (d.path.starts_with("output.")) {
        c.idle.push_back({{d.path}, "it says what is kept of a run"});
      }
      continue;
    }
    const auto why = a != nullptr ? scenario::why_idle(*a, d.path) : std::nullopt;
    const bool is_known = why && b != nullptr && why == scenario::why_idle(*b, d.path);
    if (c.is_same || is_known) {
      c.idle.push_back({{d.path}, is_known ? *why : ""});
    }
  }
}

}  // namespace dibs::sweep
