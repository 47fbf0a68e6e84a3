#include "actors/runtime/event_queue.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <map>

using namespace dibs;

namespace {

struct item {
  sim_time due{};
  std::uint64_t order = 0;
};

}  // namespace

TEST_CASE("event queue: gives back what a sorted map would, over random puts and takes") {
  actors::runtime::event_queue<item> queue;
  std::map<std::pair<sim_time, std::uint64_t>, bool> model;
  auto random = stream::keyed(5, purpose::pick);
  std::uint64_t order = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Few distinct times, so that ties are common; more puts than takes at first.
    if (model.empty() || random.below(100) < (i < 50'000 ? 60U : 45U)) {
      const item e{at(sim_duration{static_cast<std::int64_t>(random.below(500))}), order++};
      queue.push(e);
      model[{e.due, e.order}] = true;
    } else {
      const auto first = model.begin()->first;
      REQUIRE(queue.next_due() == first.first);
      const item e = queue.pop();
      REQUIRE(std::pair(e.due, e.order) == first);
      model.erase(model.begin());
    }
    REQUIRE(queue.size() == model.size());
  }
}
