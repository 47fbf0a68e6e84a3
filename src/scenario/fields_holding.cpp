// How leases are held: renewal, restarts and stand-ins of the lease manager, zones, claimed rides.

#include "scenario/distribution_type.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_ranges.hpp"
#include "scenario/fields.hpp"
#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr std::uint32_t grid_max = 100;

field_type<bool> yes_or_no(std::string yes, std::string no) {
  return one_of<bool>({{std::move(yes), true}, {std::move(no), false}});
}

}  // namespace

field_type<renewal_options> renewal_kind() {
  return record<renewal_options>()
      .field("kind",
             &renewal_options::kind,
             one_of<lease::renewal>({{"none", lease::renewal::none},
                                     {"eager", lease::renewal::eager},
                                     {"lazy", lease::renewal::lazy},
                                     {"adaptive", lease::renewal::adaptive}}),
             "how much of the TTL passes before the holder of an open offer prolongs its lease: "
             "`eager` 50 %, `lazy` 90 %, `adaptive` all but three of the round trips it measures, "
             "between 30 % and 70 % (*Lease Pattern: time-bound resource ownership*). Renewed is "
             "until the offer's window has passed, which may then be longer than the TTL")
      .field("at",
             &renewal_options::at,
             optional(a_share(), "kind", "as `kind` says"),
             "the share of the TTL, between 0% and 100%, that passes instead: 33% is etcd's, 50% "
             "the document's, 75% the "
             "ratio of RenewDeadline to LeaseDuration that Kubernetes' leader election needs")
      .field("stagger",
             &renewal_options::stagger,
             a_duration(),
             "each renewal comes up to so much earlier, at random, so that leases granted together "
             "are not renewed together")
      .field("timeout",
             &renewal_options::timeout,
             a_duration({.at_least = repeat_min}),
             "how long the holder waits for an answer to a renewal")
      .field("retry",
             &renewal_options::retry,
             a_duration({.at_least = repeat_min}),
             "the pause after a renewal that nobody answered")
      .field(
          "then",
          &renewal_options::then,
          one_of<after_silence>(
              {{"again", after_silence::again}, {"interval", after_silence::interval}}),
          "what follows that pause: the next renewal, or a whole interval first, as in "
          "`_auto_renew` of *Lease Pattern: time-bound resource ownership*, which then comes too "
          "late")
      .field("numbered",
             &renewal_options::numbered,
             yes_or_no("yes", "no"),
             "whether a renewal is a conditional update on the count of renewals, as in Amazon's "
             "KCL: a repeat after a lost answer is then refused, and its holder believes the lease "
             "lost")
      .field("on_loss",
             &renewal_options::on_loss,
             one_of<on_loss>({{"withdraw", on_loss::withdraw}, {"carry-on", on_loss::carry_on}}),
             "what a holder does when it hears that its lease is lost: takes the offer back and "
             "tries another driver, or nothing (no callback)")
      .field(
          "thread",
          &renewal_options::own_thread,
          one_of<bool>({{"shared", false}, {"own", true}}),
          "`shared`: a pause of the matcher holds its renewals up with all else; `own`: renewals "
          "and the heartbeats of claims have a thread that goes on (the dedicated executor of "
          "*Lease Pattern: time-bound resource ownership*). A pause that stops a whole process, "
          "as a garbage collector's may, needs `shared`")
      .all_need(of_leases(), {"thread"})
      .all_need(of_renewals(), {"kind", "thread"})
      .as_kind();
}

field_type<restart_options> restart_kind() {
  return record<restart_options>()
      .field("leases",
             &restart_options::leases,
             one_of<after_restart>({{"kept", after_restart::kept},
                                    {"extended", after_restart::extended},
                                    {"checkpoint", after_restart::checkpoint},
                                    {"forgotten", after_restart::forgotten}}),
             "what a lease manager that restarts or takes over knows of the leases: their "
             "deadlines; only that they exist, so that each gets a whole TTL anew (etcd's lessor "
             "on promotion); the time that each had left at the last checkpoint (etcd's remedy); "
             "or nothing. Forgotten leases are a control that must show harm")
      .field(
          "tokens",
          &restart_options::keeps_tokens,
          yes_or_no("kept", "forgotten"),
          "whether the counter of tokens survives; if not, it starts from 1 again with leases that "
          "are forgotten, and leaders of different terms issue the same tokens")
      .field("checkpoint",
             &restart_options::checkpoint,
             a_duration({.at_least = repeat_min}),
             "how often the time left is put on record")
      .only("where `leases` is `checkpoint`",
            [](const restart_options& o) { return o.leases == after_restart::checkpoint; })
      .field("extra",
             &restart_options::extra,
             a_duration(),
             "what each lease gets beside the whole TTL: a new leader of etcd adds its election "
             "timeout, of 1 s unless told otherwise")
      .needs({[](const scenario& s) { return s.lease.restart.leases == after_restart::extended; },
              "no lease gets a whole TTL anew; see `lease.restart.leases`"})
      .all_need(of_lost_managers())
      .as_kind();
}

