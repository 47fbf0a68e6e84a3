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

std::vector<verdict> judge_bounds(const account& a, const figures& f) {
  std::vector<verdict> all;
  const auto judge = [&](const std::vector<scenario::bound>& bounds, bound_kind kind) {
    for (const scenario::bound& b : bounds) {
      verdict v{kind, b, f.find(b.metric), false};
      v.met = v.found && meets(v.found->value - v.found->unsure.below, b) &&
              meets(v.found->value + v.found->unsure.above, b);
      all.push_back(std::move(v));
    }
  };
  judge(a.scenario.thresholds, bound_kind::threshold);
  judge(a.scenario.expect, bound_kind::expectation);
  return all;
}

std::string shown_against(const verdict& v) {
  if (!v.found) {
    return "undefined";
  }
  if (v.found->unsure.half_width() > 0) {
    return text::shown(v.found->value, v.found->unsure, v.found->unit, "+/-");
  }
  const std::string bound = without_zeros(text::shown(v.bound.value, v.found->unit));
  std::string text = text::shown(v.found->value, v.found->unit);
  constexpr int digits_max = 12;
  for (int digits = 4; !v.met && without_zeros(text) == bound && digits <= digits_max; ++digits) {
    text = text::shown(v.found->value, v.found->unit, digits);
  }
  return text;
}

std::vector<promise> promises_of(const account& a) {
  std::uint32_t judged = 0;
  std::uint32_t broken = 0;
  for (const engine::run_result& run : a.runs) {
    judged |= run.judgement.judged;
    broken |= run.judgement.broken;
  }
  std::vector<promise> all;
  for (int i = 0; i < lease::invariants; ++i) {
    if ((judged >> i & 1U) != 0) {
      all.push_back({static_cast<lease::invariant>(i), (broken >> i & 1U) == 0});
    }
  }
  return all;
}

std::vector<undecided> undecided_of(const account& a) {
  std::vector<undecided> all;
  for (int i = 0; i < lease::invariants; ++i) {
    undecided one{static_cast<lease::invariant>(i), 0};
    for (const engine::run_result& run : a.runs) {
      one.drivers += (run.judgement.undecided >> i & 1U) != 0 ? run.judgement.undecided_drivers : 0;
    }
    if (one.drivers > 0) {
      all.push_back(one);
    }
  }
  return all;
}

std::vector<breach> breaches_of(const account& a) {
  std::vector<breach> all;
  for (std::size_t k = 0; k < a.runs.size(); ++k) {
    for (const checkers::violation& v : a.runs[k].judgement.violations) {
      all.push_back({k, &v});
    }
  }
  return all;
}

std::uint64_t breach_count(const account& a) {
  std::uint64_t count = 0;
  for (const engine::run_result& run : a.runs) {
    count += run.judgement.violation_count;
  }
  return count;
}

exit_code ending_of(const account& a, const std::vector<verdict>& verdicts) {
  if (std::any_of(
          a.runs.begin(), a.runs.end(), [](const auto& r) { return !r.judgement.kept(); })) {
    return exit_code::invariant_broke;
  }
  if (std::any_of(
          a.runs.begin(), a.runs.end(), [](const auto& r) { return r.stuck.has_value(); })) {
    return exit_code::inconclusive;
  }
  const bool missed =
      std::any_of(verdicts.begin(), verdicts.end(), [](const verdict& v) { return !v.met; });
  return missed ? exit_code::threshold_missed : exit_code::done;
}

}  // namespace dibs::results
