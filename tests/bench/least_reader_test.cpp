#include "bench/least_reader.hpp"

#include "bench/message_loop.hpp"
#include "catch.hpp"
#include "metrics/metrics.hpp"

#include <cstdint>
#include <string>

using namespace dibs;
using namespace dibs::bench;

namespace {

constexpr std::uint32_t drivers = 2000;
constexpr double hours = 1;

/// Read by metrics too.
class record_of_both : public read_record {
 public:
  record_of_both(std::uint32_t d, std::uint64_t seed)
      : read_record(d, seed, {&least_, &all_}),
        least_(d),
        all_({.measured_until = sim_time{1h}, .series_step = {}, .drivers = d}) {}

  [[nodiscard]] const least_figures& least() const { return least_.figures(); }
  [[nodiscard]] metrics::report all() const { return all_.finish(sim_time{1h}); }

 private:
  least_reader least_;
  mutable metrics::collector all_;
};

template <class... Facts>
least_figures figures_of(const Facts&... facts) {
  least_reader reader(3);
  sim_time t{};
  const auto read = [&](const auto& fact) {
    t += 1s;
    const events::event e{t, local_time{t.time_since_epoch()}, fact};
    reader.observe({&e, 1});
  };
  (read(facts), ...);
  return reader.figures();
}

}  // namespace

// Goal: what the least of readers takes is a floor for what metrics take. Method: of the race it
// says what they say.
TEST_CASE("least reader: its figures are those of metrics") {
  message_loop<record_of_both, node_memory> loop(drivers, hours, 1);
  loop.run();
  const least_figures& least = loop.record().least();
  const metrics::report all = loop.record().all();
  const auto figure = [&](const std::string& name) { return all.value(name).value(); };
  const auto seconds = [](sim_duration d) { return Approx(in_seconds(d)).epsilon(1e-12); };

  REQUIRE(least.granted > 5'000);
  CHECK(least.breaches == 0);
  CHECK(figure("leases.granted") == static_cast<double>(least.granted));
  CHECK(figure("double.offers") == static_cast<double>(least.double_offers));
  CHECK(figure("double.commits") == static_cast<double>(least.double_commits));
  CHECK(figure("accepts.in_time") == static_cast<double>(least.accepts_in_time));
  CHECK(figure("supply.converted_s") == seconds(least.converted));
  CHECK(figure("supply.hidden_s.undelivered") == seconds(least.undelivered));
  CHECK(figure("supply.hidden_s.declined") == seconds(least.declined));
  // An accept may be in time by her phone when the lease is over already, and its ride gone.
  CHECK(figure("supply.hidden_s.lost_accept") >= in_seconds(least.lost_accept));
  CHECK(figure("supply.hidden_s.lost_accept") + figure("supply.hidden_s.cancelled") +
            figure("supply.hidden_s.ignored") ==
        seconds(least.lost_accept + least.ignored));
  CHECK(figure("ttm.p95") == least.ttm.quantile(0.95));
  CHECK(figure("leases.hold.mean") == Approx(least.hold.mean()).epsilon(1e-12));
}

TEST_CASE("least reader: sees what leases are there to prevent") {
  const driver_id d{1};
  const events::ride_requested asked{ride_id{0}, {}};
  const events::lease_granted first{token_id{1}, d, ride_id{0}, matcher_id{0}, 15s, {}};
  const events::lease_granted second{token_id{2}, d, ride_id{1}, matcher_id{1}, 15s, {}};
  const events::lease_ended first_ended{token_id{1}, d, ride_id{0}};
  const events::trip_committed trip{token_id{1}, d, ride_id{0}, matcher_id{0}};

  CHECK(figures_of(asked, first, first_ended, second).breaches == 0);
  CHECK(figures_of(asked, first, second).breaches == 1);
  CHECK(figures_of(asked, second, first_ended, first).breaches == 1);
  CHECK(figures_of(asked, first, trip).breaches == 0);
  CHECK(figures_of(asked, trip).breaches == 1);
  CHECK(figures_of(asked, first, trip, trip).double_commits == 1);
}
