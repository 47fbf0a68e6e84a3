#include "match/zone_holdings.hpp"

#include <algorithm>
#include <utility>

namespace dibs::match {

bool zone_holdings::holds(zone_id z, local_time now) const {
  const auto found = zones_.find(z);
  return found != zones_.end() && is_good(found->second, now);
}

bool zone_holdings::is_good(const zone& of, local_time now) const {
  return of.is_held && (!rules_.lease.zones->holder_judges() || now < of.trusted_until);
}

bool zone_holdings::holds_for(turn& t, zone_id z, ride_id r, node_id leader) {
  use(t, z, leader);
  zone& of = zones_[z];
  if (is_good(of, t.now)) {
    return true;
  }
  if (std::find(of.waiting.begin(), of.waiting.end(), r) == of.waiting.end()) {
    of.waiting.push_back(r);
  }
  if (!of.is_asked_for) {
    ask(t, z, leader);
  }
  return false;
}

void zone_holdings::use(turn& t, zone_id z, node_id leader) {
  zone& of = zones_[z];
  of.used = t.now;
  if (of.is_held && std::exchange(of.is_let_go, false)) {
    ask(t, z, leader);
  }
}

void zone_holdings::ask(turn& t, zone_id z, node_id leader) {
  zone& of = zones_[z];
  of.is_asked_for = true;
  of.asked = t.now;
  of.manager = leader;
  t.send(leader, messages::claim_zone{z, rules_.self});
  t.after(rules_.matching.reply_timeout, messages::zone_reply_timeout_due{z, ++of.asks});
}

std::vector<ride_id> zone_holdings::given(turn& t, zone_id z) {
  zone& of = zones_[z];
  of.is_held = true;
  of.trusted_until = of.asked + rules_.lease.zones->ttl - rules_.lease.zones->margin;
  of.is_let_go = false;
  of.is_asked_for = false;
  if (!rules_.only_looks(rules_.self)) {  // who only looks leaves room for those who take
    t.after(rules_.lease.zones->renew_after(), messages::zone_renewal_due{z, ++of.grants});
  }
  return std::exchange(of.waiting, {});
}

std::vector<ride_id> zone_holdings::refused(turn& t, const messages::zone_refused& m) {
  zone& of = zones_[m.zone];
  if (of.is_held && !rules_.lease.zones->obeys_manager() &&
      (!rules_.lease.zones->holder_judges() || t.now < of.trusted_until)) {
    of.is_asked_for = false;
    t.after(rules_.lease.zones->renew_after(), messages::zone_renewal_due{m.zone, of.grants});
    return {};  // it works on, and asks again
  }
  of.is_held = false;
  if (rules_.only_looks(m.holder)) {
    return {};  // a reader serves nobody: it is this matcher's turn next, and it asks again
  }
  of.is_asked_for = false;
  return std::exchange(of.waiting, {});
}

void zone_holdings::renew(turn& t,
                          const messages::zone_renewal_due& m,
                          bool has_leases,
                          node_id leader) {
  zone& of = zones_[m.zone];
  // A zone in which nothing was asked for lately, and nobody is held, is left to whoever needs it
  // next.
  const bool is_in_use =
      rules_.lease.zones->renews_unused || t.now - of.used < rules_.lease.zones->ttl || has_leases;
  if (m.grant == of.grants && of.is_held) {
    of.is_let_go = !is_in_use;
    if (is_in_use) {
      ask(t, m.zone, leader);
    }
  }
}

std::optional<node_id> zone_holdings::silent_about(
    const messages::zone_reply_timeout_due& m) const {
  const auto found = zones_.find(m.zone);
  const bool is_silent =
      found != zones_.end() && found->second.is_asked_for && found->second.asks == m.ask;
  return is_silent ? std::optional(found->second.manager) : std::nullopt;
}

}  // namespace dibs::match
