#include "scenario/request_columns.hpp"

#include "scenario/foreign_names.hpp"
#include "world/request_fields.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dibs::scenario {
namespace {

/// What names of columns are glued together of: `starttime`, `ENDSTATIONLATITUDE`, `blklatdd`.
constexpr auto parts = std::to_array<std::string_view>(
    {"start",    "stop",      "end",      "pickup",    "dropoff",     "trip", "ride",   "travel",
     "request",  "departure", "arrival",  "return",    "fahrt",       "book", "order",  "origin",
     "orig",     "dest",      "from",     "to",        "destination", "time", "date",   "timestamp",
     "duration", "dauer",     "latitude", "longitude", "lat",         "lon",  "lng",    "long",
     "station",  "location",  "zone",     "id",        "name",        "code", "point",  "geom",
     "h3",       "ms",        "blk",      "dd",        "pu",          "do",   "finish", "estacion",
     "intpt",    "year",      "month",    "borough"});

/// The parts that make up all of a word, the longest first; nothing if there are none such.
bool take_apart(std::string_view word, std::vector<std::string>& into) {
  if (word.empty()) {
    return true;
  }
  for (std::size_t length = word.size(); length > 1; --length) {
    const std::string_view front = word.substr(0, length);
    if (std::ranges::find(parts, front) != parts.end()) {
      into.emplace_back(front);
      if (take_apart(word.substr(length), into)) {
        return true;
      }
      into.pop_back();
    }
  }
  return false;
}

/// Words of other languages, and shorter ones, for what this program knows.
std::string_view known_word(std::string_view word) {
  constexpr auto others = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"fecha", "date"},       {"hora", "time"},           {"periodo", "period"},
       {"origen", "origin"},    {"destino", "destination"}, {"viajes", "trips"},
       {"viaje", "trip"},       {"estacion", "station"},    {"zona", "zone"},
       {"retiro", "pickup"},    {"arribo", "arrival"},      {"salida", "departure"},
       {"llegada", "arrival"},  {"inicio", "start"},        {"inicial", "start"},
       {"fin", "end"},          {"final", "end"},           {"duracion", "duration"},
       {"latitud", "latitude"}, {"longitud", "longitude"},  {"strt", "start"},
       {"statn", "station"},    {"stn", "station"},         {"starting", "start"},
       {"ending", "end"}});
  const auto found = std::ranges::find(others, word, [](const auto& each) { return each.first; });
  return found == others.end() ? word : found->second;
}

/// `lat1` and `lat2`: of the beginning and of the end.
void take_number_off(std::vector<std::string>& words) {
  constexpr auto places =
      std::to_array<std::string_view>({"lat", "latitude", "lon", "lng", "long", "longitude"});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string stem = words[i].substr(0, words[i].size() - 1);
    const char last = words[i].back();
    if ((last == '1' || last == '2') && std::ranges::find(places, stem) != places.end()) {
      words[i] = stem;
      words.emplace_back(last == '1' ? "from" : "to");
    }
  }
}

/// What is glued together of known words, else a word with such in it: all of them.
void take_glued_apart(const std::string& word, std::vector<std::string>& into) {
  constexpr std::array glued{
      "datetime", "timestamp", "latitude", "longitude", "location", "pickup", "dropoff"};
  // How many were picked up is a word of its own.
  if (word == "pickups" || word == "dropoffs") {
    into.push_back(word);
    return;
  }
  if (take_apart(word, into)) {
    return;
  }
  std::string rest = word;
  for (const std::string_view part : glued) {
    if (const std::size_t at = rest.find(part); at != std::string::npos && rest != part) {
      into.emplace_back(part);
      rest.erase(at, part.size());
    }
  }
  if (!rest.empty()) {
    into.push_back(rest);
  }
}

/// The words that a name is made of, by capitals and by what stands between them; datetime and the
/// like are taken apart too.
std::vector<std::string> words_of(std::string_view written) {
  std::vector<std::string> parted;
  for (const std::string& each : world::words_in(in_english(written))) {
    take_glued_apart(each, parted);
  }
  for (std::string& each : parted) {
    each = known_word(each);
  }
  take_number_off(parted);
  // Of the American censuses: from home to work.
  if (parted.size() == 2 && parted[1] == "geocode") {
    parted[0] = parted[0] == "h" ? "home" : parted[0] == "w" ? "work" : parted[0];
  }
  return parted;
}

