// Closed forms for what goes wrong: races without a lease, skewed holders, crashes, herds, and lost
// answers.

#include "law.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

using namespace dibs;
using namespace dibs::test;

namespace {

/// The standard normal distribution function.
double phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Calls `take` for every event.
class each final : public events::observer {
 public:
  explicit each(std::function<void(const events::event&)> take) : take_(std::move(take)) {}
  void observe(std::span<const events::event> batch) override {
    std::for_each(batch.begin(), batch.end(), take_);
  }

 private:
  std::function<void(const events::event&)> take_;
};

/// Commits of leases that were over and whose drivers had been leased to another, and those that
/// the ledger refused.
class late_commits final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* g = std::get_if<events::lease_granted>(&e.what)) {
        expires_[g->token] = e.t + g->ttl;
        latest_[g->driver] = g->token;
      } else if (const auto* c = std::get_if<events::trip_committed>(&e.what)) {
        const bool conflicts = latest_.at(c->driver) != c->token;
        commits += conflicts && e.t >= expires_.at(c->token) ? 1 : 0;
      } else if (const auto* r = std::get_if<events::write_refused>(&e.what)) {
        refused += e.t >= expires_.at(r->token) ? 1 : 0;
      }
    }
  }

  double commits = 0;
  double refused = 0;

 private:
  std::map<token_id, sim_time> expires_;
  std::map<driver_id, token_id> latest_;
};

/// Leases whose holder crashed while they were live.
class orphans final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* g = std::get_if<events::lease_granted>(&e.what)) {
        live_[g->matcher].insert(g->token);
        holder_[g->token] = g->matcher;
      } else if (const auto* c = std::get_if<events::trip_committed>(&e.what)) {
        end(c->token);
      } else if (const auto* x = std::get_if<events::lease_ended>(&e.what)) {
        end(x->token);
      } else if (const auto* died = std::get_if<events::node_crashed>(&e.what)) {
        auto& leases = live_[matcher_id{died->node.index()}];
        count += static_cast<double>(leases.size());
        leases.clear();
      }
    }
  }

  double count = 0;

 private:
  void end(token_id token) { live_[holder_.at(token)].erase(token); }

  std::map<matcher_id, std::set<token_id>> live_;
  std::map<token_id, matcher_id> holder_;
};

}  // namespace

TEST_CASE("laws: another matcher's offer arrives within w with probability 1 - exp(-(M-1) l w)") {
  struct arrival {
    sim_time t;
    matcher_id from;
  };
  std::vector<arrival> offers;
  each seen([&](const events::event& e) {
    if (const auto* o = std::get_if<events::offer_sent>(&e.what)) {
      offers.push_back({e.t, o->matcher});
    }
  });
  run_law("foreign_offers", {&seen});
  double met = 0;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    for (std::size_t j = i + 1; j < offers.size() && offers[j].t < offers[i].t + 8s; ++j) {
      if (offers[j].from != offers[i].from) {
        ++met;
        break;
      }
    }
  }
  const double p = 1 - std::exp(-3 * 0.02 * 8);
  const auto n = static_cast<double>(offers.size());
  check_law(met / n, p, sd_of_share(p), n, 100'000);
}

TEST_CASE("laws: conditional writes fail with probability l d / (1 + l d), a dead-time counter") {
  double taken = 0;
  double failed = 0;
  each seen([&](const events::event& e) {
    taken += std::holds_alternative<events::trip_committed>(e.what) ? 1 : 0;
    const auto* no = std::get_if<events::write_refused>(&e.what);
    failed += no != nullptr && no->cause == events::write_refusal::stale_version ? 1 : 0;
  });
  run_law("cas_conflicts", {&seen});
  const double dead = 0.5 * 0.4;
  check_law(failed / (taken + failed), dead / (1 + dead), 0.344400, taken + failed, 300'000);
}

TEST_CASE("laws: a holder with a margin believes in a dead lease with probability 1 - Phi(m/s)") {
  const auto r = run_law("skewed_belief");
  const double n = value_of(r, "leases.granted");
  const double p = 1 - phi(1.0 / 2);
  const double commits = value_of(r, "rides.match_rate") * value_of(r, "rides.requested");
  check_law(commits / n, p, sd_of_share(p), n, 200'000);
}

TEST_CASE("long laws: skewed holders commit late at the rate of the law; a fence refuses as many",
          "[.long]") {
  const double m = 1;
  const double s = 2;
  const double u = 1.0 / 8;
  const double p = std::exp(-u * 15) *
                   (1 - phi(m / s) - std::exp(u * m + u * u * s * s / 2) * phi(-m / s - u * s));
  const bool fenced = GENERATE(false, true);
  late_commits seen;
  const auto r =
      run_law("late_confirms", {&seen}, {{"lease.protocol", fenced ? "fenced" : "lease"}});
  const double n = value_of(r, "leases.granted");
  check_law((fenced ? seen.refused : seen.commits) / n, p, sd_of_share(p), n, 1'000'000);
  CHECK((fenced ? seen.commits : seen.refused) == 0);
  CHECK((value_of(r, "double.commits") == 0) == fenced);
}

TEST_CASE("laws: how many leases a crash orphans, and for how long they stand on") {
  const double k = 0.02;
  const double a = k + 1.0 / 8;
  const double orphaned = k / a * (1 - std::exp(-a * 15));
  orphans seen;
  const auto r = run_law("matcher_crashes", {&seen});
  const double n = value_of(r, "leases.granted");
  check_law(seen.count / n, orphaned, sd_of_share(orphaned), n, 200'000);
  check_law(value_of(r, "leases.zombie_s") / n,
            k * (15 / a - (1 - std::exp(-a * 15)) / (a * a)),
            3.55551,
            n,
            200'000);
}

TEST_CASE("long laws: a jitter keeps ten retries apart with probability (1 - 9 d/J)^10",
          "[.long]") {
  std::map<std::int64_t, std::vector<sim_time>> herds;
  each seen([&](const events::event& e) {
    if (std::holds_alternative<events::lease_granted>(e.what) &&
        e.t.time_since_epoch() % 60s >= 15s) {
      herds[e.t.time_since_epoch() / 60s].push_back(e.t);
    }
  });
  run_law("herd", {&seen});
  double apart = 0;
  for (auto& [number, retries] : herds) {
    REQUIRE(retries.size() == 10);
    std::sort(retries.begin(), retries.end());
    bool close = false;
    for (std::size_t i = 1; i < retries.size(); ++i) {
      close = close || retries[i] - retries[i - 1] < 50ms;
    }
    apart += close ? 0 : 1;
  }
  const auto n = static_cast<double>(herds.size());
  const double p = std::pow(1 - 9 * 0.05 / 5, 10);
  check_law(apart / n, p, sd_of_share(p), n, 100'000);
}

TEST_CASE("laws: 1 / (1 - loss) copies of a confirm arrive for each commit, and one counts") {
  double copies = 0;
  double commits = 0;
  each seen([&](const events::event& e) {
    copies += std::holds_alternative<events::confirm_accepted>(e.what) ? 1 : 0;
    commits += std::holds_alternative<events::trip_committed>(e.what) ? 1 : 0;
  });
  const auto r = run_law("confirm_copies", {&seen});
  check_law(copies / commits, 1 / 0.9, 0.353843, commits, 100'000);
  CHECK(commits == value_of(r, "rides.requested"));
  CHECK(value_of(r, "double.commits") == 0);
}
