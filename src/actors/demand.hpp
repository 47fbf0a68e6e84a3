/// The source of demand: makes riders appear, each at the time and place that the scenario's demand
/// gives.
#pragma once

#include "messages/messages.hpp"
#include "runtime/context.hpp"
#include "world/demand.hpp"

#include <optional>

namespace dibs::actors {

class demand {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::next_ride>;

  /// The ride that is due appears, and the next one is scheduled.
  void on(context& x, const messages::next_ride& m);

 private:
  void let_appear(context& x, const world::ride_plan& plan);
  /// Where only so many rides are under way at once: as many as there is room for.
  void fill(context& x);

  std::optional<world::ride_plan> due_;
  sim_time awake_at_{};  ///< where only so many are at once: when the latest timer is due
  bool begun_ = false;
};

}  // namespace dibs::actors
