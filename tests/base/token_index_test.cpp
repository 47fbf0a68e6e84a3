#include "base/token_index.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <map>

using namespace dibs;

TEST_CASE("token index: finds what a map would, of tokens counted, far ahead and made up") {
  token_index index;
  std::map<std::uint64_t, std::uint32_t> model;
  auto random = stream::keyed(11, purpose::pick);
  std::uint64_t last = 0;
  const auto some_token = [&]() -> token_id {
    switch (random.below(10)) {
      case 8:
        return {UINT64_MAX - random.below(40)};
      case 9:
        return {random.bits()};  // far from all others
      case 0:
        return token_id::unleased(matcher_id{static_cast<std::uint32_t>(random.below(3))},
                                  random.below(2'000));
      case 1:
        return {random.below(60'000)};  // at first far beyond the array
      case 2:
        return {(std::uint64_t{1} << 40) + random.below(100)};
      default:
        return {last = last + random.below(3)};
    }
  };
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const token_id written = some_token();
    index.set(written, i);
    model[written.value] = i;
    const token_id asked = some_token();
    const auto found = model.find(asked.value);
    REQUIRE(index.find(asked) == (found == model.end() ? token_index::none : found->second));
  }
  for (const auto& [token, number] : model) {
    REQUIRE(index.find({token}) == number);
  }
}

TEST_CASE("token index: finds what was set long ago, and what was set anew") {
  constexpr std::uint32_t tokens = 150'000;
  const bool made_up = GENERATE(false, true);
  // Of three matchers, who count their own.
  const auto token_of = [made_up](std::uint32_t n) {
    return made_up ? token_id::unleased(matcher_id{n % 3}, n / 3) : token_id{n};
  };
  const auto number = [](std::uint32_t token) { return 3 * token + 1; };
  token_index index;
  for (std::uint32_t token = 1; token <= tokens; ++token) {
    index.set(token_of(token), number(token));
  }
  auto random = stream::keyed(12, purpose::pick);
  std::map<std::uint32_t, std::uint32_t> anew;
  for (std::uint32_t i = 0; i < 2'000; ++i) {
    const auto token = static_cast<std::uint32_t>(1 + random.below(tokens));
    const auto found = anew.find(token);
    REQUIRE(index.find(token_of(token)) == (found == anew.end() ? number(token) : found->second));
    if (i % 4 == 0) {
      index.set(token_of(token), i);
      anew[token] = i;
      REQUIRE(index.find(token_of(token)) == i);
    }
  }
}
