// What the matcher of one ride does, from answer to answer.

#include "load/judgement.hpp"
#include "load/lane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dibs::load {
namespace {

using events::call;
using events::call_answer;
using service_client::outcome;

/// After a call that the service did not answer.
constexpr sim_duration before_asking_again{100ms};
/// However fast time passes, a matcher that finds nobody lets others at the machine.
constexpr sim_duration before_looking_again{20ms};

std::chrono::milliseconds in_ms(sim_duration d) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(d);
}

}  // namespace

void lane::try_next(ride& r, sim_time now) {
  const match::matcher_options& m = terms_.what->matchers;
  const bool is_too_late = now >= r.gives_up_at;
  if (ends_ || is_too_late || r.tries >= m.offers.max) {
    if (!ends_) {
      add(
          events::ride_abandoned{
              r.id, is_too_late ? events::abandonment::wait : events::abandonment::tries},
          now);
    }
    close(r);
    return;
  }
  stream draws = stream::keyed(terms_.seed, purpose::pick, r.id.value, r.tries);
  const auto found = drivers_.pick(r.plan.origin, r.tried, draws, now);
  if (!found) {
    r.is = ride::phase::looking;
    wake(r,
         m.look_again ? now + std::max(sped_up(*m.look_again), before_looking_again)
                      : r.gives_up_at);
    return;
  }
  r.driver = *found;
  r.token = token_id::none();
  r.request = ++requests_ * terms_.lanes + number_;
  r.asked = now;
  r.was_repeated = false;
  r.is = ride::phase::asking;
  acquire(r);
}

void lane::end_try(const ride& r, events::try_ending how, sim_time t) {
  add(events::try_closed{r.token, r.driver, r.id, r.matcher, how}, t);
}

void lane::try_again(ride& r, sim_time at) {
  r.is = ride::phase::looking;
  wake(r, at);
}

void lane::acquire(ride& r) {
  calls_.ask(
      service_client::acquire_call(fmt::format("{}/driver/{}", terms_.name, ordinal(r.driver)),
                                   holder_of(r),
                                   in_ms(terms_.ttl),
                                   fmt::format("{}/{}", terms_.name, r.request)),
      [this, n = r.id.value](const store::http_answer& a) {
        acquired(rides_.at(n), service_client::lease_answer(a));
      });
}

void lane::acquired(ride& r, const service_client::answer<service_client::lease>& a) {
  const sim_time heard = now();
  service_.note(a.how, a.status, a.why, heard);
  if (a.how == outcome::lost && a.was_sent && !r.was_repeated && !ends_) {
    r.was_repeated = true;
    acquire(r);
    return;
  }
  // The lease of a request that was repeated may have come and gone.
  const bool is_open = a.how == outcome::no && r.was_repeated;
  const outcome how = is_open ? outcome::lost : a.how;
  const bool was_sent = a.was_sent || r.was_repeated;
  note(call_kind::acquire, how, was_sent, heard - r.asked);
  if (how == outcome::yes) {
    r.token = token_id{static_cast<std::uint64_t>(a.of->token)};
  }
  if (was_sent) {
    record_acquire(r, how, heard);
    r.tried.push_back(r.driver);
    ++r.tries;
  }
  if (how == outcome::yes) {
    offer(r, heard);
    return;
  }
  end_try(r, how == outcome::no ? events::try_ending::denied : events::try_ending::no_reply, heard);
  stream draws = stream::keyed(terms_.seed, purpose::next_try, r.id.value, r.tries);
  const sim_duration pause = sped_up(draw(terms_.what->matchers.offers.next_try_after, draws));
  try_again(r, heard + (how == outcome::no ? pause : before_asking_again));
}

void lane::record_acquire(const ride& r, outcome how, sim_time heard) {
  const node_id client = node_of(r.matcher);
  add(events::call_made{client, call::acquire, r.driver, r.id, {}, r.request}, r.asked);
  if (how == outcome::yes) {
    add(events::lease_granted{r.token,
                              r.driver,
                              r.id,
                              r.matcher,
                              terms_.ttl,
                              at_local(heard.time_since_epoch() + terms_.ttl)},
        heard);
  }
  if (how == outcome::yes || how == outcome::no) {
    const auto said = how == outcome::yes ? call_answer::yes : call_answer::no;
    add(events::call_answered{client, call::acquire, said, r.driver, r.id, r.token, r.request},
        heard);
  }
}

void lane::offer(ride& r, sim_time now) {
  drivers_.taken(r.driver, now);
  const world::answer_plan plan = drivers_.answer_of(r.driver, r.plan, r.tries - 1);
  r.answer = plan.in_time ? std::optional(plan.answer) : std::nullopt;
  const sim_time decides = plan.in_time ? now + sped_up(plan.after) : sim_time::max();
  r.lease = holding(holding_terms_of(terms_.ttl), r.asked, decides);
  add(events::offer_sent{r.token, r.driver, r.id, r.matcher}, now);
  add(events::offer_shown{r.token, r.driver, r.id, at_local(r.lease.over_at().time_since_epoch())},
      now);
  r.is = ride::phase::deciding;
  wake(r, std::min(decides, r.lease.over_at()));
}

