// Clock, world, demand and riders.

#include "scenario/distribution_type.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_ranges.hpp"
#include "scenario/fields.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr double detour_max = 10;
constexpr double speed_max_m_per_s = 300;
constexpr double scale_max = 10'000;
constexpr double rate_max = 1e6;
constexpr std::uint32_t burst_rides_max = 10'000'000;

field_type<bounds_options> bounds_kind() {
  const field_type<double> lat = a_real({.at_least = -90.0, .at_most = 90.0});
  const field_type<double> lon = a_real({.at_least = -180.0, .at_most = 180.0});
  return record<bounds_options>()
      .field("south", &bounds_options::south, lat, "in degrees")
      .field("west", &bounds_options::west, lon, "in degrees")
      .field("north", &bounds_options::north, lat, "in degrees; above `south`")
      .field("east", &bounds_options::east, lon, "in degrees; above `west`")
      .all_need(of_map())
      .as_kind();
}

field_type<travel_options> travel_kind() {
  enum class metric { haversine };
  return record<travel_options>()
      .fixed("metric",
             one_of<metric>({{"haversine", metric::haversine}}),
             metric::haversine,
             "how distance is measured: along the great circle")
      .field("detour",
             &travel_options::detour,
             a_real({.at_least = 1.0, .at_most = detour_max}),
             "road length over great-circle length")
      .field("speed",
             &travel_options::speed_m_per_s,
             a_quantity(text::speeds(), {.at_most = speed_max_m_per_s, .above = 0.0}),
             "of every driver")
      .all_need(of_map())
      .as_kind();
}

field_type<trace_columns> columns_kind() {
  const field_type<std::string> column = a_text("column", 100);
  return record<trace_columns>()
      .field("time",
             &trace_columns::time,
             column,
             "of the request: seconds since midnight (or since 1970, from 100,000,000 on), a time "
             "of day, or a date and a time, as 2015-01-31 07:00:10, 01/31/2015 07:00:10 AM or "
             "31.01.2015 07:00; where some date with slashes has no such month, the day is first")
      .field("date",
             &trace_columns::date,
             optional(column, "none", "`time` has dates, or all rows are of one day"),
             "of the request, where `time` is a time of day: 2015-01-31, 01/31/2015 or 20150131")
      .field(
          "lat",
          &trace_columns::lat,
          column,
          "of the pick-up, in degrees; a column that is `lat` and `lon` at once holds WKT points, "
          "POINT (-73.98 40.75), cells of H3, 8a2a1072b59ffff, or ids of `zones`")
      .field("lon", &trace_columns::lon, column, "of the pick-up, in degrees")
      .field("to_lat",
             &trace_columns::to_lat,
             column,
             "of the drop-off, in degrees; without such a column, and in rows where it is blank, "
             "trips end where others begin")
      .field("to_lon", &trace_columns::to_lon, column, "of the drop-off, in degrees")
      .field("trip",
             &trace_columns::trip,
             column,
             "how long the trip took, in seconds, or as 0:09:45; in minutes, milliseconds or hours "
             "where its name says so, as `duration_min`; without such a column by `to_time`, else "
             "as `world.trip` says, else by the distance")
      .field("to_time", &trace_columns::to_time, column, "when the trip ended, as `time`")
      .field(
          "from_time",
          &trace_columns::from_time,
          column,
          "when the trip began, as `time`, for its length up to `to_time`; without such a column "
          "it began at `time`")
      .as_kind();
}

field_type<world::zone_file> zones_kind() {
  const field_type<std::string> column = a_text("column", 100);
  return record<world::zone_file>()
      .field("file", &world::zone_file::file, a_file(), "a CSV file, as the trace's `file`")
      .required()
      .field("id", &world::zone_file::id, column, "of the zone, as the trace has it")
      .field("lat", &world::zone_file::lat, column, "of the zone's middle, in degrees")
      .field("lon",
             &world::zone_file::lon,
             column,
             "of the zone's middle; the same as `lat` where it holds WKT points")
      .as_kind();
}

constexpr const char* csv_file_words =
    "a CSV file with a header line; commas, semicolons, tabs or vertical bars part its "
    "fields, and it may be compressed with gzip, or UTF-16; looked for in the scenario's "
    "folder, then in a folder "
    "`scenarios` beside it or beside one of its parents. Absolute paths and `..` are "
    "refused, but on the command line, so that a scenario from elsewhere reads nothing "
    "else; symbolic links are "
    "followed";

