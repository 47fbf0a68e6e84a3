#include "bench/race/minimal_observer.hpp"

#include "bench/race/message_loop.hpp"
#include "catch.hpp"
#include "metrics/metrics.hpp"

#include <cstdint>
#include <string>

using namespace dibs;
using namespace dibs::bench;

namespace {

constexpr std::uint32_t drivers = 2'500;  // so many that their records are fetched ahead
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
  minimal_observer least_;
  mutable metrics::collector all_;
};

template <class... Facts>
least_figures figures_of(const Facts&... facts) {
  minimal_observer reader(3);
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
TEST_CASE("minimal observer: its figures are those of metrics") {
  message_loop<record_of_both, node_memory> loop(drivers, hours, 1);
  loop.run();
  const least_figures& least = loop.record().least();
  const metrics::report all = loop.record().all();
  const auto figure = [&](const std::string& name) { return all.value(name).value(); };
  const auto seconds = [](sim_duration d) { return Approx(in_seconds(d)).epsilon(1e-12); };

  REQUIRE(least.ignored > 1h);
  REQUIRE(least.declined > 1h);
  CHECK(least.breaches == 0);
  CHECK(figure("double.offers") == static_cast<double>(least.double_offers));
  CHECK(figure("double.commits") == static_cast<double>(least.double_commits));
  CHECK(figure("supply.converted_s") == seconds(least.converted));
  CHECK(figure("supply.hidden_s.undelivered") == seconds(least.undelivered));
  CHECK(figure("supply.hidden_s.declined") == seconds(least.declined));
  // An accept may be in time by her phone when the lease is over already, and its ride gone.
  CHECK(figure("supply.hidden_s.lost_accept") >= in_seconds(least.lost_accept));
  CHECK(figure("supply.hidden_s.lost_accept") + figure("supply.hidden_s.cancelled") +
            figure("supply.hidden_s.ignored") ==
        seconds(least.lost_accept + least.ignored));
}

namespace {

constexpr driver_id d{1};
constexpr ride_id one{0};
constexpr ride_id other{1};
constexpr matcher_id m{0};
const events::lease_granted first{token_id{1}, d, one, m, 15s, {}};
const events::lease_granted second{token_id{2}, d, other, m, 15s, {}};
const events::lease_ended first_ended{token_id{1}, d, one};
const events::offer_shown first_shown{token_id{1}, d, one, local_time{1h}};
const events::offer_shown second_shown{token_id{2}, d, other, local_time{1h}};
const events::offer_dismissed first_dismissed{token_id{1}, d};
const events::offer_answered first_declined{token_id{1}, d, one, events::offer_response::declined};
const events::offer_answered first_accepted{token_id{1}, d, one, events::offer_response::accepted};
const events::trip_committed trip{token_id{1}, d, one, m};
const events::trip_ended trip_ended{token_id{1}, d, one, {}};

}  // namespace

TEST_CASE("minimal observer: sees what leases are there to prevent") {
  CHECK(figures_of(first, first_ended, second).breaches == 0);
  CHECK(figures_of(first, second).breaches == 1);
  CHECK(figures_of(second, first_ended, first).breaches == 1);
  CHECK(figures_of(first, trip, trip_ended, second).breaches == 0);
  CHECK(figures_of(first, trip, second).breaches == 1);
  CHECK(figures_of(trip).breaches == 1);
  CHECK(figures_of(first, trip, trip).double_commits == 1);
  CHECK(figures_of(first, first_shown, second, second_shown).double_offers == 1);
  CHECK(figures_of(first, first_shown, first_dismissed, second, second_shown).double_offers == 0);
  CHECK(figures_of(first, first_shown, first_declined, second, second_shown).double_offers == 0);
}

TEST_CASE("minimal observer: tells to what the time of a lease goes") {
  CHECK(figures_of(first, trip).converted == 1s);
  CHECK(figures_of(first, first_ended).undelivered == 1s);
  CHECK(figures_of(first, first_shown, first_ended).ignored == 2s);
  CHECK(figures_of(first, first_shown, first_declined, first_ended).declined == 3s);
  CHECK(figures_of(first, first_shown, first_accepted, first_ended).lost_accept == 3s);
  const events::offer_shown too_short{token_id{1}, d, one, local_time{2s}};
  CHECK(figures_of(first, too_short, first_accepted, first_ended).ignored == 3s);
}

TEST_CASE("minimal observer: the floor's record is read, on its own thread or on a second one") {
  watched_nodes watched(drivers, 0.5, 1);
  apart_nodes apart(drivers, 0.5, 1);
  CHECK(watched.run() == apart.run());
  CHECK(watched.record().digest() == apart.record().digest());
  CHECK(watched.record().harms() == apart.record().harms());
  CHECK(watched.record().harms().converted > 1h);
  CHECK_FALSE(watched.record().is_stuck(sim_time{30min}));
  CHECK(watched.record().is_stuck(sim_time{2h}));
}
