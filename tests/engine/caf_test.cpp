#include "catch.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/simulation.hpp"
#include "events/observer.hpp"
#include "runtime/node_actor.hpp"
#include "scenarios.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

using namespace dibs;
using test::small_town;

namespace {

/// An ordinary CAF actor that knows nothing of dibs: wakes itself up twice.
class sleeper final : public caf::event_based_actor {
 public:
  using times = std::vector<sim_duration>;

  sleeper(caf::actor_config& config, times& woken, const engine::simulation& sim)
      : caf::event_based_actor(config), woken_(woken), sim_(sim) {}

  caf::behavior make_behavior() override {
    delayed_send(this, std::chrono::seconds(60), 1);
    return {[this](int turn) {
      woken_.push_back(sim_.kernel().now().time_since_epoch());
      if (turn == 1) {
        delayed_send(this, std::chrono::milliseconds(250), 2);
      }
    }};
  }

 private:
  times& woken_;
  const engine::simulation& sim_;
};

}  // namespace

TEST_CASE("caf: an ordinary actor's delayed messages arrive in virtual time") {
  const auto s = small_town();
  const auto shared = engine::prepare(s);
  REQUIRE(shared);
  const engine::run_options how;
  engine::simulation sim(s, *shared, how, {});
  sleeper::times woken;
  sim.system().spawn<sleeper>(woken, sim);
  sim.run();
  CHECK(woken == sleeper::times{60s, 60s + 250ms});
  CHECK(sim.kernel().now() == s.ends());
}

TEST_CASE("caf: anybody's ordinary send to a node becomes an event of the run") {
  // Method: a confirm for a token that was never granted, which the lease manager refuses.
  const auto s = small_town();
  const auto shared = engine::prepare(s);
  REQUIRE(shared);
  class refusals final : public events::observer {
   public:
    void observe(std::span<const events::event> batch) override {
      for (const events::event& e : batch) {
        seen += std::holds_alternative<events::confirm_refused>(e.what) ? 1 : 0;
      }
    }
    int seen = 0;
  } refused;
  const engine::run_options how;
  engine::simulation sim(s, *shared, how, {&refused});
  const auto& manager = sim.scheduler().actor_of({node_kind::lease_manager, 0});
  caf::anon_send(caf::actor_cast<caf::actor>(manager),
                 messages::confirm{ride_id{0}, driver_id{3}, token_id{1'000'000}});
  sim.run();
  CHECK(refused.seen == 1);
}

TEST_CASE("caf: every node is an actor with its kind for a name") {
  const auto s = small_town();
  const auto shared = engine::prepare(s);
  REQUIRE(shared);
  const engine::run_options how;
  engine::simulation sim(s, *shared, how, {});
  const auto name_of = [&](node_id n) {
    return std::string(caf::actor_cast<caf::abstract_actor*>(sim.scheduler().actor_of(n)) == nullptr
                           ? ""
                           : static_cast<caf::local_actor*>(
                                 caf::actor_cast<caf::abstract_actor*>(sim.scheduler().actor_of(n)))
                                 ->name());
  };
  CHECK(name_of({node_kind::driver, 119}) == "driver");
  CHECK(name_of({node_kind::matcher, 3}) == "matcher");
  CHECK(name_of({node_kind::lease_manager, 0}) == "lease_manager");
  CHECK(name_of({node_kind::ledger, 0}) == "ledger");
}