template <std::size_t N>
bool has_one_of(const std::vector<std::string>& words, const std::array<std::string_view, N>& of) {
  return std::ranges::any_of(words, [&](const std::string& each) {
    return std::ranges::find(of, std::string_view(each)) != of.end();
  });
}

constexpr std::array<std::string_view, 26> from_words{
    "pickup",   "pu",      "start",   "started",  "from",      "origin",   "orig",
    "o",        "request", "rq",      "begin",    "departure", "source",   "requested",
    "departed", "created", "ordered", "booked",   "booking",   "boarding", "began",
    "home",     "picked",  "onboard", "checkout", "placement"};
constexpr std::array<std::string_view, 24> to_words{
    "until",   "till",   "dropoff", "do",        "end",    "ended",    "to",        "destination",
    "dest",    "d",      "arrival", "drop",      "return", "returned", "completed", "finished",
    "arrived", "target", "finish",  "alighting", "arrive", "work",     "dropped",   "offboard"};
/// At a door it may be the driver who arrives, before the trip.
constexpr std::array<std::string_view, 3> arrival_words{"arrival", "arrived", "arrive"};
/// Of an end of the trip, whoever arrives there.
constexpr std::array<std::string_view, 8> whole_end_words{
    "dropoff", "do", "dropped", "destination", "dest", "trip", "ride", "rider"};
/// Where these are, or when they came, is not where or when the ride began.
constexpr std::array<std::string_view, 7> driver_words{
    "driver", "vehicle", "car", "taxi", "cab", "chauffeur", "veh"};
/// What has a beginning of its own.
constexpr std::array<std::string_view, 7> other_words{
    "account", "user", "profile", "customer", "signup", "row", "record"};
constexpr std::array<std::string_view, 5> cancel_words{
    "cancel", "cancelled", "canceled", "cancellation", "cancellations"};
/// Of those of the beginning: when a ride was asked for, and not when it began.
constexpr std::array<std::string_view, 8> request_words{
    "request", "requested", "rq", "created", "ordered", "booked", "booking", "placement"};
/// A stop has a latitude too, of its own.
constexpr std::array<std::string_view, 2> to_time_words{"stop", "stopped"};
constexpr std::array<std::string_view, 8> time_words{
    "time", "datetime", "timestamp", "date", "at", "ts", "s", "epoch"};
/// Of a name that is else an end alone: `Inicio del viaje`, `trip_start`.
constexpr std::array<std::string_view, 7> plain_words{
    "trip", "ride", "of", "the", "del", "de", "du"};
constexpr std::array<std::string_view, 3> latitude_words{"lat", "latitude", "y"};
constexpr std::array<std::string_view, 5> longitude_words{"lon", "lng", "long", "longitude", "x"};
constexpr auto place_words = std::to_array<std::string_view>(
    {"location", "locationid", "place",   "point",      "zone",    "zoneid",   "cell",
     "area",     "centroid",   "geom",    "geometry",   "wkt",     "h3",       "h3index",
     "h3cell",   "hex",        "hexagon", "station",    "taz",     "district", "tract",
     "node",     "geocode",    "kiosk",   "centerline", "borough", "terminal"});
constexpr std::array<std::string_view, 6> length_words{
    "duration", "seconds", "secs", "sec", "dauer", "fahrtdauer"};
/// What takes time and is no trip, unless the name has a trip or its end as well.
constexpr std::array<std::string_view, 19> no_trip_words{"accept",
                                                         "acceptance",
                                                         "assign",
                                                         "assignment",
                                                         "search",
                                                         "wait",
                                                         "waiting",
                                                         "waited",
                                                         "eta",
                                                         "response",
                                                         "match",
                                                         "matching",
                                                         "dispatch",
                                                         "approach",
                                                         "delay",
                                                         "idle",
                                                         "pickup",
                                                         "pu",
                                                         "arrival"};
/// What was meant to be, and not what was.
constexpr std::array<std::string_view, 6> planned_words{
    "scheduled", "planned", "estimated", "expected", "predicted", "promised"};
/// Of a trip only: `created_at_ms` is a time.
constexpr std::array<std::string_view, 11> unit_words{"minutes",
                                                      "minute",
                                                      "mins",
                                                      "min",
                                                      "minuten",
                                                      "ms",
                                                      "msec",
                                                      "millis",
                                                      "milliseconds",
                                                      "hours",
                                                      "hrs"};

