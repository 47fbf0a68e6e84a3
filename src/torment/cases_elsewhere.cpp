// Cases whose leases are in Redis or etcd. Their ledger is PostgreSQL.

#include "torment/case_lists.hpp"

namespace dibs::torment {
namespace {

using action = fault_action;
using target = fault_target;

}  // namespace

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
                 .incident = "store-forgets-leases",
                 .leases = lease_kind::redis,
                 .breaks = true,
                 .because = "it forgets leases and counts tokens from 1 again",
                 .ttl = 1'500ms,
                 .pace = thinker,
                 .pattern = killed});
  all.push_back(
      {.name = "redis-failover",
       .faults_text = "a primary is killed while its replica is 1 s behind",
       .incident = "failover-lagging-replica",
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
  jump.incident = "redlock-clock-jump";
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

std::vector<real_case> etcd_cases() {
  // A holder keeps its lock alive for as long as it works, which is longer than a lease lasts.
  // Where nothing is to break, a lease is so long that a busy machine does not keep a renewal from
  // it.
  real_case calm{.name = "etcd-calm",
                 .faults_text = "nothing",
                 .leases = lease_kind::etcd,
                 .judge = lease_judge::nobody,
                 .fence = false,
                 .because = "nothing is wrong, and every lock is kept alive until its trip is over",
                 .drivers = 8,
                 .ttl = 5'000ms,
                 .pace = {.think_max = 1'000ms,
                          .work_max = 20ms,
                          .trip_min = 5'500ms,
                          .trip_max = 6'500ms,
                          .before_next = 50ms},
                 .renews = true,
                 .length = 14s};
  real_case cut = calm;
  cut.name = "etcd-lock-partition";
  cut.ttl = 1'000ms;
  cut.pace.trip_min = 2'000ms;
  cut.pace.trip_max = 3'000ms;
  cut.faults_text = "the link of one matcher to etcd is cut for 2.5 s";
  cut.incident = "lock-without-fence-partition";
  cut.breaks = true;
  cut.because = "the lock runs out and is given to another, and its holder goes on";
  cut.pattern = {.faults = {{0ms, action::hold_link, target::link},
                            {2'500ms, action::open_link, target::link}},
                 .first = 500ms,
                 .every = 3'500ms,
                 .among = matcher_processes};
  cut.length = 12s;
  real_case fenced = cut;
  fenced.name = "etcd-lock-partition-fenced";
  fenced.fence = true;
  fenced.breaks = false;
  fenced.because = "the ledger refuses an old token, and a driver who is on a trip";
  return {calm, cut, fenced};
}

}  // namespace dibs::torment
