#include "history/batch_means.hpp"

#include "engine/run.hpp"
#include "history/supply_over_time.hpp"
#include "metrics/evaluators.hpp"
#include "metrics/starvation.hpp"
#include "stats/confidence_interval.hpp"
#include "stats/histogram.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::history {
namespace {

struct stretch {
  std::size_t asked = 0;
  std::size_t matched = 0;
  std::size_t given_up = 0;
  std::size_t offers = 0;
  stats::histogram waits;  ///< from asking to the driver
};

/// Requires: `t` is in the measured time.
std::size_t stretch_at(const indexed_run& c, sim_time t) {
  const time_interval window = c.window();
  const auto nth = static_cast<std::size_t>((t - window.begin) *
                                            static_cast<std::int64_t>(batches) / window.length());
  return std::min(nth, batches - 1);
}

std::array<stretch, batches> rides_of(const indexed_run& c) {
  std::array<stretch, batches> all;
  for (const metrics::ride_record& r : c.rides()) {
    if (!c.window().holds(r.requested)) {
      continue;
    }
    stretch& s = all[stretch_at(c, r.requested)];
    ++s.asked;
    s.offers += r.offers;
    s.given_up += r.gone != never && r.abandoned ? 1U : 0U;
    if (r.first_commit != never) {
      ++s.matched;
      s.waits.add(std::max(r.first_commit, r.requested) - r.requested);
    }
  }
  return all;
}

class intervals {
 public:
  /// `of(i)`: the figure of a stretch, or nothing.
  template <class Of>
  void add(const std::string& name, Of of) {
    std::vector<double> values;
    for (std::size_t i = 0; i < history::batches; ++i) {
      const std::optional<double> value = of(i);
      if (!value) {
        return;
      }
      values.push_back(*value);
    }
    // Stretches that are all alike, as where something never happened, tell nothing of how far the
    // figure may be off.
    if (const double half = stats::t_interval(values).half_width(); half > 0) {
      all_.emplace_back(name, half);
    }
  }

  [[nodiscard]] half_widths take() { return std::move(all_); }

 private:
  half_widths all_;
};

std::optional<double> ratio(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

void add_supply(const indexed_run& c, intervals& to) {
  const auto step = c.window().length() / static_cast<std::int64_t>(batches);
  if (step <= sim_duration::zero()) {
    return;
  }
  const supply_layers s = supply_over_time(c, step, 10 * batches * 100);
  const auto first = std::ranges::find(s.begins, c.window().begin);
  const auto from = static_cast<std::size_t>(first - s.begins.begin());
  if (from + batches > s.begins.size()) {
    return;
  }
  const auto spent = [&](std::size_t layer, std::size_t i) {
    return static_cast<double>(s.spent[layer][from + i]);
  };
  const auto sum = [&](std::size_t layer, std::size_t i) {
    double all = 0;
    for (std::size_t each = layer; each < s.layers.size(); ++each) {
      all += spent(each, i);
    }
    return all;
  };
  const auto online = [&](std::size_t i) {
    return sum(static_cast<std::size_t>(layer::available), i);
  };
  to.add("supply.hidden_share",
         [&](std::size_t i) { return ratio(sum(layers_before_parts, i), online(i)); });
  to.add("supply.utilisation", [&](std::size_t i) {
    return ratio(spent(static_cast<std::size_t>(layer::on_trip), i), online(i));
  });
}

void add_rides(const indexed_run& c, intervals& to) {
  const auto all = rides_of(c);
  if (std::ranges::any_of(all, [](const stretch& s) { return s.asked < batch_samples_min; })) {
    return;
  }
  const auto share = [&](const std::string& name, std::size_t stretch::*part) {
    to.add(name, [&all, part](std::size_t i) {
      return ratio(static_cast<double>(all[i].*part), static_cast<double>(all[i].asked));
    });
  };
  share("rides.match_rate", &stretch::matched);
  share("rides.abandon_rate", &stretch::given_up);
  to.add("offers.per_match", [&](std::size_t i) {
    return ratio(static_cast<double>(all[i].offers), static_cast<double>(all[i].matched));
  });
  for (const auto& [name, at] : {std::pair{"ttm.p50", 0.5}, {"ttm.p95", 0.95}}) {
    to.add(name, [&all, at = at](std::size_t i) {
      return all[i].waits.count() < batch_samples_min ? std::nullopt
                                                      : std::optional(all[i].waits.quantile(at));
    });
  }
}

/// Judged as `accepts.lost` and `accepts.missed` are.
void add_accepts(const indexed_run& c, intervals& to) {
  struct answers {
    std::size_t all = 0;
    std::size_t lost = 0;
    std::size_t missed = 0;
  };
  std::array<answers, batches> said;
  for (const metrics::try_record& t : c.tries()) {
    if (t.accepted && c.window().holds(t.decided)) {
      answers& s = said[stretch_at(c, t.decided)];
      ++s.all;
      s.lost += metrics::fate_of(t) == metrics::fate::lost ? 1U : 0U;
      s.missed += metrics::is_missed_accept(t) ? 1U : 0U;
    }
  }
  if (std::ranges::any_of(said, [](const answers& s) { return s.all < batch_samples_min; })) {
    return;
  }
  const auto share = [&](std::size_t part, std::size_t i) {
    return ratio(static_cast<double>(part), static_cast<double>(said[i].all));
  };
  to.add("accepts.lost_rate", [&](std::size_t i) { return share(said[i].lost, i); });
  to.add("accepts.missed_rate", [&](std::size_t i) { return share(said[i].missed, i); });
}

/// Of the time that riders waited in a stretch: what of it was starved.
void add_starvation(const indexed_run& c, intervals& to) {
  const auto radius_m = engine::metrics_options_of(c.of().scenario).search_radius_m;
  to.add("supply.starved_share", [&](std::size_t i) {
    const auto edge = [&](std::size_t nth) {
      return c.window().begin + c.window().length() * static_cast<std::int64_t>(nth) /
                                    static_cast<std::int64_t>(batches);
    };
    const time_interval part{edge(i), edge(i + 1)};
    double waited = 0;
    for (const metrics::wait_spell& w : c.riders().spells().all()) {
      waited += in_seconds(common(w.when, part).length());
    }
    const auto starved = metrics::starve(c.story(), part, radius_m);
    return ratio(static_cast<double>(starved.total) / 1e9, waited);
  });
}

}  // namespace

half_widths half_widths_within(const indexed_run& c) {
  intervals all;
  if (c.window().length() > sim_duration::zero()) {
    add_supply(c, all);
    add_starvation(c, all);
    add_rides(c, all);
    add_accepts(c, all);
  }
  return all.take();
}

}  // namespace dibs::history