constexpr std::array<std::string_view, 15> rides_words{"ridership",
                                                       "boardings",
                                                       "volumes",
                                                       "trips",
                                                       "rides",
                                                       "requests",
                                                       "journeys",
                                                       "orders",
                                                       "flow",
                                                       "flows",
                                                       "demand",
                                                       "volume",
                                                       "pickups",
                                                       "departures",
                                                       "s000"};
constexpr std::array<std::string_view, 6> number_words{
    "count", "counts", "n", "value", "rate", "lambda"};
/// How many rode, or how many there were of one party.
constexpr std::array<std::string_view, 4> people_words{
    "riders", "passengers", "travellers", "travelers"};
/// A code of rates, a count of passengers and the like are not how many ride.
constexpr std::array<std::string_view, 20> no_number_words{
    "id",     "code",   "passenger", "passengers", "miles", "distance", "fare",
    "amount", "cost",   "time",      "tax",        "share", "party",    "seat",
    "seats",  "person", "persons",   "people",     "km",    "pax"};
constexpr std::array<std::string_view, 6> hour_words{"hour", "hr", "h", "hod", "tod", "period"};
constexpr std::array<std::string_view, 4> date_words{"date", "day", "weekday", "dow"};
constexpr std::array<std::string_view, 4> minute_words{"minute", "minutes", "mins", "min"};

/// The name of an end and no more than, say, "id" with it; the id of a request is of no place.
bool is_bare_end(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 6> added{"id", "code", "name", "no", "key", "pt"};
  constexpr std::array<std::string_view, 3> of_requests{"request", "requested", "rq"};
  return !has_one_of(words, of_requests) && std::ranges::all_of(words, [&](const auto& each) {
    const std::vector<std::string> word{each};
    return has_one_of(word, from_words) || has_one_of(word, to_words) || has_one_of(word, added);
  });
}

bool is_travel_time(const std::vector<std::string>& words) {
  const auto travel = std::ranges::find_if(
      words, [](const std::string& each) { return each == "travel" || each == "trav"; });
  return travel != words.end() && std::next(travel) != words.end() && *std::next(travel) == "time";
}

/// Minutes since midnight, as `minute_of_day`, "start minute" and `time_min`.
bool is_minute(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 9> with{
      "of", "day", "time", "start", "begin", "dep", "departure", "request", "from"};
  const auto is_min = [](const std::string& each) {
    return std::ranges::find(minute_words, std::string_view(each)) != minute_words.end();
  };
  return !words.empty() && words.front() != "min" && std::ranges::any_of(words, is_min) &&
         std::ranges::all_of(words, [&](const std::string& each) {
           const std::vector<std::string> word{each};
           return is_min(each) || has_one_of(word, with) || has_one_of(word, to_words);
         });
}

bool is_arrival(const std::vector<std::string>& words) {
  return has_one_of(words, arrival_words) && !has_one_of(words, whole_end_words);
}

/// The driver's at the door.
bool is_approach(const std::vector<std::string>& words) {
  return is_arrival(words) && has_one_of(words, driver_words);
}

/// Of Didi's trips: how long one takes as a rule, in minutes.
bool is_normal_time(const std::vector<std::string>& words) {
  const std::size_t n = words.size();
  return n >= 2 && words[n - 2] == "normal" && words[n - 1] == "time";
}

/// What ends in "on" is a time, "On foot" is none.
bool says_time(const std::vector<std::string>& words) {
  return has_one_of(words, time_words) ||
         (!words.empty() && std::find(std::next(words.begin()), words.end(), "on") != words.end());
}

/// An end and nothing else, `Departure` or `trip_start`; `Scheduled pickup` is one too.
bool is_end_alone(const std::vector<std::string>& words) {
  std::size_t ends = 0;
  const bool are_all = std::ranges::all_of(words, [&](const std::string& each) {
    const std::vector<std::string> word{each};
    const bool is_end = has_one_of(word, from_words) || has_one_of(word, to_words) ||
                        has_one_of(word, to_time_words);
    ends += is_end ? 1U : 0U;
    return is_end || has_one_of(word, planned_words) || has_one_of(word, plain_words);
  });
  return are_all && ends == 1;
}

