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
    switch (random.below(8)) {
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
