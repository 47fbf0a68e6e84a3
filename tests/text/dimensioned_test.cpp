#include "text/dimensioned.hpp"

#include "catch.hpp"

using namespace dibs::text;

namespace {

amount amount_of(const char* text) {
  const auto a = read_amount(text);
  INFO(text);
  REQUIRE(a);
  return *a;
}

}  // namespace

TEST_CASE("amount: quantities are read with their unit") {
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
    CHECK(read_amount(text).has_value() == (std::string(text) == "15"));
  }
}

TEST_CASE("amount: what is printed reads back equal") {
  for (const char* text : {"12s", "0.25", "1500ms", "17.25s", "400m", "5m/s", "0.05/s", "200ppm"}) {
    const amount a = amount_of(text);
    CHECK(amount_of(print_amount(a).c_str()).value == a.value);
  }
  CHECK(print_amount(amount_of("1500ms")) == "1.5s");
  CHECK(print_amount(amount_of("2h")) == "7200s");
  CHECK(print_amount(amount_of("250ms")) == "250ms");
}

TEST_CASE("amount: 5m is five minutes where it meets a time, else five metres") {
  amount m = amount_of("5m");
  amount s = amount_of("30s");
  CHECK(m.what == dimension::distance);
  CHECK(agree(m, s));
  CHECK(m.value == 300e9);
  amount far = amount_of("5m");
  amount km = amount_of("1km");
  CHECK(agree(far, km));
  CHECK(far.value == 5);
  amount number = amount_of("5");
  CHECK_FALSE(agree(number, s));
}
