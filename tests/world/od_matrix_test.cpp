// Goal: rates between places are read as they stand, and rides come at these rates.
// Method: small files of which everything is known; over many seeds, counts of one pair in one
// period against the law of Poisson, and the shares of pairs.

#include "world/od_matrix.hpp"

#include "catch.hpp"
#include "has.hpp"
#include "world/city.hpp"
#include "world/demand.hpp"
#include "world/temporary_file.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dibs::world::test_of_matrices {

namespace {

using dibs::test::has;
using world::test::city;

const std::string middles =
    "id,lat,lon\n"
    "A,40.70,-74.00\n"
    "B,40.75,-73.95\n"
    "C,40.80,-73.90\n"
    "far,51.5,0.1\n";

result<od_matrix> read(const std::string& content, matrix_format format = {}, double lost = 0.2) {
  const dibs::test::temporary_file file(content);
  const dibs::test::temporary_file zones(middles);
  return read_matrix(file.path(),
                     {.format = std::move(format),
                      .lost_max = lost,
                      .zones = zone_file{zones.path(), "id", "lat", "lon"}},
                     city);
}

/// What the refusal says after the file's name.
std::string refusal(const std::string& content, matrix_format format = {}, double lost = 0.2) {
  const auto got = read(content, std::move(format), lost);
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().code == exit_code::invalid_input);
  return got.error().text.substr(got.error().text.find(".csv:") + 4);
}

matrix_format with_hours(std::optional<sim_duration> per = {}) {
  matrix_format format;
  format.columns.time = "hour";
  format.per = per;
  return format;
}

matrix_format from_to() {
  matrix_format format;
  format.columns.time = "begins";
  format.columns.to_time = "ends";
  return format;
}

point middle(double lat, double lon) { return city.project({lat, lon}); }

const point a = middle(40.70, -74.00);
const point b = middle(40.75, -73.95);
const point c = middle(40.80, -73.90);

/// Rides of a mean day from one place to another.
double rides_between(const od_matrix& m, const point& from, const point& to) {
  double rides = 0;
  for (std::size_t i = 0; i < m.pairs.size(); ++i) {
    if (m.pairs[i].origin == from && m.pairs[i].destination == to) {
      rides += m.rides_up_to[i] - (i == 0 ? 0 : m.rides_up_to[i - 1]);
    }
  }
  return rides;
}

// -- reading -------------------------------------------------------------------------------------

TEST_CASE("matrices: a row is a pair, and its number is of a day", "[matrix]") {
  const auto m = read("origin,destination,rides\nA,B,24\nB,A,48\nA,C,0\n");
  REQUIRE(m);
  CHECK(m->rows == 3);
  CHECK(m->pairs.size() == 2);
  CHECK(m->stretches.size() == 1);
  CHECK(m->stretches[0].rate_per_s == Approx(72.0 / 86400));
  CHECK(rides_between(*m, a, b) == Approx(24));
  CHECK(rides_between(*m, b, a) == Approx(48));
  CHECK(m->rides_within(23h, 2h) == Approx(6));
  CHECK(m->rides_within(0h, 72h) == Approx(216));
}

TEST_CASE("matrices: a square says the same", "[matrix]") {
  matrix_format square;
  square.form = matrix_form::square;
  const auto m = read("zone,A,B,C\nA,,24,0\nB,48,,0\nC,0,0,1.5\n", square);
  REQUIRE(m);
  CHECK(m->rows == 9);
  CHECK(m->pairs.size() == 3);
  CHECK(rides_between(*m, a, b) == Approx(24));
  CHECK(rides_between(*m, b, a) == Approx(48));
  CHECK(rides_between(*m, c, c) == Approx(1.5));
  square.per = 1h;
  const auto hourly = read("zone,A,B\nA,,24\nB,48,\n", square);
  REQUIRE(hourly);
  CHECK(rides_between(*hourly, a, b) == Approx(576));
}