/// `start_hour`, beside a date.
bool is_hour_of_end(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 1> hour{"hour"};
  return has_one_of(words, hour) && std::ranges::all_of(words, [&](const std::string& each) {
           const std::vector<std::string> word{each};
           return has_one_of(word, hour) || has_one_of(word, from_words) ||
                  has_one_of(word, to_words) || has_one_of(word, plain_words);
         });
}

/// A length, or when something else was.
bool is_other_time(const std::vector<std::string>& words) {
  return has_one_of(words, length_words) || is_travel_time(words) || is_normal_time(words) ||
         has_one_of(words, cancel_words) || is_approach(words);
}

/// An end alone may be when it was: of all names the last.
int fit_of_time(const std::vector<std::string>& words, int side, trip_end end) {
  const bool is_stop = has_one_of(words, to_time_words);
  const int of_side = !is_stop ? side : end == trip_end::to ? 3 : 0;
  if (words.size() > 1 && end == trip_end::from && is_minute(words)) {
    return of_side;
  }
  if (is_other_time(words) || of_side == 0) {
    return 0;
  }
  const bool is_plan = has_one_of(words, planned_words);
  if (!says_time(words)) {
    return is_end_alone(words) || is_hour_of_end(words) ? 1 : 0;
  }
  if (end == trip_end::to) {
    return of_side + (is_arrival(words) ? 0 : 1) - (is_plan ? 1 : 0);
  }
  constexpr std::array<std::string_view, 1> created{"created"};
  const bool is_other = has_one_of(words, created) && has_one_of(words, other_words);
  const bool is_request = has_one_of(words, request_words) && !is_other;
  return of_side + (is_request ? 1 : 0) - (of_side > 1 && is_plan ? 1 : 0);
}

int fit_of_length(const std::vector<std::string>& words) {
  // `trip` alone is a length, as is `trip_time`; `Trip Miles` and `Trip ID` are not.
  const bool is_of_trip = std::ranges::find(words, "trip") != words.end();
  constexpr std::array<std::string_view, 4> whole{"trip", "ride", "dropoff", "do"};
  constexpr std::array<std::string_view, 3> waits{"wait", "waiting", "waited"};
  if (is_normal_time(words)) {
    return 1;
  }
  if (has_one_of(words, waits) || has_one_of(words, cancel_words) ||
      (has_one_of(words, no_trip_words) && !has_one_of(words, whole))) {
    return 0;
  }
  if (has_one_of(words, length_words)) {
    return is_of_trip ? 3 : 2;
  }
  if (is_of_trip && has_one_of(words, unit_words)) {
    return 3;
  }
  const bool is_time = words.size() == 2 && words[1] == "time";
  return is_travel_time(words) || (is_of_trip && (words.size() == 1 || is_time)) ? 1 : 0;
}

/// The hour of a matrix's row; a day is none. A length is not when it was. "Time per hour" is an
/// hour, as Singapore writes it.
int fit_of_period(const std::vector<std::string>& words, int side, bool has_end) {
  constexpr std::array<std::string_view, 1> per{"per"};
  constexpr std::array<std::string_view, 2> digits{"hhmm", "hhmmss"};
  const bool is_of_rate = has_one_of(words, per) && words.front() != "time";
  if (is_minute(words)) {
    return side > 0 ? side + 1 : 0;
  }
  if (is_of_rate || has_one_of(words, rides_words) || fit_of_length(words) > 0) {
    return 0;
  }
  if (has_one_of(words, hour_words) || has_one_of(words, digits)) {
    return side > 0 ? side + 2 : 0;
  }
  if (has_one_of(words, time_words)) {
    return has_one_of(words, date_words) && words.size() == 1 ? std::min(side, 1) : side;
  }
  return has_end && side > 0 && is_bare_end(words) ? 1 : 0;
}

int fit_of_rides(const std::vector<std::string>& words) {
  if (has_one_of(words, rides_words)) {
    return has_one_of(words, no_number_words) ? 0 : 3;
  }
  if (words.size() == 1 && has_one_of(words, people_words)) {
    return 1;
  }
  return !has_one_of(words, no_number_words) && has_one_of(words, number_words) ? 2 : 0;
}

