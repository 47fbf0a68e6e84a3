/// The source of demand: makes riders appear, each at the time and place that the scenario's demand
/// gives.
#pragma once

#include "actors/messages.hpp"
#include "actors/runtime/context.hpp"
#include "world/demand.hpp"

#include <optional>

namespace dibs::actors {

class demand {
 public:
  using context = runtime::context;
  using inbox = message_list<next_ride>;

  /// The ride that is due appears, and the next one is scheduled.
  void on(context& x, const next_ride& m);

 private:
  void let_appear(context& x, const world::ride_plan& plan);
  /// Where rides in flight are replaced: the first of them, or the next.
  void refill(context& x);

  std::optional<world::ride_plan> due_;
  bool begun_ = false;
};

}  // namespace dibs::actors
