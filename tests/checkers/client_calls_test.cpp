// Goal: answers that no order of the calls explains are found whatever the manager says of itself.
// Method: histories of calls alone, and of calls beside facts that tell another story.

#include "catch.hpp"
#include "history.hpp"

#include <atomic>

using namespace dibs;
using namespace dibs::checkers;
using namespace dibs::checkers::test;
using events::call;
using events::call_answer;
using events::lease_ending;

namespace {

options only_calls() {
  auto what = fenced();
  what.promises = 1U << static_cast<unsigned>(invariant::one_order_of_calls);
  what.denials_tell = true;
  return what;
}

/// Granted to matcher 1 as both saw it.
history granted() { return history{}.at(0s).asks(1, 3, 10).at(1s).grant(1, 3, 10).gets(1); }

}  // namespace

TEST_CASE("client calls: answers that agree with the facts break nothing", "[checkers]") {
  history h = granted();
  h.at(2s).call(0, call::confirm, 1).at(3s).confirm(1).answer_call(0, call::confirm, 1, true);
  h.commit(1).at(40s).trip_end(1);
  h.at(41s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE("client calls: two who are told of one driver at once break L", "[checkers]") {
  history h = granted();
  h.at(2s).asks(2, 3, 11).at(3s).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == codes{"L"});
  CHECK(words_of(h, only_calls()) ==
        "matcher/1 was granted token 2 of driver 4, but she was leased under token 1, for 15.000 s "
        "more at least");
}

TEST_CASE("client calls: a manager that says one thing and records another breaks L",
          "[checkers]") {
  // It refused the confirm, and told the client that it had taken it.
  history h = granted();
  h.at(20s).expire(1).call(0, call::confirm, 1).refuse(1);
  CHECK(broken_in(history(h).answer_call(0, call::confirm, 1, false), only_calls()) == nothing);
  CHECK(broken_in(h.answer_call(0, call::confirm, 1, true), only_calls()) == codes{"L"});
}

TEST_CASE("client calls: a denial of a driver whom nobody has breaks L", "[checkers]") {
  history h;
  h.at(0s).asks(1, 3, 10).at(1s).denied(1, 3, 10);
  CHECK(broken_in(h, only_calls()) == codes{"L"});
  auto unsure = only_calls();
  unsure.denials_tell = false;
  CHECK(broken_in(h, unsure) == nothing);
  // Another asked before, and never heard.
  history lost;
  lost.at(0s).asks(7, 3, 12).at(1s).asks(1, 3, 10).at(2s).denied(1, 3, 10);
  CHECK(broken_in(lost, only_calls()) == nothing);
}

TEST_CASE("client calls: a confirm that was taken holds, whatever a denial tells", "[checkers]") {
  history h = granted();
  h.at(2s).call(0, call::confirm, 1).at(3s).confirm(1).answer_call(0, call::confirm, 1, true);
  h.at(4s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  for (const bool tells : {true, false}) {
    auto what = only_calls();
    what.denials_tell = tells;
    CHECK(broken_in(h, what) == codes{"L"});
  }
}

TEST_CASE("client calls: a call without an answer is judged at the end of the run", "[checkers]") {
  history h = granted();
  h.at(2s).call(0, call::release, 1).at(3s).asks(2, 3, 11).at(4s).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == nothing);
  h.at(5s).call(0, call::confirm, 1).at(6s).answer_call(0, call::confirm, 1, true);
  CHECK(broken_in(h, only_calls()) == codes{"L"});
}

TEST_CASE("client calls: what a phone asks is never answered, and nothing waits for it",
          "[checkers]") {
  constexpr std::uint32_t leases = 2100;
  history h;
  for (std::uint32_t i = 1; i <= leases; ++i) {
    h.at(20s * i).asks(i, 3, i).at(20s * i + 1s).grant(i, 3, i).gets(i);
    h.at(20s * i + 2s).phone_call(call::release, i);
  }
  const check_result right = judged(h.events(), only_calls(), 100h);
  CHECK(right.kept());
  CHECK(right.undecided == 0);
  // Not released: what she asked for may have had its effect, and nothing else ends a lease early.
  history early;
  early.at(0s).asks(1, 3, 10).at(1s).grant(1, 3, 10).gets(1);
  early.at(2s).phone_call(call::confirm, 1);
  CHECK(broken_in(history(early).at(4s).asks(2, 3, 11).grant(2, 3, 11).gets(2), only_calls()) ==
        codes{"L"});
  early.at(3s).phone_call(call::release, 1);
  early.at(4s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(early, only_calls()) == nothing);
}

TEST_CASE("client calls: a copy of an answer is no second answer", "[checkers]") {
  history h = granted();
  h.gets(1).at(2s).call(0, call::confirm, 1).at(3s).answer_call(0, call::confirm, 1, true);
  h.answer_call(0, call::confirm, 1, true);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE("client calls: a copy of an acquire that is granted once more is a grant of its own",
          "[checkers]") {
  // The copy arrived when the first lease was over.
  history late = granted();
  late.at(17s).grant(2, 3, 10).gets(2, 1);
  CHECK(broken_in(late, only_calls()) == nothing);
  history early = granted();
  early.at(5s).grant(2, 3, 10).gets(2, 1);
  CHECK(broken_in(early, only_calls()) == codes{"L"});
}

TEST_CASE("client calls: the grant of a copy may be told when younger ones are in order",
          "[checkers]") {
  history h = granted();
  h.at(17s).grant(2, 3, 10);
  h.at(30s).asks(2, 3, 11).grant(3, 3, 11).gets(3);
  h.at(31s).gets(2, 1);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE(
    "client calls: a refused confirm of which a copy may have been taken leaves her undecided",
    "[checkers]") {
  // Taken at 2 s, freed for want of a write, granted again; the copy of the confirm is refused.
  history h = granted();
  h.gets(1).at(2s).call(0, call::confirm, 1).at(3s).answer_call(0, call::confirm, 1, false);
  h.at(4s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == codes{"L"});
  auto repeating = only_calls();
  repeating.calls_repeat = true;
  const check_result j = judged(h.events(), repeating, 100s);
  CHECK(j.kept());
  CHECK(j.undecided_drivers == 1);
}

TEST_CASE("client calls: a trip that the manager did not expect excuses a refusal", "[checkers]") {
  history h = granted();
  h.at(2s).commit_new(7, 3, 20).call(0, call::confirm, 1);
  h.at(3s).refuse(1, events::confirm_refusal::on_trip).answer_call(0, call::confirm, 1, false);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE("client calls: a renewed lease lasts longer", "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1).renew(1).answer_call(0, call::renew, 1, true);
  history second = h;
  second.at(17s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(second, only_calls()) == codes{"L"});
  h.at(25s).expire(1).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE("client calls: of a refused renewal a copy may have been taken", "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1).renew(1);
  h.at(20s).call(0, call::confirm, 1).confirm(1).answer_call(0, call::confirm, 1, true);
  h.at(21s).answer_call(0, call::renew, 1, false);
  CHECK(broken_in(h, only_calls()) == codes{"L"});
  auto repeating = only_calls();
  repeating.calls_repeat = true;
  CHECK(broken_in(h, repeating) == nothing);
  // Not for longer than a renewal that came when the last of its copies was refused.
  history late = granted();
  late.at(10s).call(0, call::renew, 1).renew(1);
  late.at(21s).answer_call(0, call::renew, 1, false);
  late.at(37s).call(0, call::confirm, 1).confirm(1).answer_call(0, call::confirm, 1, true);
  CHECK(broken_in(late, repeating) == codes{"L"});
}

TEST_CASE("client calls: a renewal that is never answered may have been taken, or not",
          "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1);
  const auto then_granted = [&](sim_duration when) {
    return broken_in(history(h).at(when).asks(2, 3, 11).grant(2, 3, 11).gets(2), only_calls());
  };
  CHECK(then_granted(14s) == codes{"L"});
  CHECK(then_granted(17s) == nothing);
  const auto then_confirmed = [&](sim_duration when) {
    return broken_in(
        history(h).at(when).call(0, call::confirm, 1).answer_call(0, call::confirm, 1, true),
        only_calls());
  };
  CHECK(then_confirmed(30s) == nothing);
  CHECK(then_confirmed(32s) == codes{"L"});  // taken at 16 s at the latest
}

TEST_CASE("client calls: renewals of one lease may be longer than one another", "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1).renew(1, 20s).at(11s).call(0, call::renew, 1).renew(1, 15s);
  const auto then_confirmed = [&](sim_duration when) {
    return broken_in(
        history(h).at(when).call(0, call::confirm, 1).answer_call(0, call::confirm, 1, true),
        only_calls());
  };
  CHECK(then_confirmed(55s) == nothing);  // taken at 16 s, and at 36 s
  CHECK(then_confirmed(57s) == codes{"L"});
}

TEST_CASE("client calls: a driver is decided however many renewals of hers are lost",
          "[checkers]") {
  constexpr int rounds = 3000;
  history h = granted();
  for (int i = 1; i <= rounds; ++i) {
    h.at(10s * i).call(0, call::renew, 1).at(10s * i + 2s).call(0, call::renew, 1);
    h.at(10s * i + 3s).renew(1).answer_call(0, call::renew, 1, true);
  }
  const sim_duration last = 10s * rounds + 3s;
  const check_result right = judged(h.events(), only_calls(), 10h);
  CHECK(right.kept());
  CHECK(right.undecided == 0);
  history early = h;
  early.at(last + 13s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(early, only_calls(), 10h) == codes{"L"});
  h.at(last + 16s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls(), 10h) == nothing);
}

TEST_CASE("client calls: once stopped, who is not in order yet stays undecided", "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1).at(14s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  std::atomic<bool> stop{false};
  auto what = only_calls();
  what.stop = &stop;
  run_checker c(what);
  c.observe(h.events());
  stop = true;
  const check_result j = c.finish(at(100s));
  CHECK(j.kept());
  CHECK(j.undecided_drivers == 1);
  CHECK(j.was_stopped);
}

TEST_CASE("client calls: a renewal is heard of after what ended its lease", "[checkers]") {
  history h = granted();
  h.at(10s).call(0, call::renew, 1).renew(1).at(11s).deny_write(1);
  h.at(12s).answer_call(0, call::renew, 1, true).end(1, lease_ending::denied_by_ledger);
  h.at(13s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK(broken_in(h, only_calls()) == nothing);
}

TEST_CASE("client calls: what nobody promised is not put in order", "[checkers]") {
  history h = granted();
  h.at(2s).asks(2, 3, 11).grant(2, 3, 11).gets(2);
  CHECK_FALSE(broken_in(h).contains("L"));
}

TEST_CASE("client calls: too many calls under way are left undecided, and said to be",
          "[checkers]") {
  history h;
  for (std::uint32_t i = 1; i <= 70; ++i) {
    h.at(0s).asks(i, 3, i).grant(i, 3, i);
  }
  for (std::uint32_t i = 1; i <= 70; ++i) {
    h.at(1s).gets(i);
  }
  const check_result j = judged(h.events(), only_calls(), 100s);
  CHECK(j.kept());
  CHECK(j.judged == 0);
  CHECK(j.undecided == only_calls().promises);
  CHECK(j.undecided_drivers == 1);
}
