#include "runtime/inbox.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

using namespace dibs;
using namespace dibs::runtime;

namespace {

event numbered(std::uint32_t from, std::uint64_t n) {
  event e;
  e.from = node_id{node_kind::matcher, from};
  e.order = n;
  return e;
}

/// Whether the actor is to be woken.
bool put(inbox& mail, const event& e) { return mail.put({&e, 1}); }

}  // namespace

TEST_CASE("inbox: whoever puts in the first of what waits wakes the actor, and nobody else") {
  inbox mail;
  CHECK(put(mail, numbered(0, 1)));
  CHECK_FALSE(put(mail, numbered(0, 2)));
  std::vector<event> taken{numbered(0, 9)};
  mail.take(taken);
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].order == 1);
  CHECK(taken[1].order == 2);
  CHECK(put(mail, numbered(0, 3)));
  mail.take(taken);
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].order == 3);
}

// From an actor that comes after nearly every event, mostly for nothing, to one that hundreds wait
// for; it comes with the list that it was given last, or with one that holds whatever.
TEST_CASE("inbox: gives what a plain queue gives, over random puts and takes") {
  const std::uint64_t puts_of_1000 = GENERATE(300U, 500U, 900U, 998U);
  const auto are_same = [](const event& a, const event& b) {
    return a.from == b.from && a.order == b.order;
  };
  inbox mail;
  std::deque<event> plain;
  std::vector<event> taken;
  auto random = stream::keyed(puts_of_1000, purpose::pick);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    if (random.below(1000) < puts_of_1000) {
      const std::vector<event> some(1 + random.below(3),
                                    numbered(static_cast<std::uint32_t>(random.below(4)), i));
      REQUIRE(mail.put(some) == plain.empty());
      plain.insert(plain.end(), some.begin(), some.end());
      continue;
    }
    if (random.below(4) == 0) {
      taken.assign(random.below(4), numbered(9, i));
    }
    mail.take(taken);
    REQUIRE(std::equal(taken.begin(), taken.end(), plain.begin(), plain.end(), are_same));
    plain.clear();
  }
}

TEST_CASE("inbox: of several threads nothing is lost, and what each put in stays in its order") {
  constexpr std::uint32_t threads = 3;
  constexpr std::uint64_t each = 20'000;
  inbox mail;
  std::atomic<std::uint64_t> wakes{0};
  std::vector<std::thread> senders;
  for (std::uint32_t i = 0; i < threads; ++i) {
    senders.emplace_back([&, i] {
      for (std::uint64_t n = 1; n <= each; ++n) {
        wakes += put(mail, numbered(i, n)) ? 1U : 0U;
      }
    });
  }
  std::vector<std::uint64_t> last(threads, 0);
  std::vector<event> taken;
  std::uint64_t seen = 0;
  std::uint64_t full = 0;
  bool in_order = true;
  while (seen < threads * each) {
    mail.take(taken);
    full += taken.empty() ? 0U : 1U;
    seen += taken.size();
    for (const event& e : taken) {
      in_order = in_order && e.order == ++last[e.from.index()];
    }
  }
  for (std::thread& t : senders) {
    t.join();
  }
  CHECK(in_order);
  CHECK(wakes == full);
}
