#include "explain/remedies.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

struct row {
  remedy_kind what;
  bool (*fits)(const scenario::scenario& s);
  const char* feature;
  std::array<std::pair<const char*, const char*>, 3> set;
};

bool trusts_claims(const scenario::scenario& s) {
  return s.matchers.claims && !s.matchers.claims->at_completion;
}

bool asks_riders(const scenario::scenario& s) { return s.riders.confirm.has_value(); }

bool has_leases(const scenario::scenario& s) { return s.lease.rules().leases; }
bool has_none(const scenario::scenario& s) { return !has_leases(s); }
bool has_standby(const scenario::scenario& s) {
  return has_leases(s) && s.lease.standby.has_value();
}

bool ignores_expiry(const scenario::scenario& s) {
  return has_leases(s) && !s.lease.rules().checks_expiry;
}

bool releases_refused(const scenario::scenario& s) {
  return has_leases(s) && s.lease.releases_refused;
}

bool renews(const scenario::scenario& s) {
  return has_leases(s) && s.lease.renewal.kind != lease::renewal::none;
}

/// Some lease manager comes back from a crash, or takes over.
bool manager_restarts(const scenario::scenario& s) {
  const bool crashes = std::ranges::any_of(s.faults, [&](const auto& f) {
    const auto* crash = std::get_if<scenario::crash_fault>(&f.what);
    return crash != nullptr && crash->node.covers({node_kind::lease_manager, 0});
  });
  return has_leases(s) && (crashes || s.lease.standby.has_value());
}

bool has_wall_timers(const scenario::scenario& s) {
  return std::ranges::any_of(
      s.clocks, [](const sim::clock_error& each) { return each.timers == sim::timebase::wall; });
}

