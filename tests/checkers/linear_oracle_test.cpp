// Goal: the search takes exactly the histories that a right service could have told.
// Method: a brute search that shares nothing with it. It goes through every order of the calls that
// agrees with their times, and through every set of unanswered ones that had no effect; what the
// answers then say of the instants of the effects are differences between them, which have a
// solution or none (Bellman and Ford).

#include "catch.hpp"
#include "random_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;

namespace {

/// The instant `later` comes at least so long after `earlier`.
struct gap {
  std::size_t earlier = 0;
  std::size_t later = 0;
  std::int64_t at_least = 0;
};

/// Orders of effects that explain all answers, for drivers whose leases end on time.
class brute_search {
 public:
  explicit brute_search(const std::vector<operation>& calls)
      : calls_(calls), is_placed_(calls.size()), gaps_(gaps_of(calls)) {}

  /// Whether there is one.
  bool finds_order() { return extend(driver{}, 0); }

 private:
  struct driver {
    token_id held;
    token_id highest;
    bool is_kept = false;
    std::size_t renewed = 0;  ///< the call from which on the lease lasts
  };

  // Instant 0 is the start, and i + 1 the effect of call i.
  static std::vector<gap> gaps_of(const std::vector<operation>& calls) {
    std::vector<gap> gaps;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      gaps.push_back({0, i + 1, calls[i].called.time_since_epoch().count()});
      if (!calls[i].is_open()) {
        gaps.push_back({i + 1, 0, -calls[i].answered.time_since_epoch().count()});
      }
    }
    return gaps;
  }

  bool extend(const driver& d, std::size_t last) {
    if (!has_solution()) {
      return false;
    }
    if (std::all_of(calls_.begin(), calls_.end(), [this](const operation& a) {
          return a.is_open() || is_placed_[static_cast<std::size_t>(&a - calls_.data())];
        })) {
      return true;
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (!is_placed_[i] && may_be_next(i) && explains(d, i, last)) {
        return true;
      }
    }
    return false;
  }

  /// Whether none that is still to be placed was answered before it was called.
  [[nodiscard]] bool may_be_next(std::size_t i) const {
    for (std::size_t other = 0; other < calls_.size(); ++other) {
      if (!is_placed_[other] && calls_[other].answered < calls_[i].called) {
        return false;
      }
    }
    return true;
  }

  bool explains(const driver& d, std::size_t i, std::size_t last) {
    const auto on = next(d, calls_[i]);
    if (!on) {
      return false;
    }
    const std::size_t before = gaps_.size();
    gaps_.push_back({last, i + 1, 0});
    if (on->needs_end) {
      gaps_.push_back({d.renewed, i + 1, calls_[i].ttl.count()});
    }
    if (on->needs_life) {
      gaps_.push_back({i + 1, d.renewed, 1 - calls_[i].ttl.count()});
    }
    driver after = on->after;
    after.renewed = on->is_renewed ? i + 1 : d.renewed;
    is_placed_[i] = true;
    const bool found = extend(after, i + 1);
    is_placed_[i] = false;
    gaps_.resize(before);
    return found;
  }

  struct step {
    driver after;
    bool needs_end = false;   ///< the lease has run out
    bool needs_life = false;  ///< it has not
    bool is_renewed = false;
  };

  static std::optional<step> next(const driver& d, const operation& a) {
    const bool is_current = d.held.is_some() && d.held == a.token;
    step s{d};
    switch (a.what) {
      case operation_kind::grant:
        if (a.token <= d.highest || d.is_kept) {
          return std::nullopt;
        }
        s.needs_end = d.held.is_some();
        s.after = {a.token, a.token};
        s.is_renewed = true;
        return s;
      case operation_kind::denial:
        s.needs_life = !d.is_kept;
        return d.held.is_some() ? std::optional(s) : std::nullopt;
      case operation_kind::confirm:
      case operation_kind::renewal:
        if (!is_current || (d.is_kept && a.what == operation_kind::renewal)) {
          return std::nullopt;
        }
        s.needs_life = !d.is_kept;
        s.after.is_kept = d.is_kept || a.what == operation_kind::confirm;
        s.is_renewed = a.what == operation_kind::renewal;
        return s;
      case operation_kind::refusal:
        if (is_current) {
          s.needs_end = true;
          s.after.held = token_id::none();
        }
        return is_current && d.is_kept ? std::nullopt : std::optional(s);
      case operation_kind::release:
        if (is_current) {
          s.after.held = token_id::none();
          s.after.is_kept = false;
        }
        return s;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool has_solution() const {
    std::vector<std::int64_t> least(calls_.size() + 1);
    for (std::size_t round = 0; round <= least.size(); ++round) {
      bool moves = false;
      for (const gap& g : gaps_) {
        const std::int64_t at = least[g.earlier] + g.at_least;
        moves = moves || at > least[g.later];
        least[g.later] = std::max(least[g.later], at);
      }
      if (!moves) {
        return true;
      }
    }
    return false;
  }

  const std::vector<operation>& calls_;
  std::vector<bool> is_placed_;
  std::vector<gap> gaps_;
};

bool fits(const told_calls& h) {
  const lease_time_bounds timely{.overstay = sim_duration::zero()};
  linear_order order(timely);
  std::vector<linear_order::place_number> places(h.calls.size());
  for (const mark& m : h.marks) {
    if (m.what == mark::kind::called) {
      places[m.which] = begun(order, h.calls[m.which]);
    } else if (order.answer(places[m.which], h.calls[m.which]) != linear_order::order_found::fits) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("linearizability: the search takes what a brute one explains, and nothing else",
          "[checkers]") {
  int right = 0;
  int broken = 0;
  for (std::uint64_t seed = 1; seed <= 12'000; ++seed) {
    auto random = stream::keyed(seed, purpose::replication);
    const told_calls h = random_calls(random,
                                      {.calls = 9,
                                       .wrong = seed % 3 == 0 ? 0 : 0.1,
                                       .renewals = seed % 2 == 0 ? 0.7 : 0.3,
                                       .unheard = 0.5,
                                       .ttl = seed % 4 < 2 ? sim_duration{4s} : 15s,
                                       .excuses = false});
    const bool is_explained = brute_search(h.calls).finds_order();
    ++(is_explained ? right : broken);
    INFO("seed " << seed);
    REQUIRE(fits(h) == is_explained);
  }
  CHECK(right > 6000);
  CHECK(broken > 1000);
}
