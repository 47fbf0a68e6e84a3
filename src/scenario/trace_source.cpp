#include "scenario/trace_source.hpp"

namespace dibs::scenario {

world::geography map_of(const world_options& w) {
  if (w.geography == geography::none) {
    return {};
  }
  return world::geography({.bounds = {.south = w.bounds.south,
                                      .west = w.bounds.west,
                                      .north = w.bounds.north,
                                      .east = w.bounds.east},
                           .detour = w.travel.detour,
                           .speed_m_per_s = w.travel.speed_m_per_s});
}

result<world::trace> read_trace(const scenario& s,
                                const trace_demand& source,
                                const world::geography& map) {
  return world::read_trace(s.folder / source.file,
                           {.time = source.columns.time,
                            .lat = source.columns.lat,
                            .lon = source.columns.lon,
                            .to_lat = source.columns.to_lat,
                            .to_lon = source.columns.to_lon,
                            .trip = source.columns.trip},
                           map);
}

}  // namespace dibs::scenario
