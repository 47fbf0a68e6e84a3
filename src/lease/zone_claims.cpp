#include "lease/zone_claims.hpp"

namespace dibs::lease {

void zone_claims::put_under(zone_id z, driver_id d) {
  zone_of_.resize(std::max<std::size_t>(zone_of_.size(), d.value + std::size_t{1}));
  zone_of_[d.value] = z;
}

void zone_claims::claim(turn& t,
                        const messages::claim_zone& m,
                        const zone_options& o,
                        std::uint32_t matchers) {
  const auto mode = o.mode_of(m.holder, matchers);
  const auto outcome =
      table_.claim(m.zone.value, m.holder, t.now, o.ttl, mode == events::zone_mode::read);
  const auto* given = std::get_if<claim_table::given>(&outcome);
  if (given == nullptr) {
    t.reply(messages::zone_refused{m.zone, std::get<claim_table::taken>(outcome).holder});
    return;
  }
  if (!given->renewed) {
    t.publish(events::zone_granted{m.zone, m.holder, mode, given->expires});
  }
  t.after(o.ttl, messages::zone_due{m.zone});
  t.reply(messages::zone_given{m.zone});
}

std::vector<ended> zone_claims::release_under(zone_id z, matcher_id holder, machine& leases) {
  std::vector<ended> all;
  for (const auto& due : leases.pending()) {
    const bool is_under = due.driver.value < zone_of_.size() && zone_of_[due.driver.value] == z;
    if (due.confirmed || due.holder != holder || !is_under) {
      continue;
    }
    if (const auto one = leases.release(due.driver, due.token, events::lease_ending::zone_lost)) {
      all.push_back(*one);
    }
  }
  return all;
}

void zone_claims::watch_again(turn& t) const {
  for (const auto& due : table_.pending()) {
    t.after(std::max(due.when - t.now, sim_duration::zero()),
            messages::zone_due{zone_id{due.thing}});
  }
}

}  // namespace dibs::lease
