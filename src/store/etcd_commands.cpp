#include "store/etcd_commands.hpp"

#include <cmath>

namespace dibs::store::etcd {
namespace {

constexpr double look_again_every_s = 0.1;
constexpr int tries_max = 20;

/// etcd tells nobody what time it is. So times are those of this process, the same for all of its
/// connections; a lease is counted from before it was asked for, and is over no earlier than that.
local_time clock_now() {
  static const stopwatch since;
  return at_local(sim_duration{std::llround(since.seconds() * 1e9)});
}

local_time later(local_time from, std::int64_t seconds) {
  return from + std::chrono::seconds(seconds);
}

}  // namespace

void command_queue::send(const lease::any_command& c, const terms& t, taker take) {
  const driver_id d = lease::driver_of(c);
  const auto j = std::make_shared<job>(job{c, t, std::move(take)});
  under_way_.insert(j);
  drivers_[d].waiting.push_back(j);
  next(d);
}

void command_queue::next(driver_id d) {
  driver& of = drivers_[d];
  if (of.is_busy || of.waiting.empty()) {
    return;
  }
  of.is_busy = true;
  const job_ref j = std::move(of.waiting.front());
  of.waiting.pop_front();
  go_on(d, j);
}

template <class Take>
void command_queue::post(
    driver_id d, const job_ref& j, const std::string& path, std::string body, Take take) {
  calls_.post(path,
              altered_ ? altered_(std::move(body)) : std::move(body),
              [this, d, j, take = std::move(take)](const http_answer& a) {
                if (a.status == http_ok) {
                  take(a.body);
                  return;
                }
                is_broken_ = is_broken_ || a.status == 0;
                lose(d, j, a.status == 0 ? a.why : read_error(a.body));
              });
}

void command_queue::go_on(driver_id d, const job_ref& j) {
  driver& of = drivers_[d];
  if (!of.is_known) {
    read(d, j);
    return;
  }
  if (of.keys.is_live() && !of.is_due_known) {
    ask_due(d, j);
    return;
  }
  const plan p = decide(j->what, of.keys, j->leases, clock_now());
  switch (p.step) {
    case next_step::keep:
      grant_first(d, j, p);
      return;
    case next_step::extend:
      extend(d, j, p);
      return;
    case next_step::wait:
      watched_.emplace_back(d, j);
      of.is_busy = false;
      next(d);
      return;
    case next_step::answer:
    case next_step::write:
    case next_step::drop:
      write(d, j, p, 0, of.keys.due);
      return;
  }
}

void command_queue::read(driver_id d, const job_ref& j) {
  post(d, j, "/v3/kv/txn", read_driver(names_, d), [this, d, j](const std::string& body) {
    const auto a = read_txn(body, names_, base_);
    if (!a) {
      lose(d, j, read_error(body));
      return;
    }
    note(drivers_[d], a->keys);
    go_on(d, j);
  });
}

/// What was read of her, of which the end of the lease is known if it is the same lease.
void command_queue::note(driver& of, const driver_keys& keys) {
  const local_time due = of.keys.due;
  const bool is_same = of.keys.live_revision == keys.live_revision && of.keys.lease == keys.lease;
  of.keys = keys;
  of.is_known = true;
  of.is_due_known = (of.is_due_known && is_same) || keys.lease == 0;
  of.keys.due = keys.lease == 0 ? local_time::max() : due;
}

void command_queue::ask_due(driver_id d, const job_ref& j) {
  const local_time asked = clock_now();
  post(d,
       j,
       "/v3/lease/timetolive",
       about_lease(drivers_[d].keys.lease),
       [this, d, j, asked](const std::string& body) {
         const auto a = read_lease(body);
         driver& of = drivers_[d];
         of.is_due_known = true;
         of.keys.due = later(asked, a && a->ttl_s > 0 ? a->ttl_s : 0);
         go_on(d, j);
       });
}

void command_queue::grant_first(driver_id d, const job_ref& j, const plan& p) {
  if (p.length == forever) {
    write(d, j, p, 0, local_time::max());
    return;
  }
  const local_time asked = clock_now();
  post(d,
       j,
       "/v3/lease/grant",
       grant_lease(whole_seconds(p.length)),
       [this, d, j, p, asked](const std::string& body) {
         if (const auto a = read_lease(body)) {
           write(d, j, p, a->id, later(asked, a->ttl_s));
         } else {
           lose(d, j, read_error(body));
         }
       });
}

void command_queue::write(
    driver_id d, const job_ref& j, const plan& p, std::int64_t lease, local_time due) {
  post(d,
       j,
       "/v3/kv/txn",
       carry_out(names_, d, drivers_[d].keys, p, lease),
       [this, d, j, p, lease, due](const std::string& body) {
         if (const auto a = read_txn(body, names_, base_)) {
           take_write(d, j, p, *a, lease, due);
         } else {
           lose(d, j, read_error(body));
         }
       });
}

void command_queue::take_write(driver_id d,
                               const job_ref& j,
                               const plan& p,
                               const txn_answer& a,
                               std::int64_t lease,
                               local_time due) {
  driver& of = drivers_[d];
  if (!a.succeeded) {
    abandon(lease);
    note(of, a.keys);
    again(d, j);
    return;
  }
  if (p.step == next_step::keep || p.step == next_step::drop) {
    abandon(of.keys.lease);
    of.keys.lease = p.step == next_step::keep ? lease : 0;
    of.keys.live_revision = p.step == next_step::keep ? a.revision : 0;
    of.keys.due = due;
    of.is_due_known = true;
  }
  token_id token = of.keys.record.token;
  if (p.step != next_step::answer && p.step != next_step::extend) {
    of.keys.record = p.record;
    of.keys.record_revision = a.revision;
    if (p.record.state == phase::leased && !p.record.token.is_some()) {
      token = token_of(a.revision, base_);
      of.keys.record.token = token;
    }
  }
  const local_time now = clock_now();
  finish(d, j, {concluded(p.outcome, token, due, now), now, {}});
}

/// First the keepalive, then a look whether the lease is still hers: somebody else may have ended
/// it.
void command_queue::extend(driver_id d, const job_ref& j, const plan& p) {
  const std::int64_t lease = drivers_[d].keys.lease;
  if (lease == 0) {
    write(d, j, p, 0, local_time::max());
    return;
  }
  const local_time asked = clock_now();
  post(d,
       j,
       "/v3/lease/keepalive",
       about_lease(lease),
       [this, d, j, p, asked](const std::string& body) {
         const auto a = read_lease(body);
         if (a && a->ttl_s > 0) {
           drivers_[d].keys.due = later(asked, a->ttl_s);
           write(d, j, p, 0, drivers_[d].keys.due);
         } else {  // it has run out
           drivers_[d].is_known = false;
           again(d, j);
         }
       });
}

void command_queue::again(driver_id d, const job_ref& j) {
  if (++j->tries > tries_max) {
    lose(d, j, "her keys keep changing");
  } else {
    go_on(d, j);
  }
}

void command_queue::finish(driver_id d, const job_ref& j, const answer& a) {
  drivers_[d].is_busy = false;
  under_way_.erase(j);
  if (const taker take = std::exchange(j->take, {})) {
    take(a);
  }
  next(d);
}

void command_queue::lose(driver_id d, const job_ref& j, const std::string& why) {
  drivers_[d].is_known = false;
  finish(d, j, {std::nullopt, {}, why});
}

void command_queue::abandon(std::int64_t lease) {
  if (lease != 0) {  // should this fail, it runs out by itself
    calls_.post("/v3/lease/revoke", about_lease(lease), [](const http_answer&) {});
  }
}

void command_queue::look_again() {
  if (watched_.empty() || watch_.seconds() - looked_s_ < look_again_every_s) {
    return;
  }
  looked_s_ = watch_.seconds();
  for (const auto& [d, j] : std::exchange(watched_, {})) {
    driver& of = drivers_[d];
    of.is_known = of.is_busy && of.is_known;  // else it is read again
    of.waiting.push_back(j);
    next(d);
  }
}

void command_queue::give_up(const std::string& why) {
  watched_.clear();
  for (auto& [d, of] : drivers_) {
    of.waiting.clear();
  }
  for (const job_ref& j : std::exchange(under_way_, {})) {
    if (const taker take = std::exchange(j->take, {})) {
      take({std::nullopt, {}, why});
    }
  }
}

}  // namespace dibs::store::etcd
