#include "cli/run_time.hpp"

#include "catch.hpp"

#include <string>

using namespace dibs;
using cli::read_time_of_run;
using namespace std::chrono_literals;

TEST_CASE("times of a run: as durations, as sums of them, and as they are printed", "[cli]") {
  const std::pair<const char*, sim_duration> all[] = {{"1893s", 1893s},
                                                      {"90m", 90min},
                                                      {"31m33s", 1893s},
                                                      {"31min33.5s", 1893500ms},
                                                      {"1h2m3s4ms", 3723004ms},
                                                      {"2h5s", 7205s},
                                                      {"31:33", 1893s},
                                                      {"0:00.250", 250ms},
                                                      {"48:08.785", 2888785ms},
                                                      {"75:00", 75min},
                                                      {"1:02:03.5", 3723500ms},
                                                      {"01:00:00", 1h}};
  for (const auto& [text, time] : all) {
    CAPTURE(text);
    REQUIRE(read_time_of_run(text).has_value());
    CHECK(*read_time_of_run(text) == time);
  }
}

TEST_CASE("times of a run: what is none is refused", "[cli]") {
  for (const char* text : {"",
                           "31",
                           "31:3",
                           "31:60",
                           "1:2:03",
                           "1:60:00",
                           ":30",
                           "30:",
                           "33s31m",
                           "1h2h",
                           "5x",
                           "-5s",
                           "31m-3s",
                           "31m 33s",
                           "1:02:03:04",
                           "0x10s",
                           "9999999999999999999h",
                           "99999999h99999999m",
                           "\x1b[31m"}) {
    CAPTURE(text);
    REQUIRE_FALSE(read_time_of_run(text).has_value());
    CHECK(read_time_of_run(text).error().message.find("expected a time such as") == 0);
  }
  CHECK_FALSE(read_time_of_run(std::string(100'000, '1') + "s").has_value());
}
