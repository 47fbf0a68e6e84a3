// The options of `dibs bench`.

#include "cli/grammar.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace dibs::cli {
namespace {

const words_for<commands::benchmark>& benchmarks() {
  static const words_for<commands::benchmark> all{{"engine", commands::benchmark::engine},
                                                  {"lease", commands::benchmark::lease},
                                                  {"matching", commands::benchmark::matching}};
  return all;
}

// An option is of the benchmarks that its group names.
constexpr const char* of_engine = "engine";
constexpr const char* of_matching = "matching";
constexpr const char* of_lease = "lease";
constexpr const char* of_live_ones = "lease and matching";

std::string_view name_of(commands::benchmark b) {
  for (const auto& [name, which] : benchmarks()) {
    if (which == b) {
      return name;
    }
  }
  return "";
}

/// The first option that was typed for another benchmark, or null.
const CLI::Option* out_of_place(const CLI::App& bench, commands::benchmark what) {
  for (const CLI::Option* o : bench.get_options()) {
    const std::string& group = o->get_group();
    const bool is_of_some =
        group == of_engine || group == of_matching || group == of_lease || group == of_live_ones;
    if (o->count() > 0 && is_of_some && group.find(name_of(what)) == std::string::npos) {
      return o;
    }
  }
  return nullptr;
}

constexpr std::uint32_t bench_drivers_max = 10'000'000;
constexpr std::uint32_t bench_repeats_max = 1000;
constexpr double bench_hours_max = 1000;
constexpr double bench_seconds_max = 600;
constexpr std::uint32_t matchers_max = 1024;
constexpr std::uint32_t in_flight_max = 1'000'000;
constexpr double rate_max = 10'000'000;

}  // namespace

void grammar::add_bench() {
  CLI::App* sub = command("bench");
  add_choice(sub, "WHAT", bench.what, benchmarks(), "engine, lease or matching")->required();
  add_counts(sub,
             "--drivers",
             bench.drivers,
             bench_drivers_max,
             "How many drivers; several sizes with commas between")
      ->default_str("1000,10000,100000, and 1000000 for the engine; one, 10000, for matching");
  sub->add_option("--hours", bench.hours, "Virtual time of a run")
      ->type_name("H")
      ->check(number_between(0.001, bench_hours_max))
      ->default_str("1, or 100000 by the drivers where there are more")
      ->group(of_engine);
  sub->add_option("--repeats", bench.repeats, "Measurements, of which the median counts")
      ->type_name("K")
      ->transform(count_up_to(bench_repeats_max))
      ->default_str("5");
  add_format(sub, bench.format, formats(), "text or json");
  sub->add_flag("-q,--quiet", bench.quiet, "No progress");
  add_bench_matching(sub);
}

void grammar::add_bench_matching(CLI::App* to) {
  commands::matching_bench& m = bench.matching;
  m.threads = cores();
  add_counts(
      to, "--matchers", bench.matchers, matchers_max, "How many; several with commas between")
      ->default_str("1,2,4,8,16,32,64")
      ->group(of_matching);
  add_choice(to, "--protocol", m.protocol, protocols(), "One of the seven")
      ->type_name("NAME")
      ->default_str("fenced")
      ->group(of_matching);
  to->add_option("--zipf", m.zipf, "Exponent of the drivers' popularity; 0: all alike")
      ->type_name("S")
      ->check(number_between(0.0, 10.0))
      ->default_str("0")
      ->group(of_matching);
  to->add_option("--candidates", m.candidates, "Drivers looked at for one try")
      ->type_name("N")
      ->transform(count_up_to(bench_drivers_max))
      ->default_str("8")
      ->group(of_matching);
  to->add_flag("--blind", m.blind, "Matchers do not see who is available")->group(of_matching);
  to->add_option("--cores,--threads", m.threads, "Threads of the scheduler")
      ->type_name("N")
      ->transform(count_up_to(threads_max))
      ->default_str("one for each core")
      ->group(of_live_ones);
  to->add_option("--seconds", m.seconds, "Real time of one measurement")
      ->type_name("S")
      ->check(number_between(0.01, bench_seconds_max))
      ->default_str("1")
      ->group(of_live_ones);
  to->add_option("--speed", m.speed, "How much faster than the wall leases run out")
      ->type_name("X")
      ->check(number_between(0.001, speed_max))
      ->default_str("10")
      ->group(of_matching);
  to->add_option("--in-flight", m.in_flight, "Rides, or with --store leases, of the closed loop")
      ->type_name("N")
      ->transform(count_up_to(in_flight_max))
      ->default_str("256")
      ->group(of_live_ones);
  to->add_option("--at-once", m.at_once, "Rides that matchers have at once; the others wait")
      ->type_name("N")
      ->transform(count_up_to(in_flight_max))
      ->default_str("256")
      ->group(of_matching);
  to->add_option("--rate", m.rate, "An open loop with so many of them a second instead")
      ->type_name("R")
      ->check(number_between(0.001, rate_max))
      ->group(of_live_ones);
  const auto read_stores = [this](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      bench.stores.push_back(or_refuse(store::read_address(text)));
    }
  };
  auto* const stores =
      repeatable(to, "--store", read_stores, "Stores beside the lease machine; repeatable");
  stores->type_name("ADDRESS")->group(of_lease);
  constexpr std::uint32_t connections_max = 64;
  to->add_option("--connections", bench.connections, "To each store")
      ->type_name("N")
      ->transform(count_up_to(connections_max))
      ->default_str("8")
      ->needs(stores)
      ->group(of_lease);
}

result<commands::request> grammar::bench_asked() const {
  commands::bench_request b = bench;
  if (const CLI::Option* o = out_of_place(*app.get_subcommand("bench"), b.what)) {
    return usage(
        "bench",
        fmt::format(
            "{} is an option of {}, not of {}", o->get_name(), o->get_group(), name_of(b.what)));
  }
  if (b.matchers.empty()) {
    b.matchers = {1, 2, 4, 8, 16, 32, 64};
  }
  if (b.what == commands::benchmark::matching) {
    if (b.drivers.size() > 1) {
      return usage("bench", "matching measures one number of --drivers and many of --matchers");
    }
    b.matching.drivers = b.drivers.empty() ? b.matching.drivers : b.drivers.front();
    if (b.matching.candidates > b.matching.drivers) {
      return usage("bench",
                   fmt::format("--candidates: there are {} drivers to look at (got {})",
                               b.matching.drivers,
                               b.matching.candidates));
    }
  }
  const auto* const sub = app.get_subcommand("bench");
  const bool is_paced = sub->count("--in-flight") + sub->count("--rate") > 0;
  if (b.what == commands::benchmark::lease && b.stores.empty() && is_paced) {
    return usage("bench", "lease has --in-flight and --rate with --store only");
  }
  if (!b.stores.empty()) {
    if (b.drivers.size() > 1) {
      return usage("bench", "lease with --store measures one number of --drivers");
    }
    b.drivers = {b.drivers.empty() ? 10'000 : b.drivers.front()};
  }
  if (b.drivers.empty()) {
    b.drivers = {1'000, 10'000, 100'000};
    if (b.what == commands::benchmark::engine) {
      b.drivers.push_back(1'000'000);
    }
  }
  return b;
}

}  // namespace dibs::cli