/// She has answered, or the lease is over.
void lane::decide(ride& r, sim_time now) {
  if (!r.answer || !r.lease.stands(now)) {
    add(events::offer_dismissed{r.token, r.driver, events::dismissal::timeout}, r.lease.over_at());
    end_try(r, events::try_ending::timed_out, r.lease.over_at());
    let_go(r, now);
    return;
  }
  add(events::offer_answered{r.token, r.driver, r.id, *r.answer}, now);
  if (r.answer == events::offer_response::declined) {
    end_try(r, events::try_ending::declined, now);
    let_go(r, now);
    return;
  }
  const sim_duration trip =
      terms_.shared->map.travel_time(drivers_.place_of(r.driver), r.plan.origin) + r.plan.trip;
  r.lease = holding(holding_terms_of(terms_.ttl), r.asked, now + sped_up(trip));
  r.is = ride::phase::driving;
  r.served = true;
  ++figures_.served;
  add(events::trip_committed{r.token, r.driver, r.id, r.matcher}, now);
  end_try(r, events::try_ending::committed, now);
  wake(r, r.lease.next().at);
}

void lane::do_duty(ride& r, sim_time now) {
  const next_duty next = r.lease.next();
  if (next.at > now) {
    wake(r, next.at);
  } else if (next.what == duty::renew) {
    renew(r, now);
  } else {
    finish_trip(r, now);
  }
}

void lane::renew(ride& r, sim_time now) {
  r.lease.renewal_sent();
  const std::uint32_t request = ++requests_ * terms_.lanes + number_;
  calls_.ask(service_client::renew_call(
                 static_cast<std::int64_t>(r.token.value), holder_of(r), in_ms(terms_.ttl)),
             [this, n = r.id.value, now, request](const store::http_answer& a) {
               renewed(rides_.at(n), now, request, service_client::lease_answer(a));
             });
  wake(r, r.lease.next().at);
}

void lane::renewed(ride& r,
                   sim_time asked,
                   std::uint32_t request,
                   const service_client::answer<service_client::lease>& a) {
  const sim_time heard = now();
  service_.note(a.how, a.status, a.why, heard);
  note(call_kind::renew, a.how, a.was_sent, heard - asked);
  const node_id client = node_of(r.matcher);
  if (a.was_sent) {
    add(events::call_made{client, call::renew, r.driver, r.id, r.token, request}, asked);
  }
  if (a.how == outcome::yes) {
    r.lease.renewed(asked);
    add(events::lease_renewed{r.token, r.driver, at_local(heard.time_since_epoch() + terms_.ttl)},
        heard);
    add(
        events::call_answered{
            client, call::renew, call_answer::yes, r.driver, r.id, r.token, request},
        heard);
  } else if (a.how == outcome::no) {
    r.lease.refused(heard);
    add(events::renewal_refused{r.token, r.driver, r.id, events::confirm_refusal::no_lease}, heard);
    add(
        events::call_answered{
            client, call::renew, call_answer::no, r.driver, r.id, r.token, request},
        heard);
  } else {
    r.lease.unanswered(heard);
  }
  if (r.is == ride::phase::leaving) {
    let_go(r, heard);
  } else {
    do_duty(r, heard);
  }
}

void lane::finish_trip(ride& r, sim_time now) {
  add(events::trip_ended{r.token, r.driver, r.id, r.plan.destination}, r.lease.worked_until(now));
  r.is = ride::phase::leaving;
  if (!r.lease.awaits_renewal()) {
    let_go(r, now);
  }
}

/// Gives the driver back, unless the lease is over already.
void lane::let_go(ride& r, sim_time now) {
  if (!r.lease.stands(now)) {
    add(events::lease_ended{r.token, r.driver, r.id, events::lease_ending::expired},
        r.lease.over_at());
    over(r, now);
    return;
  }
  r.is = ride::phase::releasing;
  calls_.ask(service_client::release_call(static_cast<std::int64_t>(r.token.value), holder_of(r)),
             [this, n = r.id.value, now](const store::http_answer& a) {
               released(rides_.at(n), now, service_client::release_answer(a));
             });
}

void lane::released(ride& r,
                    sim_time asked,
                    const service_client::answer<service_client::nothing>& a) {
  const sim_time heard = now();
  service_.note(a.how, a.status, a.why, heard);
  note(call_kind::release, a.how, a.was_sent, heard - asked);
  const node_id client = node_of(r.matcher);
  if (a.was_sent) {
    add(events::call_made{client, call::release, r.driver, r.id, r.token, 0}, asked);
  }
  if (a.how == outcome::yes) {
    add(events::lease_ended{r.token,
                            r.driver,
                            r.id,
                            r.served ? events::lease_ending::released
                                     : events::lease_ending::declined},
        heard);
  }
  if (a.how == outcome::yes || a.how == outcome::no) {
    add(
        events::call_answered{
            client, call::release, call_answer::heard, r.driver, r.id, r.token, 0},
        heard);
  }
  over(r, heard);
}

/// The lease is over for its holder.
void lane::over(ride& r, sim_time now) {
  drivers_.free_again(r.driver, r.served ? r.plan.destination : drivers_.place_of(r.driver), now);
  if (r.served || ends_) {
    close(r);
  } else {
    try_again(r, now);
  }
}

}  // namespace dibs::load
