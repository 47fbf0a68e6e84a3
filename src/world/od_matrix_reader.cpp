// Reads a file of rates between places, of either form.

#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "world/digit_groups.hpp"
#include "world/matrix_stretches.hpp"
#include "world/matrix_times.hpp"
#include "world/named_places.hpp"
#include "world/od_matrix.hpp"
#include "world/request_fields.hpp"
#include "world/same_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace dibs::world {
namespace {

constexpr sim_duration full_day = 24h;
/// From 22:00 to 02:00 is a night; from 08:00 to 07:00 something is wrong.
constexpr sim_duration over_midnight_max = 12h;
constexpr double rides_max = 1e9;
constexpr double rate_max_per_s = 1e6;

/// What only all rows together can tell.
struct how_written {
  text::clock_time_reader::slashes order = text::clock_time_reader::slashes::month_first;
  char thousands = '\0';  ///< what parts them in the numbers of rides, where a dot or a comma does
  period_numbers numbers = period_numbers::hours;

  [[nodiscard]] bool operator==(const how_written&) const = default;
};

class matrix_reader {
 public:
  matrix_reader(text::csv_reader csv,
                const std::filesystem::path& path,
                const matrix_options& options,
                const geography& map,
                const zone_map& zones,
                const how_written& how)
      : csv_(std::move(csv)),
        path_(path),
        options_(options),
        zones_(zones),
        places_(map, zones),
        times_(how.order),
        thousands_(how.thousands),
        numbers_(how.numbers) {}

  result<od_matrix> read() {
    const auto header = csv_.next();
    if (!header || !*header) {
      return header ? csv_.error_here("the file is empty; its first line names the columns")
                    : tl::unexpected<error>(header.error());
    }
    width_ = csv_.fields().size();
    if (const auto known = is_square() ? take_destinations() : take_columns(); !known) {
      return tl::unexpected<error>(known.error());
    }
    while (true) {
      const auto more = csv_.next();
      if (!more) {
        return tl::unexpected<error>(more.error());
      }
      if (!*more) {
        return finish();
      }
      if (rows_ >= options_.rows_max) {
        return csv_.error_here(fmt::format("more than {} rows", options_.rows_max));
      }
      const auto done = is_square() ? take_line() : take_row();
      if (!done) {
        return tl::unexpected<error>(done.error());
      }
    }
  }

  [[nodiscard]] bool has_met_other_order() const { return times_.has_met_other_order(); }
  /// A dot or a comma, where it parts thousands that were not read so.
  [[nodiscard]] char thousands_met() const {
    return dots_.are_thousands(csv_.separator())     ? '.'
           : commas_.are_thousands(csv_.separator()) ? ','
                                                     : '\0';
  }
  [[nodiscard]] period_numbers numbers_met() const {
    return numbers_ == period_numbers::hours ? seen_.telling() : numbers_;
  }

 private:
  using state = named_places::state;

  [[nodiscard]] bool is_square() const { return options_.format.form == matrix_form::square; }

  // -- the first line ----------------------------------------------------------------------------

  result<void> take_destinations() {
    if (width_ < 2) {
      return csv_.error_here(
          "a square matrix has a column of origins and then one for each destination");
    }
    for (std::size_t i = 1; i < width_; ++i) {
      to_.push_back(places_.index_of(csv_.fields()[i]));
    }
    return {};
  }

  result<void> take_columns() {
    const matrix_columns& c = options_.format.columns;
    const auto take = [this](const std::string& name, std::size_t& at) -> result<void> {
      const auto names = csv_.fields();
      const auto count = std::ranges::count(names, std::string_view(name));
      if (count != 1) {
        return csv_.error_here(count == 0
                                   ? fmt::format("no column '{}'; the columns are: {}",
                                                 shown_field(name),
                                                 first_names())
                                   : fmt::format("column '{}' appears {} times", name, count));
      }
      at = static_cast<std::size_t>(std::ranges::find(names, std::string_view(name)) -
                                    names.begin());
      return {};
    };
    for (const auto& [name, at] : {std::pair(&c.lat, &lat_),
                                   {&c.lon, &lon_},
                                   {&c.to_lat, &to_lat_},
                                   {&c.to_lon, &to_lon_},
                                   {&c.rides, &rides_}}) {
      if (const auto taken = take(*name, *at); !taken) {
        return taken;
      }
    }
    for (const auto& [name, at] :
         {std::pair(&c.time, &time_), {&c.to_time, &to_time_}, {&c.date, &date_}}) {
      if (name->has_value()) {
        std::size_t found = 0;
        if (const auto taken = take(**name, found); !taken) {
          return taken;
        }
        *at = found;
      }
    }
    std::set<std::size_t> used{lat_, lon_, to_lat_, to_lon_, rides_};
    for (const auto& at : {time_, to_time_, date_}) {
      if (at) {
        used.insert(*at);
      }
    }
    others_ = other_columns(csv_.fields(), used);
    return {};
  }

