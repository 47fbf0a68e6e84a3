#include "swarm/fault_draws.hpp"

namespace dibs::swarm {
namespace {

// -- people --------------------------------------------------------------------------------------

void racing_cancels(random_text& d, scenario_draft& c) {
  c.set("riders.cancel_at_accept",
        drawn("{{share: {}, after: {{dist: normal, mean: 0s, sd: {}}}}}",
              {d.per_cent(5, 50), d.ms(0, 2000)}));
}

void lost_connections(random_text& d, scenario_draft& c) {
  c.set("drivers.drop_out",
        drawn("{{share: {}, after: {{dist: uniform, min: 0s, max: {}}}, back_after: {}}}",
              {d.per_cent(5, 40), d.ms(100, 15'000), d.ms(100, 60'000)}));
}

void late_answers(random_text&, scenario_draft& c) { c.set("drivers.late_answer", "sent"); }

// -- what leaves the promises as they are --------------------------------------------------------

void other_judges(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> judges{"holder", "both"};
  c.set("lease.judge", d.one_of(judges));
  c.set("lease.margin", d.ms(0, 3000));
}

void absolute_deadlines(random_text&, scenario_draft& c) { c.set("lease.deadline", "absolute"); }

void other_cleanup(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> kinds{"lazy", "none"};
  c.set("lease.cleanup",
        d.half() ? fmt::format("{{kind: periodic, every: {}}}", d.ms(100, 20'000))
                 : fmt::format("{{kind: {}}}", d.one_of(kinds)));
}

void fence_at_first_write(random_text&, scenario_draft& c) { c.set("lease.fence", "first-write"); }

void short_holds(random_text& d, scenario_draft& c) {
  c.set("lease.confirm_hold", d.ms(100, 10'000));
}

void grace(random_text& d, scenario_draft& c) { c.set("lease.grace", d.either_way(d.ms(1, 5000))); }

// -- other ways to hold --------------------------------------------------------------------------

void renewals(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 3> kinds{"eager", "lazy", "adaptive"};
  constexpr std::array<std::string_view, 2> yes_or_no{"yes", "no"};
  constexpr std::array<std::string_view, 2> threads{"shared", "own"};
  constexpr std::array<std::string_view, 2> next{"again", "interval"};
  constexpr std::array<std::string_view, 2> losses{"withdraw", "carry-on"};
  c.set("lease.renewal",
        drawn("{{kind: {}, stagger: {}, timeout: {}, retry: {}, numbered: {}, on_loss: {}, "
              "thread: {}, then: {}}}",
              {d.one_of(kinds),
               d.ms(0, 1000),
               d.ms(50, 2000),
               d.ms(50, 2000),
               d.one_of(yes_or_no),
               d.one_of(losses),
               d.one_of(threads),
               d.one_of(next)}));
}

void handshake(random_text& d, scenario_draft& c) { c.set("lease.handshake", d.ms(50, 3000)); }

void jitter(random_text& d, scenario_draft& c) { c.set("lease.jitter", d.ms(1, 5000)); }

void lock_delay(random_text& d, scenario_draft& c) { c.set("lease.lock_delay", d.ms(1, 10'000)); }

void broadcast(random_text& d, scenario_draft& c) {
  c.set("matchers.offers.broadcast", std::to_string(1 + d.up_to(3)));
}

/// A claimed ride has one matcher, so none is broadcast, whatever was drawn before.
void claimed_rides(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> ends{"renewed", "trusted"};
  c.set("matchers.claims",
        drawn("{{ttl: {}, heartbeat: {}, at_completion: {}}}",
              {d.ms(1000, 20'000), d.per_cent(20, 80), d.one_of(ends)}));
  c.set("matchers.offers.broadcast", "1");
}

/// A confirm is a commit then, so the lease manager judges, whatever was drawn before.
void commit_at_manager(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> who{"matcher", "driver"};
  c.set("lease.commit", "manager");
  c.set("lease.judge", "manager");
  c.set("lease.confirm_by", d.one_of(who));
}

/// Whatever clean-up was drawn before.
void sweeps(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> whose{"manager", "sweeper"};
  c.set("lease.cleanup",
        drawn("{{kind: periodic, every: {}, by: {}, most: {}}}",
              {d.ms(100, 5000), d.one_of(whose), d.half() ? "all" : d.count(3)}));
}

void new_deadlines_after_a_crash(random_text& d, scenario_draft& c) {
  c.set("lease.restart",
        d.half() ? "{leases: extended}"
                 : fmt::format("{{leases: checkpoint, checkpoint: {}}}", d.ms(100, 10'000)));
}

void held_when_given_back(random_text&, scenario_draft& c) { c.set("lease.released", "held"); }

void whole_seconds(random_text& d, scenario_draft& c) {
  c.set("lease.ttl_step", d.ms(1, 3000));
  c.set("lease.ttl_min", d.ms(1, 15'000));
}

/// The leases under a zone end with it, so that a matcher loses drivers while it offers them.
void zones(random_text& d, scenario_draft& c) {
  const std::string rest = drawn("grid: {}, ttl: {}, renew_at: {}",
                                 {d.count(3), d.ms(1000, 40'000), d.per_cent(20, 90)});
  c.set("lease.zones",
        d.half() ? fmt::format("{{{}, mode: read}}", rest)
                 : fmt::format("{{{}, mode: write, readers: {}}}", rest, d.up_to(3) - 1));
}

void unlocks_of_what_was_refused(random_text&, scenario_draft& c) {
  c.set("lease.releases", "always");
}

void waiting_in_line(random_text&, scenario_draft& c) { c.set("matchers.queue", "fifo"); }

void short_shifts(random_text& d, scenario_draft& c) {
  c.set("drivers.shifts", fmt::format("{{dist: exponential, mean: {}}}", d.ms(30'000, 300'000)));
}

constexpr hazard every_habit[] = {
    {"racing cancels", racing_cancels},
    {"lost connections", lost_connections},
    {"late answers", late_answers},
    {"other judges", other_judges},
    {"absolute deadlines", absolute_deadlines},
    {"other clean-up", other_cleanup},
    {"fence at the first write", fence_at_first_write},
    {"short holds", short_holds},
    {"grace", grace},
    {"renewals", renewals},
    {"handshake", handshake},
    {"jitter", jitter},
    {"lock-delay", lock_delay},
    {"broadcast", broadcast},
    {"claimed rides", claimed_rides},
    {"commit at the manager", commit_at_manager},
    {"sweeps", sweeps},
    {"new deadlines after a crash", new_deadlines_after_a_crash},
    {"held when given back", held_when_given_back},
    {"whole seconds", whole_seconds},
    {"zones", zones},
    {"unlocks of what was refused", unlocks_of_what_was_refused},
    {"waiting in line", waiting_in_line},
    {"short shifts", short_shifts},
};

}  // namespace

std::span<const hazard> habits() { return every_habit; }

}  // namespace dibs::swarm
