#include "metrics/evaluators.hpp"
#include "metrics/metrics.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/starvation_follower.hpp"
#include "metrics/sums_writer.hpp"
#include "metrics/worst_harms.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dibs::metrics {

/// Writes the events down while they come, and has them judged: who starves as they come, the rest
/// at the end.
struct collector::state {
  explicit state(const options& o)
      : what(o),
        found(o.only),
        next_row(at(o.series_step)),
        so_far(o, found, true),
        follower(so_far, {o.measured_from, o.measured_until}, o.search_radius_m) {}

  options what;
  worst_harms found;
  std::vector<series_row> series;
  sim_time next_row;
  run_tables so_far;
  starvation_follower follower;

  void observe(const events::event& e) {
    reach(e.t);
    follower.follow(e.t);
    so_far.write(e);
  }

  // -- series ------------------------------------------------------------------------------------

  /// Writes the rows that end at or before `t`: what happens at their very end belongs to the next.
  void reach(sim_time t) {
    if (what.series_step <= sim_duration::zero()) {
      return;
    }
    for (; next_row <= t; next_row += what.series_step) {
      series.push_back({.t = next_row,
                        .online = so_far.drivers().online(),
                        .available = so_far.drivers().count(driver_state::available),
                        .leased = so_far.drivers().count(driver_state::leased),
                        .on_trip = so_far.drivers().count(driver_state::on_trip),
                        .waiting = so_far.riders().count(),
                        .requested = so_far.requested(),
                        .committed = so_far.committed()});
    }
  }

  /// Pairs are known at the end; each counts from the instant at which the two met.
  void fill_series(first_conflicts met) {
    std::ranges::sort(met.offers);
    std::ranges::sort(met.commits);
    const auto before = [](const std::vector<sim_time>& all, sim_time t) {
      return static_cast<std::uint64_t>(std::lower_bound(all.begin(), all.end(), t) - all.begin());
    };
    for (series_row& row : series) {
      row.double_offers = before(met.offers, row.t);
      row.double_commits = before(met.commits, row.t);
    }
  }

  report finish(sim_time end) {
    reach(end);
    so_far.finish(end);
    report r;
    sums_writer figures(r);
    const evaluation_context e{.window = {what.measured_from, std::min(what.measured_until, end)},
                               .grace = what.grace,
                               .end = end,
                               .down = so_far.down(),
                               .paused = so_far.paused()};
    judge_tries(e, figures);
    judge_rides(so_far.rides(), e, figures);
    figures.time("measured_s", e.window.length().count());
    enter_counts(figures);
    enter_supply(figures);
    enter_starvation(end, figures);
    enter_costs(r);
    r.series = std::move(series);
    r.notables = found.take();
    return r;
  }

  void judge_tries(const evaluation_context& e, sums_writer& figures) {
    double_assignment_evaluator doubles;
    promise_evaluator promises;
    accept_evaluator accepts;
    lease_evaluator leases;
    service_evaluator service;
    const try_table& tries = so_far.tries();
    for (try_index i = 0; i < tries.all().size(); ++i) {
      const try_record& t = tries.at(i);
      doubles.see(i, t, e);
      promises.see(i, t, e, found);
      accepts.see(i, t, e, found);
      leases.see(i, t, e, found);
      service.see(t, e);
    }
    fill_series(doubles.finish(tries, e, figures, found));
    promises.enter(figures);
    accepts.enter(figures);
    leases.enter(figures);
    service.enter(figures);
  }

  void enter_counts(sums_writer& figures) const {
    const event_counts& counts = so_far.counts();
    figures.count("leases.denied", counts.denied);
    figures.count("confirms.taken", counts.confirms_taken);
    figures.count("confirms.refused", counts.confirms_refused);
    figures.count("confirms.stale_accepted", counts.stale_accepted);
    figures.count("confirms.stale_refused", counts.stale_refused);
    figures.count("confirms.duplicate", counts.duplicates);
    figures.count("writes.stale_taken", counts.stale_writes_taken);
    figures.count("writes.stale_refused", counts.stale_writes_refused);
    figures.count("leases.peak_requests", counts.peak_requests);
    figures.count("rides.messages", counts.messages);
    figures.count("rides.taken_over", counts.taken_over);
    figures.count("leases.renewals", counts.renewed);
    figures.count("leases.renewals_refused", counts.renewals_refused);
  }

  void enter_supply(sums_writer& figures) const {
    const driver_time& drivers = so_far.drivers();
    figures.time("supply.online_s", drivers.total_online());
    figures.time("supply.available_s", drivers.total(driver_state::available));
    figures.time("supply.leased_s", drivers.total(driver_state::leased));
    figures.time("supply.trip_s", drivers.total(driver_state::on_trip));
  }

  /// Requires: the harms are entered.
  void enter_costs(report& r) const {
    if (!what.costs) {
      return;
    }
    const auto sum = [&r](std::string_view name) {
      const auto its = r.sums.find(name);
      return its == r.sums.end() ? 0 : its->second;
    };
    const prices& p = *what.costs;
    r.sums["costs.sum"] = p.missed_accept * sum("accepts.missed") +
                          p.double_assignment * (sum("double.commits") + sum("double.rides")) +
                          p.hidden_driver_s * sum("supply.hidden_s") +
                          p.starved_rider_s * sum("supply.starved_s");
  }

  void enter_starvation(sim_time end, sums_writer& figures) {
    const starvation& starved = follower.finish(end);
    figures.time("supply.wait_s", so_far.riders().total());
    figures.time("supply.starved_s", starved.total);
    figures.time("supply.starved_upper_s", starved.upper);
    const auto whose = starved.by_ride.find(what.only.value_or(starved.worst));
    if (whose != starved.by_ride.end()) {
      add_starved(whose->first, whose->second);
    }
  }

  void add_starved(ride_id r, const starvation_share& h) {
    found.add(harm_kind::starved_ride, h.length, h.since, r, {}, [&] {
      return "waited " + describe(h.length) +
             " with nobody free, while drivers near it were held by leases that came to nothing";
    });
  }
};

collector::collector(const options& what) : state_(std::make_unique<state>(what)) {}
collector::~collector() = default;

void collector::observe(std::span<const events::event> batch) {
  events::read_ahead(
      batch,
      state_->what.drivers,
      [this](driver_id d, events::distance how_far) { state_->so_far.fetch(d, how_far); },
      [this](const events::event& e) { state_->observe(e); });
}

report collector::finish(sim_time end) { return state_->finish(end); }

}  // namespace dibs::metrics
