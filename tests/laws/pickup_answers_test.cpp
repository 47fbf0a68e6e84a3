// Drivers' answers by their way to the pick-up, against the odds and the times that the way gives:
// the formulas are written down here once more, and the ways come from the places in the history.

#include "catch.hpp"
#include "design_runs.hpp"
#include "known_places.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

using namespace dibs;
using namespace dibs::designs;

namespace {

double in_seconds(sim_duration d) { return std::chrono::duration<double>(d).count(); }

struct asked_driver {
  sim_time shown{};
  double minutes = 0;  ///< to the pick-up
  bool taken_back = false;
  bool accepts = false;
  bool in_time = false;
  double answers_after_s = 0;
};

/// Those to whom an offer stayed open for as long as they wanted.
std::vector<asked_driver> asked_in(const design& d) {
  known_places places(read_design("answers-by-distance", {}).world.travel);
  std::map<token_id, asked_driver> asked;
  for (const events::event& e : d.facts) {
    places.apply(e);
    if (const auto* o = std::get_if<events::offer_shown>(&e.what)) {
      asked[o->token] = {.shown = e.t, .minutes = places.seconds(o->driver, o->ride) / 60};
    } else if (const auto* gone = std::get_if<events::offer_dismissed>(&e.what)) {
      asked.at(gone->token).taken_back = gone->cause != events::dismissal::timeout;
    } else if (const auto* a = std::get_if<events::offer_answered>(&e.what)) {
      // Whether in time or not; of those that are ignored, or declined too late, nothing is heard.
      asked_driver& one = asked.at(a->token);
      one.accepts = a->answer == events::offer_response::accepted;
      one.in_time = a->in_time;
      one.answers_after_s = in_seconds(e.t - one.shown);
    }
  }
  std::vector<asked_driver> all;
  for (const auto& [token, one] : asked) {
    if (!one.taken_back) {
      all.push_back(one);
    }
  }
  return all;
}

/// A sum as it was found, and by the formula.
struct compared_sum {
  double found = 0;
  double expected = 0;
  double variance = 0;
  double terms = 0;

  void add(double value, double mean, double its_variance) {
    found += value;
    expected += mean;
    variance += its_variance;
    ++terms;
  }
  [[nodiscard]] bool agrees() const {
    UNSCOPED_INFO(found / terms << " found, " << expected / terms << " expected, of " << terms);
    return std::abs(found - expected) < 3.3 * std::sqrt(variance);
  }
  [[nodiscard]] double mean() const { return found / terms; }
};

compared_sum accepts_of(const std::vector<asked_driver>& asked, double odds_a_minute) {
  compared_sum all;
  for (const asked_driver& one : asked) {
    const double odds = 4 * std::pow(odds_a_minute, one.minutes);
    const double p = odds / (1 + odds);
    all.add(one.accepts ? 1 : 0, p, p * (1 - p));
  }
  return all;
}

/// Of the gamma distribution of mean 5 s and shape 3 the variance is a third of the mean squared.
compared_sum answer_times_of(const std::vector<asked_driver>& asked, double times_a_minute) {
  compared_sum all;
  for (const asked_driver& one : asked) {
    if (one.accepts) {
      const double mean = 5 * std::pow(times_a_minute, one.minutes);
      all.add(one.answers_after_s, mean, mean * mean / 3);
    }
  }
  return all;
}

/// Accepts that come after the 12 s of the offer. A gamma of shape 3 is the wait for the third of a
/// Poisson process: so long there were two at most.
compared_sum late_accepts_of(const std::vector<asked_driver>& asked, double times_a_minute) {
  compared_sum all;
  for (const asked_driver& one : asked) {
    if (one.accepts) {
      const double due = 12 * 3 / (5 * std::pow(times_a_minute, one.minutes));
      const double p = std::exp(-due) * (1 + due + due * due / 2);
      all.add(one.in_time ? 0 : 1, p, p * (1 - p));
    }
  }
  return all;
}

/// Those whose way is shorter than `minutes`, and the others.
std::pair<std::vector<asked_driver>, std::vector<asked_driver>> split_at(
    std::vector<asked_driver> all, double minutes) {
  const auto far = std::stable_partition(
      all.begin(), all.end(), [&](const asked_driver& one) { return one.minutes < minutes; });
  return {{all.begin(), far}, {far, all.end()}};
}

}  // namespace

TEST_CASE("designs: drivers accept by the odds of their way to the pick-up") {
  const compared_sum far = accepts_of(asked_in(run_with("answers-by-distance")), 0.8);
  CHECK(far.terms > 400);
  CHECK(far.agrees());
  CHECK(far.mean() < 0.7);
  CHECK(accepts_of(asked_in(run_without("answers-by-distance")), 1).agrees());
}

TEST_CASE("designs: drivers think a tenth longer for each minute of their way to the pick-up") {
  const auto with = asked_in(run_with("answers-by-distance"));
  const auto [near, far] = split_at(with, 3);
  CHECK(answer_times_of(near, 1.1).agrees());
  CHECK(answer_times_of(far, 1.1).agrees());
  CHECK(answer_times_of(far, 1.1).mean() > 1.2 * answer_times_of(near, 1.1).mean());
  CHECK(late_accepts_of(with, 1.1).agrees());
  const auto without = asked_in(run_without("answers-by-distance"));
  CHECK(answer_times_of(without, 1).agrees());
  CHECK(late_accepts_of(without, 1).agrees());
  CHECK(late_accepts_of(with, 1.1).mean() > 2 * late_accepts_of(without, 1).mean());
}
