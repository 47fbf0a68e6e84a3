#include "bench/live/manager_load.hpp"

#include "actors/lease_manager.hpp"
#include "base/ensure.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/world_setup.hpp"
#include "runtime/live_actor.hpp"
#include "runtime/live_threads.hpp"
#include "runtime/real_wait.hpp"
#include "runtime/shared_world.hpp"

#include <caf/actor_system.hpp>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace dibs::bench {
namespace {

using messages::message_list;

/// What one client has seen; written by it alone.
struct alignas(64) tally {
  std::atomic<std::uint64_t> answered{0};
  std::atomic<std::uint64_t> denied{0};
  std::atomic<std::uint64_t> ran_out{0};

  static void count(std::atomic<std::uint64_t>& what) {
    what.store(what.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};

/// Whoever waits for an answer asks again as soon as it is there.
class client {
 public:
  using context = runtime::context;
  using inbox = message_list<messages::lease_given,
                             messages::lease_refused,
                             messages::lease_over,
                             messages::confirm_taken,
                             messages::confirm_denied,
                             messages::release_seen>;

  client(tally& seen, matcher_id self, const manager_load_options& o)
      : seen_(&seen),
        self_(self),
        drivers_(o.drivers),
        in_flight_(o.in_flight),
        shards_(o.shards),
        random_(stream::keyed(1, purpose::pick, self.value)) {}

  void start(context& x) {
    for (std::uint32_t i = 0; i < in_flight_; ++i) {
      ask(x, ride_id{self_.value * in_flight_ + i});
    }
  }

  void on(context& x, const messages::lease_given& m) {
    tally::count(seen_->answered);
    switch (random_.below(4)) {
      case 0:
        x.send(manager_of(m.driver), messages::confirm{m.ride, m.driver, m.token});
        return;
      case 1:
        ask(x, m.ride);  // and leaves the lease to run out
        return;
      default:
        x.send(manager_of(m.driver),
               messages::release{m.ride, m.driver, m.token, events::lease_ending::declined});
        return;
    }
  }

  void on(context& x, const messages::lease_refused& m) {
    tally::count(seen_->answered);
    tally::count(seen_->denied);
    ask(x, m.ride);
  }

  /// The words of the ledger, from the client: the trip begins and is over.
  void on(context& x, const messages::confirm_taken& m) {
    tally::count(seen_->answered);
    x.send(manager_of(m.driver), messages::write_outcome{m.ride, m.driver, m.token, true});
    x.send(manager_of(m.driver), messages::trip_closed{m.ride, m.driver, m.token});
    ask(x, m.ride);
  }

  void on(context& x, const messages::confirm_denied& m) {
    tally::count(seen_->answered);
    ask(x, m.ride);
  }

  void on(context& x, const messages::release_seen& m) {
    tally::count(seen_->answered);
    ask(x, m.ride);
  }

  void on(context&, const messages::lease_over&) { tally::count(seen_->ran_out); }

 private:
  [[nodiscard]] node_id manager_of(driver_id d) const {
    return {node_kind::lease_manager, d.value % shards_};
  }

  void ask(context& x, ride_id r) {
    const driver_id d{static_cast<std::uint32_t>(random_.below(drivers_))};
    x.send(manager_of(d), messages::acquire{r, d, self_, ++requests_, zone_id::none()});
  }

  tally* seen_;
  matcher_id self_;
  std::uint32_t drivers_;
  std::uint32_t in_flight_;
  std::uint32_t shards_;
  std::uint32_t requests_ = 0;
  stream random_;
};

scenario::scenario scenario_of(const manager_load_options& o) {
  ensure(o.drivers > 0 && o.clients > 0 && o.in_flight > 0 && o.threads > 0 && o.shards > 0 &&
             o.speed > 0,
         "there is something to do");
  scenario::scenario s;
  s.name = "lease-load";
  s.clock.warmup = {};
  s.clock.duration = std::chrono::hours{24} * 365;
  s.clock.drain = {};
  s.world.geography = scenario::geography::none;
  s.drivers.count = o.drivers;
  s.matchers.count = o.clients;
  s.matchers.view = scenario::view::blind;
  s.lease.protocol = lease::protocol::fenced;
  s.lease.fence = scenario::fence::first_write;
  return s;
}

}  // namespace

class manager_load::works {
 public:
  explicit works(const manager_load_options& o)
      : scenario_(scenario_of(o)),
        shared_(*engine::prepare(scenario_)),
        world_(engine::world_of(scenario_, shared_, how_)),
        live_(engine::terms_of(scenario_, how_), o.speed, world_),
        tallies_(o.clients),
        threads_(o.threads),
        actors_(threads_) {
    world_.availability.share();
    live_.reserve(node_kind::lease_manager, o.shards);
    for (std::uint32_t i = 0; i < o.shards; ++i) {
      spawn_live(actors_,
                 live_,
                 {node_kind::lease_manager, i},
                 std::move(engine::lease_managers_of(world_).front()));
    }
    live_.reserve(node_kind::matcher, o.clients);
    for (std::uint32_t i = 0; i < o.clients; ++i) {
      const auto number = static_cast<std::uint16_t>(i);
      spawn_live(
          actors_, live_, {node_kind::matcher, i}, client(tallies_[i], matcher_id{number}, o));
    }
    live_.start();
    for (std::uint32_t i = 0; i < o.shards; ++i) {
      live_.begin_work({node_kind::lease_manager, i});
    }
    for (std::uint32_t i = 0; i < o.clients; ++i) {
      live_.begin_work({node_kind::matcher, i});
    }
  }
  ~works() {
    live_.stop();
    live_.dismiss();
  }
  works(const works&) = delete;
  works& operator=(const works&) = delete;

  void drain() { live_.recorder().drain({}); }
  [[nodiscard]] const std::vector<tally>& tallies() const { return tallies_; }

 private:
  scenario::scenario scenario_;
  engine::prepared_scenario shared_;
  engine::run_options how_;
  runtime::shared_world world_;
  runtime::live_system live_;
  std::vector<tally> tallies_;
  runtime::live_threads threads_;
  caf::actor_system actors_;
};

manager_load::manager_load(const manager_load_options& o) : works_(std::make_unique<works>(o)) {}

manager_load::~manager_load() = default;

bool manager_load::work(double seconds, const std::atomic<bool>* stop) {
  const stopwatch watch;
  while (watch.seconds() < seconds) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      return false;
    }
    runtime::wait_in_reality(runtime::merge_every);
    works_->drain();
  }
  return true;
}

manager_load_seen manager_load::seen() const {
  manager_load_seen all;
  for (const tally& t : works_->tallies()) {
    all.answered += t.answered.load(std::memory_order_relaxed);
    all.denied += t.denied.load(std::memory_order_relaxed);
    all.ran_out += t.ran_out.load(std::memory_order_relaxed);
  }
  return all;
}

}  // namespace dibs::bench
