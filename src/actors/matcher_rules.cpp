#include "actors/matcher.hpp"

#include <algorithm>
#include <limits>

namespace dibs::actors {
namespace {

sim_duration share_of(sim_duration whole, double share) {
  return sim_duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

match::zone_rules zones_of(const scenario::zone_options& zones, std::uint32_t matchers) {
  return {.ttl = zones.ttl,
          .renew_after = share_of(zones.ttl, zones.renew_at),
          .renews_unused = zones.renews_unused,
          .writers = zones.mode == events::zone_mode::write
                         ? matchers - zones.readers
                         : std::numeric_limits<std::uint32_t>::max()};
}

match::renewal_rules renewal_of(const scenario::renewal_options& renewal, bool leases) {
  return {.kind = leases ? renewal.kind : lease::renewal::none,
          .at = renewal.at,
          .stagger = renewal.stagger,
          .timeout = renewal.timeout,
          .retry = renewal.retry,
          .waits_an_interval = renewal.then == scenario::after_silence::interval,
          .withdraws_when_lost = renewal.on_loss == scenario::on_loss::withdraw};
}

}  // namespace

match::matcher_rules matcher_rules_of(const runtime::shared_world& world, matcher_id self) {
  using scenario::judge;
  const auto& matching = world.options.matchers;
  const auto& lease = world.options.lease;
  match::matcher_rules rules{
      .self = self,
      .seed = world.seed,
      .total_wait = matching.offers.total_wait,
      .tries_max = matching.offers.max,
      .counts_acquires = matching.tries == scenario::try_unit::acquire,
      .is_blind = matching.view == scenario::view::blind,
      .view_lag = matching.view_lag,
      .overhead = matching.overhead,
      .batch = matching.batch,
      .look_again = matching.look_again,
      .queues = matching.queue,
      .polls_line = lease.cleanup.kind == scenario::cleanup::lazy,
      .cooldown = matching.offers.cooldown_after_decline.value_or(forever),
      .next_try_after = matching.offers.next_try_after,
      .reply_timeout = matching.reply_timeout,
      .leases = world.protocol.leases,
      .expires = world.protocol.expires,
      .has_standby = lease.standby.has_value(),
      .ttl = lease.ttl,
      .granted_ttl = lease.granted_ttl(),
      .grace = lease.judge == judge::manager ? std::max(lease.grace, sim_duration::zero())
                                             : sim_duration::zero(),
      .margin = lease.margin,
      .holder_judges = world.protocol.leases && lease.judge != judge::manager,
      .manager_judges = world.protocol.leases && lease.judge != judge::holder,
      .manager_commits = lease.commit == scenario::commit_at::manager,
      .is_absolute = lease.deadline == scenario::deadline::absolute,
      .offer_window = lease.offer_window.value_or(lease.granted_ttl()),
      .hears_late_answers = world.options.drivers.late_answer == scenario::late_answer::sent,
      .returns_refused = lease.releases_refused,
      .handshake = lease.handshake,
      .renewal = renewal_of(lease.renewal, world.protocol.leases)};
  if (const auto& claims = matching.claims) {
    rules.claims = {share_of(claims->ttl, claims->heartbeat), claims->at_completion};
  }
  if (lease.zones) {
    rules.zones = zones_of(*lease.zones, matching.count);
  }
  return rules;
}

}  // namespace dibs::actors
