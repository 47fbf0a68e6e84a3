#include "check/ttl_range.hpp"

#include "check/weighing.hpp"

#include <algorithm>
#include <array>
#include <optional>
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

overrides joined(overrides a, const overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// What breaks first with these changes; empty if nothing does.
result<std::string> broken_by(const study& of,
                              const std::vector<const befallen*>& causes,
                              const overrides& ttl) {
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
    if (each.metric != "supply.hidden_share" && of.mine.thresholds.empty()) {
      return each.metric;
    }
  }
  const auto met = missed_by(**base, of.mine);
  for (const std::string& each : missed_by(**runs, of.mine)) {
    if (std::ranges::find(met, each) == met.end()) {
      return each;
    }
  }
  for (const befallen* b : causes) {
    const auto with = changed(of.mine, joined(b->how.with.set, ttl));
    const auto without = changed(of.mine, joined(b->how.without.set, ttl));
    if (!with || !without) {
      continue;
    }
    const auto one = of.runs.of(*with, b->told.name);
    const auto other = one ? of.runs.of(*without, b->told.name) : one;
    if (!other) {
      return tl::unexpected<error>(other.error());
    }
    row probe;
    probe.from = b->told.from;
    weigh(probe, **one, **other, b->by->harms);
    if (probe.outcome == incident_outcome::breaks) {
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

template <class Steps>
result<void> walk(const study& of,
                  const std::vector<const befallen*>& causes,
                  const Steps& steps,
                  std::vector<ttl_trial>& to) {
  for (const double times : steps) {
    const mend m = ttl_of(of.mine, times);
    const auto own = changed(of.mine, m.set);
    if (!own) {
      return {};
    }
    auto by = broken_by(of, causes, m.set);
    if (!by) {
      return tl::unexpected<error>(by.error());
    }
    to.push_back({.ttl = own->lease.ttl, .holds = by->empty(), .broken_by = std::move(*by)});
    if (!to.back().holds) {
      return {};
    }
  }
  return {};
}

}  // namespace

result<std::vector<ttl_trial>> ttl_range(const study& of, std::span<const befallen> all) {
  const lease::lease_options& l = of.mine.lease;
  if (!l.rules().leases || !l.rules().expires || l.ttl == forever) {
    return std::vector<ttl_trial>();
  }
  if (std::ranges::any_of(all, [](const befallen& b) {
        return b.told.counts() && b.told.outcome == incident_outcome::breaks;
      })) {
    return std::vector<ttl_trial>();
  }
  const auto causes = causes_to_try(all);
  std::vector<ttl_trial> trials;
  if (auto down = walk(of, causes, shorter, trials); !down) {
    return tl::unexpected<error>(down.error());
  }
  std::ranges::reverse(trials);
  trials.push_back({.ttl = l.ttl, .holds = true});
  if (auto up = walk(of, causes, longer, trials); !up) {
    return tl::unexpected<error>(up.error());
  }
  return trials;
}

}  // namespace dibs::check
