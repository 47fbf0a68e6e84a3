#include "runtime/triggered_faults.hpp"

#include "catch.hpp"

#include <set>

using namespace dibs;
using namespace dibs::messages;

TEST_CASE("triggered faults: every message that a scenario can name is a message") {
  std::set<std::uint8_t> known{sim::any_message};
  known.insert(*runtime::message_name_index(0x8000));
  for (std::uint16_t number = 0; number < all_messages::size; ++number) {
    if (const auto word = runtime::message_name_index(number)) {
      known.insert(*word);
    }
  }
  CHECK(known.size() == sim::message_words.size());
  CHECK(runtime::message_name_index(number_of<confirm>()) == sim::message_word("confirm"));
  CHECK_FALSE(runtime::message_name_index(number_of<retry_due>()));
}
