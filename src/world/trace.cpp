#include "world/trace.hpp"

#include "base/random.hpp"
#include "text/clock_time.hpp"
#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "world/request_fields.hpp"
#include "world/trace_clock.hpp"
#include "world/trace_days.hpp"
#include "world/trace_doubts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace dibs::world {
namespace {

/// Where the header put a column; none where the file lacks it, and may.
using place_in_row = std::optional<std::size_t>;

struct row_places {
  place_in_row time;
  place_in_row date;
  place_in_row lat;
  place_in_row lon;
  place_in_row to_lat;
  place_in_row to_lon;
  place_in_row trip;
  place_in_row to_time;
  place_in_row from_time;
};

/// Until all rows are read, of those that say none.
constexpr double no_end = std::numeric_limits<double>::quiet_NaN();
constexpr sim_duration no_trip = -1ns;

class trace_reader {
 public:
  trace_reader(text::csv_reader csv,
               const trace_options& options,
               const geography& map,
               const zone_map& zones,
               const how_times_are& how)
      : csv_(std::move(csv)),
        options_(options),
        map_(map),
        zones_(zones),
        doubts_(options.columns, map),
        clock_(options.columns, options.shift, how) {}

  result<trace> read() {
    const auto header = csv_.next().and_then([this](bool found) { return read_header(found); });
    if (!header) {
      return tl::unexpected<error>(header.error());
    }
    for (;; ++rows_) {
      const result<bool> more = csv_.next();
      if (!more) {
        return tl::unexpected<error>(more.error());
      }
      if (!*more) {
        return finish();
      }
      if (rows_ >= options_.rows_max) {
        return csv_.error_here(fmt::format("more than {} rows", options_.rows_max));
      }
      if (const auto lacking = read_row()) {
        lose(*lacking);
      }
      constexpr std::uint64_t told_each = 100'000;
      if (options_.on_rows && rows_ % told_each == 0) {
        options_.on_rows(rows_);
      }
    }
  }

  [[nodiscard]] const trace_clock& clock() const { return clock_; }
  [[nodiscard]] bool look_like_days() const {
    return clock_.may_be_days() && doubts_.look_like_days();
  }

 private:
  result<bool> read_header(bool found) {
    if (!found) {
      return csv_.error_here("the file is empty; its first line names the columns");
    }
    width_ = csv_.fields().size();
    std::vector<std::pair<std::string trace_columns::*, place_in_row row_places::*>> wanted{
        {&trace_columns::time, &row_places::time},
        {&trace_columns::trip, &row_places::trip},
        {&trace_columns::to_time, &row_places::to_time},
        {&trace_columns::from_time, &row_places::from_time}};
    if (map_.is_map()) {
      wanted.insert(wanted.end(),
                    {{&trace_columns::lat, &row_places::lat},
                     {&trace_columns::lon, &row_places::lon},
                     {&trace_columns::to_lat, &row_places::to_lat},
                     {&trace_columns::to_lon, &row_places::to_lon}});
    }
    for (const auto& [column, place] : wanted) {
      const std::string& name = options_.columns.*column;
      const auto names = csv_.fields();
      const auto count = std::ranges::count(names, std::string_view(name));
      if (count == 0 && !may_lack(options_.columns, column)) {
        return csv_.error_here(
            fmt::format("no column '{}'; the columns are: {}", name, shown_names()));
      }
      if (count > 1) {
        return csv_.error_here(fmt::format("column '{}' appears {} times", name, count));
      }
      if (count == 1) {
        at_.*place = static_cast<std::size_t>(std::ranges::find(names, std::string_view(name)) -
                                              names.begin());
      }
    }
    if (const auto& date = options_.columns.date) {
      const auto names = csv_.fields();
      const auto place = std::ranges::find(names, std::string_view(*date));
      if (place == names.end()) {
        return csv_.error_here(
            fmt::format("no column '{}'; the columns are: {}", *date, shown_names()));
      }
      at_.date = static_cast<std::size_t>(place - names.begin());
    }
    if (at_.to_lat.has_value() != at_.to_lon.has_value()) {
      return csv_.error_here(fmt::format("of '{}' and '{}' only one is there; the columns are: {}",
                                         options_.columns.to_lat,
                                         options_.columns.to_lon,
                                         shown_names()));
    }
    if (at_.trip) {
      at_.to_time.reset();
      unit_ = length_unit_of(options_.columns.trip);
    }
    read_.has_trips = at_.trip || at_.to_time;
    return true;
  }

