#include "engine/stored_leases.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace dibs::engine {
namespace {

/// The fields with a value that asks of the lease manager what only its own table can do.
std::vector<std::string> beyond_a_store(const scenario::scenario& s, store::kind kind) {
  const lease::lease_options& l = s.lease;
  std::vector<std::string> found;
  const auto check = [&](bool is_beyond, const char* field) {
    if (is_beyond) {
      found.emplace_back(field);
    }
  };
  check(l.protocol != lease::protocol::fenced, "lease.protocol (a store keeps fenced)");
  check(l.commit != lease::commit_at::ledger, "lease.commit");
  check(l.cleanup.kind != lease::cleanup::timer, "lease.cleanup");
  check(l.renewal.numbered, "lease.renewal.numbered");
  check(l.transactions_take_time(), "lease.transaction");
  check(l.hold_min != sim_duration::zero(), "lease.hold_min");
  check(l.clock != lease::expiry_clock::manager, "lease.clock");
  check(l.restart.leases != lease::after_restart::kept || !l.restart.keeps_tokens, "lease.restart");
  check(l.standby.has_value(), "lease.standby");
  check(l.zones.has_value(), "lease.zones");
  check(l.known_by.has_value() && *l.known_by != lease::identity::token, "lease.known_by");
  check(l.checks_expiry.has_value() && !*l.checks_expiry, "lease.checks_expiry");
  check(!l.fences_every_write, "lease.fences_every_write");
  if (kind == store::kind::etcd) {  // it alone says when a lease is over
    check(l.grace != sim_duration::zero(), "lease.grace");
    check(l.lock_delay != sim_duration::zero(), "lease.lock_delay");
    check(l.jitter != sim_duration::zero(), "lease.jitter");
  }
  return found;
}

store::terms leases_of(const lease::lease_options& l) {
  return {.ttl = l.granted_ttl(),
          .grace = l.grace,
          .confirm_hold = l.confirm_hold,
          .lock_delay = l.lock_delay,
          .jitter = l.jitter};
}

}  // namespace

result<std::unique_ptr<store::client>> open_store(const scenario::scenario& s,
                                                  const live_options& live) {
  if (!live.store || live.store->kind == store::kind::memory) {
    return nullptr;
  }
  if (const auto fields = beyond_a_store(s, live.store->kind); !fields.empty()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{}: what it says of {} only the lease manager's own table can do, "
                               "not {}",
                               s.name,
                               fmt::join(fields, ", "),
                               store::name_of(live.store->kind)));
  }
  return store::client::connect({.where = *live.store,
                                 .connections = live.connections,
                                 .drivers = s.drivers.count,
                                 .leases = leases_of(s.lease),
                                 .speed = live.speed,
                                 .is_unsafe = live.unsafe_store});
}

}  // namespace dibs::engine
