#include "actors/lease_manager.hpp"

#include <variant>

namespace dibs::actors {
namespace {

lease::recovery recovery_of(scenario::after_restart leases) {
  switch (leases) {
    case scenario::after_restart::kept:
      return lease::recovery::keeps;
    case scenario::after_restart::extended:
      return lease::recovery::extends;
    case scenario::after_restart::checkpoint:
      return lease::recovery::restores_checkpoint;
    case scenario::after_restart::forgotten:
      return lease::recovery::forgets;
  }
  return lease::recovery::keeps;
}

bool is_instant(const distribution& d) {
  const auto* c = std::get_if<constant_duration>(&d);
  return c != nullptr && c->value == sim_duration::zero();
}

}  // namespace

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

lease::manager_rules manager_rules_of(const runtime::shared_world& world, std::uint32_t self) {
  const scenario::scenario& s = world.options;
  const auto& o = s.lease;
  const auto& cleanup = o.cleanup;
  lease::manager_rules rules{.self = self,
                             .seed = world.seed,
                             .drivers = s.drivers.count,
                             .matchers = s.matchers.count,
                             .grace = o.grace,
                             .jitter = o.jitter,
                             .is_absolute = o.deadline == scenario::deadline::absolute,
                             .raises_fence = world.protocol.ledger == lease::ledger_rule::fence &&
                                             o.fence == scenario::fence::grant &&
                                             o.commit == scenario::commit_at::ledger,
                             .manager_commits = o.commit == scenario::commit_at::manager,
                             .release_frees = o.release_frees,
                             .times_expiries = cleanup.kind == scenario::cleanup::timer,
                             .notices_late = cleanup.kind == scenario::cleanup::lazy,
                             .comes_back = recovery_of(o.restart.leases),
                             .keeps_tokens = o.restart.keeps_tokens};
  if (!is_instant(o.transaction)) {
    rules.transaction = o.transaction;
  }
  if (cleanup.kind == scenario::cleanup::periodic && cleanup.by == scenario::sweep_clock::manager) {
    rules.sweep_every = cleanup.every;
  }
  if (cleanup.most) {
    rules.sweep_most = *cleanup.most;
  }
  if (o.restart.leases == scenario::after_restart::checkpoint) {
    rules.checkpoint_every = o.restart.checkpoint;
  }
  if (o.standby) {
    rules.standby = {o.standby->after, o.standby->heartbeat, o.standby->old_leader_acts};
  }
  if (o.zones) {
    const bool all_read = o.zones->mode == events::zone_mode::read;
    rules.zones = {o.zones->ttl, all_read ? 0 : s.matchers.count - o.zones->readers};
  }
  if (s.matchers.claims) {
    rules.claim_ttl = s.matchers.claims->ttl;
  }
  return rules;
}

}  // namespace dibs::actors
