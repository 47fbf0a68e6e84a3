// Closed forms that a correct simulator reproduces: scenarios under tests/laws, run through the
// actors with fixed seeds. A law holds if it is met within 3.2905 standard errors (99.9 %).

#include "law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace dibs;
using namespace dibs::test;

namespace {

/// Denials at each instant, and accepts in time that led to no commit.
class fold final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (std::holds_alternative<events::lease_denied>(e.what)) {
        ++denials;
        rounds_with_denial.insert(e.t);
      } else if (std::holds_alternative<events::offer_sent>(e.what)) {
        ++offers;
      } else if (const auto* a = std::get_if<events::offer_answered>(&e.what)) {
        accepts_in_time += a->in_time && a->answer == events::offer_response::accepted ? 1U : 0U;
      } else if (std::holds_alternative<events::trip_committed>(e.what)) {
        ++commits;
      }
    }
  }

  std::uint64_t denials = 0;
  std::uint64_t offers = 0;
  std::uint64_t accepts_in_time = 0;
  std::uint64_t commits = 0;
  std::set<sim_time> rounds_with_denial;
};

/// Rides by the hour of the day in which they are asked for, of a run that begins at 7:00.
class rides_by_hour final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (std::holds_alternative<events::ride_requested>(e.what)) {
        ++of_hour[static_cast<std::size_t>((e.t.time_since_epoch() + 7h) / 1h % 24)];
      }
    }
  }

  std::array<double, 24> of_hour{};
};

/// What arriving rides find: nobody free, and somebody held by a lease that comes to nothing.
class arrivals_see final : public events::observer {
 public:
  arrivals_see(std::size_t drivers, sim_time from, sim_time until)
      : state_(drivers), from_(from), until_(until) {}

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      now_ = e.t;
      std::visit([&](const auto& f) { on(f); }, e.what);
    }
  }

  std::uint64_t rides = 0;
  std::uint64_t found_nobody = 0;
  std::uint64_t found_hidden = 0;

 private:
  enum class state : std::uint8_t { available, leased, on_trip };

  template <class Fact>
  void on(const Fact&) {}
  void on(const events::ride_requested&) {
    if (now_ < from_ || now_ >= until_) {
      return;
    }
    ++rides;
    if (std::count(state_.begin(), state_.end(), state::available) > 0) {
      return;
    }
    ++found_nobody;
    const std::size_t arrival = hidden_from_.size();
    hidden_from_.push_back(false);
    for (std::size_t d = 0; d < state_.size(); ++d) {
      if (state_[d] == state::leased) {
        watching_[d].push_back(arrival);
      }
    }
  }
  void on(const events::lease_granted& f) { state_[f.driver.value] = state::leased; }
  void on(const events::lease_ended& f) {
    state_[f.driver.value] = state::available;
    for (const std::size_t arrival : watching_[f.driver.value]) {
      found_hidden += hidden_from_[arrival] ? 0U : 1U;
      hidden_from_[arrival] = true;
    }
    watching_[f.driver.value].clear();
  }
  void on(const events::trip_committed& f) {
    state_[f.driver.value] = state::on_trip;
    watching_[f.driver.value].clear();
  }
  void on(const events::trip_ended& f) { state_[f.driver.value] = state::available; }

  std::vector<state> state_;
  std::map<std::size_t, std::vector<std::size_t>> watching_;
  std::vector<bool> hidden_from_;
  sim_time from_;
  sim_time until_;
  sim_time now_{};
};

/// Rides that waited for a match, and all.
class waits final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* r = std::get_if<events::ride_requested>(&e.what)) {
        requested_[r->ride.value] = e.t;
      } else if (const auto* c = std::get_if<events::trip_committed>(&e.what)) {
        ++rides;
        waited += e.t > requested_[c->ride.value] ? 1U : 0U;
        requested_.erase(c->ride.value);
      }
    }
  }

  std::uint64_t rides = 0;
  std::uint64_t waited = 0;

 private:
  std::map<std::uint32_t, sim_time> requested_;
};

/// B(n, a): the share of calls lost by n lines under a load of a (Erlang, 1917), by its recursion.
double erlang_b(int servers, double load) {
  double lost = 1;
  for (int n = 1; n <= servers; ++n) {
    lost = load * lost / (n + load * lost);
  }
  return lost;
}

