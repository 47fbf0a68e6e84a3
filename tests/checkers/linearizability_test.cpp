// Goal: the search takes every set of answers that one order of the calls explains, and no other.
// Method: small histories with their reasons; and random ones, told by a service that is right, and
// then with one answer turned round.

#include "checkers/linearizability.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>

using namespace dibs;
using namespace dibs::checkers;

namespace {

using verdict = linear_order::order_found;

constexpr sim_duration ttl = 15s;
const lease_time_bounds timely{
    .drift_ppm = 0, .confirm_hold = 30s, .overstay = sim_duration::zero()};

/// Calls and answers in the order in which they are written down.
class calls {
 public:
  explicit calls(const lease_time_bounds& bounds = timely) : order_(bounds) {}

  operation& ask(operation_kind what, std::uint64_t token, sim_duration when) {
    all_.push_back({.what = what, .token = token_id{token}, .called = at(when), .ttl = ttl});
    return all_.back();
  }
  /// An answer is known before the search meets it: it looks ahead.
  static operation& answered(operation& a, sim_duration when) {
    a.answered = at(when);
    return a;
  }
  void begin(const operation& a) { places_[&a] = order_.begin(a); }
  verdict end(const operation& a) { return order_.answer(places_.at(&a), a); }

  /// A call and its answer with nothing between.
  verdict tell(operation_kind what, std::uint64_t token, sim_duration asked, sim_duration heard) {
    operation& a = answered(ask(what, token, asked), heard);
    begin(a);
    return end(a);
  }

  linear_order& order() { return order_; }

 private:
  linear_order order_;
  std::deque<operation> all_;
  std::map<const operation*, linear_order::place_number> places_;
};

}  // namespace