TEST_CASE("matrices: numbers are of the row's period, or per some time", "[matrix]") {
  const std::string rows = "hour,origin,destination,rides\n7,A,B,10\n8,A,B,20\n23,A,B,5\n7,B,A,1\n";
  const auto m = read(rows, with_hours());
  REQUIRE(m);
  CHECK(m->pairs.size() == 2);
  CHECK(m->rides_within(7h, 1h) == Approx(11));
  CHECK(m->rides_within(7h + 30min, 1h) == Approx(15.5));
  CHECK(m->rides_within(9h, 14h) == Approx(0).margin(1e-9));
  CHECK(m->rides_within(23h, 1h) == Approx(5));
  CHECK(m->rides_a_day() == Approx(36));
  const auto rate = read(rows, with_hours(30min));
  REQUIRE(rate);
  CHECK(rate->rides_within(7h, 1h) == Approx(22));
  matrix_format quarters = with_hours();
  quarters.period = 15min;
  const auto short_periods = read(rows, quarters);
  REQUIRE(short_periods);
  CHECK(short_periods->rides_within(7h, 15min) == Approx(11));
  CHECK(short_periods->rides_within(7h + 15min, 45min) == Approx(0).margin(1e-9));
}

TEST_CASE("matrices: periods may say when they end, also at or past midnight", "[matrix]") {
  const auto m = read(
      "begins,ends,origin,destination,rides\n"
      "07:00,09:00,A,B,10\n"
      "22:00,00:00,A,B,8\n"
      "20,24,B,A,4\n"
      "6.5,7,B,A,3\n",
      from_to());
  REQUIRE(m);
  CHECK(m->rides_within(7h, 1h) == Approx(5));
  CHECK(m->rides_within(22h, 2h) == Approx(10));
  CHECK(m->rides_within(6h, 1h) == Approx(3));
  CHECK(m->days == 1);
  const auto dated = read(
      "begins,ends,origin,destination,rides\n"
      "2026-01-31 23:00,2026-02-01 01:00,A,B,10\n"
      "2026-02-01 07:00,2026-02-01 08:00,A,B,6\n",
      from_to());
  REQUIRE(dated);
  CHECK(dated->days == 2);
  CHECK(dated->rides_within(23h, 1h) == Approx(2.5));
  CHECK(dated->rides_within(0h, 1h) == Approx(2.5));
  CHECK(dated->rides_within(7h, 1h) == Approx(3));
  // The second date has no such month, so that the first one is of February.
  const auto day_first = read(
      "begins,ends,origin,destination,rides\n"
      "02/02/2026 07:00,02/02/2026 08:00,A,B,6\n"
      "31/01/2026 07:00,31/01/2026 08:00,A,B,2\n",
      from_to());
  REQUIRE(day_first);
  CHECK(day_first->rides_within(7h, 1h) == Approx(4));
}

TEST_CASE("matrices: places may be coordinates, points and cells", "[matrix]") {
  matrix_format format;
  format.columns = {"o_lat", "o_lon", "d_lat", "d_lon", "trips", {}, {}};
  const auto m = read("o_lat,o_lon,d_lat,d_lon,trips\n40.70,-74.00,40.75,-73.95,24\n", format);
  REQUIRE(m);
  CHECK(rides_between(*m, a, b) == Approx(24));
  const auto named = read("origin,destination,rides\nPOINT (-74 40.7),8a2a1072b59ffff,24\n");
  INFO((named ? "" : named.error().text));
  REQUIRE(named);
  CHECK(named->pairs[0].origin == a);
  CHECK(city.degrees_of(named->pairs[0].destination).lat == Approx(40.689).margin(0.001));
}