/// Days of the week are told apart only where no dates are.
int fit_of_date(const std::vector<std::string>& words, int side) {
  constexpr std::array<std::string_view, 3> of_week{"week", "weekday", "dow"};
  const bool is_none = !has_one_of(words, date_words) || has_one_of(words, rides_words) ||
                       has_one_of(words, hour_words) || has_one_of(words, minute_words);
  return is_none ? 0 : has_one_of(words, of_week) ? std::min(side, 1) : side;
}

int fit_of_place(const std::vector<std::string>& words, int side, bool has_end) {
  if (has_one_of(words, place_words)) {
    return side;
  }
  return has_end && side > 0 && is_bare_end(words) ? 1 : 0;
}

/// Whether a name is of this end: 3 if it says so, 2 for one of the beginning that says no end.
int side_of(trip_end end, bool is_from, bool is_to) {
  if (end == trip_end::to) {
    return is_to ? 3 : 0;
  }
  return is_to ? 0 : is_from ? 3 : 2;
}

/// A place of the driver is the last that is taken for that of a ride.
int of_whom(const std::vector<std::string>& words, int side) {
  return has_one_of(words, driver_words) ? std::min(side, 1) : side;
}

}  // namespace

int fit_of(std::string_view name, column_kind kind, trip_end end) {
  const std::vector<std::string> words = words_of(name);
  const bool is_from = has_one_of(words, from_words);
  const bool is_to = has_one_of(words, to_words);
  const int side = side_of(end, is_from, is_to);
  switch (kind) {
    case column_kind::time:
      return fit_of_time(words, side, end);
    case column_kind::latitude:
      return has_one_of(words, latitude_words) ? of_whom(words, side) : 0;
    case column_kind::longitude:
      return has_one_of(words, longitude_words) ? of_whom(words, side) : 0;
    case column_kind::place:
      return fit_of_place(words, side, is_from || is_to);
    case column_kind::rides:
      return fit_of_rides(words);
    case column_kind::start:
      return has_one_of(words, request_words) ? 0 : fit_of_time(words, is_from ? side : 0, end);
    case column_kind::date:
      return fit_of_date(words, side);
    case column_kind::period:
      return fit_of_period(words, side, is_from || is_to);
    case column_kind::duration:
      break;
  }
  return fit_of_length(words);
}

std::vector<std::string> plain_words_of(std::string_view name) { return words_of(name); }

bool is_mean_travel_time(std::string_view name) {
  constexpr auto of_many =
      std::to_array<std::string_view>({"mean", "average", "avg", "median", "deviation", "std"});
  const std::vector<std::string> words = words_of(name);
  return is_travel_time(words) && has_one_of(words, of_many);
}

std::vector<std::string_view> names_of(column_kind kind, trip_end end) {
  const bool is_from = end == trip_end::from;
  switch (kind) {
    case column_kind::time:
      return is_from ? std::vector<std::string_view>{"time",
                                                     "pickup_datetime",
                                                     "request_time",
                                                     "started_at",
                                                     "starttime",
                                                     "Departure"}
                     : std::vector<std::string_view>{
                           "to_time", "dropoff_datetime", "ended_at", "stoptime", "Return"};
    case column_kind::latitude:
      return is_from
                 ? std::vector<std::string_view>{"lat", "pickup_latitude", "start_lat", "origin_y"}
                 : std::vector<std::string_view>{"to_lat", "dropoff_latitude", "end_lat", "dest_y"};
    case column_kind::longitude:
      return is_from
                 ? std::vector<std::string_view>{"lon", "pickup_longitude", "start_lng", "origin_x"}
                 : std::vector<std::string_view>{
                       "to_lon", "dropoff_longitude", "end_lng", "dest_x"};
    case column_kind::place:
      return is_from ? std::vector<std::string_view>{"PULocationID",
                                                     "pickup_zone",
                                                     "origin_h3",
                                                     "start station id",
                                                     "Pickup Centroid Location"}
                     : std::vector<std::string_view>{
                           "DOLocationID", "dropoff_zone", "dest_h3", "end station id"};
    case column_kind::duration:
      return {"trip", "trip_duration", "Trip Seconds", "duration_min", "tripduration_ms"};
    case column_kind::rides:
      return {"trips", "rides", "flow", "count"};
    case column_kind::start:
      return {"pickup_datetime", "started_at"};
    case column_kind::date:
      return {"date", "day"};
    case column_kind::period:
      break;
  }
  return {"hour", "period_start"};
}

