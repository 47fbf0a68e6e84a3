// What the lease manager did, and was asked, as the story of a run has it.

#include "base/saturating_add.hpp"
#include "metrics/run_tables.hpp"

#include <algorithm>
#include <string>

namespace dibs::metrics {

void run_tables::count_request() {
  if (now_ < busy_second_ + 1s) {
    ++busy_requests_;
  } else {
    busy_second_ = now_ - now_.time_since_epoch() % sim_duration{1s};
    busy_requests_ = 1;
  }
  if (window_.holds(now_)) {
    counts_.peak_requests = std::max(counts_.peak_requests, busy_requests_);
  }
}

void run_tables::on(const events::lease_granted& f) {
  count_messages(2);
  count_request();
  const try_index i = tries_.find(f.token, f.driver);
  // A token that comes again is another lease; one that was only heard of is this one.
  const bool is_new = i == no_try || tries_.at(i).is_leased() || tries_.at(i).sent != never ||
                      tries_.at(i).committed != never;
  const try_index lease = is_new ? add(f.token, f.driver, f.ride) : i;
  try_record& t = tries_.at(lease);
  t.matcher = f.matcher;
  t.granted = now_;
  t.deadline = f.ttl == forever ? never : saturating_add(now_, f.ttl);
  t.known = t.deadline;
  t.expires = f.expires;
  t.in_vain = ride(f.ride).gone != never ? now_ : never;
  current_of(f.driver) = lease;
  drivers_.lease_began(lease, now_);
  began(f.ride);
}

void run_tables::on(const events::lease_denied& /*f*/) {
  count_messages(2);
  count_request();
  if (window_.holds(now_)) {
    ++counts_.denied;
  }
}

void run_tables::on(const events::renewal_refused& /*f*/) {
  count_messages(2);
  counts_.renewals_refused += window_.holds(now_) ? 1U : 0U;
}

void run_tables::on(const events::ride_claimed& f) {
  count_messages(2);
  counts_.taken_over += f.taken_over && window_.holds(now_) ? 1U : 0U;
}

void run_tables::on(const events::lease_renewed& f) {
  count_messages(2);
  counts_.renewed += window_.holds(now_) ? 1U : 0U;
  const try_index i = tries_.find(f.token, f.driver);
  if (i == no_try || !tries_.at(i).is_live()) {
    return;
  }
  try_record& t = tries_.at(i);
  t.expires = f.expires;
  t.deadline = f.expires == local_time::max() ? never : saturating_add(now_, f.expires - local_);
}

// The lease manager goes by the new expiry; the lease was promised until its deadline.
void run_tables::on(const events::lease_reset& f) {
  if (const try_index i = tries_.find(f.token, f.driver); i != no_try && tries_.at(i).is_live()) {
    tries_.at(i).expires = f.expires;
  }
}

bool run_tables::is_valid(try_index i) {
  const try_record& t = tries_.at(i);
  return t.is_leased() && t.is_live() && current_of(t.driver) == i &&
         local_ < saturating_add(t.expires, grace_);
}

// What the lease manager took for a confirm of somebody else's lease repeats nothing.
bool run_tables::is_repeat(try_index i, bool was_known) {
  const try_record& t = tries_.at(i);
  const try_index now = current_of(t.driver);
  const bool takes_another = !was_known && now != i && now != no_try &&
                             tries_.at(now).is_leased() && tries_.at(now).is_live();
  return (t.committed != never && !takes_another) || (t.confirmed && t.is_live() && now == i);
}

void run_tables::on(const events::confirm_accepted& f) {
  count_messages(2);
  const try_index i = find_or_add(f.token, f.driver, f.ride);
  come_through(tries_.at(i));
  const bool is_counted = window_.holds(now_);
  if (is_repeat(i, f.repeated)) {
    counts_.duplicates += is_counted ? 1U : 0U;
    return;
  }
  if (is_counted) {
    ++counts_.confirms_taken;
    if (!is_valid(i)) {
      ++counts_.stale_accepted;
      add_stale_confirm(i);
    }
  }
  tries_.at(i).confirmed = true;
}

void run_tables::add_stale_confirm(try_index i) {
  const try_record& t = tries_.at(i);
  const sim_duration late = t.is_live() ? sim_duration::zero() : now_ - t.over;
  found_.add(harm_kind::stale_confirm, late, now_, t.ride, {i}, [&] {
    std::string sentence = "its confirm for " + describe(t.driver) + " was taken ";
    if (!t.is_leased()) {
      return sentence + "without a lease";
    }
    if (!t.is_live()) {
      return sentence + describe(late) + " after the lease had ended";
    }
    return current_of(t.driver) == i
               ? sentence + "although the lease had run out by the lease manager's own clock"
               : sentence + "although she was leased to another ride";
  });
}

void run_tables::on(const events::confirm_refused& f) {
  count_messages(2);
  const try_index i = tries_.find(f.token, f.driver);
  refuse(i);
  if (!window_.holds(now_)) {
    return;
  }
  ++counts_.confirms_refused;
  if (i == no_try || (!is_repeat(i, true) && !is_valid(i))) {
    ++counts_.stale_refused;
  }
}

void run_tables::on(const events::call_made& f) {
  const bool is_release = f.what == events::call::release;
  if (!is_release && f.what != events::call::confirm && f.what != events::call::write) {
    return;
  }
  const try_index i = tries_.find(f.token, f.driver);
  if (i == no_try) {
    return;
  }
  if (is_release) {
    tries_.at(i).given_back = tries_.at(i).given_back || tries_.at(i).is_live();
  } else {
    come_through(tries_.at(i));
    tries_.at(i).asked = tries_.at(i).closed == never ? now_ : tries_.at(i).asked;
  }
}

// A holder goes by the renewals that it has heard of. That it gave up before a yes is owed to its
// clock if the yes came while a right one had waited.
void run_tables::on(const events::call_answered& f) {
  const bool is_renewal = f.what == events::call::renew;
  const bool is_awaited = f.what == events::call::confirm || f.what == events::call::write;
  if ((!is_renewal && !is_awaited) || f.answer != events::call_answer::yes) {
    return;
  }
  const try_index i = tries_.find(f.token, f.driver);
  if (i == no_try) {
    return;
  }
  try_record& t = tries_.at(i);
  if (is_renewal) {
    t.known = t.deadline;
  } else {
    t.cut_short = t.cut_short || (t.unanswered && now_ < saturating_add(t.asked, reply_timeout_));
  }
}

void run_tables::on(const events::lease_ended& f) {
  const try_index i = tries_.find(f.token, f.driver);
  if (i == no_try) {
    return;
  }
  forget_current(i);
  tries_.at(i).decided_against = true;
  if (tries_.at(i).is_leased() && tries_.at(i).is_live()) {
    tries_.at(i).ended = true;
    tries_.at(i).ending = f.cause;
    end_lease(i);
  }
}

void run_tables::end_lease(try_index i) {
  drivers_.lease_over(i, now_);
  tries_.at(i).over = now_;
  ended(tries_.at(i).ride);
}

}  // namespace dibs::metrics
