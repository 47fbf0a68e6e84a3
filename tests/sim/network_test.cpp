#include "sim/network.hpp"

#include "catch.hpp"

#include <cmath>

using namespace dibs;
using namespace dibs::sim;

namespace {

const node_id matcher_1{node_kind::matcher, 0};
const node_id matcher_2{node_kind::matcher, 1};
const node_id driver_1{node_kind::driver, 0};

link_options link(node_pattern from, node_pattern to) {
  link_options l;
  l.from = from;
  l.to = to;
  return l;
}

}  // namespace

TEST_CASE("network: the first entry that matches counts, and none is a perfect link") {
  auto one = link({node_kind::matcher, 1}, {node_kind::driver, {}});
  one.loss = 0.5;
  auto all = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  all.loss = 0.1;
  const network net({one, all}, 1);
  REQUIRE(net.link(matcher_2, driver_1) != nullptr);
  CHECK(net.link(matcher_2, driver_1)->loss == 0.5);
  CHECK(net.link(matcher_1, driver_1)->loss == 0.1);
  CHECK(net.link(driver_1, matcher_1) == nullptr);
}

TEST_CASE("network: a link both ways serves both") {
  auto both = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  both.both_ways = true;
  const network net({both}, 1);
  CHECK(net.link(matcher_1, driver_1) != nullptr);
  CHECK(net.link(driver_1, matcher_1) != nullptr);
}

TEST_CASE("network: losses and duplicates come at their rates") {
  auto lossy = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  lossy.loss = 0.1;
  lossy.duplicate = 0.2;
  const network net({lossy}, 3);
  constexpr int n = 100'000;
  int lost = 0;
  int doubled = 0;
  for (std::uint32_t ride = 0; ride < n; ++ride) {
    const auto copies = net.pass(lossy, matcher_1, driver_1, {.kind = 1, .ride = ride}).copies;
    lost += copies == 0 ? 1 : 0;
    doubled += copies == 2 ? 1 : 0;
  }
  CHECK(std::abs(lost - 0.1 * n) < 4 * std::sqrt(0.09 * n));
  CHECK(std::abs(doubled - 0.18 * n) < 4 * std::sqrt(0.18 * 0.82 * n));
}

TEST_CASE("network: the same message meets the same fate, another transmission its own") {
  auto slow = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  slow.latency = exponential_duration{1s};
  const network net({slow}, 3);
  const message_key first{.kind = 1, .ride = 5};
  const message_key again{.kind = 1, .ride = 5, .nth = 1};
  const auto delay = [&](const message_key& m) {
    return net.pass(slow, matcher_1, driver_1, m).delays[0];
  };
  CHECK(delay(first) == delay(first));
  CHECK(delay(first) != delay(again));
  CHECK(delay(first) != net.pass(slow, matcher_2, driver_1, first).delays[0]);
}

TEST_CASE("network: a latency is never negative") {
  auto wild = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  wild.latency = normal_duration{0s, 1s};
  const network net({wild}, 3);
  for (std::uint32_t ride = 0; ride < 100; ++ride) {
    CHECK(net.pass(wild, matcher_1, driver_1, {.kind = 1, .ride = ride}).delays[0] >= 0s);
  }
}

TEST_CASE("network: a share of the messages is held up, and the rest pass as before") {
  auto steady = link({node_kind::matcher, {}}, {node_kind::driver, {}});
  steady.latency = constant_duration{100ms};
  auto shuffled = steady;
  shuffled.reorder = reorder_options{.share = 0.25, .by = constant_duration{1s}};
  CHECK(steady.is_steady());
  CHECK_FALSE(shuffled.is_steady());
  const network net({shuffled}, 3);
  constexpr int n = 40'000;
  int held_up = 0;
  for (std::uint32_t ride = 0; ride < n; ++ride) {
    const auto delay = net.pass(shuffled, matcher_1, driver_1, {.kind = 1, .ride = ride}).delays[0];
    CHECK((delay == 100ms || delay == 1100ms));
    held_up += delay == 1100ms ? 1 : 0;
  }
  CHECK(std::abs(held_up - 0.25 * n) < 4 * std::sqrt(0.25 * 0.75 * n));
}
