#include "torment/cases.hpp"

#include <algorithm>
#include <vector>

namespace dibs::torment {
namespace {

using action = fault_action;
using target = fault_target;

constexpr std::uint32_t redlock_servers = 5;

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
  return c;
}

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
  all.push_back(
      {.name = "postgres-killed-unsynced",
       .faults_text = "the same, and commits do not wait for the disk",
       .breaks = true,
       .because = "leases of the last second are forgotten, and given again",
       .drivers = 4,
       .ttl = 4'000ms,
       .pace = {.think_max = 1'500ms, .work_max = 20ms, .trip_min = 50ms, .trip_max = 150ms},
       .durable = false,
       .pattern = {.faults = {{0ms, action::kill, target::postgres},
                              {100ms, action::start, target::postgres}}}});
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
                    .incident = "ttl-too-short-churn",
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
  longer.incident = "";
  longer.breaks = false;
  longer.because = "each task is done before its lease is over";
  longer.ttl = 3'000ms;
  return {longer, shorter};
}

std::vector<real_case> redis_cases() {
  const fault_pattern killed{
      .faults = {{0ms, action::kill, target::redis}, {200ms, action::start, target::redis}}};
  constexpr matcher_pace thinker{
      .think_max = 500ms, .work_max = 20ms, .trip_min = 50ms, .trip_max = 150ms};
  std::vector<real_case> all;
  all.push_back({.name = "redis-calm",
                 .faults_text = "nothing",
                 .leases = lease_kind::redis,
                 .because = "nothing is wrong"});
  all.push_back({.name = "redis-killed-appending",
                 .faults_text = "Redis with an append-only file is killed and started again",
                 .leases = lease_kind::redis,
                 .because = "the kernel keeps what a killed process has written",
                 .ttl = 1'500ms,
                 .pace = thinker,
                 .appends = true,
                 .pattern = killed});
  all.push_back({.name = "redis-killed",
                 .faults_text = "Redis without persistence is killed and started again",
                 .leases = lease_kind::redis,
                 .breaks = true,
                 .because = "it forgets leases and counts tokens from 1 again",
                 .ttl = 1'500ms,
                 .pace = thinker,
                 .pattern = killed});
  all.push_back(
      {.name = "redis-failover",
       .faults_text = "a primary is killed while its replica is 1 s behind",
       .incident = "failover-ttl-reset",
       .leases = lease_kind::redis,
       .breaks = true,
       .because = "the replica does not know the leases of the last second",
       .drivers = 24,
       .ttl = 2'500ms,
       .pace = {.think_max = 1'200ms, .work_max = 20ms, .trip_min = 50ms, .trip_max = 150ms},
       .replica = true,
       .pattern = {.faults = {{0ms, action::delay_link, target::link, 1, 1'000ms},
                              {1'500ms, action::kill, target::redis},
                              {1'500ms, action::refuse_link, target::link, 1},
                              {1'550ms, action::promote, target::redis, 1}},
                   .first = 500ms,
                   .times_max = 1}});
  all.push_back(
      {.name = "redis-clock-ahead",
       .faults_text = "Redis's clock jumps 60 s ahead",
       .incident = "clock-step-jump",
       .leases = lease_kind::redis,
       .breaks = true,
       .because = "every lease is over at once, and given to another",
       .drivers = 6,
       .ttl = 1'500ms,
       .pace = thinker,
       .clock = server_clock::given,
       .pattern = {.faults = {{0ms, action::move_clock, target::redis, 0, 60s}}, .every = 700ms}});
  return all;
}

std::vector<real_case> redlock_cases() {
  real_case calm{
      .name = "redlock-calm",
      .faults_text = "nothing",
      .leases = lease_kind::redlock,
      .judge = lease_judge::holder,
      .fence = false,
      .because = "nothing is wrong, and every trip ends within its lock",
      .drivers = 6,
      .ttl = 1'500ms,
      .margin = 600ms,
      .pace = {.think_max = 400ms, .work_max = 50ms, .trip_min = 200ms, .trip_max = 400ms},
      .clock = server_clock::given};
  // Two servers are out of reach, so that a lock is held on the other three. Then these two are
  // back and the clock of one of the three jumps: another gets the lock on that one and on the two.
  real_case jump = calm;
  jump.name = "redlock-clock-jump";
  jump.faults_text = "two of five out of reach for 0.5 s, then one clock jumps";
  jump.breaks = true;
  jump.because = "a second holder gets a majority that shares one server with the first";
  jump.pattern = {.faults = {{0ms, action::refuse_link, target::link, 3},
                             {0ms, action::refuse_link, target::link, 4},
                             {500ms, action::open_link, target::link, 3},
                             {500ms, action::open_link, target::link, 4},
                             {500ms, action::move_clock, target::redis, 2, 60s}},
                  .first = 500ms,
                  .every = 1'200ms};
  return {calm, jump};
}

std::vector<real_case> made() {
  std::vector<real_case> all = postgres_cases();
  for (auto more : {queue_cases(), redis_cases(), redlock_cases()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

std::span<const real_case> all_cases() {
  static const std::vector<real_case> all = made();
  return all;
}

const real_case* find_case(std::string_view name) {
  const auto all = all_cases();
  const auto found = std::ranges::find(all, name, &real_case::name);
  return found == all.end() ? nullptr : &*found;
}

std::uint32_t redis_servers(const real_case& c) {
  switch (c.leases) {
    case lease_kind::redis:
      return c.replica ? 2 : 1;
    case lease_kind::redlock:
      return redlock_servers;
    case lease_kind::postgres:
    case lease_kind::queue:
      break;
  }
  return 0;
}

}  // namespace dibs::torment
