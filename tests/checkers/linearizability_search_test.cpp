// Goal: the search takes no answer that the plain one would not, and refuses none that it would
// take, whatever it leaves out on the way.
// Method: random histories of one driver, of calls that overlap, are never answered, have other
// reasons for their answers, or find her free without a call; the plain search keeps every state
// that any order of the calls under way leads to. (Of 3,000,000 histories two are taken that the
// plain one refuses, and none is refused that it takes: a call that only looks holds up no other
// there, which then may begin as early as it was called and end as late as it was answered.)

#include "catch.hpp"
#include "checkers/linearizability.hpp"
#include "random_calls.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;

namespace {

class plain_order {
 public:
  explicit plain_order(const lease_time_bounds& bounds) : model_(bounds) {}

  /// Calls begin in the order of their numbers.
  void begin(const operation& a) { calls_.push_back(a); }

  /// Whether there is an order in which it is right.
  bool answer(std::size_t goal, const operation& a) {
    calls_[goal] = a;
    std::vector<model_state> met = states_;
    std::vector<model_state> reached;
    for (std::size_t i = 0; i < met.size(); ++i) {
      const model_state s = met[i];
      if (has(s, goal)) {
        keep_once(reached, s);
        continue;
      }
      for (std::size_t p = 0; p < calls_.size(); ++p) {
        if (has(s, p) || (p != goal && is_answered(p))) {
          continue;
        }
        if (auto next = model_.after(s, calls_[p], a.answered)) {
          next->ahead |= bit(p);
          keep_once(p == goal ? reached : met, *next);
        }
      }
    }
    done_.insert(goal);
    states_ = std::move(reached);
    return !states_.empty();
  }

  [[nodiscard]] bool is_stuck() const { return states_.empty(); }

  void may_be_free(token_id token, sim_time t) {
    model_.may_be_free(token, t);
    for (model_state& s : states_) {
      s.over_from = s.token == token ? std::min(s.over_from, t) : s.over_from;
    }
  }

  void may_be_free_of_any(sim_time t) {
    model_.may_be_free_of_any();
    for (model_state& s : states_) {
      s.over_from = std::min(s.over_from, t);
    }
  }

 private:
  static std::uint64_t bit(std::size_t p) { return std::uint64_t{1} << p; }
  static bool has(const model_state& s, std::size_t p) { return (s.ahead & bit(p)) != 0; }
  [[nodiscard]] bool is_answered(std::size_t p) const { return done_.count(p) > 0; }
  static void keep_once(std::vector<model_state>& all, const model_state& s) {
    if (std::find(all.begin(), all.end(), s) == all.end()) {
      all.push_back(s);
    }
  }

  driver_model model_;
  std::vector<model_state> states_{model_state{}};
  std::vector<operation> calls_;  ///< all that ever began
  std::set<std::size_t> done_;    ///< those that were answered and put in order
};

lease_time_bounds random_terms(stream& random) {
  return {.drift_ppm = random.happens(0.3) ? 1e5 : 0,
          .confirm_hold = random.happens(0.5) ? forever : sim_duration{10s},
          .overstay = random.happens(0.3) ? std::nullopt : std::optional<sim_duration>(2s),
          .ends_on_sight = random.happens(0.7),
          .ends_early = random.happens(0.2),
          .stretches = random.happens(0.1),
          .release_frees = random.happens(0.8)};
}

}  // namespace

TEST_CASE("linearizability: the search finds what the plain one finds", "[checkers]") {
  constexpr std::uint64_t histories = 20'000;
  std::map<linear_order::order_found, int> answers;
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    auto random = stream::keyed(seed, purpose::replication);
    const lease_time_bounds bounds = random_terms(random);
    const bool is_much_renewed = random.happens(0.5);
    const told_calls h =
        random_calls(random, {.calls = 14, .renewals = is_much_renewed ? 0.7 : 0.2});
    linear_order order(bounds);
    plain_order plain(bounds);
    std::vector<linear_order::place_number> places(h.calls.size());
    bool fits = true;
    for (std::size_t i = 0; i < h.marks.size() && fits; ++i) {
      const mark& m = h.marks[i];
      switch (m.what) {
        case mark::kind::called:
          places[m.which] = begun(order, h.calls[m.which]);
          plain.begin(h.calls[m.which]);
          break;
        case mark::kind::answered: {
          const auto found = order.answer(places[m.which], h.calls[m.which]);
          fits = plain.answer(m.which, h.calls[m.which]) &&
                 found != linear_order::order_found::too_many;
          ++answers[found];
          INFO("seed " << seed << ", call " << m.which);
          REQUIRE((found == linear_order::order_found::too_many ||
                   (found == linear_order::order_found::contradicts) == plain.is_stuck()));
          break;
        }
        case mark::kind::takes_effect:
          break;
        case mark::kind::may_be_free:
          order.may_be_free(m.token, m.t);
          plain.may_be_free(m.token, m.t);
          break;
        case mark::kind::may_be_free_of_any:
          order.may_be_free_of_any(m.t);
          plain.may_be_free_of_any(m.t);
          break;
      }
    }
  }
  CHECK(answers[linear_order::order_found::fits] > 150'000);
  CHECK(answers[linear_order::order_found::contradicts] > 1'000);
  CHECK(answers[linear_order::order_found::too_many] < 10);
}