  /// What the current row lacks, if anything.
  std::optional<std::string> read_row() {
    const std::size_t fields = csv_.fields().size();
    if (!csv_.has_width(width_)) {
      return fmt::format("{} fields where the header has {}", csv_.fields().size(), width_);
    }
    rows_too_wide_ += fields > width_ ? 1 : 0;
    lacking_.reset();
    lacks_end_ = what_end_lacks();
    trace_row row;
    row.number = static_cast<std::uint32_t>(rows_);
    const text::clock_time when =
        at_.date ? time_with_date() : time_in(time_column::time, *at_.time, options_.columns.time);
    row.time_of_day = when.time_of_day;
    if (is_length_blank()) {
      row.trip = no_trip;  // one that never ended, as a rule
    } else if (at_.trip) {
      row.trip = length_in(*at_.trip);
    } else if (at_.to_time) {
      const text::clock_time from =
          at_.from_time
              ? time_in(time_column::from_time, *at_.from_time, options_.columns.from_time)
              : when;
      row.trip =
          trip_until(from, time_in(time_column::to_time, *at_.to_time, options_.columns.to_time));
    }
    return lacking_ ? lacking_ : place(row, when);
  }

  [[nodiscard]] bool is_length_blank() const {
    const auto blank = [this](place_in_row at) { return at && is_blank(csv_.fields()[*at]); };
    return at_.trip ? blank(at_.trip) : blank(at_.to_time) || (at_.to_time && blank(at_.from_time));
  }

  sim_duration length_in(std::size_t at) {
    const auto length = length_in_field(csv_.fields()[at], csv_.separator(), unit_);
    if (!length) {
      too_long_ +=
          text::number_in_field(csv_.fields()[at], csv_.separator()).value_or(0) > 1e6 ? 1U : 0U;
      lack(fmt::format("{}: expected {} from 0 to {:.0f}, found '{}'",
                       options_.columns.trip,
                       unit_.name,
                       std::floor(1e6 / in_seconds(unit_.one)),
                       shown_field(csv_.fields()[at])));
    }
    return length.value_or(sim_duration{});
  }

  /// Why the current row has no drop-off, where its columns are there: then the request is one all
  /// the same.
  [[nodiscard]] std::optional<std::string> what_end_lacks() const {
    if (!at_.to_lat) {
      return std::nullopt;
    }
    const auto fields = csv_.fields();
    for (const auto& [at, name] : {std::pair{*at_.to_lat, &options_.columns.to_lat},
                                   {*at_.to_lon, &options_.columns.to_lon}}) {
      if (is_blank(fields[at])) {
        return fmt::format("{} is blank", *name);
      }
    }
    if (is_end_in_sea()) {
      return in_sea(options_.columns.to_lat, options_.columns.to_lon);
    }
    const bool is_id = at_.to_lat == at_.to_lon && options_.zones;
    return is_id && !place_named(fields[*at_.to_lat], zones_)
               ? std::optional(
                     fmt::format("{}: {}",
                                 options_.columns.to_lat,
                                 no_place_named(fields[*at_.to_lat], zones_, options_.zones)))
               : std::nullopt;
  }

  [[nodiscard]] bool is_end_in_sea() const {
    const auto fields = csv_.fields();
    if (at_.to_lat == at_.to_lon) {
      const auto place = place_named(fields[*at_.to_lat], zones_);
      return place && is_in_sea(*place);
    }
    const auto is_zero = [&](std::size_t at) {
      return text::number_in_field(fields[at], csv_.separator()) == 0.0;
    };
    return is_zero(*at_.to_lat) && is_zero(*at_.to_lon);
  }

