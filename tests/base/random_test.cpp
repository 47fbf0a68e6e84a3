#include "base/random.hpp"

#include "catch.hpp"

#include <array>
#include <cstdint>
#include <set>

namespace {

using namespace dibs;

/// The state from which the next `bits()` are `wanted`: SplitMix64's scramble, undone.
std::uint64_t state_before(std::uint64_t wanted) {
  const auto unshift = [](std::uint64_t y, int by) {
    std::uint64_t x = y;
    for (int known = by; known < 64; known += by) {
      x = y ^ (x >> by);
    }
    return x;
  };
  const auto inverse = [](std::uint64_t odd) {
    std::uint64_t x = odd;  // Newton's iteration doubles the correct bits
    for (int i = 0; i < 6; ++i) {
      x *= 2 - odd * x;
    }
    return x;
  };
  std::uint64_t x = unshift(wanted, 31) * inverse(0x94d049bb133111ebULL);
  x = unshift(x, 27) * inverse(0xbf58476d1ce4e5b9ULL);
  return unshift(x, 30) - 0x9e3779b97f4a7c15ULL;
}

TEST_CASE("random: a uniform number is never 0 and never 1", "[random]") {
  REQUIRE(stream(state_before(42)).bits() == 42);
  CHECK(stream(state_before(0)).unit() == 0x1p-53);
  CHECK(stream(state_before(~std::uint64_t{0})).unit() == 1 - 0x1p-53);
}

TEST_CASE("random: the stream is SplitMix64", "[random][golden]") {
  // The published generator's first outputs from state 1234567.
  stream random(1234567);
  const std::array<std::uint64_t, 5> published{6457827717110365317ULL,
                                               3203168211198807973ULL,
                                               9817491932198370423ULL,
                                               4593380528125082431ULL,
                                               16408922859458223821ULL};
  for (const std::uint64_t number : published) {
    CHECK(random.bits() == number);
  }
}

TEST_CASE("random: every part of the key gives another stream", "[random]") {
  std::set<std::uint64_t> firsts;
  int streams = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::uint64_t why = 1; why < 8; ++why) {
      for (std::uint64_t key = 0; key < 512; ++key) {
        const auto as = static_cast<purpose>(why);
        firsts.insert(stream::keyed(seed, as, key & 7, key >> 3 & 7, key >> 6).bits());
        ++streams;
      }
    }
  }
  CHECK(firsts.size() == static_cast<std::size_t>(streams));
}

TEST_CASE("random: numbers below n are all reached, about equally often", "[random]") {
  stream random(5);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) {
    ++seen.at(random.below(7));
  }
  for (const int count : seen) {
    CHECK(count > 9'600);  // 10,000 +- 4 standard deviations
    CHECK(count < 10'400);
  }
}

}  // namespace
