#include "service/service.hpp"

#include "catch.hpp"

#include <atomic>
#include <thread>

namespace dibs::service {
namespace {

using std::chrono::milliseconds;

/// Keeps what it is given, unless it is told to fail.
struct faulty_journal : journal {
  explicit faulty_journal(bool& flag) : fails(&flag) {}

  result<record> load() override { return kept; }
  result<void> write(const record_change& c) override {
    if (*fails) {
      return failure(exit_code::internal_error, "the disk is full");
    }
    for (const lease& l : c.now.leases) {
      std::erase_if(kept.leases, [&](const lease& k) { return k.token == l.token; });
      kept.leases.push_back(l);
    }
    kept.last_token = c.now.last_token;
    return {};
  }

  bool* fails;
  record kept;
};

TEST_CASE("service: what could not be written did not happen") {
  bool fails = false;
  auto s = *lease_service::open(std::make_unique<faulty_journal>(fails));
  REQUIRE(s->create({"door", "ann", milliseconds(60'000)}).how == verdict::made);
  fails = true;
  CHECK(s->create({"window", "ann", milliseconds(60'000)}).how == verdict::away);
  CHECK(s->release(1, "ann").how == verdict::away);
  CHECK(s->get(1).of->state == lease_state::active);
  fails = false;
  CHECK(s->create({"door", "bob", milliseconds(60'000)}).how == verdict::held);
  CHECK(s->create({"window", "bob", milliseconds(60'000)}).how == verdict::made);
}

TEST_CASE("service: a call is judged by the time at which it got the lock") {
  std::atomic<int> reads{0};
  lease_service s([&] { return instant(milliseconds(100 * reads++)); });
  REQUIRE(s.create({"door", "ann", milliseconds(100)}).how == verdict::made);
  CHECK(s.renew(1, "ann", milliseconds(100)).how == verdict::over);
}

TEST_CASE("service: who waits for a task gets the next one, and is let go at the end") {
  lease_service s([c = wall_clock()] { return c.now(); });
  answer<task> first;
  answer<task> second;
  std::thread a([&] { first = s.next_task("ann", milliseconds(60'000), milliseconds(60'000)); });
  REQUIRE(s.create_task("1").how == verdict::made);
  a.join();
  CHECK(first.how == verdict::done);
  CHECK(s.next_task("ann", milliseconds(1), milliseconds(1)).how == verdict::none);
  std::thread b([&] { second = s.next_task("ann", milliseconds(60'000), milliseconds(60'000)); });
  s.stop();
  b.join();
  CHECK(second.how == verdict::none);
}

TEST_CASE("service: who waits gets a task that comes back") {
  lease_service s([c = wall_clock()] { return c.now(); });
  REQUIRE(s.create_task("1").how == verdict::made);
  REQUIRE(s.next_task("ann", milliseconds(20), milliseconds(0)).how == verdict::done);
  const auto again = s.next_task("bob", milliseconds(20), milliseconds(60'000));
  CHECK(again.how == verdict::done);
  CHECK(again.of->attempts == 2);
}

}  // namespace
}  // namespace dibs::service
