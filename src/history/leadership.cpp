#include "history/leadership.hpp"

#include <algorithm>
#include <variant>

namespace dibs::history {
namespace {

constexpr node_id first_manager{node_kind::lease_manager, 0};
constexpr std::uint64_t tokens_a_term = 1'000'000'000'000;

std::uint64_t term_of(token_id t) { return (t.value - 1) / tokens_a_term + 1; }

}  // namespace

leadership::leadership(const recorded_run& of) : terms_{{sim_time{}, first_manager}} {
  if (!of.scenario.lease.standby) {
    return;
  }
  for (const events::event& e : of.events) {
    if (const auto* leads = std::get_if<events::leader_changed>(&e.what)) {
      terms_.push_back({e.t, leads->node, leads->term});
    } else if (const auto* granted = std::get_if<events::lease_granted>(&e.what)) {
      for (leadership_term& r : terms_) {
        if (r.term == term_of(granted->token)) {
          r.last_grant = e.t;
        }
      }
    }
    note_outage(e);
  }
}

void leadership::note_outage(const events::event& e) {
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

bool leadership::is_out(node_id manager, sim_time t) const {
  const auto& spells = out_[manager.index()];
  return std::ranges::any_of(spells, [t](const time_interval& each) { return each.holds(t); });
}

node_id leadership::place_of(const events::event& e, const subjects& about) const {
  const bool is_its = about.where == first_manager && is_of_lease_manager(e.what);
  return is_its ? of(about.token, e.t) : about.where;
}

node_id leadership::of(token_id token, sim_time t) const {
  const leadership_term* latest = &terms_.front();
  for (const leadership_term& r : terms_) {
    const bool is_its = token.is_leased() && r.term == term_of(token);
    if (is_its && t <= r.last_grant && !is_out(r.who, t)) {
      return r.who;
    }
    latest = r.from <= t ? &r : latest;
  }
  return latest->who;
}

sim_time leadership::changed_by(sim_time t) const {
  sim_time since = never;
  for (const leadership_term& r : terms_) {
    since = r.from <= t && r.from > sim_time{} ? r.from : since;
  }
  return since;
}

}  // namespace dibs::history
