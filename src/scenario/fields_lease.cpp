// The lease.

#include "scenario/distribution_type.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_ranges.hpp"
#include "scenario/fields.hpp"
#include "scenario/profiles.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

field_type<lease::protocol> protocol_kind() {
  std::vector<std::pair<std::string, lease::protocol>> words;
  for (const lease::rules& r : lease::all_rules()) {
    words.emplace_back(std::string(r.name), r.which);
  }
  return one_of(words);
}

std::string protocol_sentence() {
  std::string out = "who checks what:";
  for (const lease::rules& r : lease::all_rules()) {
    out += fmt::format(" `{}`: {};", r.name, r.summary);
  }
  out.back() = '.';
  return out;
}

bool is_periodic(const cleanup_options& c) { return c.kind == cleanup::periodic; }

field_type<std::string> profile_kind() {
  std::vector<std::pair<std::string, std::string>> words{{"none", "none"}};
  for (const profile& p : profiles()) {
    words.emplace_back(p.name, p.name);
  }
  return one_of(words);
}

std::string profile_sentence() {
  std::string out =
      "whose defaults fill the fields that the scenario does not give, but `protocol`:";
  for (const profile& p : profiles()) {
    out += fmt::format(" `{}`: {}. It sets", p.name, p.source);
    for (const std::string_view setting : p.settings) {
      out += fmt::format(" `{}`{}", setting, setting == p.settings.back() ? ";" : ",");
    }
  }
  out.back() = '.';
  return out;
}

field_type<cleanup_options> cleanup_kind() {
  return record<cleanup_options>()
      .field("kind",
             &cleanup_options::kind,
             one_of<cleanup>({{"timer", cleanup::timer},
                              {"periodic", cleanup::periodic},
                              {"lazy", cleanup::lazy},
                              {"none", cleanup::none}}),
             "when an expired lease frees its driver. `timer`: at expiry. `periodic`: at the next "
             "sweep. `lazy`: on read, so matchers see her as free from its expiry on, and the "
             "record says so from the next acquire of any driver (*Reservation and hold system*), "
             "or the next command for her. `none`: never")
      .field("every",
             &cleanup_options::every,
             a_duration({.at_least = repeat_min}),
             "the period of the sweep")
      .only("where `kind` is `periodic`", is_periodic)
      .field("by",
             &cleanup_options::by,
             one_of<sweep_clock>(
                 {{"manager", sweep_clock::manager}, {"sweeper", sweep_clock::sweeper}}),
             "whose clock the sweep reads: the manager's, or the wall clock of a job of its own, "
             "the node `sweeper`")
      .only("where `kind` is `periodic`", is_periodic)
      .field("most",
             &cleanup_options::most,
             optional(a_count({.at_least = 1U}), "all", "all that are over"),
             "how many leases one sweep ends; etcd revokes at most 1,000 a second")
      .only("where `kind` is `periodic`", is_periodic)
      .field("lag",
             &cleanup_options::lag,
             a_duration(),
             "how long after it has read which leases are over a sweep ends them: a clean-up that "
             "selects first and updates later")
      .only("where `kind` is `periodic`", is_periodic)
      .field("check",
             &cleanup_options::check,
             one_of<sweep_check>({{"again", sweep_check::again}, {"once", sweep_check::once}}),
             "whether the update looks again: `again`: it ends a lease that is the same and over "
             "still; `once`: it names the driver alone and ends whatever lease is there by then "
             "(riverqueue/river #1302)")
      .only("where `lag` is above 0",
            [](const cleanup_options& c) { return is_periodic(c) && c.lag > sim_duration::zero(); })
      .all_need(of_leases())
      .all_need(of_running_out(), {"kind"})
      .as_kind();
}

/// Where a protocol as published differs from what it should do.
void add_recipes(record<lease_options>& l) {
  l.field("known_by",
          &lease_options::known_by,
          optional(one_of<lease::identity>({{"token", lease::identity::token},
                                            {"holder", lease::identity::holder},
                                            {"anyone", lease::identity::anyone}}),
                   "protocol",
                   "as the protocol has it"),
          "by what the manager knows a holder at confirm, renewal and release: a confirm by name "
          "lets an old "
          "lease of the same matcher pass for the current one (*Reservation and hold system*), a "
          "release by anyone is the unlock that deletes whatever key is there");
  l.needs(of_leases());
  l.field("expiry",
          &lease_options::checks_expiry,
          optional(one_of<bool>({{"checked", true}, {"ignored", false}}),
                   "protocol",
                   "as the protocol has it"),
          "whether a confirm of a lease that is over but not yet cleaned up is refused "
          "(*Lease-Based Assignment* asks for the token alone, *Reservation and hold system* for "
          "the name alone)");
  l.needs(of_leases());
}

