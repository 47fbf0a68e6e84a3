#include "hunt/hazards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace dibs::hunt {
namespace {

/// The draws of one draft, as text that a scenario can hold.
class dice {
 public:
  explicit dice(stream random) : random_(random) {}

  [[nodiscard]] bool half() { return random_.happens(0.5); }
  [[nodiscard]] std::uint64_t up_to(std::uint64_t n) { return 1 + random_.below(n); }

  /// A whole number of milliseconds.
  [[nodiscard]] std::string ms(std::uint64_t from, std::uint64_t to) {
    return fmt::format("{}ms", from + random_.below(to - from + 1));
  }
  /// An instant of the first two minutes.
  [[nodiscard]] std::string instant() { return ms(1000, 119'000); }
  [[nodiscard]] std::string per_cent(std::uint64_t from, std::uint64_t to) {
    return fmt::format("{}%", from + random_.below(to - from + 1));
  }
  [[nodiscard]] std::string either_way(const std::string& amount) {
    return (half() ? "-" : "") + amount;
  }
  [[nodiscard]] std::string_view one_of(std::span<const std::string_view> words) {
    return words[random_.below(words.size())];
  }
  [[nodiscard]] std::string matcher() {
    return half() ? "matcher/*" : fmt::format("matcher/{}", up_to(4));
  }

  /// The third, every fifth, or a share.
  [[nodiscard]] std::string which() {
    switch (random_.below(3)) {
      case 0:
        return fmt::format("nth: {}", up_to(20));
      case 1:
        return fmt::format("every: {}", 1 + up_to(12));
      default:
        return fmt::format("share: {}", per_cent(2, 30));
    }
  }

 private:
  stream random_;
};

constexpr std::array<std::string_view, 5> links{"matcher<->driver",
                                                "matcher<->lease_manager",
                                                "matcher<->ledger",
                                                "ledger<->lease_manager",
                                                "ledger<->driver"};
constexpr std::array<std::string_view, 4> clock_owners{
    "matcher/*", "driver/*", "lease_manager", "ledger"};
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

/// What is put together from several hazards.
struct canvas {
  std::array<std::string, links.size()> network;
  std::array<std::string, clock_owners.size()> clocks;
  std::vector<std::string> faults;
  std::vector<scenario::override_value> others;

  void fault(std::string text) { faults.push_back("{" + std::move(text) + "}"); }
  void set(std::string path, std::string value) {
    others.push_back({std::move(path), std::move(value)});
  }
};

/// Adds what is drawn for each, one after another.
template <std::size_t N, class Draw>
void extend(std::array<std::string, N>& entries, const Draw& drawn) {
  for (std::string& each : entries) {
    each += drawn();
  }
}

// -- the network ---------------------------------------------------------------------------------

void latency(dice& d, canvas& c) {
  extend(c.network, [&] {
    return fmt::format(", latency: {{dist: lognormal, median: {}, sigma: 0.7}}", d.ms(1, 400));
  });
}

void loss(dice& d, canvas& c) {
  extend(c.network, [&] { return fmt::format(", loss: {}", d.per_cent(0, 20)); });
}

void duplicates(dice& d, canvas& c) {
  extend(c.network, [&] { return fmt::format(", duplicate: {}", d.per_cent(0, 30)); });
}

void reordering(dice& d, canvas& c) {
  extend(c.network, [&] {
    return fmt::format(", reorder: {{share: {}, by: {}}}", d.per_cent(1, 20), d.ms(10, 20'000));
  });
}

void retries(dice& d, canvas& c) {
  extend(c.network, [&] {
    return fmt::format(", retry: {{after: {}, max: {}}}", d.ms(100, 5000), d.up_to(6));
  });
}

void partition(dice& d, canvas& c) {
  constexpr std::array<std::string_view, 4> sides{
      "lease_manager", "ledger", "[lease_manager, ledger]", "[ledger, driver/*]"};
  constexpr std::array<std::string_view, 2> directions{"both", "forth"};
  const std::string one = d.matcher();
  const std::string other(d.one_of(sides));
  const bool turned = d.half();
  c.fault(
      fmt::format("kind: partition, between: [{}, {}], at: {}, for: {}, direction: {}, loss: {}",
                  turned ? other : one,
                  turned ? one : other,
                  d.instant(),
                  d.ms(500, 60'000),
                  d.one_of(directions),
                  d.half() ? "100%" : d.per_cent(10, 90)));
}

void parted_servers(dice& d, canvas& c) {
  c.fault(fmt::format("kind: partition, between: [ledger, lease_manager], at: {}, for: {}",
                      d.instant(),
                      d.ms(500, 60'000)));
}

void slow_links(dice& d, canvas& c) {
  c.fault(
      fmt::format("kind: slow, between: [{}, [lease_manager, ledger, driver/*]], at: {}, for: {}, "
                  "factor: {}, plus: {{dist: exponential, mean: {}}}",
                  d.matcher(),
                  d.instant(),
                  d.ms(1000, 60'000),
                  d.up_to(50),
                  d.ms(1, 10'000)));
}

// -- clocks --------------------------------------------------------------------------------------

void skew(dice& d, canvas& c) {
  extend(c.clocks, [&] {
    return fmt::format(", offset: {{dist: normal, mean: 0s, sd: {}}}", d.ms(1, 10'000));
  });
}

void drift(dice& d, canvas& c) {
  extend(c.clocks, [&] {
    return fmt::format(", drift: {{dist: normal, mean: 0ppm, sd: {}ppm}}", d.up_to(100'000));
  });
}

void clock_steps(dice& d, canvas& c) {
  extend(c.clocks, [&] {
    return fmt::format(", steps: [{{at: {}, by: {}}}, {{at: {}, by: {}}}]",
                       d.instant(),
                       d.either_way(d.ms(1, 60'000)),
                       d.instant(),
                       d.either_way(d.ms(1, 60'000)));
  });
}

void strobes(dice& d, canvas& c) {
  extend(c.clocks, [&] {
    return fmt::format(", strobe: {{every: {}, by: {}, until: 2m}}",
                       d.ms(50, 5000),
                       d.either_way(d.ms(1, 30'000)));
  });
}

/// The lease manager stays on its monotonic clock: it promises that (S9).
void wall_timers(dice&, canvas& c) {
  for (std::size_t i = 0; i < 2; ++i) {
    c.clocks[i] += ", timers: wall";
  }
}

void skew_of_leases(dice&, canvas& c) { c.clocks[0] += ", redraw: lease"; }

// -- nodes ---------------------------------------------------------------------------------------

template <const char* Kind, const char* Node>
void at_random(dice& d, canvas& c) {
  const bool is_pause = std::string_view(Kind) == "pause";
  c.fault(fmt::format("kind: {}, node: {}, rate: {}/h, {}: {}",
                      Kind,
                      Node,
                      10 * d.up_to(30),
                      is_pause ? "for" : "restart_after",
                      d.ms(50, 40'000)));
}

constexpr char pause[] = "pause";
constexpr char crash[] = "crash";
constexpr char matchers[] = "matcher/*";
constexpr char drivers[] = "driver/*";
constexpr char manager[] = "lease_manager";
constexpr char the_ledger[] = "ledger";

void riders_dark(dice& d, canvas& c) {
  c.fault(
      fmt::format("kind: pause, node: rider/*, at: {}, for: {}", d.instant(), d.ms(100, 20'000)));
  c.fault(fmt::format(
      "kind: crash, node: rider/*, at: {}, restart_after: {}", d.instant(), d.ms(100, 20'000)));
}

// -- triggers ------------------------------------------------------------------------------------

void crash_between_steps(dice& d, canvas& c) {
  c.fault(fmt::format("kind: crash, node: matcher/*, when: {{step: {}, {}}}, restart_after: {}",
                      d.one_of(steps),
                      d.which(),
                      d.ms(10, 20'000)));
}

void pause_between_steps(dice& d, canvas& c) {
  c.fault(fmt::format("kind: pause, node: matcher/*, when: {{step: {}, {}}}, for: {}",
                      d.one_of(steps),
                      d.which(),
                      d.ms(10, 40'000)));
}

void pause_until_expiry(dice& d, canvas& c) {
  c.fault(fmt::format("kind: pause, node: matcher/*, when: {{step: {}, {}}}, until_expiry: {}",
                      d.one_of(std::span(steps).subspan(1, 3)),
                      d.which(),
                      d.either_way(d.ms(0, 50))));
}

void servers_struck_by_messages(dice& d, canvas& c) {
  constexpr std::array<std::string_view, 4> nodes{
      "lease_manager", "ledger", "matcher/*", "driver/*"};
  c.fault(fmt::format("kind: crash, node: {}, when: {{message: {}, {}}}, restart_after: {}",
                      d.one_of(nodes),
                      d.one_of(messages),
                      d.which(),
                      d.ms(10, 10'000)));
}

void drops(dice& d, canvas& c) {
  c.fault(fmt::format("kind: drop, when: {{message: {}, {}}}", d.one_of(messages), d.which()));
}

void delays(dice& d, canvas& c) {
  c.fault(fmt::format("kind: delay, when: {{message: {}, {}}}, by: {{dist: exponential, mean: {}}}",
                      d.one_of(messages),
                      d.which(),
                      d.ms(10, 40'000)));
}

void copies(dice& d, canvas& c) {
  c.fault(fmt::format("kind: duplicate, when: {{message: {}, {}}}, after: {}",
                      d.one_of(messages),
                      d.which(),
                      d.ms(0, 40'000)));
}

void errors(dice& d, canvas& c) {
  constexpr std::array<std::string_view, 2> leases{"leaked", "released"};
  c.fault(fmt::format("kind: throw, when: {{step: {}, {}}}, lease: {}",
                      d.one_of(steps),
                      d.which(),
                      d.one_of(leases)));
}

// -- people --------------------------------------------------------------------------------------

void racing_cancels(dice& d, canvas& c) {
  c.set("riders.cancel_at_accept",
        fmt::format("{{share: {}, after: {{dist: normal, mean: 0s, sd: {}}}}}",
                    d.per_cent(5, 50),
                    d.ms(0, 2000)));
}

void lost_connections(dice& d, canvas& c) {
  c.set("drivers.drop_out",
        fmt::format("{{share: {}, after: {{dist: uniform, min: 0s, max: {}}}, back_after: {}}}",
                    d.per_cent(5, 40),
                    d.ms(100, 15'000),
                    d.ms(100, 60'000)));
}

void late_answers(dice&, canvas& c) { c.set("drivers.late_answer", "sent"); }

// -- what leaves the promises as they are --------------------------------------------------------

void other_judges(dice& d, canvas& c) {
  constexpr std::array<std::string_view, 2> judges{"holder", "both"};
  c.set("lease.judge", std::string(d.one_of(judges)));
  c.set("lease.margin", d.ms(0, 3000));
}

void absolute_deadlines(dice&, canvas& c) { c.set("lease.deadline", "absolute"); }

void other_cleanup(dice& d, canvas& c) {
  constexpr std::array<std::string_view, 2> kinds{"lazy", "none"};
  c.set("lease.cleanup",
        d.half() ? fmt::format("{{kind: periodic, every: {}}}", d.ms(100, 20'000))
                 : fmt::format("{{kind: {}}}", d.one_of(kinds)));
}

void fence_at_first_write(dice&, canvas& c) { c.set("lease.fence", "first-write"); }

void short_holds(dice& d, canvas& c) { c.set("lease.confirm_hold", d.ms(100, 10'000)); }

void grace(dice& d, canvas& c) { c.set("lease.grace", d.ms(1, 5000)); }

struct hazard {
  std::string_view name;
  void (*add)(dice&, canvas&);
};

constexpr hazard hazards[] = {
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
    {"racing cancels", racing_cancels},
    {"lost connections", lost_connections},
    {"late answers", late_answers},
    {"other judges", other_judges},
    {"absolute deadlines", absolute_deadlines},
    {"other clean-up", other_cleanup},
    {"fence at the first write", fence_at_first_write},
    {"short holds", short_holds},
    {"grace", grace},
};

std::string listed(const std::vector<std::string>& entries) {
  std::string all;
  for (const std::string& each : entries) {
    all += (all.empty() ? "" : ", ") + each;
  }
  return "[" + all + "]";
}

template <std::size_t N>
std::string listed(std::string_view key,
                   const std::array<std::string_view, N>& names,
                   const std::array<std::string, N>& rest) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < N; ++i) {
    if (!rest[i].empty()) {
      entries.push_back(fmt::format("{{{}: {}{}}}", key, names[i], rest[i]));
    }
  }
  return listed(entries);
}

}  // namespace

std::vector<std::string_view> hazard_names() {
  std::vector<std::string_view> names;
  for (const hazard& h : hazards) {
    names.push_back(h.name);
  }
  return names;
}

draft draft_of(std::uint64_t seed,
               std::uint32_t number,
               const std::vector<std::string_view>& always) {
  draft result;
  canvas on;
  for (std::size_t i = 0; i < std::size(hazards); ++i) {
    // A stream for each, so that a new hazard leaves what the others draw as it is.
    dice d(stream::keyed(seed, purpose::fault_time, number, i));
    const bool is_drawn = d.half();
    if (is_drawn || std::find(always.begin(), always.end(), hazards[i].name) != always.end()) {
      result.hazards.push_back(hazards[i].name);
      hazards[i].add(d, on);
    }
  }
  result.overrides = std::move(on.others);
  result.overrides.push_back({"network", listed("link", links, on.network)});
  result.overrides.push_back({"clocks", listed("node", clock_owners, on.clocks)});
  result.overrides.push_back({"faults", listed(on.faults)});
  return result;
}

}  // namespace dibs::hunt
