#include "torment/keep_alive.hpp"

#include "torment/waiting.hpp"

#include <algorithm>

namespace dibs::torment {
namespace {

using events::call;
using events::call_answer;

/// A renewal has a number that no acquire has.
constexpr std::uint32_t first_renewal = 1U << 31U;
constexpr sim_duration stops_within{20ms};

}  // namespace

keep_alive::keep_alive(
    lease_access& by, fact_file& facts, node_id who, const task& t, sim_duration ttl)
    : by_(by), facts_(facts), who_(who), what_(t), ttl_(ttl) {
  thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void keep_alive::work(const std::stop_token& stop) {
  constexpr int times_within_the_ttl = 3;
  for (std::uint32_t nth = first_renewal; !stop.stop_requested(); ++nth) {
    const sim_time due = facts_.now() + ttl_ / times_within_the_ttl;
    while (facts_.now() < due) {
      let_pass(std::min(due - facts_.now(), stops_within));
      if (stop.stop_requested()) {
        return;
      }
    }
    if (!renew(nth)) {
      return;
    }
  }
}

bool keep_alive::renew(std::uint32_t nth) {
  const task& t = what_;
  facts_.add(events::call_made{who_, call::renew, t.driver, t.ride, t.token, nth});
  const lease_answer said = by_.renew(t.driver, t.token);
  if (said == lease_answer::yes) {
    facts_.add(
        events::lease_renewed{t.token, t.driver, at_local(facts_.now().time_since_epoch() + ttl_)});
  }
  if (said != lease_answer::lost) {
    facts_.add(events::call_answered{who_,
                                     call::renew,
                                     said == lease_answer::yes ? call_answer::yes : call_answer::no,
                                     t.driver,
                                     t.ride,
                                     t.token,
                                     nth});
  }
  return said != lease_answer::no;
}

}  // namespace dibs::torment
