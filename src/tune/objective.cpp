#include "tune/objective.hpp"

#include "stats/sample_mean.hpp"
#include "sweep/constraint_margin.hpp"
#include "sweep/watched_metrics.hpp"
#include "tune/tuning_result.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::tune {
namespace {

std::string text_of(const objective_request& r) {
  return r.objective.empty()
             ? fmt::format("({:.6g}s * accepts.missed + supply.hidden_s) / rides.requested",
                           r.missed_weight_s.value_or(missed_weight_standard_s))
             : r.objective;
}

class reader {
 public:
  explicit reader(sweep::metric_index& index) : index_(index) {}

  void add(result<sweep::metric_formula> f, std::vector<sweep::metric_formula>& to) {
    if (f) {
      to.push_back(std::move(*f));
    } else if (!failed_) {
      failed_ = f.error();
    }
  }

  void sum(const std::string& text, std::vector<sweep::metric_formula>& to) {
    add(sweep::metric_formula::sum(text, index_), to);
  }

  void room(const std::string& text, std::vector<sweep::metric_formula>& to) {
    add(sweep::metric_formula::margin(text, index_), to);
  }

  [[nodiscard]] const std::optional<error>& failed() const { return failed_; }

 private:
  sweep::metric_index& index_;
  std::optional<error> failed_;
};

}  // namespace

result<objective_spec> objective_spec::make(const objective_request& r,
                                            const std::vector<scenario::bound>& thresholds) {
  objective_spec g;
  reader read(g.index);
  std::vector<sweep::metric_formula> objectives;
  read.sum(text_of(r), objectives);
  for (const std::string& text : r.constraints) {
    read.room(text, g.constraints);
  }
  for (const sweep::shown_metric& m : sweep::shown_metrics) {
    read.sum(std::string(m.metric), g.shown);
  }
  for (const std::string& metric : r.shown) {
    if (std::ranges::find(g.shown, metric, &sweep::metric_formula::text) == g.shown.end()) {
      read.sum(metric, g.shown);
    }
  }
  for (const sweep::forbidden_metric& m : sweep::forbidden_metrics) {
    read.sum(std::string(m.metric), g.forbidden);
  }
  g.allows_doubles = r.allows_doubles;
  read.sum("accepts.missed / rides.requested", g.missed_and_hidden);
  read.sum("supply.hidden_s / rides.requested", g.missed_and_hidden);
  g.thresholds = thresholds;
  for (const scenario::bound& b : thresholds) {
    read.sum(b.metric, g.bounded);
  }
  if (read.failed()) {
    return tl::unexpected<error>(*read.failed());
  }
  g.objective = std::move(objectives.front());
  return g;
}

std::vector<double> objective_spec::costs(std::span<const sweep::sample> runs,
                                          std::size_t n) const {
  std::vector<double> c = objective.pseudo_values(runs.first(std::min(n, runs.size())));
  if (objective.wants_more()) {
    std::transform(c.begin(), c.end(), c.begin(), [](double x) { return -x; });
  }
  return c;
}

std::string objective_spec::harm_of(const sweep::experiment& l, std::uint32_t point) const {
  std::string seen = l.stuck(point) != nullptr ? "a run that got nowhere" : "";
  if (allows_doubles) {
    return seen;
  }
  for (std::size_t m = 0; m < forbidden.size(); ++m) {
    const bool some = std::ranges::any_of(sweep::blocks, [&](sweep::seed_block b) {
      return forbidden[m].of(l.of(point, b)).value_or(0) > 0;
    });
    if (some) {
      seen += (seen.empty() ? "" : ", ") + std::string(sweep::forbidden_metrics[m].what);
    }
  }
  return seen;
}

std::string objective_spec::rejection_reason(const sweep::experiment& l,
                                             std::uint32_t point,
                                             sweep::seed_block b) const {
  if (l.broken(point) != nullptr) {
    return "a promise of the protocol was broken";
  }
  if (std::string harm = harm_of(l, point); !harm.empty()) {
    return harm;
  }
  const auto runs = l.of(point, b);
  if (runs.size() < 2) {
    return {};
  }
  if (costs(runs, runs.size()).empty()) {
    return "the objective has no value";
  }
  for (const sweep::metric_formula& c : constraints) {
    const auto found = sweep::constraint_margin_of(c, runs, tail_standard);
    if (!found) {
      return c.text() + " has no value";
    }
    if (!c.is_met(found->most)) {
      return "misses " + c.text();
    }
  }
  return {};
}

bool objective_spec::is_met(std::span<const sweep::sample> runs, double tail) const {
  return std::ranges::all_of(constraints, [&](const sweep::metric_formula& c) {
    const auto found = sweep::constraint_margin_of(c, runs, tail);
    return found && (found->only_refutable || c.is_met(found->least));
  });
}

}  // namespace dibs::tune
