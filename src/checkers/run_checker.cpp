#include "checkers/run_checker.hpp"

#include "base/ensure.hpp"
#include "checkers/accepts.hpp"
#include "checkers/answers.hpp"
#include "checkers/client_calls.hpp"
#include "checkers/commits.hpp"
#include "checkers/confirms.hpp"
#include "checkers/event_context.hpp"
#include "checkers/fencing_tokens.hpp"
#include "checkers/hold_duration.hpp"
#include "checkers/lease_endings.hpp"
#include "checkers/mutual_exclusion.hpp"
#include "checkers/observed_state.hpp"
#include "checkers/phone_bounds.hpp"
#include "checkers/recovery.hpp"
#include "checkers/rider_promises.hpp"
#include "checkers/time_accounting.hpp"
#include "checkers/violation_log.hpp"
#include "checkers/zone_exclusion.hpp"

#include <tuple>
#include <variant>
#include <vector>

namespace dibs::checkers {
namespace {

template <class Checker, class Fact>
concept judges = requires(Checker& c, const Fact& f, const event_context& s) {
  c.judge(f, s);
};

using all_checkers = std::tuple<holding,
                                tokens,
                                confirms,
                                commits,
                                endings,
                                time_accounting,
                                promises,
                                accepts,
                                client_call_checker,
                                phone_bound_checker,
                                holds,
                                recovery,
                                zones,
                                answers>;

template <class Fact, class Checkers>
inline constexpr bool judged_by_any = false;
template <class Fact, class... Checkers>
inline constexpr bool judged_by_any<Fact, std::tuple<Checkers...>> = (judges<Checkers, Fact> ||
                                                                      ...);

template <class Fact>
concept written_down = requires(observed_state& b, const Fact& f, const events::event& e) {
  b.write(f, e);
};

template <class Checker>
concept looks_up_drivers = requires(const Checker& c, driver_id d) {
  c.fetch(d);
};

/// Where a driver lies has to be looked up before she can be.
template <class Checker>
concept looks_up_drivers_twice = requires(const Checker& c, driver_id d, events::distance how_far) {
  c.fetch(d, how_far);
};

template <class Fact>
concept about_a_token = requires(const Fact& f) {
  f.token;
  f.driver;
};

}  // namespace

struct run_checker::state {
  explicit state(const options& o) : what(o), so_far(what), violations(o.promises) {}

  void meet(const events::event& e) {
    ensure(e.t >= now, "true time never runs backwards");
    if (e.t > now) {
      end_instant();
      now = e.t;
    }
    std::visit([&](const auto& f) { meet(f, e); }, e.what);
    ++index;
  }

  /// Every checker that has a say in this kind of fact says it, and only then is the fact written
  /// down: a checker always sees what was true just before.
  template <class Fact>
  void meet(const Fact& f, const events::event& e) {
    if constexpr (judged_by_any<Fact, all_checkers>) {
      event_context s = at(e.t, e.local);
      if constexpr (about_a_token<Fact>) {
        s.names_token = true;
        s.named = f.token;
        s.driver = f.driver;
      }
      std::apply([&](auto&... each) { (ask(each, f, s), ...); }, checkers);
    }
    if constexpr (written_down<Fact>) {
      so_far.write(f, e);
    }
  }

  template <class Checker, class Fact>
  static void ask(Checker& c, const Fact& f, const event_context& s) {
    if constexpr (judges<Checker, Fact>) {
      c.judge(f, s);
    }
  }

  void fetch(driver_id d, events::distance how_far) const {
    if (!d.is_some()) {
      return;
    }
    so_far.fetch(d, how_far);
    std::apply([&](const auto&... each) { (fetch_for(each, d, how_far), ...); }, checkers);
  }

  template <class Checker>
  static void fetch_for(const Checker& c, driver_id d, events::distance how_far) {
    if constexpr (looks_up_drivers_twice<Checker>) {
      c.fetch(d, how_far);
    } else if constexpr (looks_up_drivers<Checker>) {
      if (how_far == events::distance::far) {
        c.fetch(d);
      }
    }
  }

  event_context at(sim_time t, local_time local) {
    return {.what = what,
            .so_far = so_far,
            .violations = violations,
            .t = t,
            .local = local,
            .index = index};
  }

  void end_instant() {
    std::get<commits>(checkers).judge_instant(so_far, violations);
    std::get<phone_bound_checker>(checkers).judge_instant(so_far, violations);
  }

  check_result finish(sim_time end) {
    ensure(end >= now, "a run ends after its last event");
    // A trip that began at the very end of the run lasts for nothing, and so shares nothing.
    if (end > now) {
      end_instant();
    }
    const event_context last = at(end, local_time{});
    const std::vector<record_index> live = so_far.live_leases();
    std::get<endings>(checkers).finish(last, live);
    std::get<time_accounting>(checkers).finish(last, live);
    std::get<client_call_checker>(checkers).finish(last);
    std::get<recovery>(checkers).finish(last, live);
    account = std::get<accepts>(checkers).finish(last);
    return violations.close();
  }

  const options what;
  observed_state so_far;
  violation_log violations;
  all_checkers checkers;
  accept_account account;
  sim_time now{};
  std::uint64_t index = 0;
};

run_checker::run_checker(const options& what) : state_(std::make_unique<state>(what)) {}

run_checker::~run_checker() = default;

void run_checker::observe(std::span<const events::event> batch) {
  events::read_ahead(
      batch,
      state_->what.drivers,
      [this](driver_id d, events::distance how_far) { state_->fetch(d, how_far); },
      [this](const events::event& e) { state_->meet(e); });
}

check_result run_checker::finish(sim_time end) { return state_->finish(end); }

const accept_account& run_checker::account() const { return state_->account; }

}  // namespace dibs::checkers
