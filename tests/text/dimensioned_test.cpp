#include "text/dimensioned.hpp"

#include "catch.hpp"

using namespace dibs::text;

namespace {

dimensioned_value amount_of(const char* text) {
  const auto a = parse_dimensioned(text);
  INFO(text);
  REQUIRE(a);
  return *a;
}

}  // namespace

TEST_CASE("dimensioned value: quantities are read with their unit") {
  CHECK(amount_of("15s").value == 15e9);
  CHECK(amount_of("15s").what == dimension::time);
  CHECK(amount_of("3km").value == 3000);
  CHECK(amount_of("60%").value == Approx(0.6));
  CHECK(amount_of("60%").what == dimension::number);
  CHECK(amount_of("-50ppm").value == -50);
  CHECK(amount_of("3/h").what == dimension::rate);
  CHECK(amount_of("18km/h").what == dimension::speed);
  for (const char* text : {"", "s", "fenced", "15", "1:30", "nan", "010s"}) {
    INFO(text);
    CHECK(parse_dimensioned(text).has_value() == (std::string(text) == "15"));
  }
}

TEST_CASE("dimensioned value: what is printed reads back equal") {
  for (const char* text : {"12s", "0.25", "1500ms", "17.25s", "400m", "5m/s", "0.05/s", "200ppm"}) {
    const dimensioned_value a = amount_of(text);
    CHECK(amount_of(format_dimensioned(a).c_str()).value == a.value);
  }
  CHECK(format_dimensioned(amount_of("1500ms")) == "1.5s");
  CHECK(format_dimensioned(amount_of("2h")) == "7200s");
  CHECK(format_dimensioned(amount_of("250ms")) == "250ms");
}

TEST_CASE("dimensioned value: 5m is five minutes where it meets a time, else five metres") {
  dimensioned_value m = amount_of("5m");
  dimensioned_value s = amount_of("30s");
  CHECK(m.what == dimension::distance);
  CHECK(unify_dimensions(m, s));
  CHECK(m.value == 300e9);
  dimensioned_value far = amount_of("5m");
  dimensioned_value km = amount_of("1km");
  CHECK(unify_dimensions(far, km));
  CHECK(far.value == 5);
  dimensioned_value number = amount_of("5");
  CHECK_FALSE(unify_dimensions(number, s));
}
