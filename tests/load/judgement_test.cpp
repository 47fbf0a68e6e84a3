// Goal: a service is blamed for what it did wrong, and for nothing that it need not have done.
// Method: histories as callers on it would write them down.

#include "load/judgement.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace dibs::load {
namespace {

using events::call;
using events::call_answer;
using lease::invariant;

constexpr sim_duration ttl{500ms};

class history_of_callers {
 public:
  history_of_callers& asks(std::uint32_t who, sim_duration t) {
    return add(t, events::call_made{client(who), call::acquire, driver, ride(who), {}, who + 1});
  }
  history_of_callers& gets(std::uint32_t who, sim_duration t, std::uint64_t token) {
    add(t,
        events::lease_granted{{token}, driver, ride(who), matcher_id{who}, ttl, at_local(t + ttl)});
    return add(t, told(who, call::acquire, call_answer::yes, token, who + 1));
  }
  history_of_callers& is_denied(std::uint32_t who, sim_duration t) {
    return add(t, told(who, call::acquire, call_answer::no, 0, who + 1));
  }
  history_of_callers& renews(std::uint32_t who, sim_duration t, std::uint64_t token, bool taken) {
    add(t, events::call_made{client(who), call::renew, driver, ride(who), {token}, 100 + who});
    if (taken) {
      add(t + 1ms, events::lease_renewed{{token}, driver, at_local(t + 1ms + ttl)});
    }
    return add(
        t + 1ms,
        told(who, call::renew, taken ? call_answer::yes : call_answer::no, token, 100 + who));
  }
  history_of_callers& releases(std::uint32_t who, sim_duration t, std::uint64_t token) {
    add(t, events::call_made{client(who), call::release, driver, ride(who), {token}, 0});
    return add(t + 1ms, told(who, call::release, call_answer::heard, token, 0));
  }
  history_of_callers& works(std::uint32_t who, sim_duration t, std::uint64_t token) {
    return add(t, events::trip_committed{{token}, driver, ride(who), matcher_id{who}});
  }
  history_of_callers& stops(std::uint32_t who, sim_duration t, std::uint64_t token) {
    return add(t, events::trip_ended{{token}, driver, ride(who), {}});
  }

  [[nodiscard]] std::string broken() const {
    checkers::run_checker checker(checkers_options_of(ttl, 1));
    checker.observe(all_);
    const auto found = checker.finish(all_.back().t + 1ns);
    std::string codes;
    for (int i = 0; i < lease::invariants; ++i) {
      const auto each = static_cast<invariant>(i);
      if ((found.broken & bit(each)) != 0) {
        codes += std::string(codes.empty() ? "" : " ") + std::string(code_of(each));
      }
    }
    return codes;
  }

 private:
  static constexpr driver_id driver{0};
  static ride_id ride(std::uint32_t who) { return ride_id{who}; }
  static node_id client(std::uint32_t who) { return {node_kind::matcher, who}; }
  static events::call_answered told(
      std::uint32_t who, call what, call_answer how, std::uint64_t token, std::uint32_t request) {
    return {client(who), what, how, driver, ride(who), {token}, request};
  }
  history_of_callers& add(sim_duration t, const events::fact& what) {
    all_.push_back({at(t), at_local(t), what, {}});
    return *this;
  }

  std::vector<events::event> all_;
};

history_of_callers granted() { return history_of_callers{}.asks(0, 0ms).gets(0, 5ms, 1); }

TEST_CASE("load: one lease after the other, renewed and released, keeps every promise") {
  history_of_callers h = granted();
  h.works(0, 6ms, 1).renews(0, 200ms, 1, true).asks(1, 600ms).is_denied(1, 601ms);
  h.stops(0, 640ms, 1).releases(0, 640ms, 1).asks(1, 650ms).gets(1, 655ms, 2);
  CHECK(h.broken().empty());
}

TEST_CASE("load: a grant within a lease breaks L, also while its holder works") {
  CHECK(granted().asks(1, 100ms).gets(1, 101ms, 2).broken() == "L");
  CHECK(granted().works(0, 6ms, 1).stops(0, 90ms, 1).asks(1, 100ms).gets(1, 101ms, 2).broken() ==
        "L");
  CHECK(granted().works(0, 6ms, 1).asks(1, 100ms).gets(1, 101ms, 2).works(1, 102ms, 2).broken() ==
        "S4 L");
}

TEST_CASE("load: a lease stands for as long as was asked, within what clocks may differ") {
  CHECK(granted().asks(1, 490ms).gets(1, 494ms, 2).broken() == "L");
  CHECK(granted().asks(1, 490ms).gets(1, 499ms, 2).broken().empty());
  CHECK(granted().renews(0, 300ms, 1, true).asks(1, 600ms).gets(1, 650ms, 2).broken() == "L");
}

TEST_CASE("load: a lease that is over or was released leaves its driver free") {
  CHECK(granted().asks(1, 520ms).is_denied(1, 521ms).broken() == "L");
  CHECK(granted().asks(1, 504ms).is_denied(1, 521ms).broken().empty());
  CHECK(granted().releases(0, 100ms, 1).asks(1, 102ms).is_denied(1, 103ms).broken() == "L");
}

TEST_CASE("load: who was never answered may hold the lease, and whoever is denied may be right") {
  CHECK(history_of_callers{}.asks(0, 0ms).asks(1, 10ms).is_denied(1, 11ms).broken().empty());
  CHECK(history_of_callers{}.asks(1, 10ms).is_denied(1, 11ms).broken() == "L");
}

TEST_CASE("load: a renewal may be refused only once the lease is over") {
  CHECK(granted().renews(0, 300ms, 1, false).broken() == "L");
  CHECK(granted().renews(0, 510ms, 1, false).broken().empty());
  CHECK(granted().renews(0, 510ms, 1, true).broken() == "L");
}

TEST_CASE("load: tokens grow, and none is given twice") {
  CHECK(granted().releases(0, 10ms, 1).asks(1, 20ms).gets(1, 21ms, 1).broken() == "L");
}

TEST_CASE("load: a holder stops before its lease can be over") {
  const holding_terms t = holding_terms_of(10s);
  CHECK(t.ttl == 10s);
  CHECK(t.margin >= 2ms);
  CHECK(t.margin < 10ms);
}

TEST_CASE("load: leases of a scenario fit or are refused") {
  scenario::scenario s;
  s.lease.ttl = 15s;
  CHECK(ttl_of(s, 60).value() == 250ms);
  CHECK(ttl_of(s, 750).value() == 20ms);
  CHECK(ttl_of(s, 751).error().code == exit_code::invalid_input);
  s.lease.ttl = 24h;
  CHECK(ttl_of(s, 1).value() == 24h);
  CHECK_FALSE(ttl_of(s, 0.5));
  s.lease.ttl = forever;
  CHECK_FALSE(ttl_of(s, 1));
}

TEST_CASE("load: what is kept reads back as a scenario") {
  const auto s = scenario_of({.name = "first-run",
                              .seed = 4,
                              .length = 1234567891ns,
                              .ttl = 250ms,
                              .drivers = 120,
                              .matchers = 2});
  CHECK(s.drivers.count == 120);
  CHECK(s.lease.ttl == 250ms);
}

}  // namespace
}  // namespace dibs::load
