// Goal: a checker that finds nothing where bounds hold is not blind where they do not.
// Method: holders whose clocks are off by a normal skew of 2 s and who stop 1 s before the expiry
// that they see, as in the closed forms of a late holder; the driver is leased again at the very
// expiry. B1 and B3 must break at the rates that follow from the skew, and with a fence as many
// writes must be refused as are taken without one.

#include "base/distribution.hpp"
#include "catch.hpp"
#include "history.hpp"

#include <algorithm>
#include <cmath>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::lease_ending;
using events::offer_response;

namespace {

constexpr double sigma = 2;
constexpr double margin = 1;
constexpr double ttl_s = 15;
constexpr double mean_answer = 8;
constexpr int offers = 60'000;

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// The holder still trusts its lease at the expiry, and the driver has not answered by then.
double still_shown() { return std::exp(-ttl_s / mean_answer) * (1 - normal_cdf(margin / sigma)); }

/// The driver answers between the expiry and the end of the holder's trust.
double late_commits() {
  const double u = 1 / mean_answer;
  const double m = margin;
  const double s = sigma;
  return std::exp(-u * ttl_s) *
         (1 - normal_cdf(m / s) - std::exp(u * m + u * u * s * s / 2) * normal_cdf(-m / s - u * s));
}

sim_duration seconds(double s) { return sim_duration{std::llround(s * 1e9)}; }

/// One late holder after the other, each with a driver of its own.
struct late_holders {
  explicit late_holders(bool is_fenced) : fence(is_fenced) {
    for (std::uint32_t i = 0; i < offers; ++i) {
      auto random = stream::keyed(7, purpose::answer, i);
      const double trusted =
          ttl_s - margin + in_seconds(draw(normal_duration{0s, seconds(sigma)}, random));
      const double answer = in_seconds(draw(exponential_duration{seconds(mean_answer)}, random));
      tell(i, trusted, answer);
    }
    std::stable_sort(
        told.begin(), told.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  }

  void tell(std::uint32_t i, double trusted, double answer) {
    const driver_id d{i};
    const token_id first{2 * i + std::uint64_t{1}};
    const token_id second{2 * i + std::uint64_t{2}};
    const ride_id one{2 * i};
    const ride_id other{2 * i + 1};
    const auto grant = [&](double t, token_id token, ride_id r) {
      say(t, events::lease_granted{token, d, r, matcher_id{0}, 15s, local(t) + 15s});
      say(t, events::offer_shown{token, d, r, local(t) + 15s});
    };
    grant(0, first, one);
    const bool in_time = answer < ttl_s && answer < trusted;
    if (answer < trusted) {
      say(answer, events::offer_answered{first, d, one, offer_response::accepted, true});
    } else {
      say(std::max(trusted, 0.0), events::offer_dismissed{first, d, events::dismissal::timeout});
    }
    if (in_time) {
      say(answer, events::trip_committed{first, d, one, matcher_id{0}});
      return;
    }
    say(ttl_s, events::lease_ended{first, d, one, lease_ending::expired});
    grant(ttl_s, second, other);
    if (answer < trusted) {
      // The second ride is on the road when the first holder writes.
      say(ttl_s, events::trip_committed{second, d, other, matcher_id{1}});
      if (fence) {
        say(answer, events::write_refused{first, d, one, events::write_refusal::stale_token});
        ++refused;
      } else {
        say(answer, events::trip_committed{first, d, one, matcher_id{0}});
      }
    }
  }

  void say(double t, events::fact what) {
    told.push_back({at(seconds(t)), local(t), std::move(what)});
  }
  static local_time local(double t) { return at_local(seconds(t)); }

  bool fence;
  int refused = 0;
  std::vector<events::event> told;
};

/// How often an invariant breaks where nobody asks whether its bounds hold.
double breaches_of(invariant i, const late_holders& h) {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(i);
  what.confirms = false;
  what.drivers = offers;
  return static_cast<double>(judged(h.told, what, 100s).violation_count);
}

void check_rate(double found, double predicted) {
  const double rate = found / offers;
  CAPTURE(rate, predicted);
  CHECK(std::abs(rate - predicted) <= 3.2905 * std::sqrt(predicted * (1 - predicted) / offers));
}

}  // namespace

TEST_CASE("negative control: late holders break B1 and B3 as often as their skew says",
          "[checkers]") {
  const late_holders unfenced(false);
  check_rate(breaches_of(invariant::commits_kept_apart, unfenced), late_commits());
  check_rate(breaches_of(invariant::no_double_commit, unfenced), late_commits());
  // Those who answer at the expiry or after it have the first offer on the screen beside the next.
  check_rate(breaches_of(invariant::phones_kept_apart, unfenced), still_shown());
}

TEST_CASE("negative control: a fence refuses what would have been a double commit", "[checkers]") {
  const late_holders with_fence(true);
  CHECK(breaches_of(invariant::commits_kept_apart, with_fence) == 0);
  CHECK(breaches_of(invariant::no_double_commit, with_fence) == 0);
  check_rate(with_fence.refused, late_commits());
  CHECK(with_fence.refused ==
        static_cast<int>(breaches_of(invariant::commits_kept_apart, late_holders(false))));
}

TEST_CASE("negative control: the closed form is that of the laws", "[checkers]") {
  CHECK(late_commits() == Approx(0.0066837187).epsilon(1e-7));
  CHECK(1 - normal_cdf(margin / sigma) == Approx(0.30853754).epsilon(1e-7));
}
