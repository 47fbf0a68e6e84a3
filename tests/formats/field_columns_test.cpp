#include "formats/field_columns.hpp"

#include "catch.hpp"

using namespace dibs;
using formats::field_columns;
using values = std::vector<std::vector<std::string>>;

namespace {

std::string csv_of(const std::string& path, const values& rows) {
  const field_columns fields({path}, rows);
  text::table t{fields.columns(), {}};
  for (const auto& row : rows) {
    t.rows.push_back(fields.cells_of(row));
  }
  return text::as_csv(t);
}

}  // namespace

TEST_CASE("field columns: numbers stand in the unit that the name ends with") {
  CHECK(csv_of("lease.ttl", {{"15s"}, {"250ms"}, {"1min"}}) == "lease.ttl_s\n15\n0.25\n60\n");
  CHECK(csv_of("matchers.policy.radius", {{"3km"}}) == "matchers.policy.radius_m\n3000\n");
  CHECK(csv_of("world.travel.speed", {{"18km/h"}}) == "world.travel.speed_m_per_s\n5\n");
  CHECK(csv_of("demand.1.rate", {{"0.5/s"}, {"30/h"}}) == "demand.1.rate_per_h\n1800\n30\n");
  CHECK(csv_of("clocks.phones.drift", {{"-50ppm"}}) == "clocks.phones.drift_ppm\n-50\n");
  CHECK(csv_of("network.matcher->driver.loss", {{"60%"}, {"0.5"}}) ==
        "network.matcher->driver.loss\n0.6\n0.5\n");
  CHECK(csv_of("drivers.count", {{"400"}}) == "drivers.count\n400\n");
}

TEST_CASE("field columns: a distribution is a number where it is one value") {
  CHECK(csv_of("drivers.classes.all.response", {{"2s"}}) == "drivers.classes.all.response_s\n2\n");
  CHECK(csv_of("drivers.classes.all.response.p50", {{"2s"}}) ==
        "drivers.classes.all.response.p50_s\n2\n");
  CHECK(csv_of("drivers.classes.all.response", {{"{dist: never}"}}) ==
        "drivers.classes.all.response\n{dist: never}\n");
}

TEST_CASE("field columns: words keep the field's name, and stand apart from numbers") {
  CHECK(csv_of("lease.protocol", {{"fenced"}, {"lease"}}) == "lease.protocol\nfenced\nlease\n");
  CHECK(csv_of("lease.offer_window", {{"5s"}, {"ttl"}}) ==
        "lease.offer_window_s,lease.offer_window_word\n5,\n,ttl\n");
}

TEST_CASE("field columns: what is no field, or has no rows, is text") {
  CHECK(csv_of("no.such.field", {{"15s"}}) == "no.such.field\n15s\n");
  CHECK(csv_of("lease.ttl", {}) == "lease.ttl\n");
  CHECK(csv_of("lease.ttl", {{}}) == "lease.ttl\n\n");
}