  static std::string in_sea(const std::string& lat, const std::string& lon) {
    return lat == lon ? fmt::format("{}: {}", lat, in_sea_words)
                      : fmt::format("{}, {}: {}", lat, lon, in_sea_words);
  }

  sim_duration trip_until(const text::clock_time& from, const text::clock_time& to) {
    constexpr sim_duration longest = 1'000'000s;
    const bool lacks_date = at_.date && from.has_date && !to.has_date;
    const sim_duration took = lacks_date ? to.time_of_day - from.time_of_day : between(from, to);
    if (!lacking_ && from.has_date && to.has_date) {
      clock_.look_at_length(at_.from_time ? time_column::from_time : time_column::time, from, to);
    }
    // Times without dates may lie on both sides of midnight.
    const bool is_around = lacks_date || (!from.has_date && !from.is_number);
    const sim_duration length = took < 0s && is_around ? took + 24h : took;
    if (length < 0s && !lacking_) {
      ++ends_before_;
      before_s_ -= in_seconds(length);
    }
    if (length < 0s || length > longest) {
      lack(fmt::format("{}: before {}, or long after it",
                       options_.columns.to_time,
                       at_.from_time ? options_.columns.from_time : options_.columns.time));
    }
    return length;
  }

  /// Puts the row where it belongs, or tells what is wrong with its places.
  std::optional<std::string> place(trace_row& row, const text::clock_time& when) {
    doubts_.look_at_time(when);
    if (map_.is_map()) {
      const auto from = ends(at_.lat, at_.lon, options_.columns.lat, options_.columns.lon);
      const auto to =
          at_.to_lat && !lacks_end_
              ? ends(at_.to_lat, at_.to_lon, options_.columns.to_lat, options_.columns.to_lon)
              : from;
      if (!lacking_ && is_in_sea(from)) {
        ++rows_in_sea_;
        lack(in_sea(options_.columns.lat, options_.columns.lon));
      }
      if (lacking_) {
        return lacking_;
      }
      if (!map_.is_inside(from) || !map_.is_inside(to)) {
        const auto may_be = [this](const place_in_degrees& at) {
          return map_.is_inside(at) || map_.is_inside({at.lon, at.lat});
        };
        if (may_be(from) && may_be(to)) {
          ++exchanged_;
          const place_in_degrees& wrong = map_.is_inside(from) ? to : from;
          return fmt::format("latitude {} and longitude {} look exchanged", wrong.lat, wrong.lon);
        }
        if (std::abs(from.lat) > 90 || std::abs(to.lat) > 90) {
          const bool is_first = std::abs(from.lat) > 90;
          return fmt::format("{}: expected degrees from -90 to 90, found '{}'",
                             is_first ? options_.columns.lat : options_.columns.to_lat,
                             is_first ? from.lat : to.lat);
        }
        ++read_.rows_dropped;
        return std::nullopt;
      }
      row.origin = map_.project(from);
      row.destination = lacks_end_ ? point{no_end, no_end, no_end} : map_.project(to);
      if (lacks_end_) {
        count_missing_end();
      }
      if (at_.to_lat && !lacks_end_ && row.trip >= 0s && read_.has_trips) {
        doubts_.look_at_trip(row.origin, row.destination, row.trip);
      }
    }
    if (at_.to_time && row.trip >= 0s) {
      doubts_.look_at_length(row.trip);
    }
    rows_without_length_ += row.trip < 0s && !lacks_end_ ? 1U : 0U;
    days_.add(when);
    read_.rows.push_back(row);
    return std::nullopt;
  }

  void count_missing_end() {
    if (++rows_without_end_ == 1) {
      first_without_end_ = fmt::format("line {}: {}", csv_.line(), *lacks_end_);
    }
    has_unknown_end_ =
        has_unknown_end_ || !(is_blank(csv_.fields()[*at_.to_lat]) ||
                              is_blank(csv_.fields()[*at_.to_lon]) || is_end_in_sea());
  }

