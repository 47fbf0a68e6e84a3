/// What is heard after its hearer has gone on, seen through whole runs.
#include "catch.hpp"
#include "scenarios.hpp"
#include "whole_runs.hpp"

#include <map>
#include <variant>

using namespace dibs;
using test::keeper;
using test::run_of;
using test::small_town;

namespace {

/// Every word of this kind takes so long that the matcher, who waits for 1 s, goes on without it.
scenario::scenario slow_words(std::string_view word) {
  scenario::scenario s = small_town();
  s.matchers.reply_timeout = 1s;
  s.riders.ask_again.reset();
  sim::trigger all;
  all.message = sim::message_word(word);
  REQUIRE(all.message);
  s.faults = {{"slow", scenario::delay_fault{all, constant_duration{3s}}}};
  return s;
}

struct waits {
  int in_vain = 0;  ///< acquires for a ride whose matcher has heard of its driver
  int heard_late = 0;
};

/// `yes`: by which a matcher hears that the ride has a driver.
waits waits_after(events::call yes, const keeper& seen) {
  waits found;
  std::map<ride_id, bool> is_served;
  for (const events::event& e : seen.all) {
    const auto* told = std::get_if<events::call_answered>(&e.what);
    const auto* asked = std::get_if<events::call_made>(&e.what);
    if (told != nullptr && told->what == yes && told->answer == events::call_answer::yes) {
      found.heard_late += is_served.emplace(told->ride, true).second ? 1 : 0;
    }
    if (asked != nullptr && asked->what == events::call::acquire) {
      found.in_vain += is_served.count(asked->ride) > 0 ? 1 : 0;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("late words: who hears late that a ride has a driver asks nobody else for it") {
  keeper by_ledger;
  (void)run_of(slow_words("write_taken"), {&by_ledger});
  const waits written = waits_after(events::call::write, by_ledger);
  CHECK(written.heard_late > 100);
  CHECK(written.in_vain == 0);

  auto at_manager = slow_words("confirm_taken");
  at_manager.lease.commit = scenario::commit_at::manager;
  keeper by_manager;
  (void)run_of(at_manager, {&by_manager});
  const waits confirmed = waits_after(events::call::confirm, by_manager);
  CHECK(confirmed.heard_late > 100);
  CHECK(confirmed.in_vain == 0);
}
