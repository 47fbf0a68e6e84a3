#include "scenario/file_sample.hpp"

#include "scenario/file_faults.hpp"
#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "text/escape.hpp"
#include "world/digit_groups.hpp"
#include "world/request_fields.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace dibs::scenario {
namespace {

bool may_have_thousands(const std::string& value) {
  return std::ranges::any_of(std::string_view(".,"), [&](char mark) {
    world::digit_groups groups(mark);
    groups.look_at(value);
    return groups.may_be_thousands();
  });
}

/// What the values of a column must be.
class kind_of_values {
 public:
  kind_of_values(const file_sample& s,
                 std::size_t column,
                 column_kind kind,
                 const world::zone_map& zones)
      : s_(s),
        column_(column),
        kind_(kind),
        zones_(zones),
        times_(times_of(s, column)),
        unit_(world::length_unit_of(s.names[column])) {}

  /// `fit`: that of the name. Of the values that are not blank; 0 if all are.
  double share(int fit) {
    std::size_t fitting = 0;
    std::size_t there = 0;
    for (const auto& row : s_.rows) {
      if (!world::is_blank(row[column_])) {
        ++there;
        fitting += fits(row[column_], fit) ? 1U : 0U;
      }
    }
    return there == 0 ? 0 : static_cast<double>(fitting) / static_cast<double>(there);
  }

 private:
  bool fits(const std::string& value, int fit) {
    switch (kind_) {
      case column_kind::place:
        return world::place_named(value, zones_).has_value();
      case column_kind::start:
      case column_kind::time: {
        // A bare end may as well be a node: `start`, 348; but `start_hour` may not.
        const auto when = world::time_in_field(times_, value, s_.separator);
        const bool has_unit = world::time_unit_of(s_.names[column_]).one != sim_duration{1s};
        return when && (fit > 1 || !when->is_number || has_unit);
      }
      case column_kind::period:
        // 20220314 is a day.
        return (fit > 1 || value.find(':') != std::string::npos) &&
               world::matrix_time(times_, value, s_.separator).has_value();
      case column_kind::date:
        return value.find(':') == std::string::npos;
      case column_kind::duration:
        return world::length_in_field(value, s_.separator, unit_).has_value();
      default:
        break;
    }
    if (kind_ == column_kind::rides && may_have_thousands(value)) {
      return true;  // whether it has the reader tells by all of them
    }
    const auto number = text::number_in_field(value, s_.separator);
    // Exchanged places are found out later, by the rows, and rides below 0 told with their line.
    return number && (kind_ == column_kind::rides || std::abs(*number) <= 180);
  }

  const file_sample& s_;
  std::size_t column_;
  column_kind kind_;
  const world::zone_map& zones_;
  text::clock_time_reader times_;
  world::length_unit unit_;
};

}  // namespace

result<file_sample> read_sample(const std::filesystem::path& path, std::size_t rows_max) {
  if (const std::string fault = fault_of_format(path); !fault.empty()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{}: {}", text::display_text(path.string(), 400), fault));
  }
  auto csv = text::csv_reader::open(path, world::trace_options{}.bytes_max);
  if (!csv) {
    return tl::unexpected<error>(csv.error());
  }
  file_sample s;
  std::size_t other_width = 0;
  while (s.rows.size() < rows_max) {
    const auto more = csv->next();
    if (!more) {
      return tl::unexpected<error>(more.error());
    }
    if (!*more) {
      break;
    }
    const bool is_header = s.names.empty();
    if (!is_header && !csv->has_width(s.names.size())) {
      other_width = other_width == 0 ? csv->fields().size() : other_width;
      continue;
    }
    (is_header ? s.names : s.rows.emplace_back())
        .assign(csv->fields().begin(), csv->fields().end());
    s.separator = csv->separator();
    s.encoding = csv->encoding();
  }
  if (s.rows.empty()) {
    const std::string fault = fault_of_form(path, s);
    const std::string why =
        !fault.empty() ? fault
        : other_width == 0
            ? "no rows after a first line that names the columns"
            : fmt::format(
                  "no row has as many fields as the first line, which names {} columns; "
                  "the first has {}",
                  s.names.size(),
                  other_width);
    return failure(exit_code::invalid_input,
                   fmt::format("{}: {}", text::display_text(path.string(), 400), why));
  }
  return s;
}

text::clock_time_reader times_of(const file_sample& s, std::size_t column) {
  using order = text::clock_time_reader::slashes;
  text::clock_time_reader times(order::month_first);
  for (const auto& row : s.rows) {
    std::ignore = times.read(row[column]);
    if (times.has_met_other_order()) {
      return text::clock_time_reader(order::day_first);
    }
  }
  return text::clock_time_reader(order::month_first);
}

world::period_numbers numbers_of(const file_sample& s, std::size_t column) {
  const auto by_name = world::numbers_in_name(s.names[column]);
  world::periods_seen seen;
  for (const auto& row : s.rows) {
    seen.look_at(row[column], s.separator);
  }
  return by_name == world::period_numbers::hours ? seen.telling() : by_name;
}

file_sample first_rows(const file_sample& s, std::size_t rows_max) {
  const auto rows = static_cast<std::ptrdiff_t>(std::min(s.rows.size(), rows_max));
  return {s.names, {s.rows.begin(), s.rows.begin() + rows}, s.separator, s.encoding};
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
    if (fit > best_fit && kind_of_values(s, i, kind, zones).share(fit) >= fits_from) {
      best = i;
      best_fit = fit;
    }
  }
  return best;
}

std::string shown_column(const file_sample& s, std::size_t column) {
  return fmt::format("{} ({})",
                     text::display_text(s.names[column], 60),
                     text::display_text(s.rows.front()[column], 30));
}

std::string shown_columns(const file_sample& s) {
  std::vector<std::string> all;
  constexpr std::size_t shown_max = 30;
  for (std::size_t i = 0; i < std::min(s.names.size(), shown_max); ++i) {
    all.push_back(shown_column(s, i));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

tl::unexpected<error> no_column(const std::filesystem::path& path,
                                const file_sample& s,
                                const char* what,
                                column_kind kind,
                                std::vector<std::string_view> names) {
  const std::string shown = text::display_text(path.string(), 400);
  if (const std::string fault = fault_of_form(path, s); !fault.empty()) {
    return failure(exit_code::invalid_input, fmt::format("{}: {}", shown, fault));
  }
  const std::string fault = fault_of_values(s, kind);
  return failure(
      exit_code::invalid_input,
      fmt::format(
          "{}: no column looks like {}, by its name and values{}; or write a scenario whose demand "
          "names its columns. The columns and their first values: {}",
          shown,
          what,
          fault.empty() ? fmt::format("; name it as one of these: {}", fmt::join(names, ", "))
                        : ": " + fault,
          shown_columns(s)));
}

}  // namespace dibs::scenario
