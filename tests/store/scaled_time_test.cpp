#include "store/scaled_time.hpp"

#include "catch.hpp"

namespace dibs::store {
namespace {

/// What PostgreSQL's clock may read.
constexpr local_time noon = at_local(1'790'000'000s);

TEST_CASE("scaled time: a lease is shorter in the store by the speed of the run") {
  const scaled_time time(100);
  terms t;
  t.ttl = 15s;
  t.grace = -1s;
  const terms real = time.to_store(t);
  CHECK(real.ttl == 150ms);
  CHECK(real.grace == -10ms);
  t.ttl = forever;
  CHECK(time.to_store(t).ttl == forever);
  const auto c = time.to_store(lease::command::renew{driver_id{0}, token_id{1}, 2s});
  CHECK(std::get<lease::command::renew>(c).longer == 20ms);
}

TEST_CASE("scaled time: what the store's clock reads is a moment of the run") {
  scaled_time time(100);
  time.note(at(10s), noon);  // 0.1 s of real time after the run began
  CHECK(time.to_run(noon) == at(10s));
  CHECK(time.to_run(noon + 150ms) == at(25s));
  CHECK(time.to_run(local_time::max()) == sim_time::max());
}

TEST_CASE("scaled time: the fastest answer sets the clocks against each other") {
  scaled_time time(1);
  time.note(at(10s), noon);
  time.note(at(20s), noon + 10s + 3ms);  // this one was on its way for 3 ms less
  CHECK(time.to_run(noon) == at(10s - 3ms));
  time.note(at(30s), noon + 20s - 5ms);  // a slow one changes nothing
  CHECK(time.to_run(noon) == at(10s - 3ms));
}

TEST_CASE("scaled time: a store whose clock was set back is followed") {
  scaled_time time(1);
  time.note(at(10s), noon);
  time.note(at(20s), noon + 10s - 60s);
  CHECK(time.to_run(noon + 10s - 60s) == at(20s));
}

TEST_CASE("scaled time: an outcome has the times of the run") {
  scaled_time time(10);
  time.note(at(1s), noon);
  lease::granted g;
  g.ttl = 1500ms;
  g.expires = noon + 1500ms;
  const auto o = time.to_run(lease::any_outcome{lease::acquire_outcome{g}});
  const auto& moved = std::get<lease::granted>(std::get<lease::acquire_outcome>(o));
  CHECK(moved.ttl == 15s);
  CHECK(moved.expires == at_local(16s));
}

}  // namespace
}  // namespace dibs::store
