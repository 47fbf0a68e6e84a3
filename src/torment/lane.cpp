#include "torment/lane.hpp"

#include "torment/waiting.hpp"

#include <utility>
#include <variant>

namespace dibs::torment {
namespace {

using events::call;
using events::call_answer;

/// For what was begun before the end of the run.
constexpr sim_duration grace{2s};

}  // namespace

result<lane_links> links_of(const matcher_plan& p, std::uint32_t number) {
  auto leases = open_leases(p, number);
  auto ledger = open_ledger(p);
  if (!leases || !ledger) {
    return tl::unexpected(!leases ? leases.error() : ledger.error());
  }
  lane_links made{std::move(*leases), std::move(*ledger), nullptr};
  if (p.what->renews) {
    auto renewals = open_leases(p, number);
    if (!renewals) {
      return tl::unexpected(renewals.error());
    }
    made.renewals = std::move(*renewals);
  }
  return made;
}

bool lane_links::connect() const {
  return leases->connect() && ledger->connect() && (renewals == nullptr || renewals->connect());
}

lane::lane(const matcher_plan& p, lane_number number, fact_file& facts, const lane_links& links)
    : what_(*p.what),
      me_{number.lane},
      draw_(stream::keyed(p.seed, purpose::pick, number.lane, p.life)),
      facts_(facts),
      leases_(*links.leases),
      renewals_(links.renewals.get()),
      ledger_(*links.ledger, facts, at(p.length) + grace),
      until_(at(p.length)),
      next_(number.first_ride) {}

void lane::run() {
  while (facts_.now() < until_) {
    const std::uint32_t ride = next_ * lanes_in_all + me_.value;
    serve({.driver = driver_id{static_cast<std::uint32_t>(draw_.below(what_.drivers))},
           .ride = ride_id{ride},
           .request = ride + 1});
    ++next_;
    let_pass(what_.pace.before_next);
  }
}

sim_duration lane::drawn(sim_duration least, sim_duration most) {
  return least + sim_duration{static_cast<std::int64_t>(
                     draw_.unit() * static_cast<double>((most - least).count()))};
}

void lane::made(call what, const task& t, sim_time when) {
  facts_.add(events::call_made{node(), what, t.driver, t.ride, t.token, t.request}, when);
}

void lane::answered(call what, call_answer said, const task& t) {
  facts_.add(events::call_answered{node(), what, said, t.driver, t.ride, t.token, t.request});
}

void lane::serve(task t) {
  if (!acquire(t)) {
    return;
  }
  let_pass(drawn(what_.pace.think_min, what_.pace.think_max));
  if (!still_has(t)) {
    give_back(t);
    return;
  }
  let_pass(drawn(0ms, what_.pace.work_max));
  if (write(t)) {
    drive(t);  // a store that knows trips has the lease back with their end
  } else {
    give_back(t);
  }
}

// Whom a queue gives out is known from its answer alone, so the call is put down after it.
bool lane::acquire(task& t) {
  const bool is_queue = what_.leases == lease_kind::queue;
  t.asked = facts_.now();
  facts_.add(events::ride_requested{t.ride, {}}, t.asked);
  if (!is_queue) {
    made(call::acquire, t, t.asked);
  }
  const lease_grant got = leases_.acquire({t.driver, t.ride, me_, t.request, {}});
  if (got.said == lease_answer::no && !is_queue) {
    answered(call::acquire, call_answer::no, t);
  }
  if (got.said != lease_answer::yes) {
    return false;
  }
  t.driver = got.driver;
  if (is_queue) {
    made(call::acquire, t, t.asked);
  }
  t.token = got.token;
  const sim_time heard = facts_.now();
  facts_.add(events::lease_granted{t.token,
                                   t.driver,
                                   t.ride,
                                   me_,
                                   what_.ttl,
                                   at_local(heard.time_since_epoch() + what_.ttl)},
             heard);
  answered(call::acquire, call_answer::yes, t);
  if (renewals_ != nullptr) {
    kept_.emplace(*renewals_, facts_, node(), t, what_.ttl);
  }
  return true;
}

bool lane::still_has(const task& t) {
  switch (what_.judge) {
    case lease_judge::nobody:
      return true;
    case lease_judge::holder:
      return facts_.now() + what_.margin < t.asked + what_.ttl;
    case lease_judge::manager:
      break;
  }
  made(call::confirm, t, facts_.now());
  const lease_confirm got = leases_.confirm(t.driver, t.token);
  if (got.said == lease_answer::yes) {
    facts_.add(events::confirm_accepted{t.token, t.driver, t.ride, got.repeated});
    answered(call::confirm, call_answer::yes, t);
  } else if (got.said == lease_answer::no) {
    facts_.add(events::confirm_refused{t.token, t.driver, t.ride, got.why});
    answered(call::confirm, call_answer::no, t);
  }
  return got.said == lease_answer::yes;
}

bool lane::write(const task& t) {
  made(call::write, t, facts_.now());
  const auto got = ledger_.write(t);
  if (!got) {
    return false;
  }
  const auto* no = std::get_if<lease::turned_down>(&*got);
  if (no != nullptr) {
    facts_.add(events::write_refused{t.token, t.driver, t.ride, no->cause});
  } else {
    facts_.add(events::trip_committed{t.token, t.driver, t.ride, me_});
  }
  answered(call::write, no != nullptr ? call_answer::no : call_answer::yes, t);
  return no == nullptr;
}

void lane::drive(const task& t) {
  tell(lease::command::trip_began{t.driver, t.token});
  let_pass(drawn(what_.pace.trip_min, what_.pace.trip_max));
  facts_.add(events::trip_ended{t.token, t.driver, t.ride, {}});
  ledger_.close(t.driver, t.token);
  tell(lease::command::trip_ended{t.driver, t.token, t.ride});
  if (!knows_trips(what_)) {
    give_back(t);
  }
}

void lane::tell(const lease::any_command& word) {
  while (knows_trips(what_) && !leases_.tell(word) && facts_.now() < until_) {
  }
}

void lane::give_back(const task& t) {
  kept_.reset();
  made(call::release, t, facts_.now());
  const lease_answer said = leases_.release(t.driver, t.token);
  if (said == lease_answer::yes) {
    facts_.add(events::lease_ended{t.token, t.driver, t.ride, events::lease_ending::released});
  }
  if (said != lease_answer::lost) {
    answered(call::release, call_answer::heard, t);
  }
}

}  // namespace dibs::torment
