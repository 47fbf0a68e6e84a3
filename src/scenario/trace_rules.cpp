// Where the files of traces and matrices are, and whether they hold what the scenario says they do.

#include "scenario/cross_field_rules.hpp"
#include "scenario/file_text.hpp"
#include "scenario/trace_source.hpp"
#include "text/csv_reader.hpp"
#include "text/spelling.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace dibs::scenario {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) { return !file_error(path); }

/// The names in the first line of a CSV file; empty if it cannot be read.
std::vector<std::string> header_of(const fs::path& path) {
  auto csv = text::csv_reader::open(path, world::trace_options{}.bytes_max);
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

/// A column of the file, by the field that names it.
struct named_column {
  const char* key;
  std::string name;
};

std::vector<named_column> columns_of(const trace_demand& t,
                                     const std::vector<std::string>& header) {
  std::vector<named_column> needed;
  for (const auto& [key, which] : {std::pair{"time", &trace_columns::time},
                                   {"lat", &trace_columns::lat},
                                   {"lon", &trace_columns::lon},
                                   {"to_lat", &trace_columns::to_lat},
                                   {"to_lon", &trace_columns::to_lon},
                                   {"trip", &trace_columns::trip},
                                   {"to_time", &trace_columns::to_time},
                                   {"from_time", &trace_columns::from_time}}) {
    const bool is_there = std::ranges::find(header, t.columns.*which) != header.end();
    if (is_there || !world::may_lack(t.columns, which)) {
      needed.push_back({key, t.columns.*which});
    }
  }
  if (t.columns.date) {
    needed.push_back({"date", *t.columns.date});
  }
  return needed;
}

std::vector<named_column> columns_of(const matrix_demand& m, const std::vector<std::string>&) {
  if (m.format.form == matrix_form::square) {
    return {};
  }
  const matrix_columns& c = m.format.columns;
  std::vector<named_column> needed{{"lat", c.lat},
                                   {"lon", c.lon},
                                   {"to_lat", c.to_lat},
                                   {"to_lon", c.to_lon},
                                   {"rides", c.rides}};
  for (const auto& [key, name] :
       {std::pair{"time", &c.time}, {"to_time", &c.to_time}, {"date", &c.date}}) {
    if (name->has_value()) {
      needed.push_back({key, **name});
    }
  }
  return needed;
}

template <class Source>
void check_columns(reader& r, const std::string& field, const Source& t, const fs::path& at) {
  const std::vector<std::string> header = header_of(at);
  const reader::position* file = r.written(field + ".file");
  if (header.empty()) {
    r.complain_about(
        field + ".file",
        *file,
        {"E-FILE", "cannot read a header line from " + text::display_text(t.file.string(), 200)});
    return;
  }
  for (const auto& [key, name] : columns_of(t, header)) {
    const std::string column = fmt::format("{}.columns.{}", field, key);
    if (r.log().touches(column) || std::ranges::find(header, name) != header.end()) {
      continue;
    }
    const std::string near = text::closest_spelling(name, header);
    const reader::position* where = r.written(column);
    const reader::position missing{file->at, column};
    r.complain_about(column,
                     where != nullptr ? *where : missing,
                     {"E-REFERENCE",
                      fmt::format("{} has no column {}",
                                  text::display_text(t.file.string(), 200),
                                  text::display_text(name)),
                      near.empty() ? "" : "did you mean `" + text::display_text(near) + "`?"});
  }
}

result<rows_read> read_rows(const scenario& s, const trace_demand& t) {
  return rows_of(s, t, map_of(s.world)).map([&](auto rows) {
    return rows_read{question_of(s, t), std::move(rows), nullptr};
  });
}

result<rows_read> read_rows(const scenario& s, const matrix_demand& m) {
  return matrix_of(s, m, map_of(s.world)).map([&](auto matrix) {
    return rows_read{question_of(s, m), nullptr, std::move(matrix)};
  });
}

/// Puts all rows into `s.rows`, for the run, where they are not yet: what cannot be run is not
/// valid. Silent where the file, its columns or the map were complained about.
template <class Source>
void take_rows(reader& r, const std::string& field, scenario& s, const Source& t) {
  if (r.log().touches(field) || r.log().touches("world")) {
    return;
  }
  auto read = read_rows(s, t);
  if (!read) {
    const char* what = std::is_same_v<Source, trace_demand> ? "trace" : "matrix";
    r.complain_about(field + ".file",
                     *r.written(field + ".file"),
                     {"E-FILE", fmt::format("cannot use the {}: {}", what, read.error().text)});
    return;
  }
  const auto is_same = [&](const rows_read& held) {
    return held.rows == read->rows && held.matrix == read->matrix;
  };
  if (std::ranges::none_of(s.rows, is_same)) {
    s.rows.push_back(std::move(*read));
  }
}

/// The folders in which data files are looked for, nearest first.
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
  std::vector<std::pair<std::string, const demand_source*>> with_files;
  for (std::size_t i = 0; i < s.demand.size(); ++i) {
    const std::string field = fmt::format("demand.{}", i + 1);
    const auto files = files_of(s.demand[i]);
    if (!files.empty() && !files.front().empty() && !r.log().touches(field + ".file")) {
      with_files.emplace_back(field, &s.demand[i]);
    }
  }
  if (with_files.empty()) {
    s.rows.clear();
    return;
  }
  for (const fs::path& candidate : folders_from(folder)) {
    const auto has = [&](const auto& t) {
      return is_file(candidate / files_of(*t.second).front());
    };
    if (std::ranges::all_of(with_files, has)) {
      s.folder = candidate;
      break;
    }
  }
  std::vector<rows_read::question> asked;
  const auto look = [&](const std::string& field, const auto& source) {
    if constexpr (requires { source.zones; }) {
      asked.push_back(question_of(s, source));
      if (is_file(s.folder / source.file)) {
        check_columns(r, field, source, s.folder / source.file);
        take_rows(r, field, s, source);
      } else if (const reader::position* at = r.written(field + ".file")) {
        complain_about_file(r, field + ".file", *at, s.folder / source.file);
      }
    }
  };
  for (const auto& asking : with_files) {
    std::visit([&](const auto& source) { look(asking.first, source); }, *asking.second);
  }
  std::erase_if(s.rows, [&](const rows_read& held) {
    return std::ranges::find(asked, held.from) == asked.end();
  });
}

}  // namespace dibs::scenario
