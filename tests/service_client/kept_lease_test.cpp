#include "service_client/kept_lease.hpp"

#include "base/stopwatch.hpp"
#include "base/wall_clock.hpp"
#include "catch.hpp"

#include <poll.h>

#include <atomic>

namespace dibs::service_client {
namespace {

constexpr std::chrono::minutes ttl{60};

/// Waits for it, bounded far above what it takes.
template <class Holds>
bool comes(const Holds& holds) {
  for (const stopwatch watch; !holds() && watch.seconds() < 60;) {
    ::poll(nullptr, 0, 1);
  }
  return holds();
}

/// Of an hour, of which a third has passed: so its renewal is due at once, and nothing else is.
struct due_renewal {
  explicit due_renewal(outcome how)
      : kept(machine_time() - ttl / 3, ttl, [this, how] {
          ++calls;
          return how;
        }) {}

  std::atomic<int> calls{0};
  renewal kept;
};

TEST_CASE("renewal: what is refused stands no more, and is not asked for again") {
  for (const outcome how : {outcome::no, outcome::unfit}) {
    due_renewal r(how);
    CHECK(comes([&] { return !r.kept.stands(); }));
    CHECK(r.calls == 1);
  }
}

TEST_CASE("renewal: what is renewed stands on, and so does what nobody answered") {
  for (const outcome how : {outcome::yes, outcome::lost}) {
    due_renewal r(how);
    CHECK(comes([&] { return r.calls == 1; }));
    r.kept.stop();
    CHECK(r.kept.stands());
    CHECK(r.calls == 1);
  }
}

TEST_CASE("renewal: what is over is over, and nobody asks for more") {
  std::atomic<int> calls{0};
  const renewal late(machine_time() - ttl, ttl, [&] {
    ++calls;
    return outcome::yes;
  });
  CHECK_FALSE(late.stands());
  CHECK(calls == 0);
}

TEST_CASE("held lease: where nobody is there, nothing is held") {
  if (!store::can_call_http()) {
    return;
  }
  const auto got =
      held_lease::acquire({.url = "http://127.0.0.1:1"}, "door", "ann", milliseconds(300));
  REQUIRE(got);
  CHECK(got->how == outcome::lost);
  CHECK_FALSE(got->was_sent);
  CHECK_FALSE(got->of);
  CHECK_FALSE(held_lease::acquire({.url = "ftp://x"}, "door", "ann", milliseconds(300)));
}

}  // namespace
}  // namespace dibs::service_client
