#include "actors/lease_manager.hpp"

#include <variant>

namespace dibs::actors {
namespace {

/// An outcome of a store bears true times; the manager's own clock may read another.
void move_times(const runtime::context& x, lease::any_outcome& outcome) {
  const lease::time_limit limit = lease::limit_in(outcome);
  if (limit.until != nullptr && *limit.until != local_time::max()) {
    *limit.until = x.now() + (limit.until->time_since_epoch() - x.world_time().time_since_epoch());
  }
}

}  // namespace

void lease_manager::on(context& x, const messages::sweep& m) {
  decide(x, [&](lease::turn& t) { decisions_.sweep_until(t, t.now + (m.wall - x.wall())); });
}

void lease_manager::on(context& x, const messages::lease_store_answered& m) {
  stored_->requests.take(
      x,
      m,
      [&](context& then,
          const auto& what,
          const lease::any_command& c,
          lease::any_outcome& outcome) {
        move_times(then, outcome);
        stored_->told.settle(c, outcome);
        lease::asker by;
        if constexpr (requires { what.ride; }) {
          by = asker_of(then, what.ride);
        }
        decide(then, [&](lease::turn& t) { decisions_.conclude_any(t, what, by, outcome); });
      },
      [&](context& then, const auto& what) {
        // Should the confirm have been taken, nobody else would end the lease when its hold is
        // over.
        if constexpr (std::is_same_v<decltype(what), const messages::confirm&>) {
          then.after(decisions_.rules().lease.confirm_hold,
                     messages::lease_due{what.driver, what.token});
        }
      });
}

void lease_manager::on(context& x, const messages::lease_store_retry_due& m) {
  stored_->requests.repeat(x, m);
}

void lease_manager::restart(context& x) {
  if (stored_ == nullptr) {
    decide(x, [&](lease::turn& t) { decisions_.restart(t); });
    return;
  }
  stored_->requests.restart(x);
  decide(x, [&](lease::turn& t) {
    for (const auto& one : stored_->told.live()) {
      decisions_.watch_again(t, one.driver, one.token, one.due);
    }
  });
}

void lease_manager::carry_out(context& x, const lease::turn& t) {
  for (const lease::action& a : t.actions()) {
    std::visit([&](const auto& what) { carry_out(x, what); }, a);
  }
}

void lease_manager::carry_out(context& x, const lease::lapse& l) {
  const sim_duration left = x.true_length(l.wait);
  const sim_time at = left == forever ? sim_time::max() : x.world_time() + left;
  x.let_lapse(l.driver, l.token, at);
}

}  // namespace dibs::actors
