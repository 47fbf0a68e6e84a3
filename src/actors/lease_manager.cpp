#include "actors/lease_manager.hpp"

#include <variant>

namespace dibs::actors {

void lease_manager::on(context& x, const messages::sweep& m) {
  decide(x, [&](lease::turn& t) { decisions_.sweep_until(t, t.now + (m.wall - x.wall())); });
}

void lease_manager::carry_out(context& x, const lease::turn& t) {
  for (const lease::action& a : t.actions()) {
    std::visit([&](const auto& what) { carry_out(x, what); }, a);
  }
}

void lease_manager::carry_out(context& x, const lease::lapse& l) {
  const sim_duration left = x.true_length(l.wait);
  const sim_time at = left == forever ? sim_time::max() : x.world_time() + left;
  x.world().availability.set_lapse(x.world_time(), l.driver, l.token, at);
}

}  // namespace dibs::actors
