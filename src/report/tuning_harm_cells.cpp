#include "report/tuning_harm_cells.hpp"

#include "stats/confidence_interval.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace dibs::report {
namespace {

using counts = std::span<const std::optional<stats::estimate>>;

constexpr std::size_t assigned_twice = 2;  ///< as many of the metrics, the first, are of that

std::optional<double> sum_of(counts some) {
  double sum = 0;
  for (const auto& each : some) {
    if (!each) {
      return std::nullopt;
    }
    sum += each->value;
  }
  return sum;
}

std::string upper_bound_for(std::size_t runs) {
  return text::significant(stats::zero_event_bound(static_cast<double>(runs)), 2);
}

std::string seen_of(const tune::row& r,
                    std::size_t from,
                    std::size_t to,
                    const std::string& plus_minus) {
  std::string text;
  for (std::size_t m = from; m < to; ++m) {
    const auto& f = r.forbidden[m];
    if (f && f->value > 0) {
      text += fmt::format("{}{} {} a run",
                          text.empty() ? "" : ", ",
                          text::format_value(f->value, *f->margin, text::unit::count, plus_minus),
                          sweep::forbidden_metrics[m].what);
    }
  }
  return text;
}

/// In some run, perhaps on other seeds: that is why the value is out.
bool was_seen(const tune::row& r) {
  return std::any_of(sweep::forbidden_metrics.begin(),
                     sweep::forbidden_metrics.begin() + assigned_twice,
                     [&](const sweep::forbidden_metric& m) { return r.why.starts_with(m.what); });
}

}  // namespace

harm_cell doubles_cell(const tune::row& r) {
  const auto sum = sum_of(counts(r.forbidden).first(assigned_twice));
  if (!sum || r.seeds == 0) {
    return {"-"};
  }
  if (*sum > 0) {
    return {text::significant(*sum)};
  }
  if (was_seen(r)) {
    return {.text = "seen", .is_elsewhere = true};
  }
  return r.promises_apart ? harm_cell{"0"}
                          : harm_cell{fmt::format("<{}*", upper_bound_for(r.seeds)), true};
}

std::string safety_of(const tune::row& r, const std::string& plus_minus) {
  const auto none_seen = [&](const std::string& what) {
    return fmt::format("{} in {} runs: at most {} a run, at 99.9 %",
                       what,
                       text::with_thousands(r.seeds),
                       upper_bound_for(r.seeds));
  };
  std::string text = seen_of(r, 0, assigned_twice, plus_minus);
  if (r.promises_apart && text.empty()) {
    text = fmt::format("nobody is assigned twice, {} promises (S4)", r.protocol);
  } else {
    text = (text.empty() ? none_seen("nobody assigned twice") : text) +
           fmt::format(" ({} does not promise S4)", r.protocol);
  }
  const std::string withdrawn =
      seen_of(r, assigned_twice, sweep::forbidden_metrics.size(), plus_minus);
  return text + "; " + (withdrawn.empty() ? none_seen("no promise to a rider broken") : withdrawn);
}

}  // namespace dibs::report