TEST_CASE("matrices: rows that lack something are left out, counted and named", "[matrix]") {
  std::string rows = "hour,origin,destination,rides\n";
  for (int hour = 0; hour < 16; ++hour) {
    rows += fmt::format("{},A,B,1\n", hour);
  }
  const auto m = read(rows + "16,A,Z,1\n16,A,B,-3\nnoon,A,B,1\n16,A,far,1\n17,A\n", with_hours());
  REQUIRE(m);
  CHECK(m->rows == 16);
  CHECK(m->rows_lost == 4);
  CHECK(m->rows_dropped == 1);
  REQUIRE(m->lost.size() == 3);
  CHECK(has(m->lost[0], "line 18: destination: no zone 'Z' among the 4 of "));
  CHECK(m->lost[1] == "line 19: rides: expected a number of rides, from 0 to 1e9, found '-3'");
  CHECK(has(m->lost[2], "line 20: hour: expected an hour from 0 to 23, or: expected a time"));
  CHECK(
      has(refusal(rows + "16,A,Z,1\n16,A,B,-3\nnoon,A,B,1\n16,A,far,1\n17,A\n", with_hours(), 0.1),
          "4 of 21 rows lack what is needed, more than lost_max (10 %); line 18: "));
}

TEST_CASE("matrices: a place of 0, 0 is none", "[matrix]") {
  matrix_format format;
  format.columns = {"o_lat", "o_lon", "d_lat", "d_lon", "trips", {}, {}};
  const auto m = read(
      "o_lat,o_lon,d_lat,d_lon,trips\n40.70,-74.00,40.75,-73.95,24\n"
      "0,0,40.75,-73.95,24\n40.75,-73.95,0.0,0.0,24\n",
      format,
      0.7);
  REQUIRE(m);
  CHECK(m->rows == 1);
  CHECK(m->rows_lost == 2);
  CHECK(m->lost[0] == "line 3: o_lat: 0, 0, which is in the sea");
  CHECK(m->lost[1] == "line 4: d_lat: 0, 0, which is in the sea");
  CHECK(has(refusal("origin,destination,rides\nPOINT (0 0),A,24\n"),
            "line 2: origin: 'POINT (0 0)' is at 0, 0, which is in the sea"));
}

TEST_CASE("matrices: what makes no sense is refused, with its lines", "[matrix]") {
  const std::string header = "origin,destination,rides\n";
  CHECK(has(refusal(""), "the file is empty"));
  CHECK(has(refusal(header), "no rows after the header"));
  CHECK(has(refusal(header + "A,B,0\n"), "the matrix is empty: no number of rides is above 0"));
  CHECK(has(refusal(header + "A,far,2\n"), "none of the 1 pairs lies within the bounds"));
  CHECK(has(refusal("from,to,rides\nA,B,2\n"), ":1: no column 'origin'; the columns are: from"));
  CHECK(has(refusal(header + "A,B,2\nA,C,2\nA,B,3\n"),
            "lines 2 and 4 both say how many rides go from 'A' to 'B': add them up"));
  CHECK(has(refusal("begins,ends,origin,destination,rides\n8:00,7:00,A,B,1\n", from_to()),
            "line 2: ends: the period from '8:00' to '7:00' ends before it begins"));
  CHECK(has(refusal("begins,ends,origin,destination,rides\n"
                    "7:00,8:00,A,B,1\n6:00,7:01,A,B,1\n",
                    from_to()),
            "lines 2 and 3 both say how many rides go from 'A' to 'B' in 07:00 to 07:01, where "
            "their periods overlap"));
  CHECK(
      read("begins,ends,origin,destination,rides\n7:00,8:00,A,B,1\n6:00,7:00,A,B,1\n", from_to()));
  CHECK(has(refusal("hour,origin,destination,rides\n1,A,B,1\n24,A,B,1\n", with_hours()),
            ":3: hour: a period begins at hour 24"));
  matrix_format square;
  square.form = matrix_form::square;
  CHECK(has(refusal("zone,A,A\nA,1,1\n", square), "a place is there twice"));
  CHECK(has(refusal("zone,A,Q\nA,1,1\n", square),
            "1 of 2 cells lack what is needed, more than lost_max (20 %); line 2: the first line: "
            "no zone 'Q'"));
}