/// The standard deviation of one sample, from a tolerance that was worked out for `n` of them.
double sd_of(double tolerance, double n) { return tolerance * std::sqrt(n) / sigmas; }

}  // namespace

TEST_CASE("laws: a matrix's rides come at its rates, hour by hour") {
  rides_by_hour seen;
  const auto result = run_law("matrix", {&seen});
  double rides = 0;
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double expected = 2 * (hour == 7 ? 5 * 60 : hour == 8 ? 4 * 40 : hour == 20 ? 4 * 20 : 0);
    CAPTURE(hour, seen.of_hour[hour], expected);
    CHECK(std::abs(seen.of_hour[hour] - expected) <= sigmas * std::sqrt(expected));
    rides += seen.of_hour[hour];
  }
  CHECK(value_of(result, "rides.requested") == rides);
}

TEST_CASE("laws: a lease expires with probability exp(-T/m); its mean hold is m (1 - exp(-T/m))") {
  const auto r = run_law("expiry_exponential");
  const double n = value_of(r, "leases.granted");
  const double p = std::exp(-15.0 / 8);
  check_law(value_of(r, "leases.expired_rate"), p, sd_of_share(p), n, 200'000);
  check_law(value_of(r, "leases.hold.mean"), 8 * (1 - p), 5.0685, n, 100'000);
}

TEST_CASE("laws: a lease expires with probability 1 - Phi(ln(T/median)/sigma)") {
  const auto r = run_law("expiry_lognormal");
  const double p = 0.5 * std::erfc(std::log(15.0 / 6) / 0.6 / std::sqrt(2.0));
  check_law(value_of(r, "leases.expired_rate"),
            p,
            sd_of_share(p),
            value_of(r, "leases.granted"),
            200'000);
}

TEST_CASE("laws: the mean hold with lognormal responses and ignored offers") {
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double q = 0.1;
  const double t = 15;
  const double mu = std::log(6.0);
  const double s = 0.6;
  const double answered = std::exp(mu + s * s / 2) * phi((std::log(t) - mu - s * s) / s) +
                          t * (1 - phi((std::log(t) - mu) / s));
  const auto r = run_law("hold_with_ignores");
  check_law(value_of(r, "leases.hold.mean"),
            q * t + (1 - q) * answered,
            4.26872,
            value_of(r, "leases.granted"),
            100'000);
}

TEST_CASE("laws: conversion is a F(T); the hidden share of leased seconds follows") {
  const double in_time = 1 - std::exp(-15.0 / 8);
  const double p = 0.65 * in_time;
  const double hold = 0.1 * 15 + 0.9 * 8 * in_time;
  const double converted = 0.65 * (8 - (15 + 8) * std::exp(-15.0 / 8));
  const auto r = run_law("accept_decline_ignore");
  const double n = value_of(r, "leases.granted");
  check_law(value_of(r, "leases.conversion"), p, sd_of_share(p), n, 200'000);
  check_law(value_of(r, "supply.hidden_share") / value_of(r, "supply.leased_share"),
            1 - converted / hold,
            0.564547,
            n,
            100'000);
}

TEST_CASE("laws: how many offers a match takes, and how long, with fresh drivers") {
  const double in_time = 1 - std::exp(-15.0 / 8);
  const double p = 0.65 * in_time;
  const double hold = 0.1 * 15 + 0.9 * 8 * in_time;
  const auto r = run_law("tries");
  const double n = value_of(r, "rides.requested");
  check_law(value_of(r, "offers.per_match"), 1 / p, 1.21853, n, 100'000);
  check_law(value_of(r, "ttm.mean"), hold / p, 14.2447, n, 100'000);
}

TEST_CASE("laws: with k offers at most the share (1 - p)^k stays unmatched") {
  const double p = 0.65 * (1 - std::exp(-15.0 / 8));
  const double unmatched = std::pow(1 - p, 5);
  const auto r = run_law("five_tries");
  check_law(1 - value_of(r, "rides.match_rate"),
            unmatched,
            sd_of_share(unmatched),
            value_of(r, "rides.requested"),
            200'000);
}

TEST_CASE("laws: matchers that pick at one instant collide like birthdays") {
  const double drivers = 50;
  const double matchers = 8;
  double none = 1;
  for (int i = 0; i < 8; ++i) {
    none *= 1 - i / drivers;
  }
  const double losers = matchers - drivers * (1 - std::pow(1 - 1 / drivers, matchers));
  fold seen;
  const auto r = run_law("birthday", {&seen});
  const double rounds = value_of(r, "rides.requested") / matchers;
  check_law(static_cast<double>(seen.rounds_with_denial.size()) / rounds,
            1 - none,
            sd_of_share(none),
            rounds,
            100'000);
  check_law(static_cast<double>(seen.denials) / rounds, losers, 0.669132, rounds, 100'000);
}

TEST_CASE("laws: latency costs the accepts that fall into the last second") {
  const double lost = std::exp(-14.0 / 8) - std::exp(-15.0 / 8);
  fold seen;
  run_law("latency_loss", {&seen});
  const auto offers = static_cast<double>(seen.offers);
  check_law(static_cast<double>(seen.accepts_in_time - seen.commits) / offers,
            lost,
            sd_of_share(lost),
            offers,
            200'000);
}

TEST_CASE("laws: drivers are servers, and lost rides follow Erlang's B") {
  const auto r = run_law("erlang_b");
  check_law(1 - value_of(r, "rides.match_rate"),
            erlang_b(20, 0.05 * 300),
            sd_of(0.001889, 300'000),
            value_of(r, "rides.requested"),
            300'000);
}

TEST_CASE("laws: leases that come to nothing hide supply by the product form") {
  const double in_time = 1 - std::exp(-15.0 / 8);
  const double p = 0.8 * in_time;
  const double hold = 0.2 * 15 + 0.8 * 8 * in_time;
  const double load = (hold + p * 120) / 30;
  const double hidden_load = 15 * (1 - p) / 30;
  const double blocked = erlang_b(5, load);
  arrivals_see seen(5, at(10'000s), at(12'110'000s));
  run_law("blocking_leases", {&seen});
  const auto rides = static_cast<double>(seen.rides);
  check_law(static_cast<double>(seen.found_nobody) / rides,
            blocked,
            sd_of(0.0024, 400'000),
            rides,
            400'000);
  check_law(static_cast<double>(seen.found_hidden) / rides,
            blocked * (1 - std::pow(1 - hidden_load / load, 5)),
            sd_of(0.0007113, 400'000),
            rides,
            400'000);
}

TEST_CASE("laws: a lease that waits for a sweep lasts half a period longer") {
  const auto r = run_law("sweeper");
  check_law(value_of(r, "leases.hold.mean"),
            15 + 10.0 / 2,
            10 / std::sqrt(12.0),
            value_of(r, "leases.ended"),
            50'000);
  CHECK(value_of(r, "leases.hold.p99") <= 25);
}

TEST_CASE("laws: a lease that is kept for exp(D) and renewed every fT is renewed 1/(e^(fT/D)-1)") {
  const double interval = 0.5 * 30 / 120;
  const auto r = run_law("renewals");
  check_law(value_of(r, "leases.renewals_per_lease"),
            1 / (std::exp(interval) - 1),
            std::sqrt(std::exp(-interval)) / (1 - std::exp(-interval)),
            value_of(r, "leases.granted"),
            100'000);
}

TEST_CASE("long laws: rides that wait in line, by Erlang's C", "[.long]") {
  const double load = 0.02 * 300;
  const double lost = erlang_b(10, load);
  const double waits_at_all = lost / (1 - load / 10 * (1 - lost));
  waits seen;
  const auto r = run_law("erlang_c", {&seen});
  const auto rides = static_cast<double>(seen.rides);
  check_law(static_cast<double>(seen.waited) / rides,
            waits_at_all,
            sd_of(0.004037, 1'000'000),
            rides,
            600'000);
  check_law(value_of(r, "ttm.mean"),
            75 * waits_at_all,
            sd_of(0.461, 1'000'000),
            value_of(r, "rides.requested"),
            600'000);
}

TEST_CASE("long laws: one driver's time, leased and hidden, by renewal and reward", "[.long]") {
  const double expired = std::exp(-15.0 / 8);
  const double hold = 8 * (1 - expired);
  const double cycle = 1 / 0.05 + hold + (1 - expired) * 300;
  const auto r = run_law("one_driver");
  const double n = value_of(r, "leases.granted");
  check_law(value_of(r, "supply.leased_share"), hold / cycle, 0.0343078, n, 100'000);
  check_law(value_of(r, "supply.hidden_share"), 15 * expired / cycle, 0.0235841, n, 100'000);
}
