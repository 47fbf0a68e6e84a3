/// The parts of `root_cause.hpp`: causes of accepts that were lost, of rides that starved and of
/// drivers whom a lease hid, and what all of them need.
#pragma once

#include "events/facts.hpp"
#include "explain/root_cause.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::explain {

struct lost_message;

/// What a lost accept is measured by.
inline constexpr const char* lost_rate = "accepts.lost_rate";

/// Whether a driver is leased before she is asked.
[[nodiscard]] bool leases(const history::indexed_run& c);

/// As a scenario says it: in seconds, or tenths of one, rounded up, and at least one tenth.
[[nodiscard]] std::string tenths_up(sim_duration d);

/// Repeats what is not acknowledged on the link that lost it; nothing if no link is named there.
[[nodiscard]] std::optional<remedy> retries_for(const history::indexed_run& c,
                                                const events::message_lost& lost,
                                                const char* metric);

/// A lease of half or twice the length, with the offer window that goes with it; nothing where a
/// lease has no length, or hardly any.
[[nodiscard]] std::optional<remedy> shorter_lease(const history::indexed_run& c,
                                                  const char* metric);
[[nodiscard]] std::optional<remedy> longer_lease(const history::indexed_run& c, const char* metric);

/// A TTL for leases that have none; nothing where they have one.
[[nodiscard]] std::optional<remedy> lease_with_end(const history::indexed_run& c,
                                                   const char* metric);
/// `5:00.000`.
[[nodiscard]] std::string told_at(sim_time t);
/// `lease 7 has no end, and stays until its holder gives it back`.
[[nodiscard]] std::string told_of_endless(const metrics::try_record& t);

/// Appends a remedy, if there is one.
void add(std::vector<remedy>& to, std::optional<remedy> r);

/// Appends what the measures come to in the scenario.
void add_measures(const history::indexed_run& c,
                  std::initializer_list<remedy_kind> measures,
                  const std::string& metric,
                  std::vector<remedy>& to);

/// A lease that ran out before its time.
[[nodiscard]] bool is_ended_early(const metrics::try_record& t);

/// A standby that outlasts every partition of the scenario never leads beside the leader.
[[nodiscard]] std::optional<remedy> patient_standby(const history::indexed_run& c,
                                                    const char* metric);

/// What one node asked of another for a try, until it was answered or given up.
struct pending_call {
  node_id from;
  node_id to;
  time_interval when{};
  std::string_view what{};  ///< `the confirm`
};
/// Renewals, confirms and writes of the try that were asked for before that.
[[nodiscard]] std::vector<pending_call> calls_of(const history::indexed_run& c,
                                                 const metrics::try_record& t,
                                                 sim_time until);

/// A stretch in which a node was down, or stood still; without an end it went on.
struct outage {
  node_id node;
  time_interval when{};
  bool is_crash = false;
};
[[nodiscard]] std::vector<outage> outages_of(const history::indexed_run& c, node_id n);
/// The one that it is in at that instant, or begins at it; nothing where the node is up.
[[nodiscard]] std::optional<outage> outage_at(const history::indexed_run& c, node_id n, sim_time t);
/// `stood still from 5:00.000 to 5:20.000`.
[[nodiscard]] std::string told_of_outage(const outage& out);

/// The scenario without one of its faults; `what` is what that makes, as "crash".
[[nodiscard]] remedy without_fault(const history::indexed_run& c,
                                   const scenario::fault& f,
                                   std::string_view what,
                                   const std::string& metric);
/// The scenario without the fault that had the node out at that instant; nothing where none did.
[[nodiscard]] std::optional<remedy> without_outage(const history::indexed_run& c,
                                                   node_id n,
                                                   sim_time t,
                                                   const std::string& metric);

/// The scenario without the fault that struck the message; nothing where none of them does.
[[nodiscard]] std::optional<remedy> without_strike(const history::indexed_run& c,
                                                   const events::message_tampered& how,
                                                   const std::string& metric);
