#include "sim/network.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "sim/some_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace dibs;
using namespace dibs::sim;
using namespace dibs::sim::test;

namespace {

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

namespace {

/// The same, plainly: the first entry of all that covers both ends.
std::string plain_link(const std::vector<link_options>& entries, node_id from, node_id to) {
  for (const link_options& l : entries) {
    if ((l.from.covers(from) && l.to.covers(to)) ||
        (l.both_ways && l.to.covers(from) && l.from.covers(to))) {
      return l.text;
    }
  }
  return "perfect";
}

/// The same, plainly: everything is drawn for every link, each from the stream of its keys.
passage plain_pass(
    const link_options& l, std::uint64_t seed, node_id from, node_id to, const message_key& m) {
  const auto draws_for = [&](purpose why) {
    return stream::keyed(seed,
                         why,
                         std::uint64_t{from.packed} << 32 | to.packed,
                         std::uint64_t{m.kind} << 32 | m.ride,
                         m.nth);
  };
  stream latencies = draws_for(purpose::latency);
  stream reorders = draws_for(purpose::reorder);
  const bool is_lost = draws_for(purpose::loss).happens(l.loss);
  const bool is_doubled = draws_for(purpose::duplicate).happens(l.duplicate);
  const reorder_options late = l.reorder.value_or(reorder_options{});
  const bool is_late = reorders.happens(late.share);
  const sim_duration by = draw(late.by, reorders);
  const sim_duration first = std::max(draw(l.latency, latencies), sim_duration::zero());
  const sim_duration second = std::max(draw(l.latency, latencies), sim_duration::zero());
  if (is_lost) {
    return {};
  }
  return {.delays = {first + (is_late ? by : sim_duration::zero()),
                     is_doubled ? second : sim_duration::zero()},
          .copies = is_doubled ? 2 : 1};
}

distribution any_latency(stream& random) {
  switch (random.below(5)) {
    case 0:
      return constant_duration{};
    case 1:
      return uniform_duration{10ms, 90ms};
    case 2:
      return exponential_duration{50ms};
    case 3:
      return normal_duration{20ms, 30ms};
    default:
      return constant_duration{40ms};
  }
}

/// Each fault on one link of three.
link_options any_link(stream& random) {
  link_options l;
  l.latency = any_latency(random);
  l.loss = random.below(3) == 0 ? 0.3 : 0;
  l.duplicate = random.below(3) == 0 ? 0.3 : 0;
  if (random.below(3) == 0) {
    l.reorder = reorder_options{.share = 0.3, .by = exponential_duration{1s}};
  }
  return l;
}

/// One of a few kinds, so that many entries meet; of three nodes, or all of them.
node_pattern any_nodes(stream& random, int kinds, std::uint64_t all_of_100) {
  node_pattern p{static_cast<node_kind>(random.below(static_cast<std::uint64_t>(kinds))), {}};
  if (random.below(100) >= all_of_100) {
    p.index = static_cast<std::uint32_t>(random.below(3));
  }
  return p;
}

}  // namespace

TEST_CASE("network: finds the link that a search through all entries finds") {
  const int kinds = GENERATE(1, 2, node_kinds);
  const std::uint64_t all_of_100 = GENERATE(0U, 30U, 70U, 100U);
  CAPTURE(kinds, all_of_100);
  auto random = stream::keyed(11, purpose::pick, static_cast<std::uint64_t>(kinds), all_of_100);
  for (int i = 0; i < 20; ++i) {
    std::vector<link_options> entries(random.below(12));
    for (std::size_t n = 0; n < entries.size(); ++n) {
      entries[n].text = std::to_string(n);
      entries[n].from = any_nodes(random, kinds, all_of_100);
      entries[n].to = any_nodes(random, kinds, all_of_100);
      entries[n].both_ways = random.below(3) == 0;
    }
    const network net(entries, 1);
    // Also a fourth node of each kind, which no entry names, and kinds that none is for.
    for (std::uint32_t a = 0; a < 4U * node_kinds; ++a) {
      for (std::uint32_t b = 0; b < 4U * node_kinds; ++b) {
        const node_id from{static_cast<node_kind>(a / 4), a % 4};
        const node_id to{static_cast<node_kind>(b / 4), b % 4};
        const laid_link* found = net.link(from, to);
        REQUIRE((found == nullptr ? "perfect" : found->text) == plain_link(entries, from, to));
      }
    }
  }
}

TEST_CASE("network: whichever way is short for a link, messages pass as on the long one") {
  auto random = stream::keyed(7, purpose::pick);
  int steady = 0;
  int only_delays = 0;
  int draws_all = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    link_options entry = any_link(random);
    entry.from = {node_kind::matcher, {}};
    entry.to = {node_kind::driver, {}};
    const network net({entry}, seed);
    for (int i = 0; i < 100; ++i) {
      const node_id from{node_kind::matcher, static_cast<std::uint32_t>(random.below(3))};
      const node_id to{node_kind::driver, static_cast<std::uint32_t>(random.below(100))};
      const message_key m{.kind = static_cast<std::uint32_t>(random.below(20)),
                          .ride = static_cast<std::uint32_t>(random.below(1000)),
                          .nth = static_cast<std::uint32_t>(random.below(4))};
      const laid_link& link = *net.link(from, to);
      const passage plain = plain_pass(entry, seed, from, to, m);
      const passage passed = net.pass(link, from, to, m);
      REQUIRE(passed.copies == plain.copies);
      REQUIRE(passed.delays == plain.delays);
      if (link.only_delays) {
        REQUIRE(plain.copies == 1);
        REQUIRE(net.delay(link, from, to, m) == plain.delays[0]);
      }
      if (link.steady) {  // nobody counts its messages
        REQUIRE(link.only_delays);
        REQUIRE(net.delay(link, from, to, {m.kind, m.ride, 0}) == plain.delays[0]);
      }
      steady += link.steady ? 1 : 0;
      only_delays += link.only_delays ? 1 : 0;
      draws_all += passed.copies == 2 && link.loss > 0 && link.reorder ? 1 : 0;
    }
  }
  CHECK(steady > 1000);
  CHECK(only_delays > steady + 1000);
  CHECK(draws_all > 100);
}
