#include "runtime/triggered_faults.hpp"

#include "catch.hpp"

#include <set>

using namespace dibs;
using namespace dibs::messages;

TEST_CASE("traps: every message that a scenario can name is a message") {
  std::set<std::uint8_t> known{sim::any_message};
  known.insert(*runtime::word_of(0x8000));
  for (std::uint16_t number = 0; number < all_messages::size; ++number) {
    if (const auto word = runtime::word_of(number)) {
      known.insert(*word);
    }
  }
  CHECK(known.size() == sim::message_words.size());
  CHECK(runtime::word_of(number_of<confirm>()) == sim::message_word("confirm"));
  CHECK_FALSE(runtime::word_of(number_of<look_again>()));
}
