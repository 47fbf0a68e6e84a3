/// A part of the rides of a load, on one thread: their matchers ask the service for drivers, hold
/// them while they answer and drive, and give them back.
///
/// A ride begins when it is due, whatever became of those before it. Calls wait neither for each
/// other nor for anybody's work. A call is on record from before it was sent to after its answer;
/// one that never reached the service is on no record. An acquire that was lost is asked once more
/// with the same request, as one call.
#pragma once

#include "base/time.hpp"
#include "engine/prepared_scenario.hpp"
#include "events/facts.hpp"
#include "load/fleet.hpp"
#include "load/holding.hpp"
#include "load/service_record.hpp"
#include "scenario/scenario.hpp"
#include "service_client/calls.hpp"
#include "stats/histogram.hpp"
#include "store/http_calls.hpp"
#include "world/demand.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dibs::load {

enum class call_kind : std::uint8_t { acquire, renew, release };
inline constexpr std::array call_names{"acquire", "renew", "release"};

struct call_figures {
  std::uint64_t yes = 0;
  std::uint64_t no = 0;
  std::uint64_t lost = 0;    ///< nobody knows whether they took effect
  std::uint64_t unsent = 0;  ///< no connection could be made
  stats::histogram took;     ///< from before it was sent to its answer, of the answered ones
};

struct lane_figures {
  std::array<call_figures, call_names.size()> calls;
  std::uint64_t rides = 0;
  std::uint64_t served = 0;
  stats::histogram late;  ///< how much later than due something was begun
};

/// What all lanes of a load have in common. Outlives them.
struct load_terms {
  const scenario::scenario* what = nullptr;
  const engine::prepared_scenario* shared = nullptr;
  std::string url;
  std::string bearer;
  std::string name;  ///< before the names of resources and requests: no other load has it
  std::uint64_t seed = 0;
  double speed = 1;
  sim_duration ttl{};
  sim_duration length{};
  sim_duration began{};  ///< as `machine_time` has it
  std::uint32_t lanes = 1;
  std::size_t connections = 1;              ///< of each lane
  const std::atomic<bool>* stop = nullptr;  ///< set to end early
};

/// Not copied, not moved.
class lane {
 public:
  /// `number`: from 0. All outlive it.
  lane(const load_terms& t, std::uint32_t number, fleet& drivers, service_record& service);
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane();

  /// Until the load is over and what was begun is finished.
  void run();

  /// So far, on any thread.
  [[nodiscard]] std::uint64_t answers() const { return answers_; }

  // Requires: it has run.
  [[nodiscard]] std::vector<events::event> take_events() { return std::move(events_); }
  [[nodiscard]] const lane_figures& figures() const { return figures_; }

 private:
  struct ride {
    enum class phase : std::uint8_t {
      looking,   ///< for a driver
      asking,    ///< for her lease
      deciding,  ///< she looks at the offer
      driving,
      leaving,    ///< the trip is over, and a renewal is under way
      releasing,  ///< she is given back
    };

    world::ride_plan plan;
    ride_id id;
    matcher_id matcher;
    sim_time gives_up_at{};
    phase is = phase::looking;
    bool served = false;
    std::optional<events::offer_response> answer{};  ///< that she will give in time
    std::uint32_t tries = 0;
    std::vector<driver_id> tried{};
    std::optional<sim_time> wakes_at{};

    // of the current try
    driver_id driver{};
    token_id token{};
    std::uint32_t request = 0;
    sim_time asked{};
    bool was_repeated = false;
    holding lease{};
  };

  [[nodiscard]] sim_time now() const;
  [[nodiscard]] sim_duration sped_up(sim_duration d) const;
  [[nodiscard]] bool is_time_to_end(sim_time now) const;
  void add(const events::fact& what, sim_time t);
  void note(call_kind what, service_client::outcome how, bool was_sent, sim_duration took);
  [[nodiscard]] std::string holder_of(const ride& r) const;

  void wait(sim_time now);
  void next_arrival();
  void begin_due(sim_time now);
  void fire_due(sim_time now);
  void end_all(sim_time now);
  void wake(ride& r, sim_time at);
  void act(ride& r, sim_time now);
  void close(ride& r);

  void try_next(ride& r, sim_time now);
  void try_again(ride& r, sim_time at);
  void end_try(const ride& r, events::try_ending how, sim_time t);
  void acquire(ride& r);
  void acquired(ride& r, const service_client::answer<service_client::lease>& a);
  void record_acquire(const ride& r, service_client::outcome how, sim_time heard);
  void offer(ride& r, sim_time now);
  void decide(ride& r, sim_time now);
  void do_duty(ride& r, sim_time now);
  void renew(ride& r, sim_time now);
  void renewed(ride& r,
               sim_time asked,
               std::uint32_t request,
               const service_client::answer<service_client::lease>& a);
  void finish_trip(ride& r, sim_time now);
  void let_go(ride& r, sim_time now);
  void released(ride& r, sim_time asked, const service_client::answer<service_client::nothing>& a);
  void over(ride& r, sim_time now);

  const load_terms& terms_;
  std::uint32_t number_;
  fleet& drivers_;
  service_record& service_;
  store::http_calls calls_;
  world::demand demand_;
  std::uint32_t next_ride_ = 0;  ///< of all lanes
  std::optional<world::ride_plan> due_;
  std::map<std::uint32_t, ride> rides_;
  std::set<std::pair<sim_time, std::uint32_t>> timers_;  ///< one for a ride at most
  std::uint32_t requests_ = 0;
  bool ends_ = false;
  std::vector<events::event> events_;
  lane_figures figures_;
  std::atomic<std::uint64_t> answers_{0};
};

}  // namespace dibs::load