/// How leases end, and how they are kept from it.
void add_ending(record<lease_options>& l) {
  l.field("cleanup", &lease_options::cleanup, cleanup_kind(), "What becomes of expired leases.");
  l.field("renewal",
          &lease_options::renewal,
          renewal_kind(),
          "Whether holders prolong their leases while an offer is open.");
  l.field("jitter",
          &lease_options::jitter,
          a_duration(),
          "each grant and renewal lasts up to so much longer, uniformly, so that leases granted "
          "together do not expire together");
  l.needs(of_leases()).needs(of_expiry());
  l.field("lock_delay",
          &lease_options::lock_delay,
          a_duration(),
          "a driver is not granted again so long after a lease on her ran out and was ended "
          "(Chubby's and Consul's "
          "lock-delay)");
  l.needs(of_leases()).needs(of_running_out());
  l.field(
      "hold_min",
      &lease_options::hold_min,
      a_duration(),
      "a lease that is given back sooner after its grant keeps the driver until then (ShedLock's "
      "`lockAtLeastFor`): no other matcher whose picture is old asks her at once again");
  l.needs(of_leases());
}

/// How the store of leases behaves, and what becomes of it when it fails.
void add_store(record<lease_options>& l) {
  l.field("ttl_step",
          &lease_options::ttl_step,
          a_duration(),
          "TTLs are rounded up to whole steps, as stores that count in seconds do; 0s: they are "
          "not");
  l.field("ttl_min", &lease_options::ttl_min, a_duration(), "a shorter TTL becomes this one");
  l.field("transaction",
          &lease_options::transaction,
          a_delay(),
          "how long before it takes effect the transaction of a command began. Expiry is judged "
          "by the manager's clock as it stood then, as `NOW()` of PostgreSQL is");
  l.needs(of_leases());
  l.field("clock",
          &lease_options::clock,
          one_of<expiry_clock>(
              {{"manager", expiry_clock::manager}, {"requester", expiry_clock::requester}}),
          "by whose wall clock the expiry of a lease is written and judged: the manager's own, or "
          "that of whoever sends the command, as it reads when the command is carried out "
          "(ShedLock without `usingDbTime`): a requester whose clock is ahead finds leases over "
          "that are not");
  l.needs(of_leases()).needs(of_expiry());
  l.field("released",
          &lease_options::release_frees,
          one_of<bool>({{"freed", true}, {"held", false}}),
          "what becomes of a lease that its holder gives back: it ends, or it stands until it "
          "expires, as where the query for a new lease looks at `expires_at` and not at "
          "`released_at` (DigitalOcean's *leases with PostgreSQL*)");
  l.needs(of_leases());
  l.field(
      "releases",
      &lease_options::releases_refused,
      one_of<bool>({{"held", false}, {"always", true}}),
      "what a matcher gives back: leases that it got, or also what it was refused, as an unlock "
      "in `finally` does that runs whether or not the lock was got. By `known_by: token` such a "
      "release names no lease and changes nothing; by `holder` it ends the matcher's own lease "
      "for another ride, by `anyone` whatever lease is there");
  l.needs(of_leases());
  l.field("fenced_writes",
          &lease_options::fences_every_write,
          one_of<bool>({{"every", true}, {"first", false}}),
          "which writes to the ledger name their token: also those that end a trip, or only the "
          "first; then the end of a trip that comes late or twice closes whichever trip the driver "
          "is on");
  l.field("restart",
          &lease_options::restart,
          restart_kind(),
          "What the lease manager knows after a crash, or when it takes over from another.");
  l.field("standby",
          &lease_options::standby,
          optional(standby_kind(), "none", "there is one lease manager"),
          "A second lease manager, `lease_manager/2`, that repeats what the first does and leads "
          "when it hears no more of it");
  l.field("store",
          &lease_options::store,
          optional(store_kind(), "none", "the lease manager has them in a table of its own"),
          "A server outside that keeps the leases of a run with `--live`; `--store` replaces it");
  l.needs({[](const scenario& /*s*/) { return false; }, "it is for runs with --live"});
  l.field("zones",
          &lease_options::zones,
          optional(zones_kind(), "none", "matchers take drivers anywhere"),
          "Leases on parts of the map, under which the leases on drivers live, and with which they "
          "end");
}