TEST_CASE("matrices: one of 265 zones and 24 hours loads fast", "[matrix]") {
  std::string zones = "id,lat,lon\n";
  for (int z = 0; z < 265; ++z) {
    zones += fmt::format("{},{},{}\n", z, 40.61 + 0.001 * z, -74.04 + 0.001 * z);
  }
  std::string rows = "origin,destination,hour,rides\n";
  for (int from = 0; from < 265; ++from) {
    for (int to = 0; to < 265; ++to) {
      for (int hour = 0; hour < 24; ++hour) {
        rows += fmt::format("{},{},{},{}\n", from, to, hour, (from + to + hour) % 7);
      }
    }
  }
  const dibs::test::temporary_file file(rows);
  const dibs::test::temporary_file at(zones);
  const auto m =
      read_matrix(file.path(),
                  {.format = with_hours(), .zones = zone_file{at.path(), "id", "lat", "lon"}},
                  city);
  REQUIRE(m);
  CHECK(m->rows == 265 * 265 * 24);
  CHECK(m->stretches.size() == 24);
  CHECK(m->pairs.size() == 265 * 265);
}

// -- rides ---------------------------------------------------------------------------------------

/// Which pairs ride in which hour of a run that begins at 7:00, over seeds.
struct counted {
  std::map<std::pair<double, double>, std::vector<double>> by_pair;  ///< of hour 8, by both easts
  std::vector<double> of_hour_7;
  std::vector<double> of_night;
};

counted count(const od_matrix& m, double scale, int seeds) {
  const auto rates = std::make_shared<const od_matrix>(m);
  const demand_options options{{matrix_demand{rates, scale, 0}}, 7h, at(26h), std::nullopt};
  counted all;
  for (int seed = 1; seed <= seeds; ++seed) {
    demand rides(options, city, static_cast<std::uint64_t>(seed));
    std::map<std::pair<double, double>, double> pairs;
    double hour_7 = 0;
    double night = 0;
    double rides_made = 0;
    sim_time last{};
    while (const auto made = rides.next()) {
      REQUIRE(made->at >= last);
      last = made->at;
      ++rides_made;
      const auto hour = (made->at.time_since_epoch() + 7h) / 1h;
      hour_7 += hour == 7 || hour == 31 ? 1 : 0;
      if (hour == 8 || hour == 32) {
        ++pairs[{made->origin.x, made->destination.x}];
      } else if (hour != 7 && hour != 31) {
        ++night;
      }
    }
    CHECK(rides_made <= rides_at_most(options));
    for (const trace_row& pair : m.pairs) {
      const std::pair key{pair.origin.x, pair.destination.x};
      all.by_pair[key].push_back(pairs[key]);
    }
    all.of_hour_7.push_back(hour_7);
    all.of_night.push_back(night);
  }
  return all;
}

constexpr double sigmas = 3.2905;

/// Both moments of Poisson's law: the mean is the variance.
void check_poisson(const std::vector<double>& counts, double mean) {
  const auto n = static_cast<double>(counts.size());
  double sum = 0;
  double squares = 0;
  for (const double each : counts) {
    sum += each;
    squares += (each - mean) * (each - mean);
  }
  CAPTURE(mean, sum / n, squares / n);
  CHECK(std::abs(sum / n - mean) <= sigmas * std::sqrt(mean / n));
  // The squared deviation of a Poisson count has the variance mean + 2 mean^2.
  CHECK(std::abs(squares / n - mean) <= sigmas * std::sqrt((mean + 2 * mean * mean) / n));
}

