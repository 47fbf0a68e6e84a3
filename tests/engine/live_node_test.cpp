// Goal: nothing is lost or overtaken where many events wait for one node, which handles several of
// them in one moment. Method: a node that is asked so many things at once, and whoever asked.

#include "catch.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/world_setup.hpp"
#include "runtime/live_actor.hpp"
#include "runtime/live_threads.hpp"
#include "runtime/real_wait.hpp"
#include "scenarios.hpp"

#include <caf/actor_system.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

using namespace dibs;
namespace {

constexpr node_id refusing_node{node_kind::lease_manager, 0};
constexpr node_id asking_node{node_kind::matcher, 0};
constexpr std::uint32_t questions = 100;

/// What the two have seen; each writes its own.
struct seen {
  std::vector<std::uint32_t> requests;
  std::vector<sim_time> when;
  std::vector<std::uint32_t> answers;
  std::atomic<std::uint32_t> answered{0};
};

/// Says no to all.
struct refuser {
  using context = runtime::context;
  using inbox = messages::message_list<messages::acquire>;

  void on(context& x, const messages::acquire& m) const {
    all->requests.push_back(m.request);
    all->when.push_back(x.world_time());
    x.answer(messages::lease_refused{m.ride, m.driver, m.request});
  }

  seen* all;
};

/// Asks all at once; where it is endless, each again as soon as it is answered.
struct asker {
  using context = runtime::context;
  using inbox = messages::message_list<messages::lease_refused>;

  void start(context& x) {
    for (std::uint32_t i = 0; i < questions; ++i) {
      ask(x, i);
    }
  }
  void on(context& x, const messages::lease_refused& m) const {
    all->answers.push_back(m.request);
    ++all->answered;
    if (is_endless) {
      ask(x, m.request);
    }
  }
  static void ask(context& x, std::uint32_t i) {
    x.send(refusing_node,
           messages::acquire{ride_id{i}, driver_id{0}, matcher_id{0}, i, zone_id::none()});
  }

  seen* all;
  bool is_endless;
};

/// A live system of these two.
class two_nodes {
 public:
  explicit two_nodes(bool is_endless)
      : scenario_(test::small_town()),
        shared_(*engine::prepare(scenario_)),
        world_(engine::world_of(scenario_, shared_, how_)),
        live_(engine::terms_of(scenario_, how_), 1, world_),
        threads_(2),
        actors_(threads_) {
    live_.reserve(node_kind::lease_manager, 1);
    live_.reserve(node_kind::matcher, 1);
    spawn_live(actors_, live_, refusing_node, refuser{&all});
    spawn_live(actors_, live_, asking_node, asker{&all, is_endless});
    live_.start();
    live_.begin_work(asking_node);
  }
  ~two_nodes() { stop(); }
  two_nodes(const two_nodes&) = delete;
  two_nodes& operator=(const two_nodes&) = delete;

  /// A minute is longer than any machine takes.
  void await_answers(std::uint32_t count) const {
    for (int i = 0; i < 60'000 && all.answered < count; ++i) {
      runtime::wait_in_reality(0.001);
    }
    REQUIRE(all.answered >= count);
  }
  void stop() {
    live_.stop();
    live_.dismiss();
  }
  [[nodiscard]] runtime::merged_recorder<runtime::live_clock>& record() { return live_.recorder(); }

  seen all;

 private:
  scenario::scenario scenario_;
  engine::run_options how_;
  engine::prepared_scenario shared_;
  runtime::shared_world world_;
  runtime::live_system live_;
  runtime::live_threads threads_;
  caf::actor_system actors_;
};

/// Whether each question is made before it is answered, and all are.
struct correspondence final : events::observer {
  std::vector<std::uint32_t> open;
  std::uint32_t made = 0;
  bool in_order = true;

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* call = std::get_if<events::call_made>(&e.what)) {
        ++made;
        open.push_back(call->ride.value);
      } else if (const auto* answer = std::get_if<events::call_answered>(&e.what)) {
        const auto found = std::find(open.begin(), open.end(), answer->ride.value);
        in_order = in_order && found != open.end();
        if (found != open.end()) {
          open.erase(found);
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("live node: of many events that wait none is lost, and none overtakes another") {
  two_nodes pair(false);
  pair.await_answers(questions);
  pair.stop();
  std::vector<std::uint32_t> in_order(questions);
  std::generate(in_order.begin(), in_order.end(), [n = 0U]() mutable { return n++; });
  CHECK(pair.all.requests == in_order);
  CHECK(pair.all.answers == in_order);
  CHECK(std::is_sorted(pair.all.when.begin(), pair.all.when.end()));
  // Several share a moment, and not all of them.
  std::vector<sim_time> moments = pair.all.when;
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  CHECK(moments.size() > 1);
  CHECK(moments.size() < questions / 2);
  correspondence told;
  pair.record().drain_all({&told});
  CHECK(told.made == questions);
  CHECK(told.open.empty());
  CHECK(told.in_order);
}

TEST_CASE("live node: a stop among many events ends them, and what was said is told in order") {
  two_nodes pair(true);
  pair.await_answers(10 * questions);
  pair.stop();
  const std::uint32_t answered = pair.all.answered;
  correspondence told;
  pair.record().drain_all({&told});
  CHECK(told.in_order);
  CHECK(told.made - told.open.size() == answered);
  CHECK(pair.all.answered == answered);
}
