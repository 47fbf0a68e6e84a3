#include "world/trace.hpp"

#include "text/csv_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace dibs::world {
namespace {

/// A column to read: its name, what it must hold, and where the header put it.
struct column {
  std::string_view name;
  std::string_view holds;
  double min = 0;
  double max = 0;
  bool may_reach_max = true;
  std::size_t index = 0;
};

struct column_set {
  column time;
  column lat;
  column lon;
  column to_lat;
  column to_lon;
  column trip;
};

column_set described(const trace_columns& names) {
  constexpr std::string_view latitude = "degrees from -90 to 90";
  constexpr std::string_view longitude = "degrees from -180 to 180";
  return {{names.time, "seconds since midnight, from 0 to below 86400", 0, 86400, false},
          {names.lat, latitude, -90, 90},
          {names.lon, longitude, -180, 180},
          {names.to_lat, latitude, -90, 90},
          {names.to_lon, longitude, -180, 180},
          {names.trip, "seconds from 0 to 1000000", 0, 1e6}};
}

/// A value from the file, fit for a message: short, and without control characters.
std::string shown(std::string_view found) {
  constexpr std::size_t length_max = 40;
  std::string text(found.substr(0, length_max));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return found.size() > length_max ? text + "..." : text;
}

class trace_reader {
 public:
  trace_reader(text::csv_reader csv,
               const trace_columns& columns,
               const geography& map,
               const trace_limits& limits)
      : csv_(std::move(csv)), columns_(described(columns)), map_(map), limits_(limits) {
    read_.has_trips = !columns.trip.empty();
  }

  result<trace> read() {
    const auto header = csv_.next().and_then([this](bool found) { return read_header(found); });
    if (!header) {
      return tl::unexpected<error>(header.error());
    }
    for (std::uint64_t number = 0;; ++number) {
      const result<bool> more = csv_.next().and_then(
          [this, number](bool found) { return found ? read_row(number) : result<bool>(false); });
      if (!more) {
        return tl::unexpected<error>(more.error());
      }
      if (!*more) {
        return finish(number);
      }
    }
  }

 private:
  result<bool> read_header(bool found) {
    if (!found) {
      return csv_.error_here("the file is empty; its first line names the columns");
    }
    width_ = csv_.fields().size();
    std::vector<column*> wanted{&columns_.time};
    if (map_.is_map()) {
      wanted.insert(wanted.end(),
                    {&columns_.lat, &columns_.lon, &columns_.to_lat, &columns_.to_lon});
    }
    if (read_.has_trips) {
      wanted.push_back(&columns_.trip);
    }
    for (column* c : wanted) {
      const auto names = csv_.fields();
      const auto count = std::ranges::count(names, c->name);
      if (count == 0) {
        return csv_.error_here(
            fmt::format("no column '{}'; the columns are: {}", c->name, shown_names()));
      }
      if (count > 1) {
        return csv_.error_here(fmt::format("column '{}' appears {} times", c->name, count));
      }
      c->index = static_cast<std::size_t>(std::ranges::find(names, c->name) - names.begin());
    }
    return true;
  }

  result<bool> read_row(std::uint64_t number) {
    if (csv_.fields().size() != width_) {
      return csv_.error_here(
          fmt::format("{} fields where the header has {}", csv_.fields().size(), width_));
    }
    if (number >= limits_.rows_max) {
      return csv_.error_here(fmt::format("more than {} rows", limits_.rows_max));
    }
    bad_ = nullptr;
    trace_row row;
    row.number = static_cast<std::uint32_t>(number);
    row.time_of_day = seconds(columns_.time);
    if (read_.has_trips) {
      row.trip = seconds(columns_.trip);
    }
    place_in_degrees from;
    place_in_degrees to;
    if (map_.is_map()) {
      from = {value(columns_.lat), value(columns_.lon)};
      to = {value(columns_.to_lat), value(columns_.to_lon)};
    }
    if (bad_ != nullptr) {
      return csv_.error_here(fmt::format("{}: expected {}, found '{}'",
                                         bad_->name,
                                         bad_->holds,
                                         shown(csv_.fields()[bad_->index])));
    }
    if (!map_.is_inside(from) || !map_.is_inside(to)) {
      ++read_.rows_dropped;
      return true;
    }
    row.origin = map_.project(from);
    row.destination = map_.project(to);
    read_.rows.push_back(row);
    return true;
  }

  /// The number in a column of the current record; remembers the first column that holds none.
  double value(const column& c) {
    std::string_view text = csv_.fields()[c.index];
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
    std::string with_point;  // a comma is one where something else parts the fields
    if (csv_.separator() != ',' && std::ranges::count(text, ',') == 1) {
      with_point = text;
      with_point[with_point.find(',')] = '.';
      text = with_point;
    }
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = status == std::errc() && end == text.data() + text.size();
    // Written so that a NaN fails.
    const bool is_in_range =
        number >= c.min && (number < c.max || (c.may_reach_max && number == c.max));
    if (is_number && is_in_range) {
      return number;
    }
    bad_ = bad_ == nullptr ? &c : bad_;
    return 0;
  }

  sim_duration seconds(const column& c) { return sim_duration{std::llround(value(c) * 1e9)}; }

  std::string shown_names() const {
    constexpr std::size_t names_max = 30;
    std::vector<std::string> names;
    for (const std::string_view name : csv_.fields()) {
      names.push_back(names.size() < names_max ? shown(name) : "...");
      if (names.size() > names_max) {
        break;
      }
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  result<trace> finish(std::uint64_t rows) {
    if (rows == 0) {
      return csv_.error_here("no rows after the header");
    }
    if (read_.rows.empty()) {
      return csv_.error_here(fmt::format("none of the {} rows lies within the bounds", rows));
    }
    const auto in_order = [](const trace_row& a, const trace_row& b) {
      return std::tie(a.time_of_day, a.number) < std::tie(b.time_of_day, b.number);
    };
    if (!std::ranges::is_sorted(read_.rows, in_order)) {
      std::ranges::sort(read_.rows, in_order);
    }
    read_.rows.shrink_to_fit();
    return std::move(read_);
  }

  text::csv_reader csv_;
  column_set columns_;
  const geography& map_;
  trace_limits limits_;
  std::size_t width_ = 0;
  const column* bad_ = nullptr;
  trace read_;
};

}  // namespace

result<trace> read_trace(const std::filesystem::path& path,
                         const trace_columns& columns,
                         const geography& map,
                         const trace_limits& limits) {
  return text::csv_reader::open(path, limits.bytes_max).and_then([&](text::csv_reader&& csv) {
    return trace_reader(std::move(csv), columns, map, limits).read();
  });
}

}  // namespace dibs::world
