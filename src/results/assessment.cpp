#include "results/assessment.hpp"

#include "text/number.hpp"

#include <algorithm>

namespace dibs::results {

namespace {

/// `1.00 %` as `1 %`, so that two numbers that look alike compare as alike.
std::string without_zeros(std::string text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) {
    return text;
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789", point + 1), text.size());
  std::size_t last = end;
  while (text[last - 1] == '0') {
    --last;
  }
  if (last == point + 1) {
    last = point;
  }
  return text.erase(last, end - last);
}

}  // namespace

bool meets(double value, const scenario::bound& b) {
  switch (b.is) {
    case scenario::comparison::less:
      return value < b.value;
    case scenario::comparison::at_most:
      return value <= b.value;
    case scenario::comparison::equal:
      return value == b.value;
    case scenario::comparison::at_least:
      return value >= b.value;
    case scenario::comparison::greater:
      return value > b.value;
  }
  return false;
}

std::vector<bound_check> judge_bounds(const run_results& a, const metric_estimates& f) {
  std::vector<bound_check> all;
  const auto judge = [&](const std::vector<scenario::bound>& bounds, bound_source kind) {
    for (const scenario::bound& b : bounds) {
      bound_check v{kind, b, f.find(b.metric), false};
      v.met = v.found && meets(v.found->value - v.found->unsure.below, b) &&
              meets(v.found->value + v.found->unsure.above, b);
      all.push_back(std::move(v));
    }
  };
  judge(a.scenario.thresholds, bound_source::threshold);
  judge(a.scenario.expect, bound_source::expectation);
  return all;
}

std::string shown_against(const bound_check& v) {
  if (!v.found) {
    return "undefined";
  }
  if (v.found->unsure.half_width() > 0) {
    return text::format_value(v.found->value, v.found->unsure, v.found->unit, "+/-");
  }
  const std::string bound = without_zeros(text::format_value(v.bound.value, v.found->unit));
  std::string text = text::format_value(v.found->value, v.found->unit);
  constexpr int digits_max = 12;
  for (int digits = 4; !v.met && without_zeros(text) == bound && digits <= digits_max; ++digits) {
    text = text::format_value(v.found->value, v.found->unit, digits);
  }
  return text;
}

std::vector<promise_check> promises_of(const run_results& a) {
  std::uint32_t judged = 0;
  std::uint32_t broken = 0;
  for (const engine::run_result& run : a.runs) {
    judged |= run.checks.judged;
    broken |= run.checks.broken;
  }
  std::vector<promise_check> all;
  for (int i = 0; i < lease::invariants; ++i) {
    if ((judged >> i & 1U) != 0) {
      all.push_back({static_cast<lease::invariant>(i), (broken >> i & 1U) == 0});
    }
  }
  return all;
}

std::vector<undecided> undecided_of(const run_results& a) {
  std::vector<undecided> all;
  for (int i = 0; i < lease::invariants; ++i) {
    undecided one{static_cast<lease::invariant>(i), 0};
    for (const engine::run_result& run : a.runs) {
      one.drivers += (run.checks.undecided >> i & 1U) != 0 ? run.checks.undecided_drivers : 0;
    }
    if (one.drivers > 0) {
      all.push_back(one);
    }
  }
  return all;
}

std::vector<violation_record> violations_of(const run_results& a) {
  std::vector<violation_record> all;
  for (std::size_t k = 0; k < a.runs.size(); ++k) {
    for (const checkers::violation& v : a.runs[k].checks.violations) {
      all.push_back({k, &v});
    }
  }
  return all;
}

std::uint64_t violation_count(const run_results& a) {
  std::uint64_t count = 0;
  for (const engine::run_result& run : a.runs) {
    count += run.checks.violation_count;
  }
  return count;
}

exit_code exit_code_of(const run_results& a, const std::vector<bound_check>& verdicts) {
  if (std::any_of(a.runs.begin(), a.runs.end(), [](const auto& r) { return !r.checks.kept(); })) {
    return exit_code::invariant_broke;
  }
  if (std::any_of(
          a.runs.begin(), a.runs.end(), [](const auto& r) { return r.stuck.has_value(); })) {
    return exit_code::inconclusive;
  }
  const bool missed =
      std::any_of(verdicts.begin(), verdicts.end(), [](const bound_check& v) { return !v.met; });
  return missed ? exit_code::threshold_missed : exit_code::done;
}

}  // namespace dibs::results