field_type<standby_options> standby_kind() {
  return record<standby_options>()
      .field("after",
             &standby_options::after,
             a_duration({.at_least = repeat_min}),
             "how long the second manager does not hear of the first before it leads")
      .field("heartbeat",
             &standby_options::heartbeat,
             a_duration({.at_least = repeat_min}),
             "how often a leader tells the other that it leads")
      .field("old_leader",
             &standby_options::old_leader_acts,
             yes_or_no("acts", "yields"),
             "what a leader does that hears of a later one: it yields, or the leases that it ends "
             "of its own accord until then end at the new leader as well (etcd #15247)")
      .as_kind("standby", true);
}

field_type<store_options> store_kind() {
  constexpr std::size_t address_max = 300;
  constexpr std::uint32_t connections_max = 64;
  return record<store_options>()
      .field("kind",
             &store_options::kind,
             one_of<std::string>({{"memory", "memory"},
                                  {"postgres", "postgres"},
                                  {"redis", "redis"},
                                  {"etcd", "etcd"}}),
             "what keeps them; `memory`: the lease manager's own table")
      .field("at",
             &store_options::at,
             a_text("address", address_max),
             "where it is: `[user@]host[:port][/database]`. A password comes from the environment: "
             "`PGPASSWORD`, `REDIS_PASSWORD` or `ETCD_PASSWORD`")
      .only("where `kind` is not `memory`",
            [](const store_options& o) { return o.kind != "memory"; })
      .field("connections",
             &store_options::connections,
             a_count({.at_least = 1, .at_most = connections_max}),
             "how many connections there are to it")
      .only("where `kind` is not `memory`",
            [](const store_options& o) { return o.kind != "memory"; })
      .as_kind();
}

field_type<zone_options> zones_kind() {
  return record<zone_options>()
      .field("grid",
             &zone_options::grid,
             a_count({.at_least = 1U, .at_most = grid_max}),
             "the map is cut into so many zones a side; without geography, the drivers by number. "
             "1 is a single zone: its holder is an elected matcher")
      .field(
          "ttl", &zone_options::ttl, a_duration({.at_least = repeat_min}), "of the lease on a zone")
      .field("renew_at",
             &zone_options::renew_at,
             a_share(),
             "the share of that TTL after which the holder renews it")
      .field(
          "renew",
          &zone_options::renews_unused,
          one_of<bool>({{"used", false}, {"always", true}}),
          "`used`: only if a ride was asked for there since, or it holds a driver of the zone; "
          "else the zone is left to whoever needs it next. `always`: for as long as it lives, as "
          "an elected leader does")
      .field("mode",
             &zone_options::mode,
             one_of<events::zone_mode>(
                 {{"write", events::zone_mode::write}, {"read", events::zone_mode::read}}),
             "`write`: one matcher at a time may take drivers of a zone, others hand their rides "
             "on to it; `read`: any number may see a zone's supply and compete for its drivers "
             "(asymmetric leases)")
      .field(
          "readers",
          &zone_options::readers,
          a_count({.at_most = matchers_max}),
          "how many of the matchers, the last ones, take read leases where the others take write "
          "leases. A reader sees a zone's supply, and that it does not change: while anybody "
          "reads, nobody takes a driver there, and while somebody writes nobody reads. It hands "
          "a ride for which there is a driver on to a writer; once a writer was turned away, no "
          "read lease is given or prolonged before its turn")
      .only("where `mode` is `write`",
            [](const zone_options& z) { return z.mode == events::zone_mode::write; })
      .field("judge",
             &zone_options::judge,
             one_of<judge>(
                 {{"manager", judge::manager}, {"holder", judge::holder}, {"both", judge::both}}),
             "who says that a zone is held still: the manager, whose word that it is over may come "
             "late or never; the holder, who stops by its own clock when the TTL less `margin` has "
             "passed since it last asked; or both")
      .field("margin",
             &zone_options::margin,
             a_duration(),
             "how long before the end of the TTL the holder of a zone stops")
      .only("where `judge` is not `manager`",
            [](const zone_options& z) { return z.judge != judge::manager; })
      .field(
          "on_loss",
          &zone_options::on_loss,
          one_of<on_loss>({{"withdraw", on_loss::withdraw}, {"carry-on", on_loss::carry_on}}),
          "what a holder does that hears that its zone is lost, or that a renewal is refused: it "
          "stops, or it works on and asks again (kubernetes/kubernetes #44887)")
      .only("where `judge` is not `holder`",
            [](const zone_options& z) { return z.judge != judge::holder; })
      .as_kind("zones", true);
}

field_type<claim_options> claims_kind() {
  return record<claim_options>()
      .field("ttl",
             &claim_options::ttl,
             a_duration({.at_least = repeat_min}),
             "how long a claim lasts without a heartbeat; then another matcher takes the ride over")
      .field("heartbeat",
             &claim_options::heartbeat,
             optional(a_share(),
                      "none",
                      "a claim lasts for its TTL and no longer, as the visibility timeout of a "
                      "queue does (celery/celery #5935): whoever works for longer works on, beside "
                      "the next"),
             "the share of that TTL between two heartbeats")
      .field("at_completion",
             &claim_options::at_completion,
             yes_or_no("renewed", "trusted"),
             "whether the claim is renewed before an assignment is written, as the task service of "
             "DigitalOcean's *leases with PostgreSQL* does")
      .as_kind("claims", true);
}

}  // namespace dibs::scenario
