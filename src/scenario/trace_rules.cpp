// Where trace files are, and whether they hold what the scenario says they do.

#include "scenario/cross_field_rules.hpp"
#include "scenario/file_text.hpp"
#include "scenario/trace_source.hpp"
#include "text/csv_reader.hpp"
#include "text/spelling.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace dibs::scenario {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) { return !file_error(path); }

/// The names in the first line of a CSV file; empty if it cannot be read.
std::vector<std::string> header_of(const fs::path& path) {
  auto csv = text::csv_reader::open(path, world::trace_limits{}.bytes_max);
  if (!csv || !csv->next().value_or(false)) {
    return {};
  }
  return {csv->fields().begin(), csv->fields().end()};
}

/// There is nothing at the path, or something that is no file.
void complain_about_file(reader& r,
                         const std::string& field,
                         const reader::position& at,
                         const fs::path& path) {
  text::parse_error what =
      file_error(path).value_or(text::parse_error{"E-FILE", "cannot read the file"});
  what.message += ": " + text::display_text(path.string(), 200);
  what.hint = "it is looked for below the scenario's folder";
  r.complain_about(field, at, std::move(what));
}

void check_columns(reader& r, const std::string& field, const trace_demand& t, const fs::path& at) {
  const std::vector<std::string> header = header_of(at);
  const reader::position* file = r.written(field + ".file");
  if (header.empty()) {
    r.complain_about(
        field + ".file",
        *file,
        {"E-FILE", "cannot read a header line from " + text::display_text(t.file.string(), 200)});
    return;
  }
  const std::array<std::pair<const char*, const std::string*>, 6> columns{
      {{"time", &t.columns.time},
       {"lat", &t.columns.lat},
       {"lon", &t.columns.lon},
       {"to_lat", &t.columns.to_lat},
       {"to_lon", &t.columns.to_lon},
       {"trip", &t.columns.trip}}};
  for (const auto& [key, name] : columns) {
    const std::string column = fmt::format("{}.columns.{}", field, key);
    if (r.log().touches(column) || std::ranges::find(header, *name) != header.end()) {
      continue;
    }
    const std::string near = text::closest_spelling(*name, header);
    const reader::position* where = r.written(column);
    const reader::position missing{file->at, column};
    r.complain_about(column,
                     where != nullptr ? *where : missing,
                     {"E-REFERENCE",
                      fmt::format("{} has no column {}",
                                  text::display_text(t.file.string(), 200),
                                  text::display_text(*name)),
                      near.empty() ? "" : "did you mean `" + text::display_text(near) + "`?"});
  }
}

/// Puts all rows into `s.rows`, for the run, where they are not yet: what cannot be run is not
/// valid. Silent where the file, its columns or the map were complained about.
void take_rows(reader& r, const std::string& field, scenario& s, const trace_demand& t) {
  if (r.log().touches(field) || r.log().touches("world")) {
    return;
  }
  auto rows = rows_of(s, t, map_of(s.world));
  if (!rows) {
    r.complain_about(field + ".file",
                     *r.written(field + ".file"),
                     {"E-FILE", "cannot use the trace: " + rows.error().text});
    return;
  }
  const auto is_same = [&rows](const rows_read& held) { return held.rows == *rows; };
  if (std::ranges::none_of(s.rows, is_same)) {
    s.rows.push_back({question_of(s, t), std::move(*rows)});
  }
}

/// The folders in which trace files are looked for, nearest first.
std::vector<fs::path> folders_from(const fs::path& folder) {
  std::vector<fs::path> all{folder};
  std::error_code problem;
  fs::path up = fs::absolute(folder.empty() ? fs::path(".") : folder, problem).lexically_normal();
  while (!problem && !up.empty()) {
    all.push_back(up / "scenarios");
    if (up == up.parent_path()) {
      break;
    }
    up = up.parent_path();
  }
  return all;
}

}  // namespace

void find_traces(reader& r, scenario& s, const fs::path& folder) {
  s.folder = folder;
  std::vector<std::pair<std::string, const trace_demand*>> traces;
  for (std::size_t i = 0; i < s.demand.size(); ++i) {
    const std::string field = fmt::format("demand.{}", i + 1);
    const auto* trace = std::get_if<trace_demand>(&s.demand[i]);
    if (trace != nullptr && !trace->file.empty() && !r.log().touches(field + ".file")) {
      traces.emplace_back(field, trace);
    }
  }
  if (traces.empty()) {
    s.rows.clear();
    return;
  }
  for (const fs::path& candidate : folders_from(folder)) {
    const auto has = [&](const auto& t) { return is_file(candidate / t.second->file); };
    if (std::ranges::all_of(traces, has)) {
      s.folder = candidate;
      break;
    }
  }
  for (const auto& [field, trace] : traces) {
    if (is_file(s.folder / trace->file)) {
      check_columns(r, field, *trace, s.folder / trace->file);
      take_rows(r, field, s, *trace);
    } else if (const reader::position* at = r.written(field + ".file")) {
      complain_about_file(r, field + ".file", *at, s.folder / trace->file);
    }
  }
  std::erase_if(s.rows, [&](const rows_read& held) {
    return std::ranges::none_of(
        traces, [&](const auto& t) { return question_of(s, *t.second) == held.from; });
  });
}

}  // namespace dibs::scenario