  place_in_degrees ends(place_in_row lat,
                        place_in_row lon,
                        const std::string& lat_name,
                        const std::string& lon_name) {
    if (*lat == *lon) {
      return place_in(csv_.fields()[*lat], lat_name);
    }
    constexpr double any = 180;  // exchanged latitudes are told apart later
    const double north = value(*lat, lat_name, "degrees from -90 to 90", -any, any);
    return {north, value(*lon, lon_name, "degrees from -180 to 180", -any, any)};
  }

  /// Of a column that says the place at once.
  place_in_degrees place_in(std::string_view field, const std::string& name) {
    if (const auto place = place_named(field, zones_)) {
      return *place;
    }
    lack(is_blank(field)
             ? fmt::format("{} is blank", name)
             : fmt::format("{}: {}", name, no_place_named(field, zones_, options_.zones)));
    return {};
  }

  void lack(std::string what) {
    if (!lacking_) {
      lacking_ = std::move(what);
    }
  }

  double value(
      std::size_t at, const std::string& name, std::string_view holds, double min, double max) {
    const auto number = text::number_in_field(csv_.fields()[at], csv_.separator());
    if (number && *number >= min && *number <= max) {
      return *number;
    }
    lack(fmt::format("{}: expected {}, found '{}'", name, holds, shown_field(csv_.fields()[at])));
    return 0;
  }

  text::clock_time time_in(time_column column, std::size_t at, const std::string& name) {
    const auto when = clock_.read(column, csv_.fields()[at], csv_.separator());
    if (!when) {
      lack(fmt::format("{}: {}", name, no_time(csv_.fields()[at])));
    }
    return when.value_or(text::clock_time{});
  }

  text::clock_time time_with_date() {
    const std::string_view date = csv_.fields()[*at_.date];
    const std::string_view time = csv_.fields()[*at_.time];
    const auto when = clock_.read_on(date, time, csv_.separator());
    if (!when) {
      lack(
          fmt::format("{}, {}: expected a date and a time of day, such as 2015-01-31 and "
                      "07:00:10, found '{}' and '{}'",
                      *options_.columns.date,
                      options_.columns.time,
                      shown_field(date),
                      shown_field(time)));
    }
    return when.value_or(text::clock_time{});
  }

  void lose(const std::string& lacking) {
    constexpr std::size_t named_max = 3;
    if (read_.lost.size() < named_max) {
      read_.lost.push_back(fmt::format("line {}: {}", csv_.line(), lacking));
    }
    ++read_.rows_lost;
  }