  [[nodiscard]] std::string first_names() const {
    constexpr std::size_t names_max = 30;
    std::vector<std::string> names;
    for (const std::string_view each : csv_.fields()) {
      if (names.size() == names_max) {
        names.emplace_back("...");
        break;
      }
      names.push_back(shown_field(each));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  // -- rows --------------------------------------------------------------------------------------

  /// Of a pair of places.
  result<void> take_row() {
    ++rows_;
    if (!csv_.has_width(width_)) {
      lose(of_width());
      return {};
    }
    lacking_.clear();
    said_rate row;
    row.from = end(lat_, lon_, options_.format.columns.lat);
    row.to = end(to_lat_, to_lon_, options_.format.columns.to_lat);
    row.rides = rides_in(rides_, options_.format.columns.rides);
    others_.look_at(csv_.fields(), csv_.separator(), row);
    look_at_other_numbers();
    row.ends = row.length = full_day;
    if (time_) {
      if (const auto known = take_period(row); !known) {
        return known;
      }
    }
    if (date_) {
      row.day = day_of(csv_.fields()[*date_]);
    }
    keep(row);
    return {};
  }

  /// A period that goes on over midnight does so into a day of its own; and a Monday of another
  /// date, where `time` has dates, is another day.
  std::int64_t day_of(std::string_view date) {
    const bool is_date =
        std::ranges::count_if(date, [](char c) { return '0' <= c && c <= '9'; }) > 2;
    const auto next = static_cast<std::int64_t>(2 * dates_.size());
    return dates_.emplace(std::pair(std::string(date), is_date ? 0 : dated_day_), next)
        .first->second;
  }

  /// Of an origin and all destinations.
  result<void> take_line() {
    if (!csv_.has_width(width_)) {
      rows_ += width_ - 1;
      lose(of_width(), width_ - 1);
      return {};
    }
    said_rate row;
    row.from = places_.index_of(csv_.fields()[0]);
    row.ends = row.length = full_day;
    for (std::size_t i = 1; i < width_; ++i) {
      ++rows_;
      lacking_.clear();
      row.to = to_[i - 1];
      check_place(row.from, "the first column");
      check_place(row.to, "the first line");
      // What is blank is left away in many a matrix that is thin.
      row.rides = csv_.fields()[i].find_first_not_of(' ') == std::string_view::npos
                      ? 0
                      : rides_in(i, places_.at(row.to).name);
      keep(row);
    }
    return {};
  }

  [[nodiscard]] std::string of_width() const {
    return fmt::format("{} fields where the header has {}", csv_.fields().size(), width_);
  }

  std::uint32_t end(std::size_t lat, std::size_t lon, const std::string& name) {
    const auto fields = csv_.fields();
    if (lat == lon) {
      const std::uint32_t found = places_.index_of(fields[lat]);
      check_place(found, name);
      return found;
    }
    pair_.assign(fields[lat]).append(1, ' ').append(fields[lon]);
    const std::uint32_t found = places_.index_of(pair_, [&]() -> std::optional<place_in_degrees> {
      const auto north = text::number_in_field(fields[lat], csv_.separator());
      const auto east = text::number_in_field(fields[lon], csv_.separator());
      return north && east ? std::optional(place_in_degrees{*north, *east}) : std::nullopt;
    });
    if (places_.at(found).state == state::in_sea) {
      lack(name, [] { return std::string(in_sea_words); });
    } else if (places_.at(found).state == state::unknown) {
      lack(name, [&] {
        return fmt::format("expected degrees, -90 to 90 north and -180 to 180 east, found '{}'",
                           shown_field(pair_));
      });
    }
    return found;
  }

  void check_place(std::uint32_t place, const std::string& where) {
    if (places_.at(place).state == state::in_sea) {
      lack(where, [&] {
        return fmt::format("'{}' is at {}", shown_field(places_.at(place).name), in_sea_words);
      });
    } else if (places_.at(place).state == state::unknown) {
      lack(where, [&] { return no_place_named(places_.at(place).name, zones_, options_.zones); });
    }
  }

  double rides_in(std::size_t at, const std::string& name) {
    const std::string_view field = csv_.fields()[at];
    if (thousands_ == '\0') {
      dots_.look_at(field);
      commas_.look_at(field);
    }
    const auto number = thousands_ != '\0' ? grouped_number(field, thousands_)
                                           : text::number_in_field(field, csv_.separator());
    if (number && *number >= 0 && *number <= rides_max) {
      return *number;
    }
    lack(name, [&] {
      return fmt::format("expected a number of rides, from 0 to 1e9, found '{}'",
                         shown_field(csv_.fields()[at]));
    });
    return 0;
  }

  /// Which mark stands before decimals in the file's other columns.
  void look_at_other_numbers() {
    constexpr std::uint64_t telling_rows = 1000;
    for (std::size_t i = 0; rows_ <= telling_rows && i < width_; ++i) {
      if (i != rides_) {
        dots_.look_at_other(csv_.fields()[i]);
        commas_.look_at_other(csv_.fields()[i]);
      }
    }
  }

  /// Errors are of the file as a whole.
  result<void> take_period(said_rate& row) {
    const matrix_columns& c = options_.format.columns;
    const std::string_view field = csv_.fields()[*time_];
    const auto from = matrix_time(times_, field, csv_.separator(), numbers_);
    seen_.look_at(field, csv_.separator());
    if (!from) {
      lack(*c.time, [&] { return "expected an hour from 0 to 23, or: " + no_time(field); });
      return {};
    }
    if (from->is_number && from->day == 1 && from->time_of_day == sim_duration{0}) {
      return csv_.error_here(fmt::format(
          "{}: a period begins at hour {}, and hours are of 0 to 23: is the first one called 1?",
          *c.time,
          shown_field(field)));
    }
    row.day = from->day;
    dated_day_ = from->has_date ? from->day : 0;
    row.begins = from->time_of_day;
    row.length = options_.format.period;
    if (to_time_) {
      const std::string_view end = csv_.fields()[*to_time_];
      const auto to = matrix_time(times_, end, csv_.separator(), numbers_);
      seen_.look_at(end, csv_.separator());
      if (!to) {
        lack(*c.to_time, [&] { return "expected an hour from 0 to 24, or: " + no_time(end); });
        return {};
      }
      row.length = (to->day - from->day) * full_day + to->time_of_day - from->time_of_day;
      const bool is_over_midnight =
          row.length < sim_duration{0} && row.length + full_day <= over_midnight_max;
      if (to->day == from->day && !to->has_date &&
          (to->time_of_day == sim_duration{0} || is_over_midnight)) {
        row.length += full_day;
      }
      if (row.length <= sim_duration{0} || row.length > full_day) {
        lack(*c.to_time, [&] {
          return fmt::format(
              "the period from '{}' to '{}' {}",
              shown_field(field),
              shown_field(end),
              row.length > full_day ? "is longer than a day" : "ends before it begins");
        });
      }
    }
    row.ends = row.begins + row.length;
    return {};
  }

  template <class Say>
  void lack(const std::string& where, Say say) {
    if (lacking_.empty()) {
      lacking_ = rows_to_name() ? where + ": " + say() : "lacks something";
    }
  }

  [[nodiscard]] bool rows_to_name() const {
    constexpr std::size_t named_max = 3;
    return read_.lost.size() < named_max;
  }

  void lose(const std::string& lacking, std::uint64_t rows = 1) {
    if (rows_to_name()) {
      read_.lost.push_back(fmt::format("line {}: {}", csv_.line(), lacking));
    }
    read_.rows_lost += rows;
  }

  void keep(said_rate row) {
    if (!lacking_.empty()) {
      lose(lacking_);
      return;
    }
    if (places_.at(row.from).state == state::outside ||
        places_.at(row.to).state == state::outside) {
      read_.rows_dropped += row.rides > 0 ? 1U : 0U;
      return;
    }
    ++read_.rows;
    days_.insert(row.day);
    row.line = csv_.line();
    if (row.ends > full_day) {
      said_rate rest = row;
      ++rest.day;
      rest.begins = {};
      rest.ends -= full_day;
      row.ends = full_day;
      said_.push_back(rest);
    }
    said_.push_back(row);
  }

  // -- all rows ----------------------------------------------------------------------------------

  result<od_matrix> finish() {
    if (rows_ == 0) {
      return csv_.error_here("no rows after the header");
    }
    if (static_cast<double>(read_.rows_lost) > options_.lost_max * static_cast<double>(rows_)) {
      return csv_.error_of_file(
          fmt::format("{} of {} {} lack what is needed, more than lost_max ({:g} %); {}",
                      read_.rows_lost,
                      rows_,
                      is_square() ? "cells" : "rows",
                      100 * options_.lost_max,
                      fmt::join(read_.lost, "; ")));
    }
    if (read_.rows == 0) {
      return csv_.error_of_file(fmt::format("none of the {} pairs lies within the bounds", rows_));
    }
    const auto key = [](const said_rate& s) {
      return std::tuple(s.from, s.to, s.day, s.begins, s.ends, s.length, s.line);
    };
    if (!std::ranges::is_sorted(said_, {}, key)) {
      std::ranges::sort(said_, {}, key);
    }
    if (const auto fine = add_up_cells(); !fine) {
      return tl::unexpected<error>(fine.error());
    }
    if (const auto fine = check_overlaps(); !fine) {
      return tl::unexpected<error>(fine.error());
    }
    std::erase_if(said_, [](const said_rate& s) { return s.rides == 0; });
    if (said_.empty()) {
      return csv_.error_of_file("the matrix is empty: no number of rides is above 0");
    }
    read_.days = std::max<std::uint64_t>(days_.size(), 1);
    look_at_marks();
    look_at_numbers();
    return build();
  }

  /// Rows of one pair and period that differ in another column.
  result<void> add_up_cells() {
    const auto added = add_up(said_);
    if (!added) {
      const auto& [one, other] = added.error();
      const auto names =
          one.when == other.when
              ? result<std::vector<std::string>>(std::vector<std::string>())
              : others_.that_differ(path_, options_.bytes_max, {{one.line, other.line}});
      return names && !names->empty() ? differ_in_day(one, other, *names) : both_say(one, other);
    }
    if (added->cells == 0) {
      return {};
    }
    const auto names = others_.that_differ(path_, options_.bytes_max, added->lines);
    if (!names) {
      return tl::unexpected<error>(names.error());
    }
    read_.doubts.push_back(fmt::format(
        "adds up rows that differ in {}: {} of one pair and period with others, which make {}",
        fmt::join(*names, ", "),
        text::plural(added->rows, "row"),
        text::plural(added->cells, "number")));
    return {};
  }

  /// How numbers were read that may mean others.
  void look_at_marks() {
    const std::string where =
        is_square() ? "the square" : fmt::format("`{}`", options_.format.columns.rides);
    if (thousands_ != '\0') {
      read_.doubts.push_back(fmt::format("the {} in {} are read as those between thousands",
                                         thousands_ == '.' ? "dots" : "commas",
                                         where));
    } else if (csv_.separator() != ',' && commas_.may_be_thousands()) {
      read_.doubts.push_back(fmt::format(
          "the commas in {} are read as those before decimals, as in {}, though three digits "
          "follow each: if they part thousands, take them out",
          where,
          shown_field(commas_.first())));
    }
  }

  void look_at_numbers() {
    if (time_ && numbers_ != period_numbers::hours) {
      read_.doubts.push_back(fmt::format("the numbers in `{}` are read as {}",
                                         *options_.format.columns.time,
                                         numbers_ == period_numbers::clock
                                             ? "hours and minutes of a clock, 715 as 07:15"
                                             : "minutes since midnight"));
    }
  }

  result<void> check_overlaps() {
    for (std::size_t i = 1; i < said_.size(); ++i) {
      const said_rate& a = said_[i - 1];
      const said_rate& b = said_[i];
      if (a.from == b.from && a.to == b.to && a.day == b.day && b.begins < a.ends) {
        return both_say(a, b);
      }
    }
    return {};
  }

  [[nodiscard]] tl::unexpected<error> both_say(const said_rate& a, const said_rate& b) const {
    return csv_.error_of_file(
        fmt::format("lines {} and {} both say how many rides go from '{}' to '{}'{}: {}",
                    std::min(a.line, b.line),
                    std::max(a.line, b.line),
                    shown_field(places_.at(a.from).name),
                    shown_field(places_.at(a.to).name),
                    time_ ? fmt::format(" in {} to {}, where their periods overlap",
                                        clock_of(b.begins),
                                        clock_of(std::min(a.ends, b.ends)))
                          : "",
                    is_square() ? "a place is there twice"
                    : time_     ? "add them up, or name the column in which periods end"
                                : "add them up, or name the column of their periods"));
  }

  [[nodiscard]] tl::unexpected<error> differ_in_day(const said_rate& a,
                                                    const said_rate& b,
                                                    const std::vector<std::string>& names) const {
    return csv_.error_of_file(fmt::format(
        "lines {} and {} both say how many rides go from '{}' to '{}', and differ in {}: if that "
        "is of which day they are, name it as `columns: {{date: {}}}`, so that the mean of the "
        "days "
        "is taken, or else add them up",
        std::min(a.line, b.line),
        std::max(a.line, b.line),
        shown_field(places_.at(a.from).name),
        shown_field(places_.at(a.to).name),
        fmt::join(names, ", "),
        names.front()));
  }

  static std::string clock_of(sim_duration t) {
    return fmt::format("{:02}:{:02}", t / 1h, t % 1h / 1min);
  }

  result<od_matrix> build() {
    std::vector<std::uint32_t> pairs;
    pairs.reserve(said_.size());
    for (const said_rate& s : said_) {
      if (pairs.empty() || s.from != last_from_ || s.to != last_to_) {
        trace_row pair;
        pair.origin = places_.at(s.from).at;
        pair.destination = places_.at(s.to).at;
        pair.number = static_cast<std::uint32_t>(read_.pairs.size());
        read_.pairs.push_back(pair);
        last_from_ = s.from;
        last_to_ = s.to;
      }
      pairs.push_back(static_cast<std::uint32_t>(read_.pairs.size() - 1));
    }
    read_.rides_up_to.resize(read_.pairs.size());
    stretch_builder stretches(said_, pairs, options_.format, read_);
    stretches.find_stretches();
    if (stretches.shares() > options_.shares_max) {
      return csv_.error_of_file(fmt::format(
          "its periods part the day into {}, in which {} pairs ride, more than {} altogether: "
          "give pairs the same periods",
          text::plural(read_.stretches.size(), "stretch", "stretches"),
          text::with_thousands(stretches.shares()),
          text::with_thousands(options_.shares_max)));
    }
    stretches.fill();
    for (const od_matrix::stretch& s : read_.stretches) {
      if (s.rate_per_s > rate_max_per_s) {
        return csv_.error_of_file(
            fmt::format("{:g} rides a second from {} on, more than {:g}; see `per`",
                        s.rate_per_s,
                        clock_of(s.begins),
                        rate_max_per_s));
      }
    }
    return std::move(read_);
  }

  text::csv_reader csv_;
  const std::filesystem::path& path_;
  const matrix_options& options_;
  const zone_map& zones_;
  named_places places_;
  text::clock_time_reader times_;
  char thousands_;
  period_numbers numbers_;
  periods_seen seen_;
  digit_groups dots_{'.'};
  digit_groups commas_{','};
  other_columns others_;
  std::size_t width_ = 0;
  std::size_t lat_ = 0;
  std::size_t lon_ = 0;
  std::size_t to_lat_ = 0;
  std::size_t to_lon_ = 0;
  std::size_t rides_ = 0;
  std::optional<std::size_t> time_;
  std::optional<std::size_t> to_time_;
  std::optional<std::size_t> date_;
  std::vector<std::uint32_t> to_;  ///< the destinations of a square
  std::uint64_t rows_ = 0;         ///< of a square: cells
  std::string lacking_;            ///< of the current row
  std::string pair_;
  std::uint32_t last_from_ = 0;
  std::uint32_t last_to_ = 0;
  std::set<std::int64_t> days_;
  std::int64_t dated_day_ = 0;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> dates_;
  std::vector<said_rate> said_;
  od_matrix read_;
};

}  // namespace

result<od_matrix> read_matrix(const std::filesystem::path& path,
                              const matrix_options& options,
                              const geography& map) {
  const result<zone_map> zones = read_zones(options.zones);
  if (!zones) {
    return tl::unexpected<error>(zones.error());
  }
  using text::clock_time_reader;
  how_written how;
  how.numbers = numbers_in_name(options.format.columns.time.value_or(""));
  const auto attempt = [&]() -> std::pair<result<od_matrix>, how_written> {
    auto csv = text::csv_reader::open(path, options.bytes_max);
    if (!csv) {
      return {tl::unexpected<error>(csv.error()), how};
    }
    matrix_reader reader(std::move(*csv), path, options, map, *zones, how);
    auto all = reader.read();
    const bool is_other_order = reader.has_met_other_order();
    return {std::move(all),
            {is_other_order ? clock_time_reader::slashes::day_first : how.order,
             reader.thousands_met(),
             reader.numbers_met()}};
  };
  auto [read, met] = attempt();
  if (met == how) {
    return std::move(read);
  }
  how = met;
  return attempt().first;
}

}  // namespace dibs::world
