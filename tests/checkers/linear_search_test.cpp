// Goal: the search takes no answer that the plain one would not, and refuses none that it would
// take, whatever it leaves out on the way.
// Method: random histories of one driver, of calls that overlap, are never answered, have other
// reasons for their answers, or find her free without a call; the plain search keeps every state
// that any order of the calls under way leads to. (Of 3,000,000 histories two are taken that the
// plain one refuses, and none is refused that it takes: a call that only looks holds up no other
// there, which then may begin as early as it was called and end as late as it was answered.)

#include "base/random.hpp"
#include "catch.hpp"
#include "checkers/linear.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

using namespace dibs;
using namespace dibs::checkers;

namespace {

class plain_order {
 public:
  explicit plain_order(const lease_terms& terms) : model_(terms) {}

  /// Calls begin in the order of their numbers.
  void begin(const attempt& a) { calls_.push_back(a); }

  /// Whether there is an order in which it is right.
  bool answer(std::size_t goal, const attempt& a) {
    calls_[goal] = a;
    std::vector<standing> met = states_;
    std::vector<standing> reached;
    for (std::size_t i = 0; i < met.size(); ++i) {
      const standing s = met[i];
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
    for (standing& s : states_) {
      s.over_from = s.token == token ? std::min(s.over_from, t) : s.over_from;
    }
  }

  void may_be_free_of_any(sim_time t) {
    model_.may_be_free_of_any();
    for (standing& s : states_) {
      s.over_from = std::min(s.over_from, t);
    }
  }

 private:
  static std::uint64_t bit(std::size_t p) { return std::uint64_t{1} << p; }
  static bool has(const standing& s, std::size_t p) { return (s.ahead & bit(p)) != 0; }
  [[nodiscard]] bool is_answered(std::size_t p) const { return done_.count(p) > 0; }
  static void keep_once(std::vector<standing>& all, const standing& s) {
    if (std::find(all.begin(), all.end(), s) == all.end()) {
      all.push_back(s);
    }
  }

  driver_model model_;
  std::vector<standing> states_{standing{}};
  std::vector<attempt> calls_;  ///< all that ever began
  std::set<std::size_t> done_;  ///< those that were answered and put in order
};

/// What happens around one driver, in its order.
struct mark {
  enum class kind { called, takes_effect, answered, may_be_free, may_be_free_of_any };

  sim_time t{};
  kind what{};
  std::size_t which = 0;  ///< of the calls
  token_id token{};

  [[nodiscard]] bool operator>(const mark& other) const { return t > other.t; }
};

struct told {
  std::vector<attempt> calls;
  std::vector<mark> marks;
};

/// A service of one driver that is mostly right: once in a while its answer is another one, it
/// says that another reason was behind it, or it lets go of her by itself.
class service {
 public:
  service(stream& random, int count) : random_(random) {
    sim_time t{};
    for (int i = 0; i < count; ++i) {
      t += up_to(5s);
      todo_.push({t, mark::kind::called, static_cast<std::size_t>(i)});
    }
    if (random_.happens(0.1)) {
      todo_.push({sim_time{} + up_to(40s), mark::kind::may_be_free_of_any});
    }
    history_.calls.resize(static_cast<std::size_t>(count));
  }

  told history() {
    for (; !todo_.empty(); todo_.pop()) {
      const mark m = todo_.top();
      switch (m.what) {
        case mark::kind::called:
          call(m);
          break;
        case mark::kind::takes_effect:
          decide(history_.calls[m.which], m.t);
          continue;
        case mark::kind::answered:
          youngest_told_ = std::max(youngest_told_, history_.calls[m.which].token);
          break;
        case mark::kind::may_be_free:
        case mark::kind::may_be_free_of_any:
          held_ = m.token == held_ && random_.happens(0.7) ? token_id::none() : held_;
          break;
      }
      history_.marks.push_back(m);
    }
    return history_;
  }

 private:
  sim_duration up_to(sim_duration most) {
    return sim_duration{
        static_cast<std::int64_t>(1 + random_.below(static_cast<std::uint64_t>(most.count())))};
  }

