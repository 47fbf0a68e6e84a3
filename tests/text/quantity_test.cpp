#include "text/quantity.hpp"

#include "catch.hpp"

namespace dibs::text {

TEST_CASE("quantity: durations are exact to the nanosecond") {
  CHECK(read_duration("15s").value() == 15s);
  CHECK(read_duration("1.5s").value() == 1500ms);
  CHECK(read_duration("70m").value() == 70min);
  CHECK(read_duration("70min").value() == 70min);
  CHECK(read_duration("2h").value() == 2h);
  CHECK(read_duration("0.000000001s").value() == 1ns);
  CHECK(read_duration("1e-9s").value() == 1ns);
  CHECK(read_duration("1.5e3ms").value() == 1500ms);
  CHECK(read_duration("-300ms").value() == -300ms);
  CHECK(read_duration("0.1h").value() == 6min);
  CHECK(read_duration("9223372036854775806ns").value().count() == 9223372036854775806);
  CHECK(read_duration("9223372036854775807ns").error().code == "E-RANGE");
  CHECK(read_duration("0.0000000001s").error().code == "E-RANGE");
  CHECK(read_duration("0e999s").value() == 0s);
}

TEST_CASE("quantity: a duration prints in its largest whole unit and reads back") {
  CHECK(print_duration(0s) == "0s");
  CHECK(print_duration(15s) == "15s");
  CHECK(print_duration(90s) == "90s");
  CHECK(print_duration(60s) == "1min");
  CHECK(print_duration(1500ms) == "1500ms");
  CHECK(print_duration(-2h) == "-2h");
  for (const sim_duration d : {sim_duration(1), sim_duration(123456789), sim_duration(3600s)}) {
    CHECK(read_duration(print_duration(d)).value() == d);
  }
}

TEST_CASE("quantity: other units convert to the base unit of their family") {
  CHECK(read_quantity("3km", distances()).value() == 3000);
  CHECK(read_quantity("18km/h", speeds()).value() == 5);
  CHECK(read_quantity("3/min", rates()).value() == 0.05);
  CHECK(read_quantity("1/s", hourly_rates()).value() == 3600);
  CHECK(read_quantity("60%", shares()).value() == 0.6);
  CHECK(read_quantity("0.6", shares()).value() == 0.6);
  CHECK(read_quantity("200ppm", drifts()).value() == 200);
  CHECK(read_quantity("3", distances()).error().code == "E-UNIT");
}

TEST_CASE("quantity: whole numbers reach the last of 64 bits") {
  CHECK(read_whole("18446744073709551615").value() == 18446744073709551615ULL);
  CHECK(read_whole("18446744073709551616").error().code == "E-RANGE");
  CHECK(read_whole("-1").error().code == "E-RANGE");
  CHECK(read_whole("1.0").error().code == "E-TYPE");
}

TEST_CASE("quantity: real numbers print without loss") {
  for (const double x : {0.1, 1.0 / 3, 1e-9, 123456789.125, 40.6, -74.05}) {
    CHECK(read_real(print_real(x)).value() == x);
  }
  CHECK(print_real(1e6) == "1000000");
}

TEST_CASE("quantity: what is nearly right is told how it is written") {
  CHECK(read_duration("15 s").error().hint == "without a space: 15s");
  CHECK(read_duration("15 parsecs").error().hint.empty());
  CHECK(read_quantity("60 %", shares()).error().hint == "without a space: 60%");
  CHECK(read_quantity("60 cats", shares()).error().hint == "such as 60%");
  CHECK(read_duration(".inf").error().hint.find("`never`") != std::string::npos);
}

TEST_CASE("quantity: words and numbers that other YAML readers take for something else") {
  for (const char* text : {"no",
                           "Yes",
                           "OFF",
                           "on",
                           "y",
                           "null",
                           "~",
                           "010",
                           "1e3",
                           "1:30",
                           "2018-11-09",
                           "0x1f",
                           ".inf",
                           "1_000",
                           "3.5"}) {
    INFO(text);
    CHECK(looks_like_no_text(text));
  }
  for (const char* text : {"north", "one", "a1", "-", "evening-peak", "no way"}) {
    INFO(text);
    CHECK_FALSE(looks_like_no_text(text));
  }
}

}  // namespace dibs::text