TEST_CASE("matrices: the rides of a pair in a period are as many as Poisson says",
          "[matrix][law]") {
  const auto m = read(
      "hour,origin,destination,rides\n"
      "7,A,B,0.5\n7,B,C,2.5\n8,A,B,6\n8,B,A,3\n8,C,C,1\n",
      with_hours());
  REQUIRE(m);
  // The run lasts from 7:00 to 9:00 of the day after: both hours come twice.
  const counted found = count(*m, 1.5, 4000);
  check_poisson(found.of_hour_7, 2 * 1.5 * 3);
  check_poisson(found.by_pair.at({a.x, b.x}), 2 * 1.5 * 6);
  check_poisson(found.by_pair.at({b.x, a.x}), 2 * 1.5 * 3);
  check_poisson(found.by_pair.at({c.x, c.x}), 2 * 1.5 * 1);
  double night = 0;
  for (const double each : found.of_night) {
    night += each;
  }
  CHECK(night == 0);
}

TEST_CASE("matrices: pairs have their shares", "[matrix][law]") {
  const auto m = read("origin,destination,rides\nA,B,70\nB,C,25\nC,A,5\n");
  REQUIRE(m);
  const demand_options options{
      {matrix_demand{std::make_shared<const od_matrix>(*m), 1000, 0}}, 0h, at(24h), std::nullopt};
  demand rides(options, city, 3);
  std::map<double, double> from;
  double all = 0;
  while (const auto made = rides.next()) {
    ++from[made->origin.x];
    ++all;
  }
  CHECK(std::abs(all - 1e5) <= sigmas * std::sqrt(1e5));
  for (const auto& [place, share] : {std::pair(a, 0.70), {b, 0.25}, {c, 0.05}}) {
    CAPTURE(share);
    CHECK(std::abs(from[place.x] / all - share) <= sigmas * std::sqrt(share * (1 - share) / all));
  }
}

TEST_CASE("matrices: drivers and Poisson rides are where its rides start, spread", "[matrix]") {
  const auto m = read("origin,destination,rides\nA,B,3\nC,B,1\n");
  REQUIRE(m);
  const auto rates = std::make_shared<const od_matrix>(*m);
  demand rides(
      {{matrix_demand{rates, 1, 300}, poisson_demand{1}}, 0h, at(4h), std::nullopt}, city, 5);
  CHECK(rides.places().has_rows());
  CHECK_FALSE(rides.places().has_trips());
  int of_a = 0;
  constexpr int drawn = 10'000;
  stream random(4);
  for (int i = 0; i < drawn; ++i) {
    const point place = rides.places().origin(random);
    const double to_a = city.distance_m(place, a);
    REQUIRE(std::min(to_a, city.distance_m(place, c)) < 300.001);
    of_a += to_a < 301 ? 1 : 0;
  }
  CHECK(std::abs(of_a / double{drawn} - 0.75) <= sigmas * std::sqrt(0.75 * 0.25 / drawn));
  int beside = 0;
  int all = 0;
  while (const auto made = rides.next()) {
    REQUIRE(city.distance_m(made->destination, b) < 300.001);
    CHECK(made->trip == city.travel_time(made->origin, made->destination));
    beside += made->origin != a && made->origin != c ? 1 : 0;
    ++all;
  }
  CHECK(all > 10'000);
  CHECK(beside == all);
}

TEST_CASE("matrices: the same seed gives the same rides, and another gives others", "[matrix]") {
  const auto m = read("origin,destination,rides\nA,B,300\nC,B,100\n");
  REQUIRE(m);
  const auto rates = std::make_shared<const od_matrix>(*m);
  const auto first_at = [&](std::uint64_t seed) {
    demand rides({{matrix_demand{rates, 1, 300}}, 0h, at(24h), std::nullopt}, city, seed);
    return rides.next()->at;
  };
  CHECK(first_at(1) == first_at(1));
  CHECK(first_at(1) != first_at(2));
}

}  // namespace

