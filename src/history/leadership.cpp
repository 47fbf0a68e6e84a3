#include "history/leadership.hpp"

#include <algorithm>
#include <variant>

namespace dibs::history {
namespace {

constexpr node_id first_manager{node_kind::lease_manager, 0};
constexpr std::uint64_t tokens_a_term = 1'000'000'000'000;

std::uint64_t term_of(token_id t) { return (t.value - 1) / tokens_a_term + 1; }

}  // namespace

leaders::leaders(const recorded_run& of) : reigns_{{sim_time{}, first_manager}} {
  if (!of.scenario.lease.standby) {
    return;
  }
  for (const events::event& e : of.events) {
    if (const auto* leads = std::get_if<events::leader_changed>(&e.what)) {
      reigns_.push_back({e.t, leads->node, leads->term});
    } else if (const auto* granted = std::get_if<events::lease_granted>(&e.what)) {
      for (reign& r : reigns_) {
        if (r.term == term_of(granted->token)) {
          r.last_grant = e.t;
        }
      }
    }
    note_outage(e);
  }
}

void leaders::note_outage(const events::event& e) {
  const node_id node = subjects_of(e.what, false).where;
  if (node.kind() != node_kind::lease_manager || node.index() >= out_.size()) {
    return;
  }
  auto& spells = out_[node.index()];
  const bool begins = std::holds_alternative<events::node_crashed>(e.what) ||
                      std::holds_alternative<events::node_paused>(e.what);
  const bool ends = std::holds_alternative<events::node_restarted>(e.what) ||
                    std::holds_alternative<events::node_resumed>(e.what);
  if (begins) {
    spells.push_back({e.t, never});
  } else if (ends && !spells.empty()) {
    spells.back().end = std::min(spells.back().end, e.t);
  }
}

bool leaders::is_out(node_id manager, sim_time t) const {
  const auto& spells = out_[manager.index()];
  return std::ranges::any_of(spells, [t](const interval& each) { return each.holds(t); });
}

node_id leaders::place_of(const events::event& e, const subjects& about) const {
  const bool is_its = about.where == first_manager && is_of_lease_manager(e.what);
  return is_its ? of(about.token, e.t) : about.where;
}

node_id leaders::of(token_id token, sim_time t) const {
  const reign* latest = &reigns_.front();
  for (const reign& r : reigns_) {
    const bool is_its = token.is_leased() && r.term == term_of(token);
    if (is_its && t <= r.last_grant && !is_out(r.who, t)) {
      return r.who;
    }
    latest = r.from <= t ? &r : latest;
  }
  return latest->who;
}

sim_time leaders::changed_by(sim_time t) const {
  sim_time since = never;
  for (const reign& r : reigns_) {
    since = r.from <= t && r.from > sim_time{} ? r.from : since;
  }
  return since;
}

}  // namespace dibs::history
