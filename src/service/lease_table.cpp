#include "service/lease_table.hpp"

#include <algorithm>

namespace dibs::service {

lease_table::lease_table(limits l, std::vector<lease> known) : limits_(l) {
  std::sort(known.begin(), known.end(), [](const lease& a, const lease& b) {
    return std::pair(a.ended, a.token) < std::pair(b.ended, b.token);
  });
  for (lease& each : known) {
    if (each.state == lease_state::active) {
      holder_of_[each.resource] = each.token;
      by_expiry_.emplace(each.expires, each.token);
    } else {
      ended_.push_back(each.token);
    }
    if (!each.request.empty()) {
      by_request_[{each.holder, each.request}] = each.token;
    }
    const token t = each.token;
    all_.emplace(t, std::move(each));
  }
}

answer<lease> lease_table::create(const lease_wish& wish, token_counter& tokens, instant now) {
  sweep(now);
  const request_key key{wish.holder, wish.request};
  if (const auto before = by_request_.find(key); before != by_request_.end()) {
    const lease& l = all_.at(before->second);
    const verdict how = l.resource != wish.resource      ? verdict::reused
                        : l.state != lease_state::active ? verdict::over
                                                         : verdict::done;
    return {how, l};
  }
  if (const auto other = holder_of_.find(wish.resource); other != holder_of_.end()) {
    return {verdict::held, all_.at(other->second)};
  }
  if (by_expiry_.size() >= limits_.active_max) {
    return {verdict::full};
  }
  lease made{.token = tokens.next(),
             .resource = wish.resource,
             .holder = wish.holder,
             .request = wish.request,
             .created = now,
             .expires = now + wish.ttl};
  holder_of_[made.resource] = made.token;
  by_expiry_.emplace(made.expires, made.token);
  if (!made.request.empty()) {
    by_request_[key] = made.token;
  }
  changes_.kept.push_back(made.token);
  all_.emplace(made.token, made);
  return {verdict::made, std::move(made)};
}

answer<lease> lease_table::renew(token t,
                                 const std::string& holder,
                                 milliseconds ttl,
                                 instant now) {
  sweep(now);
  const auto found = all_.find(t);
  if (found == all_.end()) {
    return {verdict::unknown};
  }
  lease& l = found->second;
  if (l.holder != holder) {
    return {verdict::not_yours};
  }
  if (l.state != lease_state::active) {
    return {verdict::over, l};
  }
  if (now + ttl > l.expires) {
    by_expiry_.erase({l.expires, t});
    l.expires = now + ttl;
    by_expiry_.emplace(l.expires, t);
    changes_.kept.push_back(t);
  }
  return {verdict::done, l};
}

answer<lease> lease_table::release(token t, const std::string& holder, instant now) {
  sweep(now);
  const auto found = all_.find(t);
  if (found == all_.end() || found->second.holder != holder ||
      found->second.state != lease_state::active) {
    return {verdict::unknown};
  }
  lease ended = found->second;
  end(found->second, lease_state::released, now);
  trim();
  return {verdict::done, std::move(ended)};
}

answer<lease> lease_table::get(token t, instant now) {
  sweep(now);
  const auto found = all_.find(t);
  return found == all_.end() ? answer<lease>{verdict::unknown}
                             : answer<lease>{verdict::done, found->second};
}

lease_page lease_table::list(const page_wish& wish, instant now) {
  sweep(now);
  lease_page page;
  for (auto each = all_.upper_bound(wish.after); each != all_.end(); ++each) {
    if (wish.state && *wish.state != each->second.state) {
      continue;
    }
    if (page.leases.size() == wish.most) {
      page.next = page.leases.back().token;
      break;
    }
    page.leases.push_back(each->second);
  }
  return page;
}

void lease_table::sweep(instant now) {
  while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
    lease& l = all_.at(by_expiry_.begin()->second);
    end(l, lease_state::expired, l.expires);
  }
  trim();
}

void lease_table::end(lease& l, lease_state how, instant when) {
  by_expiry_.erase({l.expires, l.token});
  holder_of_.erase(l.resource);
  l.state = how;
  l.ended = when;
  ended_.push_back(l.token);
  changes_.kept.push_back(l.token);
}

void lease_table::trim() {
  for (; ended_.size() > limits_.ended_max; ended_.pop_front()) {
    const auto oldest = all_.find(ended_.front());
    by_request_.erase({oldest->second.holder, oldest->second.request});
    changes_.forgotten.push_back(oldest->first);
    all_.erase(oldest);
  }
}

}  // namespace dibs::service
