#include "world/demand.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "world/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dibs::world {
namespace {

/// The places of the first trace or matrix among the sources, or anywhere.
places places_among(const demand_options& options, const geography& map) {
  for (const demand_source& source : options.sources) {
    if (const auto* found = std::get_if<trace_demand>(&source)) {
      return {map, found->rows, found->place_jitter_m};
    }
    if (const auto* found = std::get_if<matrix_demand>(&source)) {
      return {map, nullptr, found->place_jitter_m, found->rates};
    }
  }
  return {map, nullptr, 0};
}

/// Of the places of a source that has some of its own.
double jitter_of(const demand_source& source) {
  const auto* matrix = std::get_if<matrix_demand>(&source);
  return matrix != nullptr ? matrix->place_jitter_m : std::get<trace_demand>(source).place_jitter_m;
}

double six_deviations_above(double mean, double variance) {
  return mean + 6 * std::sqrt(variance) + 1;
}

struct at_most {
  const demand_options& options;

  double operator()(const trace_demand& d) const {
    const double rows = rows_within(d, options.start, options.until);
    const double whole = std::floor(d.copies());
    const double rest = d.copies() - whole;
    const double more = six_deviations_above(rows * rest, rows * rest * (1 - rest));
    return rows * whole + (rest > 0 ? std::min(rows, more) : 0);
  }

  double operator()(const matrix_demand& d) const {
    const double mean =
        d.scale * d.rates->rides_within(options.start, options.until.time_since_epoch());
    return mean > 0 ? six_deviations_above(mean, mean) : 0;
  }

  double operator()(const poisson_demand& d) const {
    const sim_time until = std::min(options.until, d.until.value_or(options.until));
    const double mean = d.rate_per_s * std::max(0.0, in_seconds(until) - in_seconds(d.from));
    return mean > 0 ? six_deviations_above(mean, mean) : 0;
  }

  double operator()(const burst_demand& d) const {
    if (d.at >= options.until) {
      return 0;
    }
    const sim_duration left = options.until - d.at - 1ns;
    const double bursts = d.every ? static_cast<double>(left / *d.every + 1) : 1;
    return bursts * static_cast<double>(d.rides);
  }
};

}  // namespace

demand::demand(demand_options options, const geography& map, std::uint64_t seed)
    : options_(std::move(options)), seed_(seed), places_(places_among(options_, map)) {
  for (std::size_t i = 0; i < options_.sources.size(); ++i) {
    sources_.push_back(arrivals_of(options_.sources[i], {seed, i, options_.start, options_.until}));
    heads_.push_back(sources_.back()->next());
  }
}

demand::demand(demand&&) noexcept = default;
demand& demand::operator=(demand&&) noexcept = default;
demand::~demand() = default;

std::optional<ride_plan> demand::next() {
  // A handful of sources: a scan. The lower number wins a tie.
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    if (heads_[i] && (!first || heads_[i]->at < heads_[*first]->at)) {
      first = i;
    }
  }
  if (!first) {
    return std::nullopt;
  }
  const ride_plan plan = plan_of(*first, *heads_[*first]);
  heads_[*first] = sources_[*first]->next();
  return plan;
}

ride_plan demand::plan_of(std::size_t source, const arrival& ride) const {
  const auto key = [&](purpose why) {
    return stream::keyed(seed_, why, source, ride.number, ride.copy);
  };
  stream random = key(purpose::ride_place);
  ride_plan plan;
  plan.at = ride.at;
  // The seed is left out: the key names the ride, the seed says what becomes of it.
  plan.key = stream::keyed(0, purpose::ride_place, source, ride.number, ride.copy).bits();

  if (ride.row != nullptr) {
    const double jitter_m = jitter_of(options_.sources[source]);
    plan.origin = places_.map().near(ride.row->origin, jitter_m, random);
    plan.destination = places_.map().near(ride.row->destination, jitter_m, random);
    plan.trip = trip_of(source, ride, ride.row, plan);
    return plan;
  }
  const trace_row* row = places_.has_rows() ? &places_.row(random) : nullptr;
  const auto end = [&](const point trace_row::*which) {
    return row == nullptr ? places_.map().anywhere(random) : places_.jittered(row->*which, random);
  };
  plan.origin = end(&trace_row::origin);
  plan.destination = end(&trace_row::destination);
  const auto* burst = std::get_if<burst_demand>(&options_.sources[source]);
  if (burst != nullptr && burst->around && places_.map().is_map()) {
    const point centre = places_.map().project(burst->around->centre);
    plan.origin = places_.map().near(centre, burst->around->radius_m, random);
    row = nullptr;
  }
  plan.trip = trip_of(source, ride, row, plan);
  return plan;
}

sim_duration demand::trip_of(std::size_t source,
                             const arrival& ride,
                             const trace_row* row,
                             const ride_plan& plan) const {
  if (row != nullptr) {
    const auto* replayed = std::get_if<trace_demand>(&options_.sources[source]);
    const bool is_of_pair = std::holds_alternative<matrix_demand>(options_.sources[source]);
    const bool has_trip =
        replayed != nullptr ? replayed->rows->has_trips : !is_of_pair && places_.has_trips();
    if (has_trip) {
      return row->trip;
    }
  }
  if (options_.trip) {
    stream random = stream::keyed(seed_, purpose::ride_trip, source, ride.number, ride.copy);
    return draw(*options_.trip, random);
  }
  ensure(places_.map().is_map(), "without geography, trips come from a trace or a distribution");
  return places_.map().travel_time(plan.origin, plan.destination);
}

double rides_at_most(const demand_options& options) {
  double sum = 0;
  for (const demand_source& source : options.sources) {
    sum += std::visit(at_most{options}, source);
  }
  return sum;
}

}  // namespace dibs::world