/// The scenario without the fault that had the message dropped; nothing where none did.
[[nodiscard]] std::optional<remedy> without_drop(const history::indexed_run& c,
                                                 const lost_message& lost,
                                                 const std::string& metric);

/// Of a lease until then: the node that took most of the time for which something lay with it, the
/// offer with her phone or the write with the ledger, since it was down or stood still. Nothing if
/// none did.
[[nodiscard]] std::optional<root_cause> root_cause_of_outage(const history::indexed_run& c,
                                                             const metrics::try_record& t,
                                                             sim_time until,
                                                             const std::string& metric);

/// How much the clock of the node's timers gained on true time in that time.
[[nodiscard]] sim_duration clock_gain(const history::indexed_run& c,
                                      node_id n,
                                      const time_interval& when);
/// `the clock of matcher/2 is fast: 15 s on it last 10 s`, or who set it when.
[[nodiscard]] std::string told_of_timers(const history::indexed_run& c,
                                         node_id n,
                                         const time_interval& when);
/// Appends timers that nobody sets, and a clock that runs at the right rate.
void add_right_clock(const history::indexed_run& c,
                     node_id n,
                     const std::string& metric,
                     std::vector<remedy>& to);

/// Its holder gave the lease up before its end, since its own clock ran ahead meanwhile.
[[nodiscard]] std::optional<root_cause> root_cause_of_fast_holder(const history::indexed_run& c,
                                                                  const metrics::try_record& t,
                                                                  const std::string& metric);
/// The offer left her screen before its time, since the clock of her phone ran ahead meanwhile.
[[nodiscard]] std::optional<root_cause> root_cause_of_fast_screen(const history::indexed_run& c,
                                                                  const metrics::try_record& t,
                                                                  const std::string& metric);

/// Of a yes that another lease manager made vain: one that was replaced had its lease ended, or one
/// that did not know of it granted another.
[[nodiscard]] std::optional<root_cause> root_cause_of_leaders(const history::indexed_run& c,
                                                              const metrics::try_record& t);

/// Of deadlines that travel as instants: a clock off which this lease's was read is wrong.
[[nodiscard]] std::optional<root_cause> root_cause_of_deadline(const history::indexed_run& c,
                                                               const metrics::try_record& t,
                                                               const std::string& metric);
/// By a right clock the offer had left her screen before she answered, after the lease.
[[nodiscard]] std::optional<root_cause> root_cause_of_slow_screen(const history::indexed_run& c,
                                                                  const metrics::try_record& t,
                                                                  const std::string& metric);
/// A lease that ended before its time, or long after it since a clock was set back.
[[nodiscard]] std::optional<root_cause> root_cause_of_moved_end(const history::indexed_run& c,
                                                                const metrics::try_record& t,
                                                                const std::string& metric);

/// The try of its ride that was offered to another driver at the same time, and became the trip;
/// null if there was none, or one driver is asked at a time.
[[nodiscard]] const metrics::try_record* rival_offer(const history::indexed_run& c,
                                                     const metrics::try_record& t);
/// `ride 7 was offered to up to 3 drivers at once (`broadcast: 3`)`.
[[nodiscard]] std::string told_of_broadcast(const history::indexed_run& c, ride_id r);
/// Matchers that look for a driver for longer; nothing where they look for as long as it takes.
[[nodiscard]] std::optional<remedy> longer_search(const history::indexed_run& c,
                                                  const std::string& metric);
/// Of a lease that its holder gave back before she answered, for its ride had another driver, or
/// was given up.
[[nodiscard]] std::optional<root_cause> root_cause_of_called_off(const history::indexed_run& c,
                                                                 const metrics::try_record& t,
                                                                 const std::string& metric);
/// Of two trips of one ride: one was written by a matcher from which the ride had been taken over.
[[nodiscard]] std::optional<root_cause> root_cause_of_taken_over(const history::indexed_run& c,
                                                                 const metrics::try_record& one,
                                                                 const metrics::try_record& other,
                                                                 const std::string& metric);

