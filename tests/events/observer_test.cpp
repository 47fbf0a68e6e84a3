#include "events/observer.hpp"

#include "catch.hpp"

#include <set>
#include <vector>

using namespace dibs;
using namespace dibs::events;

namespace {

constexpr std::uint32_t large = 100'000;

}  // namespace

TEST_CASE("reading ahead: each event once and in order, its driver announced far and then near") {
  std::vector<event> history;
  for (std::uint32_t i = 0; i < 40; ++i) {
    history.push_back({at(1s * static_cast<int>(i)), {}, driver_went_offline{driver_id{i}}, {}});
    history.back().about = driver_id{i};
  }
  std::vector<std::uint32_t> read;
  std::set<std::uint32_t> far;
  std::set<std::uint32_t> near;
  read_ahead(
      history,
      large,
      [&](driver_id d, distance how_far) {
        REQUIRE(d.value > read.size());
        (how_far == distance::far ? far : near).insert(d.value);
      },
      [&](const event& e) {
        const std::uint32_t d = std::get<driver_went_offline>(e.what).driver.value;
        REQUIRE(d == read.size());
        // The first few of a batch come too soon to be announced.
        REQUIRE((d < 12 || far.contains(d)));
        REQUIRE((d < 6 || near.contains(d)));
        read.push_back(d);
      });
  REQUIRE(read.size() == history.size());
}

TEST_CASE(
    "reading ahead: a driver of several facts in a row is announced once, and in a town nobody") {
  const std::vector<event> history(40, {{}, {}, driver_went_offline{driver_id{7}}, driver_id{7}});
  const auto announced = [&](std::uint32_t drivers) {
    int times = 0;
    std::size_t read = 0;
    read_ahead(
        history, drivers, [&](driver_id, distance) { ++times; }, [&](const event&) { ++read; });
    REQUIRE(read == history.size());
    return times;
  };
  REQUIRE(announced(large) == 0);  // the first of a batch come too soon
  REQUIRE(announced(10) == 0);
  std::vector<event> two = history;
  two[20].about = driver_id{8};
  int times = 0;
  read_ahead(
      two, large, [&](driver_id, distance) { ++times; }, [](const event&) {});
  REQUIRE(times == 4);  // she and who comes after her, far and near
}

TEST_CASE("a fact says which driver it names, if it names one") {
  REQUIRE(driver_in(driver_went_offline{driver_id{7}}) == driver_id{7});
  REQUIRE_FALSE(driver_in(ride_cancelled{ride_id{7}}).is_some());
}
