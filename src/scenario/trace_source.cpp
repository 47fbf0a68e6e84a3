#include "scenario/trace_source.hpp"

#include <algorithm>
#include <utility>

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

rows_read::question question_of(const scenario& s, const trace_demand& source) {
  auto zones = source.zones;
  if (zones) {
    zones->file = s.folder / zones->file;
  }
  return {s.folder / source.file,
          source.columns,
          source.day.value_or(""),
          source.lost_max,
          source.shift,
          std::move(zones),
          s.world.geography,
          s.world.bounds};
}

result<std::shared_ptr<const world::trace>> rows_of(const scenario& s,
                                                    const trace_demand& source,
                                                    const world::geography& map) {
  const rows_read::question asked = question_of(s, source);
  const auto held = std::ranges::find(s.rows, asked, &rows_read::from);
  if (held != s.rows.end()) {
    return held->rows;
  }
  auto rows = world::read_trace(asked.file,
                                {.columns = asked.columns,
                                 .day = asked.day,
                                 .lost_max = asked.lost_max,
                                 .shift = asked.shift,
                                 .zones = asked.zones},
                                map);
  if (!rows) {
    return tl::unexpected(std::move(rows.error()));
  }
  return std::make_shared<const world::trace>(std::move(*rows));
}

}  // namespace dibs::scenario