TEST_CASE("matrix: the day of a row may stand in a column of its own") {
  matrix_format format = with_hours();
  format.columns.date = "date";
  const std::string rows =
      "date,origin,destination,hour,rides\n1.2.,A,B,7,10\n2.2.,A,B,7,20\n2.2.,A,B,8,4\n";
  const auto got = read(rows, format);
  REQUIRE(got.has_value());
  CHECK(got->days == 2);
  CHECK(got->rides_within(7h, 1h) == Approx(15));
  CHECK(got->rides_within(8h, 1h) == Approx(2));
  CHECK(has(refusal(rows + "1.2.,A,B,7,1\n", format), "lines 2 and 5 both say"));
  CHECK(has(refusal(rows, with_hours()), "lines 2 and 3 both say"));
}

TEST_CASE("matrix: a day of the week is one of its date, where times have dates") {
  matrix_format format = with_hours();
  format.columns.date = "weekday";
  const std::string header = "weekday,origin,destination,hour,rides\n";
  const auto months = read(header +
                               "Mon,A,B,2023-06-01 07:00,10\nTue,A,B,2023-06-01 07:00,20\n"
                               "Mon,A,B,2023-07-01 07:00,30\nTue,A,B,2023-07-01 07:00,40\n",
                           format);
  REQUIRE(months);
  CHECK(months->days == 4);
  CHECK(months->rides_within(7h, 1h) == Approx(25));
  // A day of service goes on after midnight.
  const auto service = read(header +
                                "2023-06-01,A,B,2023-06-01 23:00,10\n"
                                "2023-06-01,A,B,2023-06-02 00:00,20\n",
                            format);
  REQUIRE(service);
  CHECK(service->days == 1);
  CHECK(has(refusal(header + "Mon,A,B,7,10\nTue,A,B,7,20\n", with_hours()),
            "lines 2 and 3 both say how many rides go from 'A' to 'B', and differ in weekday: if "
            "that is of which day they are, name it as `columns: {date: weekday}`"));
}

TEST_CASE("matrix: numbers of periods may be minutes, or digits of a clock") {
  const auto in = [](const std::string& name, const std::string& rows) {
    matrix_format format = with_hours();
    format.columns.time = name;
    format.period = 15min;
    return read(name + ",origin,destination,rides\n" + rows, format);
  };
  const auto minutes = in("start_min", "15,A,B,4\n420,A,B,8\n435.5,A,B,6\n");
  REQUIRE(minutes);
  CHECK(minutes->rides_within(15min, 15min) == Approx(4));
  CHECK(minutes->rides_within(7h, 15min) == Approx(8));
  const auto clock = in("time", "645,A,B,4\n700,A,B,8\n715,A,B,6\n");
  REQUIRE(clock);
  CHECK(clock->rides_within(6h + 45min, 15min) == Approx(4));
  CHECK(clock->rides_within(7h, 30min) == Approx(14));
  const auto beyond = in("time", "645,A,B,4\n660,A,B,8\n675,A,B,6\n");
  REQUIRE(beyond);
  CHECK(beyond->rides_within(11h, 30min) == Approx(14));
  const auto seconds = in("time", "0,A,B,4\n900,A,B,8\n1800,A,B,6\n");
  REQUIRE(seconds);
  CHECK(seconds->rides_within(15min, 30min) == Approx(14));
  const auto hours = in("time", "0,A,B,4\n7,A,B,8\n7.5,A,B,6\n");
  REQUIRE(hours);
  CHECK(hours->rides_within(7h, 1h) == Approx(14));
  CHECK(has(in("hhmm", "675,A,B,4\n").error().text, "1 of 1 rows lack what is needed"));
}

TEST_CASE("matrix: a night goes over midnight") {
  const auto night = read("begins,ends,origin,destination,rides\n22:00,02:00,A,B,8\n", from_to());
  REQUIRE(night);
  CHECK(night->days == 1);
  CHECK(night->rides_within(22h, 2h) == Approx(4));
  CHECK(night->rides_within(0h, 2h) == Approx(4));
}

}  // namespace dibs::world::test_of_matrices
