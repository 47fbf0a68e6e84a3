#include "processes/merged_streams.hpp"

#include "catch.hpp"

#include <cstdint>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::processes;

namespace {

events::event fact(sim_duration t, std::uint32_t driver) {
  return {at(t), {}, events::driver_went_offline{driver_id{driver}}, {}};
}

std::vector<std::uint32_t> drivers_of(const std::vector<events::event>& all) {
  std::vector<std::uint32_t> out;
  for (const events::event& e : all) {
    out.push_back(std::get<events::driver_went_offline>(e.what).driver.value);
  }
  return out;
}

using numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("merged streams: facts come out in order, once nobody can have an earlier one") {
  merged_streams m(2);
  m.append(0, std::vector{fact(1s, 1), fact(4s, 4)}, at(5s));
  CHECK(m.take().empty());
  m.append(1, std::vector{fact(2s, 2)}, at(3s));
  CHECK(m.sure() == at(3s));
  CHECK(drivers_of(m.take()) == numbers{1, 2});
  m.append(1, std::vector{fact(3s, 3)}, at(6s));
  CHECK(drivers_of(m.take()) == numbers{3, 4});
  CHECK(m.take().empty());
}

TEST_CASE("merged streams: a fact at the instant up to which all is known waits") {
  merged_streams m(2);
  m.append(0, std::vector{fact(2s, 1)}, at(3s));
  m.append(1, {}, at(2s));
  CHECK(m.take().empty());
  m.append(1, {}, at(2s + 1ns));
  CHECK(drivers_of(m.take()) == numbers{1});
}

TEST_CASE("merged streams: facts of one instant of one process stay together") {
  merged_streams m(2);
  m.append(1, std::vector{fact(1s, 3), fact(1s, 4)}, at(2s));
  m.append(0, std::vector{fact(1s, 1), fact(1s, 2)}, at(2s));
  CHECK(drivers_of(m.take()) == numbers{1, 2, 3, 4});
}

TEST_CASE("merged streams: whoever is closed holds nobody up, and its last facts come out") {
  merged_streams m(3);
  m.append(0, std::vector{fact(5s, 5)}, at(9s));
  m.append(1, std::vector{fact(3s, 3)}, at(3s));
  m.append(2, {}, at(9s));
  CHECK(m.take().empty());
  CHECK(m.sure_of(1) == at(3s));
  m.close(1);
  CHECK(drivers_of(m.take()) == numbers{3, 5});
  m.append(0, std::vector{fact(9s, 9)}, sim_time::max());
  m.close(2);
  CHECK(drivers_of(m.take()) == numbers{9});
}

TEST_CASE("merged streams: a process that hands facts on out of order is a mistake") {
  merged_streams m(1);
  CHECK_THROWS(m.append(0, std::vector{fact(2s, 1), fact(1s, 2)}, at(3s)));
}