record<trace_demand> trace_record() {
  struct jitter {};
  return record<trace_demand>()
      .field("file", &trace_demand::file, a_file(), csv_file_words)
      .required()
      .field("columns", &trace_demand::columns, columns_kind(), "Which column holds what.")
      .field("day",
             &trace_demand::day,
             optional(a_day(), "mean", "the mean of all days of the file"),
             "the one that is replayed: 2015-01-31, or `day 2` of times without dates")
      .field("lost_max",
             &trace_demand::lost_max,
             a_share(),
             "the share of rows that may lack what is needed: they are left out, and said")
      .field("shift",
             &trace_demand::shift,
             a_duration({.at_least = -24h, .at_most = 24h}),
             "added to each time, as -5h to times since 1970 of New York, which are in UTC")
      .field("zones",
             &trace_demand::zones,
             optional(zones_kind(), "none", "none"),
             "A file with the middle of each zone, where the trace has ids of zones.")
      .field("scale",
             &trace_demand::scale,
             a_real({.at_most = scale_max, .above = 0.0}),
             "below 1 thins the trace, above 1 superposes copies with jitter")
      .field(
          "jitter",
          [](auto& t) -> auto& { return t; },
          record<trace_demand>()
              .field("time",
                     &trace_demand::time_jitter,
                     a_duration({.at_most = 24h}),
                     "each request moves by up to this, either way")
              .field("place",
                     &trace_demand::place_jitter_m,
                     a_quantity(text::distances(), {.at_least = 0.0, .at_most = radius_max_m}),
                     "each place moves by up to this, in any direction")
              .as_kind(),
          "How far each request is moved.");
}

field_type<matrix_columns> matrix_columns_kind() {
  const field_type<std::string> column = a_text("column", 100);
  return record<matrix_columns>()
      .field("lat",
             &matrix_columns::lat,
             column,
             "of the origin, in degrees; a column that is `lat` and `lon` at once holds WKT "
             "points, cells of H3, or ids of `zones`")
      .field("lon", &matrix_columns::lon, column, "of the origin, in degrees")
      .field("to_lat", &matrix_columns::to_lat, column, "of the destination, in degrees")
      .field("to_lon", &matrix_columns::to_lon, column, "of the destination, in degrees")
      .field("rides",
             &matrix_columns::rides,
             column,
             "how many ride from the origin to the destination: in the period, or as `per` says")
      .field("time",
             &matrix_columns::time,
             optional(column, "none", "each row is of the whole day"),
             "when the period begins: an hour from 0 to 23, minutes since midnight where the name "
             "says so, as `minute_of_day`, 715 for 07:15, or as the `time` of a trace")
      .field("to_time",
             &matrix_columns::to_time,
             optional(column, "none", "each period lasts as long as `period` says"),
             "when it ends: an hour up to 24, or as `time`")
      .field("date",
             &matrix_columns::date,
             optional(column, "none", "all rows are of one day, or `time` has dates"),
             "of which day the row is, in any words, also of the week: of several days the mean is "
             "taken")
      .as_kind();
}

record<matrix_demand> matrix_record() {
  return record<matrix_demand>()
      .field("file", &matrix_demand::file, a_file(), csv_file_words)
      .required()
      .field(
          "form",
          [](auto& m) -> auto& { return m.format.form; },
          one_of<matrix_form>({{"pairs", matrix_form::pairs}, {"square", matrix_form::square}}),
          "`pairs`: a row for each pair of places, perhaps of each period; `square`: a row for "
          "each origin, which its first column names, and a column for each destination, which "
          "the first line names")
      .field(
          "columns",
          [](auto& m) -> auto& { return m.format.columns; },
          matrix_columns_kind(),
          "Which column of the pairs holds what.")
      .field(
          "per",
          [](auto& m) -> auto& { return m.format.per; },
          optional(a_duration({.at_least = sim_duration{1s}}), "period", "its period, or a day"),
          "the time in which so many ride: 1h where the file has rides per hour")
      .field(
          "period",
          [](auto& m) -> auto& { return m.format.period; },
          a_duration({.at_least = sim_duration{1s}, .at_most = 24h}),
          "how long a period lasts whose row does not say when it ends")
      .field("lost_max",
             &matrix_demand::lost_max,
             a_share(),
             "the share of rows, or of cells of a square, that may lack what is needed: they are "
             "left out, and said")
      .field("zones",
             &matrix_demand::zones,
             optional(zones_kind(), "none", "none"),
             "A file with the middle of each zone, where the places are ids of zones.")
      .field("scale",
             &matrix_demand::scale,
             a_real({.at_most = scale_max, .above = 0.0}),
             "times which all rates are taken")
      .field(
          "jitter",
          [](auto& m) -> auto& { return m; },
          record<matrix_demand>()
              .field("place",
                     &matrix_demand::place_jitter_m,
                     a_quantity(text::distances(), {.at_least = 0.0, .at_most = radius_max_m}),
                     "each place moves by up to this, in any direction: over its zone")
              .as_kind(),
          "How far each end of a ride is moved.")
      .check([](reader& r, const node& n, const matrix_demand& m) {
        const node* columns = n.find("columns");
        if (columns == nullptr || !r.is_clean("form") || !r.is_clean("columns")) {
          return;
        }
        if (m.format.form == matrix_form::square && m.format.columns != matrix_columns{}) {
          r.complain_at(
              "columns",
              {"E-CONFLICT",
               "the columns of a square matrix are places, whose names are not told; see `form`"},
              columns->at);
        } else if (m.format.columns.to_time && !m.format.columns.time) {
          r.complain_at("columns",
                        {"E-MISSING",
                         "`to_time` says when periods end; `time` is missing, which says when "
                         "they begin"},
                        columns->at);
        }
      });
}