  void call(const mark& m) {
    attempt& a = history_.calls[m.which];
    a = {.called = m.t, .ttl = 15s};
    constexpr std::array deeds{
        deed::grant, deed::grant, deed::confirm, deed::renewal, deed::release};
    a.what = deeds[random_.below(deeds.size())];
    if (a.what != deed::grant) {
      const bool older = youngest_told_.value > 1 && random_.happens(0.1);
      a.token = token_id{youngest_told_.value - (older ? 1 : 0)};
    }
    const bool is_never_answered =
        (a.what == deed::confirm || a.what == deed::release) && random_.happens(0.4);
    a.excused = is_never_answered && random_.happens(0.5);
    const sim_time effect = m.t + up_to(random_.happens(0.5) ? sim_duration{10ms} : 4s);
    if (!is_never_answered || random_.happens(0.7)) {
      todo_.push({effect, mark::kind::takes_effect, m.which});
    }
    if (!is_never_answered) {
      a.answered = effect + up_to(random_.happens(0.5) ? sim_duration{10ms} : 4s);
      todo_.push({a.answered, mark::kind::answered, m.which});
    }
    if (youngest_told_.is_some() && random_.happens(0.1)) {
      todo_.push({m.t + up_to(2s), mark::kind::may_be_free, 0, youngest_told_});
    }
  }

  void decide(attempt& a, sim_time now) {
    const bool live = held_.is_some() && (kept_ || now < over_);
    const bool current = live && a.token == held_;
    const bool wrong = random_.happens(0.02);
    switch (a.what) {
      case deed::grant:
        if (live != wrong) {
          a.what = deed::denial;
          a.excused = random_.happens(0.3);
          return;
        }
        held_ = a.token = token_id{++last_};
        kept_ = false;
        over_ = now + a.ttl;
        return;
      case deed::confirm:
      case deed::renewal:
        if (a.is_open()) {
          kept_ = kept_ || current;
        } else if (current == wrong || (kept_ && a.what == deed::renewal)) {
          a.what = deed::refusal;
          a.excused = random_.happens(0.3);
          a.may_have_renewed = a.excused && random_.happens(0.3);
        } else if (a.what == deed::confirm) {
          kept_ = true;
        } else {
          over_ = now + a.ttl;
        }
        return;
      case deed::release:
        held_ = current ? token_id::none() : held_;
        return;
      case deed::denial:
      case deed::refusal:
        return;
    }
  }

  stream& random_;
  std::priority_queue<mark, std::vector<mark>, std::greater<>> todo_;
  told history_;
  token_id youngest_told_;
  token_id held_;
  bool kept_ = false;
  sim_time over_{};
  std::uint64_t last_ = 0;
};

lease_terms random_terms(stream& random) {
  return {.drift_ppm = random.happens(0.3) ? 1e5 : 0,
          .confirm_hold = random.happens(0.5) ? forever : sim_duration{10s},
          .overstay = random.happens(0.3) ? std::nullopt : std::optional<sim_duration>(2s),
          .ends_on_sight = random.happens(0.7),
          .ends_early = random.happens(0.2),
          .stretches = random.happens(0.1),
          .release_frees = random.happens(0.8)};
}

}  // namespace

TEST_CASE("linear: the search finds what the plain one finds", "[checkers]") {
  constexpr std::uint64_t histories = 20'000;
  std::map<linear_order::verdict, int> answers;
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    auto random = stream::keyed(seed, purpose::replication);
    const lease_terms terms = random_terms(random);
    const told h = service(random, 14).history();
    linear_order order(terms);
    plain_order plain(terms);
    std::vector<linear_order::place_number> places(h.calls.size());
    bool fits = true;
    for (std::size_t i = 0; i < h.marks.size() && fits; ++i) {
      const mark& m = h.marks[i];
      switch (m.what) {
        case mark::kind::called:
          places[m.which] = order.begin(h.calls[m.which]);
          plain.begin(h.calls[m.which]);
          break;
        case mark::kind::answered: {
          const auto found = order.answer(places[m.which], h.calls[m.which]);
          fits =
              plain.answer(m.which, h.calls[m.which]) && found != linear_order::verdict::too_many;
          ++answers[found];
          INFO("seed " << seed << ", call " << m.which);
          REQUIRE((found == linear_order::verdict::too_many ||
                   (found == linear_order::verdict::contradicts) == plain.is_stuck()));
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
  CHECK(answers[linear_order::verdict::fits] > 150'000);
  CHECK(answers[linear_order::verdict::contradicts] > 1'000);
  CHECK(answers[linear_order::verdict::too_many] < 10);
}
