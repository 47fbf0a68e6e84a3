#include "scenario/file_sample.hpp"

#include "text/clock_time.hpp"
#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "text/escape.hpp"
#include "world/od_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dibs::scenario {
namespace {

double share_of_kind(const file_sample& s,
                     std::size_t column,
                     column_kind kind,
                     const world::zone_map& zones) {
  std::size_t fitting = 0;
  for (const auto& row : s.rows) {
    fitting += is_of_kind(row[column], kind, s.separator, zones) ? 1U : 0U;
  }
  return static_cast<double>(fitting) / static_cast<double>(s.rows.size());
}

}  // namespace

result<file_sample> read_sample(const std::filesystem::path& path, std::size_t rows_max) {
  auto csv = text::csv_reader::open(path, world::trace_options{}.bytes_max);
  if (!csv) {
    return tl::unexpected<error>(csv.error());
  }
  file_sample s;
  while (s.rows.size() < rows_max) {
    const auto more = csv->next();
    if (!more) {
      return tl::unexpected<error>(more.error());
    }
    if (!*more) {
      break;
    }
    std::vector<std::string> row(csv->fields().begin(), csv->fields().end());
    if (s.names.empty()) {
      s.names = std::move(row);
      s.separator = csv->separator();
    } else if (row.size() == s.names.size()) {
      s.rows.push_back(std::move(row));
    }
  }
  if (s.rows.empty()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{}: no rows after a first line that names the columns",
                               text::display_text(path.string(), 400)));
  }
  return s;
}

file_sample first_rows(const file_sample& s, std::size_t rows_max) {
  const auto rows = static_cast<std::ptrdiff_t>(std::min(s.rows.size(), rows_max));
  return {s.names, {s.rows.begin(), s.rows.begin() + rows}, s.separator};
}

bool is_of_kind(const std::string& value,
                column_kind kind,
                char separator,
                const world::zone_map& zones) {
  if (kind == column_kind::place) {
    return world::place_named(value, zones).has_value();
  }
  if (kind == column_kind::time) {
    return text::clock_time_reader().read(value).has_value();
  }
  if (kind == column_kind::period) {
    text::clock_time_reader times;
    return world::matrix_time(times, value, separator).has_value();
  }
  const auto number = text::number_in_field(value, separator);
  switch (kind) {
    case column_kind::latitude:
    case column_kind::longitude:
      // Exchanged ones are found out later, by the rows.
      return number && std::abs(*number) <= 180;
    case column_kind::rides:
      return number.has_value();  // one below 0 is told with its line
    default:
      return number && *number >= 0 && *number <= 1e6;
  }
}

std::optional<std::size_t> column_for(const file_sample& s,
                                      column_kind kind,
                                      trip_end end,
                                      const world::zone_map& zones,
                                      const std::set<std::size_t>& taken) {
  std::optional<std::size_t> best;
  int best_fit = 0;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const int fit = taken.contains(i) ? 0 : fit_of(s.names[i], kind, end);
    if (fit > best_fit && share_of_kind(s, i, kind, zones) >= fits_from) {
      best = i;
      best_fit = fit;
    }
  }
  return best;
}

tl::unexpected<error> no_column(const std::filesystem::path& path,
                                const file_sample& s,
                                const char* what) {
  std::vector<std::string> all;
  constexpr std::size_t shown_max = 30;
  for (std::size_t i = 0; i < std::min(s.names.size(), shown_max); ++i) {
    all.push_back(fmt::format(
        "{} ({})", text::display_text(s.names[i], 60), text::display_text(s.rows.front()[i], 30)));
  }
  return failure(
      exit_code::invalid_input,
      fmt::format("{}: no column looks like {}, by its name and values; name it so, or write a "
                  "scenario whose demand names its columns. The columns and their first values: {}",
                  text::display_text(path.string(), 400),
                  what,
                  fmt::join(all, ", ")));
}

}  // namespace dibs::scenario
