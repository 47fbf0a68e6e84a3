#include "check/ttl_range.hpp"

#include "check/weighing.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace dibs::check {
namespace {

using incidents::incident_outcome;
using overrides = std::vector<scenario::override_value>;

constexpr std::array shorter{0.8, 2.0 / 3, 0.5, 1.0 / 3, 0.25};
constexpr std::array longer{1.25, 1.5, 2.0, 3.0, 4.0};
/// So many causes are tried with other TTLs: those that hurt most.
constexpr std::size_t causes_max = 5;

/// The figure of service that is worse with this TTL, or the threshold that is missed; empty if
/// there is none.
result<std::string> lost_by(const study& of, const overrides& ttl) {
  const auto base = of.runs.of(of.mine, "TTL");
  const auto own = changed(of.mine, ttl);
  if (!base || !own) {
    return base ? result<std::string>(own.error().text) : tl::unexpected<error>(base.error());
  }
  const auto runs = of.runs.of(*own, "TTL");
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  row service;
  weigh(service, **runs, **base, {"accepts.missed_rate"});
  for (const incidents::paired_change& each : service.worse) {
    // Thresholds say what is to hold, but no service may end.
    if (each.metric != "supply.hidden_share" &&
        (of.mine.thresholds.empty() || is_large_loss(each))) {
      return each.metric;
    }
  }
  const auto met = missed_by(**base, of.mine);
  for (const std::string& each : missed_by(**runs, of.mine)) {
    if (std::ranges::find(met, each) == met.end()) {
      return each;
    }
  }
  return std::string();
}

/// The first of the causes that breaks the scenario with this TTL; empty if none does.
result<std::string> broken_by(const study& of,
                              const std::vector<const befallen*>& causes,
                              const overrides& ttl) {
  for (const befallen* b : causes) {
    const auto with = changed(of.mine, joined(b->how.with.set, ttl));
    const auto without = changed(of.mine, joined(b->how.without.set, ttl));
    if (!with || !without) {
      continue;
    }
    const auto breaks = breaks_by(of, *b, *with, *without);
    if (!breaks) {
      return tl::unexpected<error>(breaks.error());
    }
    if (*breaks) {
      return b->told.name;
    }
  }
  return std::string();
}

std::vector<const befallen*> causes_to_try(std::span<const befallen> all) {
  std::vector<const befallen*> some;
  for (const befallen& b : all) {
    if (b.told.counts() && b.told.why_not.empty() && some.size() < causes_max) {
      some.push_back(&b);
    }
  }
  return some;
}

/// Goes away from the TTL of the scenario until service fails, then back until no cause breaks it.
/// Those that hold, the nearest first, then the one that does not, if any.
result<std::vector<ttl_trial>> walk(const study& of,
                                    const std::vector<const befallen*>& causes,
                                    std::span<const double> steps) {
  std::vector<ttl_trial> holding;
  std::optional<ttl_trial> failing;
  for (const double times : steps) {
    const auto own = changed(of.mine, ttl_of(of.mine, times).set);
    if (!own) {
      break;
    }
    auto by = lost_by(of, ttl_of(of.mine, times).set);
    if (!by) {
      return tl::unexpected<error>(by.error());
    }
    if (!by->empty()) {
      failing = {.ttl = own->lease.ttl, .holds = false, .broken_by = std::move(*by)};
      break;
    }
    holding.push_back({.ttl = own->lease.ttl, .holds = true});
  }
  for (; !holding.empty(); holding.pop_back()) {
    auto by = broken_by(of, causes, ttl_of(of.mine, steps[holding.size() - 1]).set);
    if (!by) {
      return tl::unexpected<error>(by.error());
    }
    if (by->empty()) {
      break;
    }
    failing = {.ttl = holding.back().ttl, .holds = false, .broken_by = std::move(*by)};
  }
  if (failing) {
    holding.push_back(std::move(*failing));
  }
  return holding;
}

}  // namespace

result<std::vector<ttl_trial>> ttl_range(const study& of, std::span<const befallen> all) {
  if (!has_ttl(of.mine)) {
    return std::vector<ttl_trial>();
  }
  if (std::ranges::any_of(all, [](const befallen& b) {
        return b.told.counts() && b.told.outcome == incident_outcome::breaks;
      })) {
    return std::vector<ttl_trial>();
  }
  const auto causes = causes_to_try(all);
  auto down = walk(of, causes, shorter);
  auto up = down ? walk(of, causes, longer) : down;
  if (!up) {
    return up;
  }
  std::vector<ttl_trial> trials = std::move(*down);
  std::ranges::reverse(trials);
  trials.push_back({.ttl = of.mine.lease.ttl, .holds = true});
  trials.insert(trials.end(), up->begin(), up->end());
  return trials;
}

}  // namespace dibs::check
