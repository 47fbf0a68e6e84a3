#include "service/task_table.hpp"

#include "catch.hpp"

namespace dibs::service {
namespace {

using std::chrono::milliseconds;

instant when(int ms) { return instant(milliseconds(ms)); }

struct task_fixture {
  token_counter tokens;
  task_table table;

  answer<task> take(const std::string& worker, int now) {
    return table.next(worker, milliseconds(100), tokens, when(now));
  }
};

TEST_CASE("task table: tasks are taken in order, each by one worker") {
  task_fixture f;
  CHECK(f.take("ann", 0).how == verdict::none);
  REQUIRE(f.table.create("1", when(0)).how == verdict::made);
  REQUIRE(f.table.create("2", when(0)).how == verdict::made);
  CHECK(f.take("ann", 0).of->data == "1");
  CHECK(f.take("bob", 0).of->data == "2");
  CHECK(f.take("bob", 99).how == verdict::none);
}

TEST_CASE("task table: who is too late completes nothing, even before another took it") {
  task_fixture f;
  const std::int64_t id = f.table.create("1", when(0)).of->id;
  const auto slow = f.take("ann", 0);
  CHECK(f.table.complete(id, slow.of->token, "x", when(100)).how == verdict::over);
  const auto second = f.take("ann", 100);
  CHECK(second.of->id == id);
  CHECK(second.of->attempts == 2);
  CHECK(second.of->token > slow.of->token);
  // The same worker, with the token of before.
  CHECK(f.table.complete(id, slow.of->token, "x", when(101)).how == verdict::over);
  CHECK(f.table.heartbeat(id, slow.of->token, milliseconds(100), when(101)).how == verdict::over);
  CHECK(f.table.complete(id, second.of->token, "y", when(199)).how == verdict::done);
  CHECK(f.table.complete(id, second.of->token, "z", when(500)).of->output == "y");
  CHECK(f.table.complete(id, slow.of->token, "x", when(500)).how == verdict::over);
  CHECK(f.table.complete(id + 1, 1, "x", when(500)).how == verdict::unknown);
}

TEST_CASE("task table: a heartbeat keeps a task, and what comes back is the next one") {
  task_fixture f;
  const std::int64_t id = f.table.create("1", when(0)).of->id;
  REQUIRE(f.table.create("2", when(0)).how == verdict::made);
  const token t = f.take("ann", 0).of->token;
  CHECK(f.table.next_expiry() == when(100));
  CHECK(f.table.heartbeat(id, t, milliseconds(100), when(99)).of->expires == when(199));
  CHECK(f.table.heartbeat(id, t, milliseconds(1), when(100)).of->expires == when(199));
  CHECK(f.table.get(id, when(198)).of->state == task_state::taken);
  CHECK(f.table.get(id, when(199)).of->state == task_state::waiting);
  CHECK(f.take("bob", 199).of->id == id);
}

}  // namespace
}  // namespace dibs::service