field_type<circle> circle_kind() {
  return record<circle>()
      .field(
          "lat",
          [](auto& c) -> auto& { return c.centre.lat; },
          a_real({.at_least = -90.0, .at_most = 90.0}),
          "of the centre, in degrees")
      .required()
      .field(
          "lon",
          [](auto& c) -> auto& { return c.centre.lon; },
          a_real({.at_least = -180.0, .at_most = 180.0}),
          "of the centre, in degrees")
      .required()
      .field("radius",
             &circle::radius_m,
             a_quantity(text::distances(), {.at_least = 0.0, .at_most = radius_max_m}),
             "places are drawn uniformly within it")
      .required()
      .as_kind("circle", true);
}

record<poisson_demand> poisson_record() {
  return record<poisson_demand>()
      .field("rate",
             &poisson_demand::rate_per_s,
             a_quantity(text::rates(), {.at_most = rate_max, .above = 0.0}),
             "how often a ride is asked for")
      .required()
      .field("from", &poisson_demand::from, a_duration(), "the first instant")
      .field(
          "until",
          &poisson_demand::until,
          optional(a_duration({.above = sim_duration{0}}), "end", "the end of the measured time"),
          "the instant from which there is no more")
      .check([](reader& r, const node& n, const poisson_demand& p) {
        if (p.until && *p.until <= p.from && r.is_clean("from") && r.is_clean("until")) {
          r.complain_at("until",
                        {"E-CONFLICT",
                         fmt::format("must be after from: {} (got {})",
                                     text::print_duration(p.from),
                                     text::print_duration(*p.until))},
                        n.find("until")->at);
        }
      });
}

record<burst_demand> burst_record() {
  return record<burst_demand>()
      .field("at", &burst_demand::at, a_duration(), "when it begins")
      .required()
      .field("within",
             &burst_demand::within,
             a_duration(),
             "rides are spread uniformly over this time; 0s: all at one instant")
      .field("rides",
             &burst_demand::rides,
             a_count({.at_least = 1U, .at_most = burst_rides_max}),
             "how many")
      .required()
      .field(
          "around", &burst_demand::around, optional(circle_kind(), "anywhere", "anywhere"), "where")
      .field("every",
             &burst_demand::every,
             optional(a_duration({.at_least = repeat_min}), "never", "it does not repeat"),
             "repeats so often, until the end of the measured time");
}

template <class Part>
need of_some(Part rider_options::*which, const std::string& what) {
  return {[which](const scenario& s) { return (s.riders.*which).share > 0; },
          "no riders " + what + "; see the `share` beside it"};
}

field_type<sometimes> sometimes_kind(const std::string& what, sometimes rider_options::*which) {
  return record<sometimes>()
      .field("share", &sometimes::share, a_share(), "the share of riders who " + what)
      .required()
      .field(
          "after", &sometimes::after, a_wait(), "after how long; required if the share is above 0")
      .needs(of_some(which, what))
      .check([](reader& r, const node& n, const sometimes& s) {
        if (s.share > 0 && r.is_clean("share") && n.find("after") == nullptr) {
          r.complain_at("after",
                        {"E-MISSING",
                         "the field is missing",
                         "after how long they do, such as {dist: exponential, mean: 90s}"},
                        n.at);
        }
      })
      .as_kind();
}

