#include "match/waiting_line.hpp"

#include "catch.hpp"

using namespace dibs;
using dibs::match::ride_search;
using dibs::match::waiting_line;

namespace {

ride_search ride(std::uint32_t n) {
  ride_search p;
  p.ride = ride_id{n};
  return p;
}

}  // namespace

TEST_CASE("waiting line: rides are called in the order in which they came, each once") {
  waiting_line line;
  ride_search second = ride(2);
  ride_search first = ride(1);
  CHECK(line.join(second));
  CHECK(line.join(first));
  CHECK_FALSE(line.join(second));
  CHECK(line.call() == std::vector{ride_id{2}, ride_id{1}});
  CHECK(line.empty());
}

TEST_CASE("waiting line: it is called just after the view shows something new, and once for that") {
  waiting_line line;
  CHECK_FALSE(line.until_seen(at(1s), std::nullopt));
  CHECK(line.until_seen(at(1s), at(3s)) == 2s + 1ns);
  CHECK_FALSE(line.until_seen(at(2s), at(3s)));
  CHECK_FALSE(line.until_seen(at(3s), at(4s)));
  CHECK(line.until_seen(at(3s) + 1ns, at(4s)) == 1s);
}

TEST_CASE("waiting line: it is called when a driver may be asked again, and once for that") {
  ride_search p = ride(1);
  const local_time start{};
  CHECK_FALSE(waiting_line::until_rested(p, start));
  p.exclude_until(driver_id{1}, local_time::max());
  CHECK_FALSE(waiting_line::until_rested(p, start));
  p.exclude_until(driver_id{2}, start + 5s);
  p.exclude_until(driver_id{3}, start + 7s);
  CHECK(waiting_line::until_rested(p, start + 1s) == 4s);
  CHECK_FALSE(waiting_line::until_rested(p, start + 2s));
  CHECK(waiting_line::until_rested(p, start + 5s) == 2s);
}