  std::string shown_names() const {
    constexpr std::size_t names_max = 30;
    std::vector<std::string> names;
    for (const std::string_view name : csv_.fields()) {
      names.push_back(names.size() < names_max ? shown_field(name) : "...");
      if (names.size() > names_max) {
        break;
      }
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  result<trace> finish() {
    if (rows_ == 0) {
      return csv_.error_here("no rows after the header");
    }
    if (rows_in_sea_ == rows_) {
      return csv_.error_of_file(
          fmt::format("all {} rows begin at {}, where programs put what they do not know: no "
                      "request has a place",
                      rows_,
                      in_sea_words));
    }
    const std::string exchanged = what_most_lost_show();
    if (static_cast<double>(read_.rows_lost) > options_.lost_max * static_cast<double>(rows_)) {
      return csv_.error_of_file(
          fmt::format("{} of {} rows lack what is needed, more than lost_max ({:g} %){}; {}",
                      read_.rows_lost,
                      rows_,
                      100 * options_.lost_max,
                      exchanged,
                      fmt::join(read_.lost, "; ")));
    }
    if (read_.rows.empty()) {
      return csv_.error_of_file(
          fmt::format("none of the {} rows lies within the bounds{}", rows_, exchanged));
    }
    if (rows_without_end_ == read_.rows.size() && has_unknown_end_) {
      return csv_.error_of_file(
          fmt::format("no row has a drop-off; {}; name no column for it if the file has none",
                      first_without_end_));
    }
    if (const auto none = days_.choose(options_.day, read_)) {
      return csv_.error_of_file(*none);
    }
    const auto in_order = [](const trace_row& a, const trace_row& b) {
      return std::tie(a.time_of_day, a.number) < std::tie(b.time_of_day, b.number);
    };
    if (!std::ranges::is_sorted(read_.rows, in_order)) {
      std::ranges::sort(read_.rows, in_order);
    }
    if (map_.is_map()) {
      end_where_others_begin();
    }
    read_.doubts = doubts_.found();
    if (!days_.left_out().empty()) {
      read_.doubts.push_back(days_.left_out());
    }
    if (!days_.parted().empty()) {
      read_.doubts.push_back(days_.parted());
    }
    const auto of_clock = clock_.notes(rows_, doubts_.has_met_numbers());
    read_.doubts.insert(read_.doubts.end(), of_clock.begin(), of_clock.end());
    give_lengths();
    look_at_ends_and_width();
    read_.rows.shrink_to_fit();
    return std::move(read_);
  }

  /// Clauses about why so many rows may be lost.
  [[nodiscard]] std::string what_most_lost_show() const {
    std::string all =
        exchanged_ == 0
            ? ""
            : fmt::format(
                  "; latitude and longitude look exchanged in {} of {} rows", exchanged_, rows_);
    if (2 * ends_before_ > rows_) {
      all += fmt::format(
          "; {} of {} trips end before they begin, by {:.1f} h on average: is one of `{}` and "
          "`{}` in another zone?",
          ends_before_,
          rows_,
          before_s_ / static_cast<double>(ends_before_) / 3600,
          at_.from_time ? options_.columns.from_time : options_.columns.time,
          options_.columns.to_time);
    }
    if (2 * too_long_ > read_.rows_lost && unit_.one == 1s) {
      all += fmt::format(
          "; {} lengths in `{}` are numbers above 1000000: if they count milliseconds, call it "
          "`{}_ms`",
          too_long_,
          options_.columns.trip,
          options_.columns.trip);
    }
    return all;
  }

  void look_at_ends_and_width() {
    const auto rows_of = [](std::uint64_t n, const char* one, const char* many) {
      return fmt::format("{} {}", n, n == 1 ? one : many);
    };
    if (rows_without_end_ > 0) {
      read_.doubts.push_back(fmt::format("{} no drop-off: the trip ends where another begins; {}",
                                         rows_of(rows_without_end_, "row has", "rows have"),
                                         first_without_end_));
    }
    if (rows_too_wide_ > 0) {
      read_.doubts.push_back(fmt::format(
          "{} more fields than the first line has names ({}): empty ones, which are left out",
          rows_of(rows_too_wide_, "row has", "rows have"),
          width_));
    }
  }

  /// Those that say none take as long as the others on average.
  void give_lengths() {
    double sum_s = 0;
    std::size_t known = 0;
    for (const trace_row& row : read_.rows) {
      if (row.trip >= 0s) {
        sum_s += in_seconds(row.trip);
        ++known;
      }
    }
    read_.has_trips = read_.has_trips && known > 0;
    if (read_.has_trips && rows_without_length_ > 0) {
      read_.doubts.push_back(fmt::format(
          "{} of {} rows say not how long the trip took: it takes as long as the others "
          "on average",
          rows_without_length_,
          read_.rows.size()));
    }
    const double mean_s = known > 0 ? sum_s / static_cast<double>(known) : 0;
    for (trace_row& row : read_.rows) {
      row.trip = row.trip < 0s ? sim_duration{std::llround(mean_s * 1e9)} : row.trip;
    }
  }

  /// The same ones for every seed, as if they stood in the file.
  void end_where_others_begin() {
    if (at_.to_lat && rows_without_end_ == 0) {
      return;
    }
    std::vector<point> origins;
    for (const trace_row& row : read_.rows) {
      origins.push_back(row.origin);
    }
    for (trace_row& row : read_.rows) {
      if (at_.to_lat && !std::isnan(row.destination.x)) {
        continue;
      }
      stream random = stream::keyed(0, purpose::ride_place, row.number);
      row.destination = origins[random.below(origins.size())];
    }
  }

  text::csv_reader csv_;
  const trace_options& options_;
  const geography& map_;
  const zone_map& zones_;
  trace_doubts doubts_;
  trace_clock clock_;
  row_places at_;
  std::size_t width_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t exchanged_ = 0;
  std::uint64_t too_long_ = 0;             ///< lengths, as numbers
  std::uint64_t ends_before_ = 0;          ///< before the trip begins
  double before_s_ = 0;                    ///< by so much together
  std::uint64_t rows_in_sea_ = 0;          ///< that begin there, and are lost
  std::uint64_t rows_too_wide_ = 0;        ///< by empty fields
  std::uint64_t rows_without_end_ = 0;     ///< of those that are kept
  std::uint64_t rows_without_length_ = 0;  ///< though they have a drop-off
  bool has_unknown_end_ = false;           ///< not blank, but of no zone that there is
  std::string first_without_end_;
  length_unit unit_;
  std::optional<std::string> lacking_;
  std::optional<std::string> lacks_end_;
  trace_days days_;
  trace read_;
};

struct attempted {
  result<trace> of;
  bool doubts_order = false;
  bool met_other_order = false;
  bool look_like_days = false;
  date_order order{};
  text::digit_form digits = text::digit_form::count;
};

attempted attempt(const std::filesystem::path& path,
                  const trace_options& options,
                  const geography& map,
                  const zone_map& zones,
                  const how_times_are& how) {
  auto csv = text::csv_reader::open(path, options.bytes_max);
  if (!csv) {
    return {tl::unexpected<error>(csv.error())};
  }
  trace_reader reader(std::move(*csv), options, map, zones, how);
  auto all = reader.read();
  const trace_clock& clock = reader.clock();
  return {std::move(all),
          clock.doubts_order(),
          clock.has_met_other_order(),
          reader.look_like_days(),
          clock.order(),
          clock.digits()};
}

}  // namespace

bool may_lack(const trace_columns& columns, std::string trace_columns::*which) {
  const std::array optional{&trace_columns::to_lat,
                            &trace_columns::to_lon,
                            &trace_columns::trip,
                            &trace_columns::to_time,
                            &trace_columns::from_time};
  return std::ranges::find(optional, which) != optional.end() &&
         columns.*which == trace_columns{}.*which;
}

double trace::days_at(sim_duration time_of_day) const {
  const double all = static_cast<double>(days.size());
  const double parted = (time_of_day < first_from ? 1 : 0) + (time_of_day >= last_until ? 1 : 0);
  return std::max(1.0, all - parted);
}

result<trace> read_trace(const std::filesystem::path& path,
                         const trace_options& options,
                         const geography& map) {
  const result<zone_map> zones = read_zones(options.zones);
  if (!zones) {
    return tl::unexpected<error>(zones.error());
  }
  using order = text::clock_time_reader::slashes;
  how_times_are how;
  auto read = attempt(path, options, map, *zones, how);
  if (read.digits != text::digit_form::count) {
    how.digits = read.digits;
    read = attempt(path, options, map, *zones, how);
  } else if (read.look_like_days) {
    return attempt(path, options, map, *zones, {.are_days = true}).of;
  }
  if (read.met_other_order) {
    // Nobody writes both in one file.
    how.order = order::day_first;
    return attempt(path, options, map, *zones, how).of;
  }
  if (!read.doubts_order) {
    return std::move(read.of);
  }
  const std::string why = read.order.why("the month", "the day");
  if (read.order.is_other()) {
    how.order = order::day_first;
    read.of = attempt(path, options, map, *zones, how).of;
  }
  if (read.of) {
    read.of->doubts.push_back(
        fmt::format("dates with slashes are read with the {} first: no date says otherwise{}{}",
                    how.order == order::day_first ? "day" : "month",
                    why.empty() ? "" : ", ",
                    why));
  }
  return std::move(read.of);
}

}  // namespace dibs::world