field_type<rider_confirm_options> rider_confirm_kind() {
  return record<rider_confirm_options>()
      .field("share",
             &rider_confirm_options::share,
             a_share(),
             "the share of riders who take the driver; the others leave when the time is over")
      .field("after",
             &rider_confirm_options::after,
             a_delay(),
             "how long a rider takes to say so; after `within` it is too late")
      .field("within",
             &rider_confirm_options::within,
             a_duration({.above = sim_duration{0}}),
             "how long she has. The driver's lease should last as long: nobody renews it but where "
             "`lease.renewal` says so")
      .as_kind();
}

field_type<race_options> race_kind() {
  return record<race_options>()
      .field("share", &race_options::share, a_share(), "the share of accepts that are raced")
      .required()
      .field("after",
             &race_options::after,
             an_offset(),
             "how long after the accept, before it if negative; at the same instant if not given")
      .needs(of_some(&rider_options::cancel_at_accept, "race an accept"))
      .as_kind();
}

}  // namespace

field_type<clock_options> clock_kind() {
  enum class mode { virtual_time };
  constexpr sim_duration start_max = 24h;
  return record<clock_options>()
      .fixed("mode",
             one_of<mode>({{"virtual", mode::virtual_time}}),
             mode::virtual_time,
             "nothing sleeps: time jumps from event to event")
      .field("start",
             &clock_options::start,
             a_duration({.at_most = start_max}),
             "the time of day, in the demand's trace or matrix, at which the run begins")
      .needs(of_trace())
      .field("warmup", &clock_options::warmup, a_duration(), "simulated, not measured")
      .field(
          "duration", &clock_options::duration, a_duration({.above = sim_duration{0}}), "measured")
      .field("drain",
             &clock_options::drain,
             a_duration(),
             "after that: no new riders; open leases and trips end, unmeasured")
      .as_kind();
}

field_type<world_options> world_kind() {
  return record<world_options>()
      .field("geography",
             &world_options::geography,
             one_of<geography>({{"map", geography::map}, {"none", geography::none}}),
             "`map`: places in degrees; `none`: every driver is equally near and pick-ups take no "
             "time, the world of closed-form laws")
      .field("bounds",
             &world_options::bounds,
             bounds_kind(),
             "The map. Demand outside is dropped, and counted.")
      .field("travel", &world_options::travel, travel_kind(), "How drivers get about.")
      .field("trip",
             &world_options::trip,
             optional(a_delay(), "none", "distance over speed"),
             "how long a ride takes from pick-up to drop-off, where the demand does not say")
      .as_kind();
}

field_type<demand_source> demand_kind() {
  const auto self = [](auto& d) -> auto& { return d; };
  return record<demand_source>()
      .tag("kind", "which kind of source")
      .alternative("trace",
                   self,
                   trace_record(),
                   "Real requests, replayed: one day, which wraps around at midnight.")
      .alternative("matrix",
                   self,
                   matrix_record(),
                   "Rides at random, as often from each place to each other and at each time of "
                   "day as a file says: an origin-destination matrix. A day wraps around at "
                   "midnight.")
      .alternative("poisson",
                   self,
                   poisson_record(),
                   "Rides at random. Places and trips are drawn from the trace or the matrix where "
                   "there is one, else uniformly.")
      .alternative("burst",
                   self,
                   burst_record(),
                   "Many rides at once. Places and trips are drawn as those of `poisson`.")
      .as_kind();
}

field_type<rider_options> riders_kind() {
  return record<rider_options>()
      .field("patience",
             &rider_options::patience,
             sometimes_kind("leave unmatched", &rider_options::patience),
             "Who leaves before a match, counted from the request; the others wait to the end.")
      .field("cancel_after_match",
             &rider_options::cancel_after_match,
             sometimes_kind("call the ride off", &rider_options::cancel_after_match),
             "Who calls the ride off after a match, counted from the promise.")
      .field("cancel_at_accept",
             &rider_options::cancel_at_accept,
             race_kind(),
             "Whose cancel races a driver's accept: they call the ride off around the instant at "
             "which she accepts, before they can know of it.")
      .field("confirm",
             &rider_options::confirm,
             optional(rider_confirm_kind(), "none", "the driver's accept is enough"),
             "A second decision: when a driver has accepted, the rider is asked whether she takes "
             "her. Until then the driver waits, held by her lease.")
      .field("no_show_after",
             &rider_options::no_show_after,
             a_duration(),
             "when a rider gives up on a driver who does not come, counted from the promised "
             "pick-up")
      .field("ask_again",
             &rider_options::ask_again,
             optional(a_duration({.at_least = repeat_min}), "never", "a rider asks once"),
             "how often a rider without a match asks its matcher again")
      .as_kind();
}

}  // namespace dibs::scenario