bool is_count_of_rides(std::string_view name) {
  constexpr std::array<std::string_view, 26> plain{
      "average", "estimated", "weekly", "monthly", "yearly", "annual", "week", "month", "year",
      "sum",     "trip",      "ride",   "order",   "total",  "number", "num",  "of",    "daily",
      "hourly",  "per",       "hour",   "h",       "day",    "mean",   "avg",  "est"};
  const std::vector<std::string> words = words_of(name);
  const bool counts =
      has_one_of(words, rides_words) || (words.size() > 1 && has_one_of(words, number_words));
  return counts && std::ranges::all_of(words, [&](const std::string& each) {
           const std::vector<std::string> word{each};
           return has_one_of(word, rides_words) || has_one_of(word, number_words) ||
                  has_one_of(word, plain);
         });
}

std::optional<sim_duration> months_or_years_in(std::string_view name) {
  constexpr std::array<std::string_view, 3> plain{"month", "year", "of"};
  constexpr sim_duration year = 365 * sim_duration{24h};
  const std::vector<std::string> words = words_of(name);
  const bool is_plain = !words.empty() && std::ranges::all_of(words, [&](const std::string& each) {
    return std::ranges::find(plain, std::string_view(each)) != plain.end();
  });
  const bool has_month = std::ranges::find(words, "month") != words.end();
  return !is_plain ? std::nullopt : std::optional(has_month ? year / 12 : year);
}

bool is_of_one_trip(std::string_view name) {
  constexpr std::array<std::string_view, 9> trips{
      "trip", "ride", "order", "request", "booking", "journey", "rental", "bike", "vehicle"};
  constexpr std::array<std::string_view, 10> own{
      "id", "fare", "tip", "tips", "price", "tolls", "miles", "km", "distance", "amount"};
  const std::vector<std::string> words = words_of(name);
  const bool is_id = std::ranges::find(words, "id") != words.end();
  return !has_one_of(words, rides_words) && has_one_of(words, own) &&
         (!is_id || has_one_of(words, trips)) && !has_one_of(words, place_words);
}

bool is_of_pickup(std::string_view name) {
  constexpr std::array<std::string_view, 2> pickups{"pickup", "pu"};
  const std::vector<std::string> words = words_of(name);
  return !has_one_of(words, hour_words) &&
         (has_one_of(words, pickups) || has_one_of(words, request_words));
}

bool may_count(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return !has_one_of(words, no_number_words) && !has_one_of(words, latitude_words) &&
         !has_one_of(words, longitude_words) && !has_one_of(words, hour_words) &&
         !has_one_of(words, date_words) && fit_of_length(words) == 0;
}

bool is_of_driver(std::string_view name) { return has_one_of(words_of(name), driver_words); }

bool is_bare_arrival(std::string_view name) { return is_arrival(words_of(name)); }

bool is_planned(std::string_view name) { return has_one_of(words_of(name), planned_words); }

bool is_hour(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return has_one_of(words, hour_words) || is_minute(words);
}

std::optional<sim_duration> time_in_name(std::string_view name) {
  struct period {
    std::array<std::string_view, 3> alone;      ///< words that say it
    std::array<std::string_view, 3> after_per;  ///< or say it after "per"
    sim_duration length;
  };
  constexpr sim_duration day = 24h;
  constexpr std::array periods{
      period{{"hourly"}, {"hour", "h", "hr"}, 1h},
      period{{"daily"}, {"day", "d"}, day},
      period{{"weekly"}, {"week", "wk"}, 7 * day},
      period{{"monthly"}, {"month"}, 365 * day / 12},
      period{{"annual", "annually", "yearly"}, {"year", "annum"}, 365 * day},
      period{{}, {"min", "minute"}, 1min},
      period{{}, {"s", "sec", "second"}, 1s},
      period{{"rate", "lambda"}, {}, 1h}};
  const std::vector<std::string> words = words_of(name);
  const auto has = [&](const std::array<std::string_view, 3>& any) {
    return has_one_of(words, any);
  };
  const bool is_per = has({"per"}) || name.find('/') != std::string_view::npos;
  const auto found = std::ranges::find_if(
      periods, [&](const period& p) { return has(p.alone) || (is_per && has(p.after_per)); });
  return found == periods.end() ? std::nullopt : std::optional(found->length);
}

}  // namespace dibs::scenario
