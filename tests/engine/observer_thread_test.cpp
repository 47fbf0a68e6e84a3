#include "engine/observer_thread.hpp"

#include "catch.hpp"

#include <algorithm>
#include <stdexcept>

using namespace dibs;

namespace {

constexpr int batches = 4'000;  // far more than a reader may be behind
constexpr int facts_in_a_batch = 7;

/// Facts of which each has a time of its own.
std::vector<events::event> numbered(int from, int count) {
  std::vector<events::event> facts(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    facts[static_cast<std::size_t>(i)].t = sim_time{sim_duration{from + i}};
  }
  return facts;
}

class times_seen final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      all.push_back(e.t.time_since_epoch().count());
    }
  }

  std::vector<std::int64_t> all;
};

class refuses final : public events::observer {
 public:
  void observe(std::span<const events::event>) override {
    throw std::runtime_error("no room left");
  }
};

void write(engine::observer_thread& to, int n) {
  for (int i = 0; i < n; ++i) {
    to.observe(numbered(i * facts_in_a_batch, facts_in_a_batch));
  }
}

}  // namespace

TEST_CASE("observer thread: each reader sees every fact once and in order") {
  times_seen one;
  times_seen other;
  engine::observer_thread apart({&one, &other}, "");
  write(apart, batches);
  apart.finish();
  REQUIRE(one.all.size() == std::size_t{batches} * facts_in_a_batch);
  for (std::size_t i = 0; i < one.all.size(); ++i) {
    REQUIRE(one.all[i] == static_cast<std::int64_t>(i));
  }
  CHECK(other.all == one.all);
}

TEST_CASE("observer thread: a run of no facts ends") {
  times_seen reader;
  engine::observer_thread apart({&reader}, "");
  apart.finish();
  CHECK(reader.all.empty());
}

TEST_CASE("observer thread: what a reader throws reaches the run, and nothing waits for ever") {
  refuses reader;
  engine::observer_thread few({&reader}, "");
  write(few, 1);
  CHECK_THROWS_AS(few.finish(), std::runtime_error);
  engine::observer_thread many({&reader}, "");
  CHECK_THROWS_AS(write(many, batches), std::runtime_error);
}

TEST_CASE("observer thread: a run that breaks off leaves no thread behind") {
  times_seen reader;
  {
    engine::observer_thread apart({&reader}, "");
    write(apart, batches);
  }
  CHECK(std::is_sorted(reader.all.begin(), reader.all.end()));
}
