#include "service/task_table.hpp"

namespace dibs::service {

task_table::task_table(limits l, std::vector<task> known) : limits_(l) {
  for (task& each : known) {
    const std::int64_t id = each.id;
    switch (each.state) {
      case task_state::waiting:
        waiting_.insert(id);
        break;
      case task_state::taken:
        by_expiry_.emplace(each.expires, id);
        break;
      case task_state::done:
        done_.push_back(id);
        break;
    }
    go_on_after(id);
    all_.emplace(id, std::move(each));
  }
}

answer<task> task_table::create(std::string data, instant now) {
  sweep(now);
  if (waiting_.size() + by_expiry_.size() >= limits_.active_max) {
    return {verdict::full};
  }
  task made{.id = ids_.next(), .data = std::move(data), .created = now};
  waiting_.insert(made.id);
  changes_.kept.push_back(made.id);
  all_.emplace(made.id, made);
  return {verdict::made, std::move(made)};
}

answer<task> task_table::next(const std::string& worker,
                              milliseconds ttl,
                              token_counter& tokens,
                              instant now) {
  sweep(now);
  if (waiting_.empty()) {
    return {verdict::none};
  }
  task& t = all_.at(*waiting_.begin());
  waiting_.erase(waiting_.begin());
  t.state = task_state::taken;
  t.token = tokens.next();
  t.worker = worker;
  t.attempts += 1;
  t.expires = now + ttl;
  by_expiry_.emplace(t.expires, t.id);
  changes_.kept.push_back(t.id);
  return {verdict::done, t};
}

answer<task> task_table::heartbeat(std::int64_t id, token t, milliseconds ttl, instant now) {
  sweep(now);
  const auto found = all_.find(id);
  if (found == all_.end()) {
    return {verdict::unknown};
  }
  task& held = found->second;
  if (held.state != task_state::taken || held.token != t) {
    return {verdict::over, held};
  }
  if (now + ttl > held.expires) {
    by_expiry_.erase({held.expires, id});
    held.expires = now + ttl;
    by_expiry_.emplace(held.expires, id);
    changes_.kept.push_back(id);
  }
  return {verdict::done, held};
}

answer<task> task_table::complete(std::int64_t id, token t, std::string output, instant now) {
  sweep(now);
  const auto found = all_.find(id);
  if (found == all_.end()) {
    return {verdict::unknown};
  }
  task& held = found->second;
  if (held.state == task_state::done && held.token == t) {
    return {verdict::done, held};  // its answer was lost, and the worker asks again
  }
  if (held.state != task_state::taken || held.token != t) {
    return {verdict::over, held};
  }
  by_expiry_.erase({held.expires, id});
  held.state = task_state::done;
  held.output = std::move(output);
  done_.push_back(id);
  changes_.kept.push_back(id);
  answer<task> completed{verdict::done, held};
  trim();
  return completed;
}

answer<task> task_table::get(std::int64_t id, instant now) {
  sweep(now);
  const auto found = all_.find(id);
  return found == all_.end() ? answer<task>{verdict::unknown}
                             : answer<task>{verdict::done, found->second};
}

std::optional<instant> task_table::next_expiry() const {
  return by_expiry_.empty() ? std::nullopt : std::optional(by_expiry_.begin()->first);
}

void task_table::sweep(instant now) {
  while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
    task& t = all_.at(by_expiry_.begin()->second);
    by_expiry_.erase(by_expiry_.begin());
    t.state = task_state::waiting;
    waiting_.insert(t.id);
    changes_.kept.push_back(t.id);
  }
  trim();
}

void task_table::trim() {
  for (; done_.size() > limits_.ended_max; done_.pop_front()) {
    changes_.forgotten.push_back(done_.front());
    all_.erase(done_.front());
  }
}

}  // namespace dibs::service