constexpr std::array table{
    row{remedy_kind::fence,
        has_leases,
        "a fenced ledger (`fenced`): it refuses a token older than the newest that it knows, and a "
        "driver who is on a trip",
        {{std::pair{"lease.protocol", "fenced"}}}},
    row{remedy_kind::lease,
        has_none,
        "a lease before the offer, and a fenced ledger (`fenced`): one matcher at a time may offer "
        "to a driver, and the ledger refuses a driver who is on a trip",
        {{std::pair{"lease.protocol", "fenced"}}}},
    row{remedy_kind::ride_as_key,
        [](const auto&) { return true; },
        "the ride as the key of the write (`idempotent`): the ledger gives a ride no second driver",
        {{std::pair{"lease.protocol", "idempotent"}}}},
    row{remedy_kind::version,
        has_none,
        "a version of the driver that is read at the pick and compared at the write "
        "(`optimistic`): the second write comes too late",
        {{std::pair{"lease.protocol", "optimistic"}}}},
    row{remedy_kind::token,
        has_leases,
        "a lease manager that knows a holder by the token of its lease (`known_by: token`): an old "
        "lease passes for no other",
        {{std::pair{"lease.known_by", "token"}}}},
    row{remedy_kind::expiry_looked,
        ignores_expiry,
        "a lease manager that looks at the expiry whenever it takes a confirm (`expiry: checked`), "
        "and does not wait for a sweep",
        {{std::pair{"lease.expiry", "checked"}}}},
    row{remedy_kind::durations,
        has_leases,
        "deadlines that travel as durations (`deadline: duration`): each node counts them on its "
        "own monotonic clock, and no wall clock has a part in them",
        {{std::pair{"lease.deadline", "duration"}}}},
    row{remedy_kind::monotonic_timers,
        has_wall_timers,
        "timers on the monotonic clock (`timers: monotonic`), which nobody sets forward or back",
        {{std::pair{"clocks.*.timers", "monotonic"}}}},
    row{remedy_kind::unfrozen_clock,
        [](const auto& s) { return has_leases(s) && s.lease.transactions_take_time(); },
        "a lease manager that judges by its clock as it is, and not as it stood when a transaction "
        "began (`transaction: 0s`)",
        {{std::pair{"lease.transaction", "0s"}}}},
    row{remedy_kind::no_late_end,
        [](const auto& s) { return has_leases(s) && s.lease.grace > sim_duration::zero(); },
        "a lease manager that ends a lease at its expiry, and not later (`grace: 0s`)",
        {{std::pair{"lease.grace", "0s"}}}},
    row{remedy_kind::no_early_end,
        [](const auto& s) { return has_leases(s) && s.lease.grace < sim_duration::zero(); },
        "a lease manager that ends no lease before its expiry (`grace: 0s`)",
        {{std::pair{"lease.grace", "0s"}}}},
    row{remedy_kind::no_margin,
        [](const auto& s) {
          return has_leases(s) && s.lease.judge != lease::judge::manager &&
                 s.lease.margin > sim_duration::zero();
        },
        "a holder that trusts its lease up to its end (`margin: 0s`)",
        {{std::pair{"lease.margin", "0s"}}}},
    row{remedy_kind::one_offer,
        [](const auto& s) { return s.matchers.offers.broadcast > 1; },
        "one offer of a ride at a time (`broadcast: 1`): no two drivers say yes to it",
        {{std::pair{"matchers.offers.broadcast", "1"}}}},
    row{remedy_kind::one_offer,
        [](const auto& s) { return s.matchers.offers.open > 1; },
        "one open offer of a ride at a time (`open: 1`): no second driver is held in vain",
        {{std::pair{"matchers.offers.open", "1"}}}},
    row{remedy_kind::claim_renewed,
        trusts_claims,
        "a claim that is renewed before an assignment is written (`at_completion: renewed`): a "
        "matcher that has lost its ride writes nothing",
        {{std::pair{"matchers.claims.at_completion", "renewed"}}}},
    row{remedy_kind::driver_confirms,
        has_leases,
        "drivers who confirm at the lease manager themselves (`confirm_by: driver`): no matcher "
        "stands between her yes and the trip",
        {{std::pair{"lease.confirm_by", "driver"},
          std::pair{"lease.commit", "manager"},
          std::pair{"lease.judge", "manager"}}}},
    row{remedy_kind::confirm_is_commit,
        has_leases,
        "a confirm that is the commit, at the lease manager itself (`commit: manager`): nothing "
        "that is lost or late stands between the look at the lease and the trip",
        {{std::pair{"lease.commit", "manager"}, std::pair{"lease.judge", "manager"}}}},
    row{remedy_kind::holder_judges,
        has_leases,
        "a holder that judges its lease by its own clock (`judge: holder`): it asks the ledger to "
        "write, and not the lease manager first",
        {{std::pair{"lease.commit", "ledger"}, std::pair{"lease.judge", "holder"}}}},
    row{remedy_kind::old_leader_yields,
        has_standby,
        "a leader that was replaced yields (`old_leader: yields`): it ends no lease that the new "
        "one keeps",
        {{std::pair{"lease.standby.old_leader", "yields"}}}},
    row{remedy_kind::fence_at_grant,
        has_leases,
        "a fence that the grant raises (`fence: grant`), and not only the first write",
        {{std::pair{"lease.fence", "grant"}}}},
    row{remedy_kind::every_write_fenced,
        has_leases,
        "tokens with every write to the ledger (`fenced_writes: every`)",
        {{std::pair{"lease.fenced_writes", "every"}}}},
    row{remedy_kind::release_frees,
        has_leases,
        "a release that frees the driver at once (`released: freed`)",
        {{std::pair{"lease.released", "freed"}}}},
    row{remedy_kind::releases_held,
        releases_refused,
        "matchers that give back what they got, and nothing else (`releases: held`): an unlock "
        "that "
        "runs only where the lock was got",
        {{std::pair{"lease.releases", "held"}}}},
    row{remedy_kind::renewed_early,
        has_leases,
        "leases that are renewed when half of their time has passed (`renewal: {kind: eager}`)",
        {{std::pair{"lease.renewal.kind", "eager"}}}},
    row{remedy_kind::renewal_repeats,
        renews,
        "a renewal that may be repeated (`numbered: no`): one whose answer was lost is not refused "
        "the second time",
        {{std::pair{"lease.renewal.numbered", "no"}}}},
    row{remedy_kind::leases_kept,
        manager_restarts,
        "a lease manager that comes back with its leases as they were (`restart: {leases: kept}`)",
        {{std::pair{"lease.restart.leases", "kept"}}}},
    row{remedy_kind::tokens_kept,
        manager_restarts,
        "a lease manager that comes back knowing its last token (`restart: {tokens: kept}`), so "
        "that "
        "none is granted twice",
        {{std::pair{"lease.restart.tokens", "kept"}}}},
    row{remedy_kind::leases_checkpointed,
        manager_restarts,
        "a lease manager that puts the time left of each lease on record (`restart: {leases: "
        "checkpoint}`), and comes back with that",
        {{std::pair{"lease.restart", "{leases: checkpoint, checkpoint: 1s}"}}}},
    row{remedy_kind::leases_forgotten,
        manager_restarts,
        "a lease manager that comes back without its leases (`restart: {leases: forgotten}`), so "
        "that none outlives a crash",
        {{std::pair{"lease.restart.leases", "forgotten"}}}},
    row{remedy_kind::timed_cleanup,
        has_leases,
        "a lease manager that ends each lease itself when it runs out (`cleanup: timer`), and "
        "waits for no sweep and no next command",
        {{std::pair{"lease.cleanup", "{kind: timer}"}}}},
    row{remedy_kind::first_offer_stays,
        has_leases,
        "a phone that takes no second offer while one is shown",
        {{std::pair{"drivers.phone", "first"}}}},
    row{remedy_kind::accept_is_enough,
        asks_riders,
        "a driver's accept that is enough (`riders.confirm: none`): she waits for no second word",
        {{std::pair{"riders.confirm", "none"}}}},
};

/// `*` stands for each entry of a list of so many.
void add_each(std::string path,
              const std::string& value,
              std::size_t entries,
              std::vector<scenario::override_value>& to) {
  const std::size_t star = path.find('*');
  if (star == std::string::npos) {
    to.push_back({std::move(path), value});
    return;
  }
  for (std::size_t i = 1; i <= entries; ++i) {
    std::string each = path;
    to.push_back({each.replace(star, 1, std::to_string(i)), value});
  }
}

}  // namespace

std::vector<remedy> remedies_by(std::span<const remedy_kind> measures,
                                const scenario::scenario& s,
                                const std::string& metric) {
  std::vector<remedy> all;
  for (const remedy_kind each : measures) {
    const auto* known =
        std::ranges::find_if(table, [&](const row& r) { return r.what == each && r.fits(s); });
    if (known == table.end()) {
      continue;
    }
    all.push_back({known->feature, {}, metric});
    for (const auto& [path, value] : known->set) {
      if (path != nullptr) {
        add_each(path, value, s.clocks.size(), all.back().set);
      }
    }
  }
  return all;
}

std::vector<remedy> remedies_by(std::initializer_list<remedy_kind> measures,
                                const scenario::scenario& s,
                                const std::string& metric) {
  return remedies_by(std::span(measures.begin(), measures.size()), s, metric);
}

}  // namespace dibs::explain
