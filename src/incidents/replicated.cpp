#include "incidents/replicated.hpp"

#include <algorithm>

namespace dibs::incidents {

std::vector<run_figures> replicated::figures() const {
  std::vector<run_figures> all;
  for (const results::run_record& r : runs) {
    all.emplace_back([&r](std::string_view metric) -> std::optional<double> {
      const results::metric_sample* found = r.find(metric);
      return found == nullptr ? std::nullopt : found->value;
    });
  }
  return all;
}

std::uint32_t replicated::broken() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(runs, [](const results::run_record& r) { return r.violations > 0; }));
}

bool replicated::is_same_as(const replicated& other) const {
  return std::ranges::equal(
      runs, other.runs, {}, &results::run_record::history, &results::run_record::history);
}

result<replicated> replicate(const scenario::scenario& s,
                             engine::run_options how,
                             std::uint32_t runs,
                             std::uint32_t jobs,
                             replicated all) {
  how.first = static_cast<std::uint32_t>(all.runs.size());
  const auto done = engine::run_many(s, how, runs - how.first, jobs);
  if (!done) {
    return tl::unexpected<error>(done.error());
  }
  for (const engine::run_result& r : *done) {
    if (r.interrupted || r.history.empty()) {
      return failure(exit_code::interrupted, "interrupted");
    }
    all.runs.push_back(results::record_of(r));
  }
  return all;
}

assessment judge(const replicated& with_cause,
                 const replicated& without,
                 std::span<const std::string> harms) {
  return judge(with_cause.figures(), without.figures(), harms);
}

}  // namespace dibs::incidents
