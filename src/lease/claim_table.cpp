#include "lease/claim_table.hpp"

#include <algorithm>

namespace dibs::lease {

claim_table::outcome claim_table::claim(
    std::uint32_t thing, matcher_id by, local_time now, sim_duration ttl, bool shared) {
  entry& e = things_[thing];
  const local_time expires = now + ttl;
  set_silent(by, false);
  if (shared && e.next && now < e.next->until && e.next->whose != by) {
    return taken{e.next->whose};
  }
  for (claim_of& c : e.claims) {
    if (c.holder == by && now < c.due) {
      c.due = expires;
      return given{expires, true, std::nullopt};
    }
    if (now < c.due && !(shared && c.is_shared)) {
      if (c.is_shared) {
        e.next = turn{by, expires};
      }
      return taken{c.holder};
    }
  }
  std::erase_if(e.claims, [&](const claim_of& c) { return c.holder == by || !shared; });
  e.claims.push_back({by, expires, shared});
  e.next.reset();
  const std::optional<matcher_id> after = e.orphaned_by;
  e.orphaned_by.reset();
  return given{expires, false, after};
}

bool claim_table::holds(std::uint32_t thing, matcher_id by, local_time now) const {
  const auto found = things_.find(thing);
  return found != things_.end() &&
         std::any_of(found->second.claims.begin(),
                     found->second.claims.end(),
                     [&](const claim_of& c) { return c.holder == by && now < c.due; });
}

bool claim_table::release(std::uint32_t thing, matcher_id by) {
  const auto found = things_.find(thing);
  if (found == things_.end()) {
    return false;
  }
  entry& e = found.value();
  const bool held = std::erase_if(e.claims, [&](const claim_of& c) { return c.holder == by; }) > 0;
  if (e.claims.empty()) {
    things_.erase(found);
  }
  return held;
}

std::vector<matcher_id> claim_table::expire(std::uint32_t thing, local_time now) {
  std::vector<matcher_id> over;
  const auto found = things_.find(thing);
  if (found == things_.end()) {
    return over;
  }
  entry& e = found.value();
  std::erase_if(e.claims, [&](const claim_of& c) {
    if (now < c.due) {
      return false;
    }
    over.push_back(c.holder);
    set_silent(c.holder, true);
    return true;
  });
  if (!over.empty()) {
    e.orphaned_by = over.back();
  }
  return over;
}

std::optional<matcher_id> claim_table::orphan_of(std::uint32_t thing) const {
  const auto found = things_.find(thing);
  return found == things_.end() ? std::nullopt : found->second.orphaned_by;
}

matcher_id claim_table::heir_of(matcher_id orphan,
                                std::uint32_t nth,
                                std::uint32_t claimants) const {
  if (claimants == 1) {
    return orphan;
  }
  const std::uint32_t others = claimants - 1;
  const auto other = [&](std::uint32_t i) {
    return matcher_id{(orphan.value + 1 + i % others) % claimants};
  };
  for (std::uint32_t i = 0; i < others; ++i) {
    if (const matcher_id next = other(nth % others + i); !is_silent(next)) {
      return next;
    }
  }
  return other(nth);
}

std::vector<claim_table::due> claim_table::pending() const {
  std::vector<due> all;
  for (const auto& [thing, e] : things_) {
    for (const claim_of& c : e.claims) {
      all.push_back({thing, c.due});
    }
  }
  std::sort(all.begin(), all.end(), [](const due& a, const due& b) {
    return std::pair(a.thing, a.when) < std::pair(b.thing, b.when);
  });
  return all;
}

bool claim_table::is_silent(matcher_id m) const {
  return m.value < silent_.size() && silent_[m.value];
}

void claim_table::set_silent(matcher_id m, bool is_silent) {
  if (m.value >= silent_.size()) {
    silent_.resize(m.value + std::size_t{1});
  }
  silent_[m.value] = is_silent;
}

}  // namespace dibs::lease