TEST_CASE("linearizability: a lease excludes the next for as long as it lasts", "[checkers]") {
  calls early;
  CHECK(early.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(early.tell(operation_kind::grant, 2, 2s, 15s - 1ms) == verdict::contradicts);
  // The first may have been granted at 0 s, and be over by 15 s.
  calls late;
  CHECK(late.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(late.tell(operation_kind::grant, 2, 2s, 15s) == verdict::fits);
  calls released;
  CHECK(released.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(released.tell(operation_kind::release, 1, 2s, 3s) == verdict::fits);
  CHECK(released.tell(operation_kind::grant, 2, 4s, 5s) == verdict::fits);
}

TEST_CASE("linearizability: tokens grow from call to call", "[checkers]") {
  calls c;
  CHECK(c.tell(operation_kind::grant, 7, 0s, 1s) == verdict::fits);
  CHECK(c.tell(operation_kind::grant, 6, 20s, 21s) == verdict::contradicts);
}

TEST_CASE("linearizability: the lease of a late copy may have begun as soon as she was free",
          "[checkers]") {
  const auto granted_after_copy = [](sim_duration granted) {
    lease_time_bounds held = timely;
    held.release_frees = false;
    calls c(held);
    CHECK(c.tell(operation_kind::grant, 1, granted, granted + 1s) == verdict::fits);
    CHECK(c.tell(operation_kind::release, 1, 28s, 29s) ==
          verdict::fits);  // of a lease that has run out
    operation& copy = calls::answered(c.ask(operation_kind::grant, 2, 0s), 30s);
    copy.is_copy = true;
    c.begin(copy);
    CHECK(c.end(copy) == verdict::fits);
    return c.tell(operation_kind::grant, 3, 31s, 32s);
  };
  CHECK(granted_after_copy(0s) == verdict::fits);         // the copy's from 15 s on, over at 30 s
  CHECK(granted_after_copy(5s) == verdict::contradicts);  // from 20 s on, over at 35 s
}

TEST_CASE("linearizability: a denial needs somebody who holds her", "[checkers]") {
  calls nobody;
  CHECK(nobody.tell(operation_kind::denial, 0, 0s, 1s) == verdict::contradicts);
  calls held;
  CHECK(held.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(held.tell(operation_kind::denial, 0, 2s, 3s) == verdict::fits);
  CHECK(held.tell(operation_kind::denial, 0, 15s, 16s) ==
        verdict::fits);  // granted at 1 s, over at 16 s
  CHECK(held.tell(operation_kind::denial, 0, 16s + 1ms, 17s) == verdict::contradicts);
}

TEST_CASE("linearizability: a lease that nobody cleans up may be denied for ever", "[checkers]") {
  const lease_time_bounds lazy{.drift_ppm = 0, .confirm_hold = 30s, .overstay = std::nullopt};
  calls held(lazy);
  CHECK(held.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(held.tell(operation_kind::denial, 0, 100s, 101s) == verdict::fits);
  CHECK(held.tell(operation_kind::confirm, 1, 100s, 101s) == verdict::contradicts);
}

TEST_CASE("linearizability: a confirm is taken exactly while its lease is live", "[checkers]") {
  const auto granted = [] {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    return c;
  };
  CHECK(granted().tell(operation_kind::confirm, 1, 2s, 3s) == verdict::fits);
  CHECK(granted().tell(operation_kind::refusal, 1, 2s, 3s) == verdict::contradicts);
  CHECK(granted().tell(operation_kind::refusal, 1, 2s, 15s) == verdict::fits);
  CHECK(granted().tell(operation_kind::confirm, 1, 16s - 1ms, 20s) == verdict::fits);
  CHECK(granted().tell(operation_kind::confirm, 1, 16s + 1ms, 20s) == verdict::contradicts);
  CHECK(granted().tell(operation_kind::confirm, 2, 2s, 3s) == verdict::contradicts);
}

TEST_CASE("linearizability: a refusal for want of time is for good", "[checkers]") {
  calls c;
  CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(c.tell(operation_kind::refusal, 1, 14s, 15s) == verdict::fits);
  CHECK(c.tell(operation_kind::confirm, 1, 15s, 16s) == verdict::contradicts);
}

TEST_CASE("linearizability: a lease that only a sweep ends outlasts a refusal for want of time",
          "[checkers]") {
  const auto denied_after_refusal = [](bool ends_on_sight) {
    lease_time_bounds swept = timely;
    swept.overstay = 20s;
    swept.ends_on_sight = ends_on_sight;
    calls c(swept);
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    CHECK(c.tell(operation_kind::refusal, 1, 17s, 18s) == verdict::fits);
    return c.tell(operation_kind::denial, 0, 19s, 20s);
  };
  CHECK(denied_after_refusal(false) == verdict::fits);
  CHECK(denied_after_refusal(true) == verdict::contradicts);
  // It cannot be confirmed any more, and somebody else may have her.
  lease_time_bounds swept = timely;
  swept.overstay = 20s;
  swept.ends_on_sight = false;
  calls c(swept);
  CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(c.tell(operation_kind::refusal, 1, 15s, 18s) == verdict::fits);
  CHECK(c.tell(operation_kind::confirm, 1, 19s, 20s) == verdict::contradicts);
  calls next(swept);
  CHECK(next.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(next.tell(operation_kind::refusal, 1, 17s, 18s) == verdict::fits);
  CHECK(next.tell(operation_kind::grant, 2, 19s, 20s) == verdict::fits);
}

TEST_CASE("linearizability: a confirmed driver is kept until she is given back", "[checkers]") {
  const auto confirmed = [] {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    CHECK(c.tell(operation_kind::confirm, 1, 2s, 3s) == verdict::fits);
    return c;
  };
  CHECK(confirmed().tell(operation_kind::grant, 2, 20s, 21s) == verdict::contradicts);
  CHECK(confirmed().tell(operation_kind::refusal, 1, 20s, 21s) == verdict::contradicts);
  CHECK(confirmed().tell(operation_kind::confirm, 1, 20s, 21s) == verdict::fits);
  CHECK(confirmed().tell(operation_kind::grant, 2, 31s, 32s) == verdict::fits);  // the hold ran out
  calls over = confirmed();
  over.order().may_be_free(token_id{1}, at(20s));
  CHECK(over.tell(operation_kind::grant, 2, 20s, 21s) == verdict::fits);
  // The trip is over before its holder hears that it was confirmed.
  calls late;
  CHECK(late.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  operation& confirm = calls::answered(late.ask(operation_kind::confirm, 1, 2s), 19s);
  late.begin(confirm);
  late.order().may_be_free(token_id{1}, at(18s));
  CHECK(late.end(confirm) == verdict::fits);
  CHECK(late.tell(operation_kind::grant, 2, 18s, 21s) == verdict::fits);
}

TEST_CASE("linearizability: a trip that nobody expected may end what a late confirm took",
          "[checkers]") {
  for (const bool comes_unexpected : {true, false}) {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    operation& confirm = calls::answered(c.ask(operation_kind::confirm, 1, 2s), 9s);
    operation& grant = calls::answered(c.ask(operation_kind::grant, 2, 3s), 8s);
    c.begin(confirm);
    c.begin(grant);
    if (comes_unexpected) {
      c.order().may_be_free_of_any(at(7s));
    }
    CHECK((c.end(grant) == verdict::fits) == comes_unexpected);
    CHECK((c.end(confirm) == verdict::fits) == comes_unexpected);
  }
}

TEST_CASE(
    "linearizability: what may end a lease early or keep it longer is allowed for, and no more",
    "[checkers]") {
  lease_time_bounds swept = timely;
  swept.ends_early = true;
  swept.overstay = std::nullopt;
  calls early(swept);
  CHECK(early.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(early.tell(operation_kind::grant, 2, 2s, 3s) == verdict::fits);
  CHECK(early.tell(operation_kind::confirm, 1, 4s, 5s) == verdict::contradicts);

  lease_time_bounds anew = timely;
  anew.stretches = true;
  anew.overstay = std::nullopt;
  calls late(anew);
  CHECK(late.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(late.tell(operation_kind::grant, 2, 2s, 3s) == verdict::contradicts);
  calls later(anew);
  CHECK(later.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(later.tell(operation_kind::confirm, 1, 40s, 41s) == verdict::fits);

  lease_time_bounds stands = timely;
  stands.release_frees = false;
  calls kept(stands);
  CHECK(kept.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(kept.tell(operation_kind::release, 1, 2s, 3s) == verdict::fits);
  CHECK(kept.tell(operation_kind::denial, 0, 4s, 5s) == verdict::fits);
  CHECK(kept.tell(operation_kind::grant, 2, 6s, 7s) == verdict::contradicts);
}

TEST_CASE("linearizability: calls under way at once may take effect in either order",
          "[checkers]") {
  // The grant is heard last, and explains the denial that was heard first.
  calls c;
  operation& slow = calls::answered(c.ask(operation_kind::grant, 1, 0s), 9s);
  operation& quick = calls::answered(c.ask(operation_kind::denial, 0, 1s), 2s);
  c.begin(slow);
  c.begin(quick);
  CHECK(c.end(quick) == verdict::fits);
  CHECK(c.end(slow) == verdict::fits);
  CHECK(c.tell(operation_kind::confirm, 1, 10s, 11s) == verdict::fits);
  // Not so if it was called after the denial was heard.
  calls after;
  CHECK(after.tell(operation_kind::denial, 0, 1s, 2s) == verdict::contradicts);
}

TEST_CASE("linearizability: two grants at once need an order in which both tokens grow",
          "[checkers]") {
  calls c;
  operation& one = calls::answered(c.ask(operation_kind::grant, 2, 0s), 40s);
  operation& other = calls::answered(c.ask(operation_kind::grant, 1, 0s), 41s);
  c.begin(one);
  c.begin(other);
  CHECK(c.end(one) == verdict::fits);
  CHECK(c.end(other) == verdict::fits);  // at 0 s, and the first at 15 s
  CHECK(c.tell(operation_kind::confirm, 1, 42s, 43s) == verdict::contradicts);
}

TEST_CASE("linearizability: a call that is never answered may have had its effect, or not",
          "[checkers]") {
  const auto released = [] {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    c.begin(c.ask(operation_kind::release, 1, 2s));
    return c;
  };
  calls c = released();
  CHECK(c.tell(operation_kind::grant, 2, 3s, 4s) == verdict::fits);
  CHECK(c.tell(operation_kind::confirm, 1, 5s, 6s) == verdict::contradicts);
  CHECK(released().tell(operation_kind::confirm, 1, 3s, 4s) == verdict::fits);
}

TEST_CASE(
    "linearizability: renewals that nobody heard of may each have made the lease longer, once",
    "[checkers]") {
  // From 1 s on at the latest, and until 16 s without them; each can add as much from then on.
  const auto told_after =
      [](int renewals, operation_kind what, std::uint64_t token, sim_duration asked) {
        calls c;
        CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
        for (int i = 0; i < renewals; ++i) {
          c.order().may_be_renewed(token_id{1}, at(2s), {ttl, ttl});
        }
        return c.tell(what, token, asked, asked + 1s);
      };
  CHECK(told_after(0, operation_kind::denial, 0, 16s + 1ms) == verdict::contradicts);
  CHECK(told_after(1, operation_kind::denial, 0, 31s - 1ms) == verdict::fits);
  CHECK(told_after(1, operation_kind::denial, 0, 31s + 1ms) == verdict::contradicts);
  CHECK(told_after(2, operation_kind::confirm, 1, 46s - 1ms) == verdict::fits);
  CHECK(told_after(2, operation_kind::confirm, 1, 46s + 1ms) == verdict::contradicts);
  CHECK(told_after(2, operation_kind::grant, 2, 15s) == verdict::fits);  // they were lost
  CHECK(told_after(2, operation_kind::grant, 2, 13s) == verdict::contradicts);
}

TEST_CASE("linearizability: one who was denied late says that an unheard renewal took place",
          "[checkers]") {
  const auto granted_at = [](sim_duration asked) {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    c.order().may_be_renewed(token_id{1}, at(10s), {ttl, ttl});
    CHECK(c.tell(operation_kind::denial, 0, 17s, 18s) == verdict::fits);
    return c.tell(operation_kind::grant, 2, asked, asked + 1s);
  };
  CHECK(granted_at(23s) == verdict::contradicts);  // not before 25 s
  CHECK(granted_at(24s) == verdict::fits);
}

TEST_CASE("linearizability: any number of renewals that nobody heard of are put in order",
          "[checkers]") {
  calls c;
  CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  for (int i = 1; i <= 3000; ++i) {
    c.order().may_be_renewed(token_id{1}, at(10s * i), {ttl, ttl});
    c.order().may_be_renewed(token_id{1}, at(10s * i + 1s), {ttl, ttl});
    REQUIRE(c.tell(operation_kind::renewal, 1, 10s * i + 2s, 10s * i + 3s) == verdict::fits);
    REQUIRE(c.order().states().size() == 1);
  }
  CHECK(c.tell(operation_kind::grant, 2, 30'010s, 30'011s) == verdict::contradicts);
}

TEST_CASE("linearizability: a refusal with another reason may end the lease", "[checkers]") {
  const auto refused = [] {
    calls c;
    CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
    operation& taken = calls::answered(c.ask(operation_kind::refusal, 1, 2s), 3s);
    taken.excused = true;
    c.begin(taken);
    CHECK(c.end(taken) == verdict::fits);
    return c;
  };
  CHECK(refused().tell(operation_kind::grant, 2, 4s, 5s) == verdict::fits);
  CHECK(refused().tell(operation_kind::confirm, 1, 4s, 5s) == verdict::fits);
}

TEST_CASE("linearizability: drift widens what may be, either way", "[checkers]") {
  const lease_time_bounds drifting{.drift_ppm = 1000, .confirm_hold = 30s, .overstay = 0s};
  const auto granted = [&] {
    calls c(drifting);
    CHECK(c.tell(operation_kind::grant, 1, 0s, 0s) == verdict::fits);
    return c;
  };
  CHECK(granted().tell(operation_kind::grant, 2, 1s, 15s - 14ms) == verdict::fits);
  CHECK(granted().tell(operation_kind::grant, 2, 1s, 15s - 16ms) == verdict::contradicts);
  CHECK(granted().tell(operation_kind::confirm, 1, 15s + 14ms, 16s) == verdict::fits);
  CHECK(granted().tell(operation_kind::confirm, 1, 15s + 16ms, 16s) == verdict::contradicts);
}

TEST_CASE("linearizability: a contradiction is told once, and the answer believed", "[checkers]") {
  calls c;
  CHECK(c.tell(operation_kind::grant, 1, 0s, 1s) == verdict::fits);
  CHECK(c.tell(operation_kind::grant, 2, 2s, 3s) == verdict::contradicts);
  CHECK(c.tell(operation_kind::confirm, 2, 4s, 5s) == verdict::fits);
}

TEST_CASE("linearizability: more calls at once than it looks through are given up", "[checkers]") {
  calls c;
  std::vector<operation*> many;
  for (std::uint64_t i = 0; i <= linear_order::under_way_max; ++i) {
    many.push_back(&calls::answered(c.ask(operation_kind::grant, i + 1, 0s), 1h));
    c.begin(*many.back());
  }
  CHECK(c.end(*many.front()) == verdict::too_many);
}

namespace {

/// One driver's service that is right: each call takes effect at an instant between its call and
/// its answer, and one of them may be given a wrong answer.
struct told_history {
  std::deque<operation> all;
  std::vector<std::pair<sim_time, std::pair<operation*, bool>>> marks;  ///< true: answered
};

told_history right_service(stream& random, int count) {
  struct call {
    sim_time effect;
    operation* of;
  };
  told_history h;
  std::vector<call> calls;
  const auto some = [&](sim_duration most) {
    return sim_duration{
        static_cast<std::int64_t>(1 + random.below(static_cast<std::uint64_t>(most.count())))};
  };
  sim_time t{};
  for (int i = 0; i < count; ++i) {
    t += some(6s);
    const sim_time effect = t + some(4s);
    h.all.push_back({.what = operation_kind::grant, .token = {}, .called = t, .ttl = ttl});
    h.all.back().answered = effect + some(4s);
    calls.push_back({effect, &h.all.back()});
  }
  std::sort(calls.begin(), calls.end(), [](auto& a, auto& b) { return a.effect < b.effect; });
  token_id held;
  sim_time over{};
  std::uint64_t last = 0;
  for (const call& c : calls) {
    const bool live = held.is_some() && c.effect < over;
    switch (random.below(3)) {
      case 0:
        c.of->what = live ? operation_kind::denial : operation_kind::grant;
        if (!live) {
          held = c.of->token = token_id{++last};
          over = c.effect + ttl;
        }
        break;
      case 1:
        // A client can only name a token that somebody was told; an older one does as well.
        c.of->token = token_id{std::max<std::uint64_t>(last, 1)};
        c.of->what = live ? operation_kind::renewal : operation_kind::refusal;
        over = live ? c.effect + ttl : over;
        break;
      default:
        c.of->token = token_id{std::max<std::uint64_t>(last, 1)};
        c.of->what = operation_kind::release;
        held = live ? token_id::none() : held;
        break;
    }
  }
  for (operation& a : h.all) {
    h.marks.push_back({a.called, {&a, false}});
    h.marks.push_back({a.answered, {&a, true}});
  }
  std::stable_sort(
      h.marks.begin(), h.marks.end(), [](auto& a, auto& b) { return a.first < b.first; });
  return h;
}

bool fits(const told_history& h) {
  linear_order order(timely);
  std::map<const operation*, linear_order::place_number> places;
  for (const auto& [t, mark] : h.marks) {
    if (!mark.second) {
      places[mark.first] = order.begin(*mark.first);
    } else if (order.answer(places.at(mark.first), *mark.first) != verdict::fits) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("linearizability: what a right service answers always fits", "[checkers]") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    auto random = stream::keyed(seed, purpose::replication);
    INFO("seed " << seed);
    REQUIRE(fits(right_service(random, 12)));
  }
}

TEST_CASE("linearizability: most answers that are turned round fit no more", "[checkers]") {
  // Turned round, a denial of one who came late may still be right: not every one can be caught.
  int caught = 0;
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    auto random = stream::keyed(seed, purpose::replication);
    told_history h = right_service(random, 12);
    const auto denied = std::find_if(h.all.begin(), h.all.end(), [](const operation& a) {
      return a.what == operation_kind::denial;
    });
    if (denied != h.all.end()) {
      ++tried;
      denied->what = operation_kind::grant;
      denied->token = token_id{1000};
      caught += fits(h) ? 0 : 1;
    }
  }
  CHECK(tried > 200);
  CHECK(caught * 10 > tried * 9);
}
