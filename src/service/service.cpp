#include "service/service.hpp"

#include <algorithm>
#include <utility>

namespace dibs::service {

lease_service::lease_service(clock now, limits l)
    : now_(std::move(now)), limits_(l), leases_(l), tasks_(l) {}

result<std::unique_ptr<lease_service>> lease_service::open(std::unique_ptr<journal> j, limits l) {
  auto made = std::make_unique<lease_service>(clock{}, l);
  made->journal_ = std::move(j);
  return made->restore().map([&] { return std::move(made); });
}

result<void> lease_service::restore() {
  auto known = journal_->load();
  if (!known) {
    return tl::unexpected<error>(known.error());
  }
  tokens_.last = known->last_token;
  leases_ = lease_table(limits_, std::move(known->leases));
  tasks_ = task_table(limits_, std::move(known->tasks));
  tasks_.go_on_after(known->last_task);
  if (!now_ || now_() < known->at) {  // another service may have written in the meantime
    now_ = [c = wall_clock(known->at)] { return c.now(); };
  }
  is_stale_ = false;
  return {};
}

bool lease_service::write(instant now) {
  const changes of_leases = leases_.take_changes();
  const changes of_tasks = tasks_.take_changes();
  if (journal_ == nullptr || (of_leases.kept.empty() && of_leases.forgotten.empty() &&
                              of_tasks.kept.empty() && of_tasks.forgotten.empty())) {
    return true;
  }
  record_change all{.now = {.last_token = tokens_.last, .last_task = tasks_.last_id(), .at = now},
                    .forgotten_leases = of_leases.forgotten,
                    .forgotten_tasks = of_tasks.forgotten};
  for (const token t : of_leases.kept) {
    if (const auto found = leases_.all().find(t); found != leases_.all().end()) {
      all.now.leases.push_back(found->second);
    }
  }
  for (const std::int64_t id : of_tasks.kept) {
    if (const auto found = tasks_.all().find(id); found != tasks_.all().end()) {
      all.now.tasks.push_back(found->second);
    }
  }
  is_stale_ = !journal_->write(all);
  return !is_stale_;
}

template <class T, class Decide>
answer<T> lease_service::decided(Decide decide) {
  if (is_stale_ && !restore()) {
    return {verdict::away};
  }
  const instant now = now_();
  answer<T> found = decide(now);
  if (!write(now)) {
    return {verdict::away};
  }
  return found;
}

template <class T, class Decide>
answer<T> lease_service::locked(Decide decide) {
  const std::lock_guard held(lock_);
  return decided<T>(std::move(decide));
}

answer<lease> lease_service::create(const lease_wish& wish) {
  return locked<lease>([&](instant now) { return leases_.create(wish, tokens_, now); });
}

answer<lease> lease_service::renew(token t, const std::string& holder, milliseconds ttl) {
  return locked<lease>([&](instant now) { return leases_.renew(t, holder, ttl, now); });
}

answer<lease> lease_service::release(token t, const std::string& holder) {
  return locked<lease>([&](instant now) { return leases_.release(t, holder, now); });
}

answer<lease> lease_service::get(token t) {
  return locked<lease>([&](instant now) { return leases_.get(t, now); });
}

answer<lease_page> lease_service::list(const page_wish& wish) {
  return locked<lease_page>([&](instant now) {
    return answer<lease_page>{verdict::done, leases_.list(wish, now)};
  });
}

answer<task> lease_service::create_task(std::string data) {
  auto made = locked<task>([&](instant now) { return tasks_.create(std::move(data), now); });
  task_came_.notify_one();
  return made;
}

answer<task> lease_service::next_task(const std::string& worker,
                                      milliseconds ttl,
                                      milliseconds wait) {
  std::unique_lock held(lock_);
  const instant until = now_() + wait;
  while (true) {
    auto found = decided<task>([&](instant now) { return tasks_.next(worker, ttl, tokens_, now); });
    const instant now = now_();
    if (found.how != verdict::none || is_stopping_ || now >= until) {
      return found;
    }
    const instant wakes = std::min(until, tasks_.next_expiry().value_or(until));
    task_came_.wait_for(held, std::max(wakes - now, milliseconds(1)));
  }
}

answer<task> lease_service::heartbeat(std::int64_t id, token t, milliseconds ttl) {
  return locked<task>([&](instant now) { return tasks_.heartbeat(id, t, ttl, now); });
}

answer<task> lease_service::complete(std::int64_t id, token t, std::string output) {
  return locked<task>([&](instant now) { return tasks_.complete(id, t, std::move(output), now); });
}

answer<task> lease_service::get_task(std::int64_t id) {
  return locked<task>([&](instant now) { return tasks_.get(id, now); });
}

gauges lease_service::count() {
  const std::lock_guard held(lock_);
  return {leases_.active(), tasks_.waiting(), tasks_.taken(), tokens_.last};
}

void lease_service::stop() {
  const std::lock_guard held(lock_);
  is_stopping_ = true;
  task_came_.notify_all();
}

}  // namespace dibs::service
