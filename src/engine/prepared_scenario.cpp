#include "engine/prepared_scenario.hpp"

#include "scenario/trace_source.hpp"

#include <utility>

namespace dibs::engine {
namespace {

class source_reader {
 public:
  source_reader(const scenario::scenario& s, prepared_scenario& into) : scenario_(s), into_(into) {}

  result<void> operator()(const scenario::trace_demand& d) {
    auto rows = scenario::rows_of(scenario_, d, into_.map);
    if (!rows) {
      return tl::unexpected(std::move(rows.error()));
    }
    into_.trace_rows_dropped += (*rows)->rows_dropped;
    into_.demand.sources.emplace_back(world::trace_demand{.rows = std::move(*rows),
                                                          .scale = d.scale,
                                                          .time_jitter = d.time_jitter,
                                                          .place_jitter_m = d.place_jitter_m});
    return {};
  }

  result<void> operator()(const scenario::matrix_demand& d) {
    auto rates = scenario::matrix_of(scenario_, d, into_.map);
    if (!rates) {
      return tl::unexpected(std::move(rates.error()));
    }
    into_.trace_rows_dropped += (*rates)->rows_dropped;
    into_.demand.sources.emplace_back(world::matrix_demand{
        .rates = std::move(*rates), .scale = d.scale, .place_jitter_m = d.place_jitter_m});
    return {};
  }

  result<void> operator()(const scenario::poisson_demand& d) {
    world::poisson_demand source{.rate_per_s = d.rate_per_s, .from = at(d.from), .until = {}};
    if (d.until) {
      source.until = at(*d.until);
    }
    into_.demand.sources.emplace_back(source);
    return {};
  }

  result<void> operator()(const scenario::burst_demand& d) {
    world::burst_demand source{
        .at = at(d.at), .within = d.within, .rides = d.rides, .around = {}, .every = d.every};
    if (d.around) {
      source.around = world::circle{.centre = {d.around->centre.lat, d.around->centre.lon},
                                    .radius_m = d.around->radius_m};
    }
    into_.demand.sources.emplace_back(source);
    return {};
  }

 private:
  const scenario::scenario& scenario_;
  prepared_scenario& into_;
};

}  // namespace

result<prepared_scenario> prepare(const scenario::scenario& s) {
  prepared_scenario p{.map = scenario::map_of(s.world), .demand = {}, .trace_rows_dropped = 0};
  p.demand.start = s.clock.start;
  p.demand.until = s.measured_until();
  p.demand.trip = s.world.trip;
  source_reader read(s, p);
  for (const scenario::demand_source& d : s.demand) {
    if (auto done = std::visit(read, d); !done) {
      return tl::unexpected(std::move(done.error()));
    }
  }
  return p;
}

}  // namespace dibs::engine
