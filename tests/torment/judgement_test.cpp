#include "torment/judgement.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace dibs::torment {
namespace {

using events::call;
using events::call_answer;
using lease::invariant;

/// A history as matchers on a real store would write it, one line after the other.
class history_of_clients {
 public:
  history_of_clients& acquires(std::uint32_t who,
                               sim_duration from,
                               sim_duration to,
                               std::uint64_t token,
                               sim_duration ttl) {
    const node_id client{node_kind::matcher, who};
    add(from, events::call_made{client, call::acquire, driver, ride(who), {}, who + 1});
    add(to,
        events::lease_granted{
            {token}, driver, ride(who), matcher_id{who}, ttl, at_local(to + ttl)});
    add(to,
        events::call_answered{
            client, call::acquire, call_answer::yes, driver, ride(who), {token}, who + 1});
    return *this;
  }
  history_of_clients& confirms(std::uint32_t who, sim_duration t, std::uint64_t token) {
    const node_id client{node_kind::matcher, who};
    add(t, events::call_made{client, call::confirm, driver, ride(who), {token}, who + 1});
    add(t + 1ms,
        events::call_answered{
            client, call::confirm, call_answer::yes, driver, ride(who), {token}, who + 1});
    return *this;
  }
  history_of_clients& renews(std::uint32_t who,
                             sim_duration t,
                             std::uint64_t token,
                             sim_duration ttl) {
    const node_id client{node_kind::matcher, who};
    constexpr std::uint32_t request = 100;
    add(t, events::call_made{client, call::renew, driver, ride(who), {token}, request});
    add(t + 1ms, events::lease_renewed{{token}, driver, at_local(t + 1ms + ttl)});
    add(t + 1ms,
        events::call_answered{
            client, call::renew, call_answer::yes, driver, ride(who), {token}, request});
    return *this;
  }
  history_of_clients& begins_trip(std::uint32_t who, sim_duration t, std::uint64_t token) {
    add(t, events::trip_committed{{token}, driver, ride(who), matcher_id{who}});
    return *this;
  }
  history_of_clients& ends_trip(std::uint32_t who, sim_duration t, std::uint64_t token) {
    add(t, events::trip_ended{{token}, driver, ride(who), {}});
    return *this;
  }

  [[nodiscard]] std::string broken(const real_case& c) const {
    const auto found = judge(c, all_);
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

  void add(sim_duration t, const events::fact& what) {
    all_.push_back({at(t), at_local(t), what, {}});
  }

  std::vector<events::event> all_;
};

const real_case& unfenced() { return *find_case("matcher-paused-unfenced"); }

TEST_CASE("judgement: one lease after the other keeps every promise") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).begins_trip(0, 20ms, 1).ends_trip(0, 100ms, 1);
  h.acquires(1, 600ms, 610ms, 2, 450ms).begins_trip(1, 620ms, 2).ends_trip(1, 700ms, 2);
  CHECK(h.broken(unfenced()).empty());
}

TEST_CASE("judgement: a grant within a lease of another breaks L") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).acquires(1, 200ms, 210ms, 2, 450ms);
  CHECK(h.broken(unfenced()) == "L");
}

TEST_CASE("judgement: a grant within a lease of another breaks L after a trip, too") {
  const real_case& c = *find_case("postgres-clock-ahead");
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 1500ms).confirms(0, 20ms, 1).begins_trip(0, 30ms, 1);
  h.ends_trip(0, 100ms, 1).acquires(1, 120ms, 130ms, 2, 1500ms);
  CHECK(h.broken(c).empty());
  h.acquires(2, 200ms, 210ms, 3, 1500ms);
  CHECK(h.broken(c) == "L");
}

TEST_CASE("judgement: a grant when the other lease is over breaks nothing") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).acquires(1, 470ms, 480ms, 2, 450ms);
  CHECK(h.broken(unfenced()).empty());
}

TEST_CASE("judgement: a token that is given again breaks L") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 7, 450ms).acquires(1, 600ms, 610ms, 7, 450ms);
  CHECK(h.broken(unfenced()) == "L");
}

TEST_CASE("judgement: a grant within the renewed lease of another breaks L") {
  const real_case& c = *find_case("etcd-lock-partition");
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 1'000ms).renews(0, 700ms, 1, 1'000ms);
  h.acquires(1, 1'800ms, 1'810ms, 2, 1'000ms);
  CHECK(h.broken(c).empty());
  history_of_clients within;
  within.acquires(0, 0ms, 10ms, 1, 1'000ms).renews(0, 700ms, 1, 1'000ms);
  within.acquires(1, 1'600ms, 1'610ms, 2, 1'000ms);
  CHECK(within.broken(c) == "L");
}

TEST_CASE("judgement: etcd may renew a lease that is over and not yet ended") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 1'000ms).renews(0, 1'400ms, 1, 1'000ms);
  CHECK(h.broken(*find_case("etcd-lock-partition")).empty());
  CHECK(h.broken(*find_case("redis-calm")) == "L");
}

TEST_CASE("judgement: two trips of one driver at once break S4") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).acquires(1, 500ms, 510ms, 2, 450ms);
  h.begins_trip(1, 520ms, 2).begins_trip(0, 600ms, 1).ends_trip(1, 700ms, 2).ends_trip(0, 800ms, 1);
  CHECK(h.broken(unfenced()) == "S4");
}

TEST_CASE("judgement: two trips that only touch break nothing") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).acquires(1, 500ms, 510ms, 2, 450ms);
  h.begins_trip(1, 520ms, 2).ends_trip(1, 600ms, 2).begins_trip(0, 600ms, 1).ends_trip(0, 800ms, 1);
  CHECK(h.broken(unfenced()).empty());
}

TEST_CASE("judgement: a token that commits twice breaks S5") {
  history_of_clients h;
  h.acquires(0, 0ms, 10ms, 1, 450ms).begins_trip(0, 20ms, 1).ends_trip(0, 30ms, 1);
  h.begins_trip(0, 40ms, 1).ends_trip(0, 50ms, 1);
  CHECK(h.broken(unfenced()) == "S5");
}

TEST_CASE("judgement: every case is a scenario that reads back") {
  for (const real_case& c : all_cases()) {
    INFO(c.name);
    CHECK(scenario_of(c, 1, 5s).drivers.count == c.drivers);
  }
}

}  // namespace
}  // namespace dibs::torment
