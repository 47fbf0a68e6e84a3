#include "engine/wait_diagnosis.hpp"

#include "events/enum_names.hpp"
#include "events/jsonl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

namespace dibs::engine {
namespace {

constexpr std::size_t waits_max = 5;

std::string at_s(sim_time t) { return fmt::format("{:.3f} s", in_seconds(t)); }

}  // namespace

void wait_diagnosis::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    std::visit([&](const auto& f) { on(e.t, f); }, e.what);
  }
}

void wait_diagnosis::on(sim_time, const events::driver_came_online&) {
  ++online_;
  ever_online_ = true;
}

void wait_diagnosis::on(sim_time t, const events::ride_requested& f) {
  waiting_[f.ride] = {.since = t, .now = {}};
}

void wait_diagnosis::on(sim_time t, const events::lease_granted& f) {
  held_[f.driver] = {f.token, f.ride, f.matcher, t, f.ttl != forever};
}

void wait_diagnosis::on(sim_time t, const events::offer_sent& f) {
  if (waiting_ride* const r = waiting(f.ride)) {
    r->now = {t, node_of(f.matcher), f.driver, f.token, awaited::kind::answer_of_driver, {}};
  }
}

void wait_diagnosis::on(sim_time, const events::try_closed& f) {
  if (waiting_ride* const r = waiting(f.ride)) {
    r->now = {};
  }
}

void wait_diagnosis::on(sim_time, const events::trip_committed& f) {
  waiting_.erase(f.ride);
  end_lease(f.driver, f.token);
}

void wait_diagnosis::on(sim_time t, const events::call_made& f) {
  if (waiting_ride* const r = waiting(f.ride); r != nullptr && f.what != events::call::release) {
    r->now = {t, f.client, f.driver, f.token, awaited::kind::answer_to_call, f.what};
  }
}

void wait_diagnosis::on(sim_time, const events::call_answered& f) {
  if (waiting_ride* const r = waiting(f.ride); r != nullptr && r->now.call == f.what) {
    r->now = {};
  }
}

// Whoever crashes forgets what it waited for.
void wait_diagnosis::on(sim_time t, const events::node_crashed& f) {
  down_[f.node] = t;
  for (auto& [ride, how] : waiting_) {
    if (how.now.for_what != awaited::kind::nobody && how.now.who == f.node) {
      how.now = {t, f.node, {}, {}, awaited::kind::forgotten, {}};
    }
  }
}

waiting_ride* wait_diagnosis::waiting(ride_id r) {
  const auto found = waiting_.find(r);
  return found == waiting_.end() ? nullptr : &found->second;
}

void wait_diagnosis::end_lease(driver_id d, token_id token) {
  if (const auto held = held_.find(d); held != held_.end() && held->second.token == token) {
    held_.erase(held);
  }
}

// -- in words ------------------------------------------------------------------------------------

std::vector<std::string> wait_diagnosis::waits() const {
  std::vector<std::pair<sim_time, ride_id>> longest;
  for (const auto& [ride, how] : waiting_) {
    longest.emplace_back(how.since, ride);
  }
  std::ranges::sort(longest);
  std::vector<std::string> lines;
  for (const auto& [since, ride] : longest) {
    if (lines.size() == waits_max) {
      lines.push_back(fmt::format("and {} more rides", longest.size() - waits_max));
      break;
    }
    lines.push_back(wait_of(ride, waiting_.at(ride)));
  }
  lines.push_back(supply());
  return lines;
}

std::string wait_diagnosis::wait_of(ride_id r, const waiting_ride& how) const {
  const awaited& w = how.now;
  const std::string head =
      fmt::format("ride {} has waited since {}: ", ordinal(r), at_s(how.since));
  switch (w.for_what) {
    case awaited::kind::nobody:
      return head + "nobody tries for it";
    case awaited::kind::answer_of_driver:
      return head + fmt::format("{} awaits driver/{}'s answer to the offer of {} (token {})",
                                events::node_name(w.who),
                                ordinal(w.driver),
                                at_s(w.since),
                                w.token.value);
    case awaited::kind::forgotten:
      return head + fmt::format("{} forgot its try for it when it crashed, at {}",
                                events::node_name(w.who),
                                at_s(w.since));
    case awaited::kind::answer_to_call:
      break;
  }
  const node_id server{w.call == events::call::write ? node_kind::ledger : node_kind::lease_manager,
                       0};
  return head + fmt::format("{} awaits the answer of {}{} to the {} of {} ({})",
                            events::node_name(w.who),
                            events::node_name(server),
                            state_of(server),
                            events::name_of(w.call),
                            at_s(w.since),
                            w.token.is_some() ? fmt::format("token {}", w.token.value)
                                              : fmt::format("driver/{}", ordinal(w.driver)));
}

std::string wait_diagnosis::supply() const {
  if (online_ == 0) {
    return ever_online_ ? "no driver is online any more" : "no driver was ever online";
  }
  const auto is_earlier = [](const auto& a, const auto& b) {
    return std::tie(a.second.since, a.first) < std::tie(b.second.since, b.first);
  };
  const auto first = std::ranges::min_element(held_, is_earlier);
  if (first == held_.end()) {
    return fmt::format(
        "{} drivers are online, and none of them is held: they are out of reach, or "
        "were asked before",
        online_);
  }
  const auto& [driver, longest] = *first;
  return fmt::format(
      "{} of {} drivers online are held; the longest is driver/{} by token {} of ride {}, granted "
      "to matcher/{} at {}{}",
      held_.size(),
      online_,
      ordinal(driver),
      longest.token.value,
      ordinal(longest.ride),
      ordinal(longest.matcher),
      at_s(longest.since),
      longest.ends ? "" : ", without end");
}

std::string wait_diagnosis::state_of(node_id n) const {
  const auto found = down_.find(n);
  return found == down_.end() ? "" : fmt::format(", down since {},", at_s(found->second));
}

}  // namespace dibs::engine