/// Who says that a lease still holds, and where an assignment becomes a fact.
void add_judge(record<lease_options>& l) {
  l.field("commit",
          &lease_options::commit,
          one_of<commit_at>({{"ledger", commit_at::ledger}, {"manager", commit_at::manager}}),
          "where an assignment becomes a fact: at the ledger's write or at the manager's confirm");
  l.field("judge",
          &lease_options::judge,
          one_of<judge>(
              {{"manager", judge::manager}, {"holder", judge::holder}, {"both", judge::both}}),
          "who says that the lease still holds before the write: the manager by a confirm, the "
          "holder by its own clock less `margin`, or both");
  l.field("margin",
          &lease_options::margin,
          a_duration(),
          "how long before expiry the holder stops trusting its lease");
  l.needs(of_leases())
      .needs({[](const scenario& s) { return s.lease.judge != judge::manager; },
              "no holder judges its lease; see `lease.judge`"});
  l.field("confirm_hold",
          &lease_options::confirm_hold,
          a_duration({.above = sim_duration{0}}),
          "a confirmed lease whose holder never writes is freed after this");
  l.needs(of_leases())
      .needs({[](const scenario& s) { return s.lease.judge != judge::holder; },
              "no lease is confirmed; see `lease.judge`"});
}

}  // namespace

field_type<lease_options> lease_kind() {
  record<lease_options> l;
  l.field("profile", &lease_options::profile, profile_kind(), profile_sentence());
  l.field("protocol", &lease_options::protocol, protocol_kind(), protocol_sentence());
  l.field("ttl",
          &lease_options::ttl,
          a_duration_or_never({.above = sim_duration{0}}, "a lease does not expire"),
          "a lease is valid for so long from its grant; at its end it is over");
  l.field(
      "offer_window",
      &lease_options::offer_window,
      optional(a_duration({.above = sim_duration{0}}), "ttl", "as long as the lease"),
      "how long the driver sees the offer, at most the TTL; the rest covers delay and skew. Her "
      "matcher waits for an answer for so long, and for `matchers.reply_timeout` more, in which "
      "it may arrive, under every protocol, but not past the end of a lease that ends by itself; "
      "then it takes the offer back, frees her if it holds her, and tries the next driver. A yes "
      "that comes later is as late as one after the lease's end");
  l.field(
      "grace",
      &lease_options::grace,
      a_duration({.at_least = -duration_max}),
      "how long past expiry the manager still takes a confirm or a renewal. Below 0 it ends the "
      "lease so long before the expiry that it told the holder, who does not know "
      "(*Lease-Based Assignment*: clean-up that comes too early)");
  l.needs(of_leases());
  add_judge(l);
  l.field("fence",
          &lease_options::fence,
          one_of<fence>({{"grant", fence::grant}, {"first-write", fence::first_write}}),
          "when the ledger learns a token");
  l.needs(of_fence());
  l.field("deadline",
          &lease_options::deadline,
          one_of<deadline>({{"duration", deadline::duration}, {"absolute", deadline::absolute}}),
          "how a deadline travels: as a length of time, or as a reading of the sender's clock");
  add_ending(l);
  l.field("confirm_by",
          &lease_options::confirm_by,
          one_of<confirmer>({{"matcher", confirmer::matcher}, {"driver", confirmer::driver}}),
          "who tells the manager of an accept: the matcher, or the driver's phone (with `commit: "
          "manager` only)");
  l.field("handshake",
          &lease_options::handshake,
          optional(a_duration({.at_least = repeat_min}), "none", "the offer is sent at once"),
          "how long the holder of a fresh lease waits for the driver's phone to say that it is "
          "there before it sends the offer; a silent phone ends the try, and the lease with it");
  l.needs(of_leases());
  add_store(l);
  add_recipes(l);
  return l.as_kind();
}

}  // namespace dibs::scenario
