/// How leases are given, kept and ended, and how rides and zones are claimed: the options that a
/// scenario has for it, as the machines of this room and the matchers' read them. Plain data.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/claim_facts.hpp"
#include "lease/protocol.hpp"
#include "lease/renewal.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace dibs::lease {

/// So much of it, by a share from 0 to 1.
[[nodiscard]] constexpr sim_duration share_of(sim_duration whole, double share) {
  return sim_duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

enum class commit_at : std::uint8_t { ledger, manager };
enum class judge : std::uint8_t { manager, holder, both };
enum class fence : std::uint8_t { grant, first_write };
enum class deadline : std::uint8_t { duration, absolute };
enum class cleanup : std::uint8_t { timer, periodic, lazy, none };
enum class confirmer : std::uint8_t { matcher, driver };

/// Whose clock a periodic sweep reads.
enum class sweep_clock : std::uint8_t { manager, sweeper };

/// Whether a sweep that found a lease over looks again before it ends it.
enum class sweep_check : std::uint8_t { again, once };

struct cleanup_options {
  cleanup kind = cleanup::timer;
  sim_duration every{1s};  ///< of the periodic sweep
  sweep_clock by = sweep_clock::manager;
  std::optional<std::uint32_t> most;  ///< leases that one sweep ends; all if absent
  sim_duration lag{};                 ///< from the read of those that are over to their ends
  sweep_check check = sweep_check::again;
};

/// What follows the pause after a renewal that nobody answered.
enum class after_silence : std::uint8_t { again, interval };
enum class on_loss : std::uint8_t { withdraw, carry_on };

/// By whose wall clock a lease's expiry is written and judged.
enum class expiry_clock : std::uint8_t { manager, requester };

struct renewal_options {
  lease::renewal kind = lease::renewal::none;
  std::optional<double> at{};  ///< share of the TTL that has passed; as the kind has it if absent
  sim_duration stagger{};      ///< each renewal comes up to so much earlier
  sim_duration timeout{1s};    ///< how long the holder waits for an answer
  sim_duration retry{1s};      ///< the pause after a renewal without an answer
  after_silence then = after_silence::again;
  bool numbered = false;  ///< a conditional update on the count of renewals
  lease::on_loss on_loss = lease::on_loss::withdraw;
  bool own_thread = false;  ///< goes on while the matcher is paused
};

/// What a lease manager that comes back knows of the leases that it had granted.
enum class after_restart : std::uint8_t { kept, extended, checkpoint, forgotten };

struct restart_options {
  after_restart leases = after_restart::kept;
  bool keeps_tokens = true;     ///< the counter survives
  sim_duration checkpoint{5s};  ///< how often the time left of each lease is put on record
  sim_duration extra{};         ///< that extended leases get beside a whole TTL
};

/// A second lease manager that follows the first, and leads when it no longer hears of it.
struct standby_options {
  sim_duration after{5s};        ///< without word from the leader
  sim_duration heartbeat{1s};    ///< of the leader
  bool old_leader_acts = false;  ///< a leader that was replaced still ends leases in the new table
};

/// Where a live run keeps its leases, if not in the lease manager's own table.
struct store_options {
  std::string kind = "memory";    ///< as the address begins: `postgres`, `redis`, `etcd`
  std::string at = "127.0.0.1";   ///< the rest of the address
  std::uint32_t connections = 8;  ///< to it

  [[nodiscard]] std::string address() const { return kind == "memory" ? kind : kind + "://" + at; }
};

struct zone_options {
  std::uint32_t grid = 4;  ///< the map, or the fleet without a map, is cut into grid x grid zones
  sim_duration ttl{60s};
  double renew_at = 0.5;       ///< share of the TTL that has passed
  bool renews_unused = false;  ///< also a zone that nobody asked for
  events::zone_mode mode = events::zone_mode::write;
  std::uint32_t readers = 0;  ///< so many matchers, the last ones, take read leases under `write`
  lease::judge judge = lease::judge::manager;         ///< who says that a zone is held still
  sim_duration margin{};                              ///< how long before its end its holder stops
  lease::on_loss on_loss = lease::on_loss::withdraw;  ///< else it works on when it hears of it

  /// How long after it was given a zone is renewed.
  [[nodiscard]] sim_duration renew_after() const { return share_of(ttl, renew_at); }
  /// The holder looks at its own clock.
  [[nodiscard]] bool holder_judges() const { return judge != lease::judge::manager; }
  /// The holder stops when the lease manager says that the zone is lost.
  [[nodiscard]] bool obeys_manager() const {
    return judge != lease::judge::holder && on_loss == lease::on_loss::withdraw;
  }
  [[nodiscard]] events::zone_mode mode_of(matcher_id m, std::uint32_t matchers) const {
    return m.value + readers >= matchers ? events::zone_mode::read : mode;
  }
  /// Who looks, and hands on whom it finds somebody for.
  [[nodiscard]] bool only_looks(matcher_id m, std::uint32_t matchers) const {
    return mode == events::zone_mode::write && mode_of(m, matchers) == events::zone_mode::read;
  }
};

struct lease_options {
  std::string profile = "none";  ///< whose defaults the other fields were filled with
  lease::protocol protocol = lease::protocol::fenced;
  sim_duration ttl{15s};                     ///< `forever` is allowed
  std::optional<sim_duration> offer_window;  ///< what the driver is shown; the TTL if absent
  sim_duration grace{};  ///< how long past expiry the manager still takes a confirm
  commit_at commit = commit_at::ledger;
  lease::judge judge = lease::judge::manager;
  sim_duration margin{};           ///< how long before expiry the holder stops trusting its lease
  sim_duration confirm_hold{30s};  ///< a confirmed lease without a write is freed after this
  lease::fence fence = lease::fence::grant;
  lease::deadline deadline = lease::deadline::duration;
  cleanup_options cleanup;
  renewal_options renewal;
  sim_duration jitter{};      ///< each lease is up to so much longer
  sim_duration ttl_step{};    ///< TTLs are rounded up to whole steps; 0: they are not
  sim_duration ttl_min{};     ///< a shorter TTL becomes this one
  sim_duration lock_delay{};  ///< not granted again so long after an expiry
  sim_duration hold_min{};    ///< what is given back earlier after its grant stays held until then
  expiry_clock clock = expiry_clock::manager;
  /// How long before it takes effect a command's transaction began, by whose clock it judges.
  distribution transaction = constant_duration{};
  bool release_frees = true;              ///< else a lease that was given back runs to its end
  bool releases_refused = false;          ///< a matcher also gives back what it was refused
  std::optional<sim_duration> handshake;  ///< with the phone, before the offer
  bool fences_every_write = true;         ///< ends and cancellations of trips too
  restart_options restart;
  std::optional<standby_options> standby;
  std::optional<store_options> store;
  std::optional<zone_options> zones;
  confirmer confirm_by = confirmer::matcher;
  std::optional<lease::identity> known_by;  ///< as the protocol has it if absent, here and below
  std::optional<bool> checks_expiry;

  /// The TTL as the lease manager grants it.
  [[nodiscard]] sim_duration granted_ttl() const {
    if (ttl == forever) {
      return ttl;
    }
    const sim_duration wanted = std::max(ttl, ttl_min);
    const sim_duration over = ttl_step > sim_duration::zero() ? wanted % ttl_step : ttl_step;
    return over == sim_duration::zero() ? wanted : wanted + (ttl_step - over);
  }

  /// What the driver is shown.
  [[nodiscard]] sim_duration shown_window() const { return offer_window.value_or(granted_ttl()); }

  [[nodiscard]] bool manager_commits() const { return commit == commit_at::manager; }
  /// Whether deadlines travel as instants on wall clocks.
  [[nodiscard]] bool is_absolute() const { return deadline == lease::deadline::absolute; }

  /// Whether the lease manager judges by its clock as it stood when a command's transaction began.
  [[nodiscard]] bool transactions_take_time() const {
    const auto* begun = std::get_if<constant_duration>(&transaction);
    return begun == nullptr || begun->value != sim_duration::zero();
  }

  /// Whether commands are judged by another clock, or another time, than the lease manager's now.
  [[nodiscard]] bool judges_by_other_clocks() const {
    return transactions_take_time() || clock == expiry_clock::requester;
  }
  /// Whether a sweep ends leases on what it has read of them some time ago.
  [[nodiscard]] bool sweeps_stale_reads() const {
    return cleanup.kind == lease::cleanup::periodic && cleanup.lag > sim_duration::zero() &&
           cleanup.check == sweep_check::once;
  }

  /// Whether the lease manager ends a lease that has run out when it is asked about it.
  [[nodiscard]] bool ends_on_sight() const {
    return cleanup.kind == lease::cleanup::timer || cleanup.kind == lease::cleanup::lazy;
  }

  /// What the protocol does, with the exceptions that the other fields make.
  [[nodiscard]] lease::rules rules() const {
    return lease::variant_of(protocol,
                             {.known_by = known_by,
                              .checks_expiry = checks_expiry,
                              .frozen_clock = judges_by_other_clocks(),
                              .foreign_sweeper = cleanup.kind == lease::cleanup::periodic &&
                                                 cleanup.by == sweep_clock::sweeper,
                              .stale_sweeper = sweeps_stale_reads(),
                              .forgets_leases = restart.leases == after_restart::forgotten,
                              .forgets_tokens = !restart.keeps_tokens,
                              .splits = standby.has_value(),
                              .records_trips = commit == commit_at::manager,
                              .fences_every_write = fences_every_write});
  }
};

/// Rides as leased work: who claims one keeps it by heartbeats.
struct claim_options {
  sim_duration ttl{10s};
  /// Share of the TTL between two heartbeats; none if absent.
  std::optional<double> heartbeat = 0.3;
  bool at_completion = true;  ///< the claim is renewed before an assignment is written

  /// The time between two heartbeats; `forever` if there are none.
  [[nodiscard]] sim_duration interval() const {
    return heartbeat ? share_of(ttl, *heartbeat) : forever;
  }
};

}  // namespace dibs::lease
