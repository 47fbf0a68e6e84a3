#include "torment/judgement.hpp"

#include "base/ensure.hpp"
#include "scenario/read.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <string>

namespace dibs::torment {

checkers::options checkers_options_of(const real_case& c) {
  using lease::invariant;
  constexpr double drift_ppm = 200;  // between a server's clock and the machine's
  return {.promises = bit(invariant::one_order_of_calls) | bit(invariant::no_double_commit) |
                      bit(invariant::one_commit_per_token),
          .drivers = c.drivers,
          .confirms = c.judge == lease_judge::manager,
          .ledger = c.fence ? lease::ledger_rule::fence : lease::ledger_rule::take_all,
          .confirm_hold = confirm_hold,
          .overstay = std::nullopt,
          // etcd ends leases from time to time, and renews one that it has not ended yet.
          .stretches = c.leases == lease_kind::etcd,
          .no_show_tells = false,
          .word_takes = forever,
          .word_surely_takes = word_surely_takes,
          .drift_ppm = drift_ppm,
          // Where a majority has to say yes, two who ask at once may both be told no.
          .denials_tell = c.leases != lease_kind::redlock,
          .withdrawal = forever,
          .in_flight = forever};
}

checkers::check_result judge(const real_case& c, std::span<const events::event> all) {
  checkers::run_checker checker(checkers_options_of(c));
  checker.observe(all);
  return checker.finish((all.empty() ? sim_time{} : all.back().t) + 1ns);
}

scenario::scenario scenario_of(const real_history& h) {
  const std::string text = fmt::format(
      R"(version: 1
name: {name}
question: "{question}"
seed: {seed}
clock: {{warmup: 0s, duration: {length}, drain: 1s}}
world: {{geography: none, trip: 1s}}
demand: [{{kind: poisson, rate: 1/s}}]
drivers:
  count: {drivers}
  classes: [{{name: all, share: 1, response: 1s, accept: 1, ignore: 0}}]
matchers: {{count: {matchers}, policy: {{kind: random}}}}
lease: {{protocol: {protocol}, ttl: {ttl}, judge: {judge}}}
)",
      fmt::arg("name", h.name),
      fmt::arg("question", h.question),
      fmt::arg("seed", h.seed),
      fmt::arg("length", text::print_duration(h.length)),
      fmt::arg("drivers", h.drivers),
      fmt::arg("matchers", h.matchers),
      fmt::arg("protocol", h.protocol),
      fmt::arg("ttl", text::print_duration(h.ttl)),
      fmt::arg("judge", h.judge));
  scenario::reading read = scenario::read_text(text, h.name, ".");
  ensure(read.ok(),
         read.ok() ? "" : "what happened is a valid scenario: " + read.diagnostics.front().message);
  return std::move(read.value);
}

scenario::scenario scenario_of(const real_case& c, std::uint64_t seed, sim_duration length) {
  return scenario_of({.name = fmt::format("real-{}", c.name),
                      .question = fmt::format("{}. What is broken?", c.faults_text),
                      .seed = seed,
                      .length = length,
                      .drivers = c.drivers,
                      .matchers = matcher_processes * lanes_each,
                      .protocol = c.fence ? "fenced" : "lease",
                      .ttl = c.ttl,
                      .judge = c.judge == lease_judge::manager ? "manager" : "holder"});
}

}  // namespace dibs::torment