/// Of two trips of one ride or driver: the holder of one had given its try up for want of a reply
/// that came later, and by then the other was on its way.
[[nodiscard]] std::optional<root_cause> late_reply_cause(const history::indexed_run& c,
                                                         const metrics::try_record& one,
                                                         const metrics::try_record& other,
                                                         const char* metric);

/// Of a try that its holder closed since the claim to its ride had run out, and another had it.
[[nodiscard]] std::optional<root_cause> root_cause_of_displaced(const history::indexed_run& c,
                                                                const metrics::try_record& t,
                                                                const std::string& metric);
/// Of a lease that was over before she answered, for a lease manager that crashed, or came to lead,
/// did not know of it.
[[nodiscard]] std::optional<root_cause> root_cause_of_forgotten(const history::indexed_run& c,
                                                                const metrics::try_record& t,
                                                                const std::string& metric);
/// Her yes was heard while the lease was live, and within the margin of its holder.
[[nodiscard]] std::optional<root_cause> root_cause_of_margin(const history::indexed_run& c,
                                                             const metrics::try_record& t,
                                                             const std::string& metric);

/// When the holder asked her phone whether it is there, where that did not answer in time; else
/// never.
[[nodiscard]] sim_time greeted_at(const history::indexed_run& c, const metrics::try_record& t);
/// Of a lease that was given back since her phone did not answer before the offer.
[[nodiscard]] std::optional<root_cause> root_cause_of_unreachable(const history::indexed_run& c,
                                                                  const metrics::try_record& t,
                                                                  const std::string& metric);
/// When the holder asked the ledger to write, and when the ledger had it.
struct late_write {
  sim_time asked = never;
  sim_time there = never;
};
[[nodiscard]] late_write write_of(const history::indexed_run& c, const metrics::try_record& t);
/// Of a confirmed lease that was over before its write came.
[[nodiscard]] std::optional<root_cause> root_cause_of_late_write(const history::indexed_run& c,
                                                                 const metrics::try_record& t,
                                                                 const std::string& metric);
/// A lease manager that keeps a confirmed lease until such a write has come; nothing where the
/// lease was not freed for want of one.
[[nodiscard]] std::optional<remedy> longer_hold(const history::indexed_run& c,
                                                const metrics::try_record& t,
                                                const std::string& metric);
/// The driver went offline with the offer on her screen.
[[nodiscard]] std::optional<root_cause> root_cause_of_offline(const history::indexed_run& c,
                                                              const metrics::try_record& t,
                                                              const std::string& metric);
/// Its holder took the offer back before she answered, as it took the lease for over: it had not
/// been renewed in time.
[[nodiscard]] std::optional<root_cause> root_cause_of_unrenewed(const history::indexed_run& c,
                                                                const metrics::try_record& t,
                                                                const std::string& metric);

/// Its holder took the offer back before she answered, for it had lost the zone.
[[nodiscard]] std::optional<root_cause> root_cause_of_lost_zone(const history::indexed_run& c,
                                                                const metrics::try_record& t);

/// The lease manager takes a confirm for as long after the end as her yes was on its way.
[[nodiscard]] remedy grace_for(const history::indexed_run& c, const metrics::try_record& t);
/// Her accept took too long on its way, or was refused at its end.
[[nodiscard]] root_cause root_cause_of_latency(const history::indexed_run& c,
                                               const metrics::try_record& t);
/// Of a try until then: the fault that held up the words for which it waited most of the time.
[[nodiscard]] std::optional<root_cause> root_cause_of_slow_link(const history::indexed_run& c,
                                                                const metrics::try_record& t,
                                                                sim_time until,
                                                                const std::string& metric);

[[nodiscard]] root_cause root_cause_of_lost_accept(const history::indexed_run& c,
                                                   const metrics::try_record& t);
[[nodiscard]] root_cause root_cause_of_starved(const history::indexed_run& c, const harm& b);
/// Requires: the breach has the lease that hid a driver.
[[nodiscard]] root_cause root_cause_of_hiding(const history::indexed_run& c, const harm& b);

}  // namespace dibs::explain
