// Cases whose leases are in PostgreSQL.

#include "torment/case_lists.hpp"

namespace dibs::torment {
namespace {

using action = fault_action;
using target = fault_target;

/// One process stands still for longer than its leases last.
fault_pattern pauses() {
  return {.faults = {{0ms, action::stop, target::matcher}, {900ms, action::go_on, target::matcher}},
          .first = 500ms,
          .every = 1'000ms,
          .among = matcher_processes};
}

/// The look at the lease lies well before the write, and a few drivers are all that there are.
constexpr matcher_pace slow_writer{
    .think_max = 60ms, .work_max = 250ms, .trip_min = 150ms, .trip_max = 300ms};

real_case paused(std::string_view name, bool fence) {
  real_case c;
  c.name = name;
  c.faults_text = "a matcher stands still for 0.9 s (SIGSTOP)";
  c.incident = "gc-pause-holder";
  c.judge = lease_judge::holder;
  c.fence = fence;
  c.breaks = !fence;
  c.because = fence ? "the ledger refuses the late write, whose token is old"
                    : "the ledger takes a write whose lease was over and given to another";
  c.drivers = 5;
  c.ttl = 450ms;
  c.margin = 300ms;
  c.pace = slow_writer;
  c.pattern = pauses();
  c.length = fence ? 5s : 10s;  // a busy machine has half as many leases, and all must break
  return c;
}

/// What a killed PostgreSQL forgets is what it had not handed to the kernel: the last page of its
/// log, never more. Who is denied a driver writes there too, since it locks her row, and so does
/// the word of a trip, without which nobody else gets her. So the kill comes at the first grant,
/// and the holder thinks for longer than the server is away: what it would ask meanwhile, and
/// nobody answers, may have given the lease back.
real_case killed_unsynced() {
  real_case c;
  c.name = "postgres-killed-unsynced";
  c.faults_text = "it is killed right after a grant, and commits do not wait for the disk";
  c.incident = "store-forgets-leases";
  c.breaks = true;
  c.because = "the last grants are forgotten, and their drivers given to others";
  c.drivers = 6;
  c.ttl = 9'000ms;
  c.pace = {.think_min = 3'500ms, .think_max = 4'500ms, .work_max = 20ms, .before_next = 150ms};
  c.durable = false;
  c.pattern = {.faults = {{0ms, action::kill, target::postgres, 0, 0ms, true},
                          {100ms, action::start, target::postgres}},
               .first = 0ms,
               .every = 4ms,
               .times_max = 1};
  c.length = 8s;
  return c;
}

}  // namespace

std::vector<real_case> postgres_cases() {
  std::vector<real_case> all;
  all.push_back({.name = "postgres-calm", .faults_text = "nothing", .because = "nothing is wrong"});
  all.push_back({.name = "postgres-stopped",
                 .faults_text = "PostgreSQL stands still for 1 s (SIGSTOP)",
                 .incident = "partition-from-manager",
                 .because = "who gets no answer does not believe to have a lease",
                 .pattern = {.faults = {{0ms, action::stop, target::postgres},
                                        {1'000ms, action::go_on, target::postgres}}}});
  all.push_back({.name = "postgres-killed",
                 .faults_text = "PostgreSQL is killed and started again",
                 .because = "what was acknowledged is on the disk",
                 .ttl = 1'000ms,
                 .pattern = {.faults = {{0ms, action::kill, target::postgres},
                                        {300ms, action::start, target::postgres}}}});
  all.push_back(killed_unsynced());
  all.push_back(
      {.name = "postgres-clock-ahead",
       .faults_text = "PostgreSQL's clock jumps 60 s ahead",
       .incident = "clock-step-jump",
       .breaks = true,
       .because = "every lease is over at once, and given to another",
       .drivers = 6,
       .ttl = 1'500ms,
       .pace = {.think_max = 500ms, .work_max = 20ms, .trip_min = 50ms, .trip_max = 150ms},
       .clock = server_clock::faked,
       .pattern = {.faults = {{0ms, action::move_clock, target::postgres, 0, 60s}},
                   .every = 700ms}});
  all.push_back({.name = "link-held",
                 .faults_text = "the link of one matcher is cut for 1 s",
                 .incident = "partition-from-manager",
                 .because = "its leases run out, and the store refuses what comes late",
                 .pattern = {.faults = {{0ms, action::hold_link, target::link},
                                        {1'000ms, action::open_link, target::link}},
                             .first = 500ms,
                             .every = 1'250ms,
                             .among = matcher_processes}});
  all.push_back({.name = "link-cut",
                 .faults_text = "the network of one matcher is down for 1 s",
                 .incident = "partition-from-manager",
                 .because = "its leases run out, and the store refuses what comes late",
                 .own_networks = true,
                 .pattern = {.faults = {{0ms, action::cut_link, target::link},
                                        {1'000ms, action::open_link, target::link}},
                             .first = 500ms,
                             .every = 1'250ms,
                             .among = matcher_processes}});
  all.push_back({.name = "link-slow",
                 .faults_text = "the link of one matcher takes 200 ms more",
                 .because = "its leases run out, and the store refuses what comes late",
                 .pattern = {.faults = {{0ms, action::delay_link, target::link, 0, 200ms},
                                        {1'000ms, action::open_link, target::link}},
                             .first = 500ms,
                             .every = 1'250ms,
                             .among = matcher_processes}});
  all.push_back({.name = "matcher-killed",
                 .faults_text = "a matcher is killed and started again",
                 .incident = "offer-sent-then-crash",
                 .because = "its leases run out; it repeats writes whose answers it did not hear",
                 .pattern = {.faults = {{0ms, action::kill, target::matcher},
                                        {300ms, action::start, target::matcher}},
                             .first = 700ms,
                             .every = 1'000ms,
                             .among = matcher_processes}});
  all.push_back(paused("matcher-paused", true));
  all.push_back(paused("matcher-paused-unfenced", false));
  return all;
}

std::vector<real_case> queue_cases() {
  constexpr matcher_pace worker{
      .think_max = 20ms, .work_max = 0ms, .trip_min = 250ms, .trip_max = 450ms};
  real_case shorter{.name = "queue-lease-too-short",
                    .faults_text = "nothing; the lease is shorter than the work",
                    .leases = lease_kind::queue,
                    .judge = lease_judge::nobody,
                    .fence = false,
                    .breaks = true,
                    .because = "a task is given to a second worker while the first is at it",
                    .drivers = 8,  // fewer tasks than workers
                    .ttl = 200ms,
                    .pace = worker};
  real_case longer = shorter;
  longer.name = "queue-lease-long";
  longer.faults_text = "nothing; the lease is longer than the work";
  longer.breaks = false;
  longer.because = "each task is done before its lease is over";
  longer.ttl = 3'000ms;
  return {longer, shorter};
}

}  // namespace dibs::torment
