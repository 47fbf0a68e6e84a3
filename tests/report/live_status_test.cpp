#include "report/live_status.hpp"

#include "catch.hpp"
#include "explain/told.hpp"

using namespace dibs;
using namespace dibs::report;

TEST_CASE("live status: what is shown is what the events said so far") {
  metrics::teller h = explain::two_trips();
  scenario::scenario s;
  s.clock.duration = 100s;
  s.drivers.count = 1;
  live_status view(s);
  const auto before = std::find_if(h.history.begin(), h.history.end(), [](const auto& e) {
    return e.t >= metrics::teller::s(6);
  });
  view.observe({h.history.begin(), before});
  CHECK(view.so_far().asked == 2);
  CHECK(view.so_far().matched == 1);
  CHECK(view.so_far().doubled == 0);
  view.observe({before, h.history.end()});
  CHECK(view.so_far().matched == 2);
  CHECK(view.so_far().doubled == 1);
  const auto lines = view.lines(metrics::teller::s(50), {});
  REQUIRE(lines.size() == 4);
  CHECK(lines[3] == "harms   pairs on one driver 1, broken promises 0, leases without a trip 0");
  const std::string line = view.line(metrics::teller::s(50));
  CHECK(line.find('\n') == std::string::npos);
  CHECK(
      line.starts_with("0:50 of 6:40, measured since 0:00; supply  on trip 1, leased 0, "
                       "available 0; rides   2 asked"));
}

TEST_CASE("live status: counted as in the summary, and the same at the end") {
  metrics::teller h;
  h.online(0, 0);
  h.online(0, 1);
  for (std::uint32_t r = 0; r < 4; ++r) {
    h.request(r < 2 ? 1 : 11, r);
    h.offer(r < 2 ? 2 : 12, r + 1, 0, r);
  }
  // Three on one driver before the measured time begins, of which one pair reaches into it; then
  // two more, each of which meets two: five pairs in all.
  h.commit(3, 1);
  h.commit(4, 2);
  h.commit(13, 3);
  h.commit(14, 4);
  h.promise(15, 4);
  h.revoke(16, 4, events::revocation::no_show);
  std::stable_sort(
      h.history.begin(), h.history.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  scenario::scenario s;
  s.clock.warmup = 10s;
  s.clock.duration = 50s;
  s.clock.drain = 10s;
  s.drivers.count = 2;
  s.world.geography = scenario::geography::none;
  s.matchers.look_again.reset();
  live_status view(s);
  view.observe(h.history);
  const history::recorded_run whole = history::history_of(s, 1, h.history, s.ends());
  CHECK(view.so_far().doubled == 6);
  CHECK(view.so_far().doubled ==
        static_cast<std::uint64_t>(*whole.metrics.value("double.commits")));
  CHECK(view.so_far().asked == static_cast<std::uint64_t>(*whole.metrics.value("rides.requested")));
  CHECK(view.so_far().matched == static_cast<std::uint64_t>(*whole.metrics.value("rides.matched")));
  CHECK(view.so_far().broken ==
        static_cast<std::uint64_t>(*whole.metrics.value("promises.broken")));
}

TEST_CASE("live status: a line is never as wide as the terminal, and the warm-up is said") {
  scenario::scenario s;
  s.clock.warmup = 10min;
  s.drivers.count = 1;
  const live_status view(s);
  for (const int width : {20, 40, 60, 80, 120}) {
    std::string all;
    for (const std::string& line : view.lines(sim_time{90s}, {.width = width})) {
      INFO(line);
      CHECK(text::columns(line) < width);
      all += line + "\n";
    }
    INFO(all);
    for (const char* field : {"on trip 0",
                              "leased 0",
                              "available ",
                              "0 asked",
                              " matched",
                              " gave up",
                              "0 wait",
                              "broken promises 0",
                              "leases without a trip 0"}) {
      CHECK((width < 40 || all.find(field) != std::string::npos));
    }
  }
  CHECK(view.lines(sim_time{90s}, {.width = 120}).size() == 4);
  const std::string first = view.lines(sim_time{90s}, {.width = 120})[0];
  CHECK(first.starts_with("1:30 of "));
  CHECK(first.find("warm-up, counted from 10:00 on") != std::string::npos);
}
