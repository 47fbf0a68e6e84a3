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

namespace {

std::optional<world::zone_file> zones_of(const scenario& s,
                                         const std::optional<world::zone_file>& written) {
  auto zones = written;
  if (zones) {
    zones->file = s.folder / zones->file;
  }
  return zones;
}

}  // namespace

rows_read::question question_of(const scenario& s, const matrix_demand& source) {
  return {s.folder / source.file,
          {},
          "",
          source.lost_max,
          {},
          zones_of(s, source.zones),
          source.format,
          s.world.geography,
          s.world.bounds};
}

std::vector<std::filesystem::path> files_of(const demand_source& source) {
  std::vector<std::filesystem::path> files;
  const auto add = [&files](const auto& s) {
    if constexpr (requires { s.zones; }) {
      files.push_back(s.file);
      if (s.zones) {
        files.push_back(s.zones->file);
      }
    }
  };
  std::visit(add, source);
  return files;
}

std::size_t size_of(const rows_read& held) {
  return held.rows != nullptr ? held.rows->rows.size()
                              : held.matrix->pairs.size() + held.matrix->pair_of.size();
}

rows_read::question question_of(const scenario& s, const trace_demand& source) {
  return {s.folder / source.file,
          source.columns,
          source.day.value_or(""),
          source.lost_max,
          source.shift,
          zones_of(s, source.zones),
          std::nullopt,
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

result<std::shared_ptr<const world::od_matrix>> matrix_of(const scenario& s,
                                                          const matrix_demand& source,
                                                          const world::geography& map) {
  const rows_read::question asked = question_of(s, source);
  const auto held = std::ranges::find(s.rows, asked, &rows_read::from);
  if (held != s.rows.end()) {
    return held->matrix;
  }
  auto read = world::read_matrix(
      asked.file, {.format = source.format, .lost_max = asked.lost_max, .zones = asked.zones}, map);
  if (!read) {
    return tl::unexpected(std::move(read.error()));
  }
  return std::make_shared<const world::od_matrix>(std::move(*read));
}

}  // namespace dibs::scenario
