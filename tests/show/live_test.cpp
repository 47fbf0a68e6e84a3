#include "show/live.hpp"

#include "catch.hpp"
#include "show/told.hpp"

using namespace dibs;
using namespace dibs::show;

TEST_CASE("live: what is shown is what the events said so far") {
  metrics::teller h = two_trips();
  scenario::scenario s;
  s.clock.duration = 100s;
  s.drivers.count = 1;
  live view(s);
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
  CHECK(lines[3] == "harms   drivers on 2 trips 1, broken promises 0, leases in vain 0");
  const std::string line = view.line(metrics::teller::s(50));
  CHECK(line.find('\n') == std::string::npos);
  CHECK(
      line.starts_with("0:50 of 6:40; supply  on trip 1, leased 0, available 0; rides   2 asked"));
}

TEST_CASE("live: a withdrawn assignment is a broken promise, and frees the driver") {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.offer(1, 1, 0, 0);
  h.offer(1, 2, 0, 1);
  h.commit(2, 1);
  h.promise(2, 1);
  h.revoke(3, 1, events::revocation::no_show);
  h.commit(4, 2);
  scenario::scenario s;
  s.drivers.count = 1;
  live view(s);
  view.observe(h.history);
  CHECK(view.so_far().broken == 1);
  CHECK(view.so_far().doubled == 0);
}
