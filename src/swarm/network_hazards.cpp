#include "swarm/fault_draws.hpp"

namespace dibs::swarm {
namespace {

constexpr std::array<std::string_view, 6> steps{
    "after-pick", "after-grant", "after-offer", "after-accept", "after-confirm", "after-write"};
constexpr std::array<std::string_view, 14> messages{"any",
                                                    "acquire",
                                                    "lease_given",
                                                    "lease_over",
                                                    "confirm",
                                                    "confirm_taken",
                                                    "release",
                                                    "offer",
                                                    "offer_answer",
                                                    "write",
                                                    "write_taken",
                                                    "write_outcome",
                                                    "drive",
                                                    "trip_closed"};

/// Adds what is drawn for each, one after another.
template <std::size_t N, class Draw>
void extend(std::array<std::string, N>& entries, const Draw& drawn) {
  for (std::string& each : entries) {
    each += drawn();
  }
}

// -- the network ---------------------------------------------------------------------------------

void latency(random_text& d, scenario_draft& c) {
  extend(c.network, [&] {
    return fmt::format(", latency: {{dist: lognormal, median: {}, sigma: 0.7}}", d.ms(1, 400));
  });
}

void loss(random_text& d, scenario_draft& c) {
  extend(c.network, [&] { return fmt::format(", loss: {}", d.per_cent(0, 20)); });
}

void duplicates(random_text& d, scenario_draft& c) {
  extend(c.network, [&] { return fmt::format(", duplicate: {}", d.per_cent(0, 30)); });
}

void reordering(random_text& d, scenario_draft& c) {
  extend(c.network, [&] {
    return drawn(", reorder: {{share: {}, by: {}}}", {d.per_cent(1, 20), d.ms(10, 20'000)});
  });
}

void retries(random_text& d, scenario_draft& c) {
  extend(c.network, [&] {
    return drawn(", retry: {{after: {}, max: {}}}", {d.ms(100, 5000), d.count(6)});
  });
}

void partition(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 4> sides{
      "lease_manager", "ledger", "[lease_manager, ledger]", "[ledger, driver/*]"};
  constexpr std::array<std::string_view, 2> directions{"both", "forth"};
  const std::string one = d.matcher();
  const std::string other(d.one_of(sides));
  const bool turned = d.half();
  c.fault(drawn("kind: partition, between: [{}, {}], at: {}, for: {}, direction: {}, loss: {}",
                {turned ? other : one,
                 turned ? one : other,
                 d.instant(),
                 d.ms(500, 60'000),
                 d.one_of(directions),
                 d.half() ? "100%" : d.per_cent(10, 90)}));
}

void parted_servers(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: partition, between: [ledger, lease_manager], at: {}, for: {}",
                {d.instant(), d.ms(500, 60'000)}));
}

void slow_links(random_text& d, scenario_draft& c) {
  c.fault(
      drawn("kind: slow, between: [{}, [lease_manager, ledger, driver/*]], at: {}, for: {}, "
            "factor: {}, plus: {{dist: exponential, mean: {}}}",
            {d.matcher(), d.instant(), d.ms(1000, 60'000), d.count(50), d.ms(1, 10'000)}));
}

// -- clocks --------------------------------------------------------------------------------------

void skew(random_text& d, scenario_draft& c) {
  extend(c.clocks, [&] {
    return fmt::format(", offset: {{dist: normal, mean: 0s, sd: {}}}", d.ms(1, 10'000));
  });
}

void drift(random_text& d, scenario_draft& c) {
  extend(c.clocks, [&] {
    return fmt::format(", drift: {{dist: normal, mean: 0ppm, sd: {}ppm}}", d.up_to(100'000));
  });
}

void clock_steps(random_text& d, scenario_draft& c) {
  extend(c.clocks, [&] {
    return drawn(
        ", steps: [{{at: {}, by: {}}}, {{at: {}, by: {}}}]",
        {d.instant(), d.either_way(d.ms(1, 60'000)), d.instant(), d.either_way(d.ms(1, 60'000))});
  });
}

void strobes(random_text& d, scenario_draft& c) {
  extend(c.clocks, [&] {
    return drawn(", strobe: {{every: {}, by: {}, until: 2m}}",
                 {d.ms(50, 5000), d.either_way(d.ms(1, 30'000))});
  });
}

/// The lease manager stays on its monotonic clock: it promises that (S9).
void wall_timers(random_text&, scenario_draft& c) {
  for (std::size_t i = 0; i < 2; ++i) {
    c.clocks[i] += ", timers: wall";
  }
}

void skew_of_leases(random_text&, scenario_draft& c) { c.clocks[0] += ", redraw: lease"; }

// -- nodes ---------------------------------------------------------------------------------------

template <const char* Kind, const char* Node>
void at_random(random_text& d, scenario_draft& c) {
  const bool is_pause = std::string_view(Kind) == "pause";
  c.fault(drawn("kind: {}, node: {}, rate: {}/h, {}: {}",
                {Kind,
                 Node,
                 std::to_string(10 * d.up_to(30)),
                 is_pause ? "for" : "restart_after",
                 d.ms(50, 40'000)}));
}

constexpr char pause[] = "pause";
constexpr char crash[] = "crash";
constexpr char matchers[] = "matcher/*";
constexpr char drivers[] = "driver/*";
constexpr char manager[] = "lease_manager";
constexpr char the_ledger[] = "ledger";

void riders_dark(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: pause, node: rider/*, at: {}, for: {}", {d.instant(), d.ms(100, 20'000)}));
  c.fault(drawn("kind: crash, node: rider/*, at: {}, restart_after: {}",
                {d.instant(), d.ms(100, 20'000)}));
}

// -- triggers ------------------------------------------------------------------------------------

void crash_between_steps(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: crash, node: matcher/*, when: {{step: {}, {}}}, restart_after: {}",
                {d.one_of(steps), d.which(), d.ms(10, 20'000)}));
}

void pause_between_steps(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: pause, node: matcher/*, when: {{step: {}, {}}}, for: {}",
                {d.one_of(steps), d.which(), d.ms(10, 40'000)}));
}

void pause_until_expiry(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: pause, node: matcher/*, when: {{step: {}, {}}}, until_expiry: {}",
                {d.one_of(std::span(steps).subspan(1, 3)), d.which(), d.either_way(d.ms(0, 50))}));
}

void servers_struck_by_messages(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 4> nodes{
      "lease_manager", "ledger", "matcher/*", "driver/*"};
  c.fault(drawn("kind: crash, node: {}, when: {{message: {}, {}}}, restart_after: {}",
                {d.one_of(nodes), d.one_of(messages), d.which(), d.ms(10, 10'000)}));
}

void drops(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: drop, when: {{message: {}, {}}}", {d.one_of(messages), d.which()}));
}

void delays(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: delay, when: {{message: {}, {}}}, by: {{dist: exponential, mean: {}}}",
                {d.one_of(messages), d.which(), d.ms(10, 40'000)}));
}

void copies(random_text& d, scenario_draft& c) {
  c.fault(drawn("kind: duplicate, when: {{message: {}, {}}}, after: {}",
                {d.one_of(messages), d.which(), d.ms(0, 40'000)}));
}

void errors(random_text& d, scenario_draft& c) {
  constexpr std::array<std::string_view, 2> leases{"leaked", "released"};
  c.fault(drawn("kind: throw, when: {{step: {}, {}}}, lease: {}",
                {d.one_of(steps), d.which(), d.one_of(leases)}));
}

constexpr hazard every_fault[] = {
    {"latency", latency},
    {"loss", loss},
    {"duplicates", duplicates},
    {"reordering", reordering},
    {"retries", retries},
    {"partition", partition},
    {"parted servers", parted_servers},
    {"slow links", slow_links},
    {"skew", skew},
    {"drift", drift},
    {"clock steps", clock_steps},
    {"strobes", strobes},
    {"wall timers", wall_timers},
    {"skew of leases", skew_of_leases},
    {"pauses of matchers", at_random<pause, matchers>},
    {"crashes of matchers", at_random<crash, matchers>},
    {"pauses of drivers", at_random<pause, drivers>},
    {"crashes of drivers", at_random<crash, drivers>},
    {"pauses of the lease manager", at_random<pause, manager>},
    {"crashes of the lease manager", at_random<crash, manager>},
    {"pauses of the ledger", at_random<pause, the_ledger>},
    {"crashes of the ledger", at_random<crash, the_ledger>},
    {"riders in the dark", riders_dark},
    {"crash between steps", crash_between_steps},
    {"pause between steps", pause_between_steps},
    {"pause until expiry", pause_until_expiry},
    {"crash at a message", servers_struck_by_messages},
    {"drops", drops},
    {"delays", delays},
    {"copies", copies},
    {"errors", errors},
};

}  // namespace

std::span<const hazard> faults() { return every_fault; }

}  // namespace dibs::swarm
