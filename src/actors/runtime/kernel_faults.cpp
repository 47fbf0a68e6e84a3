// What the kernel does to nodes and messages when a fault says so.

#include "actors/runtime/kernel.hpp"
#include "actors/surroundings.hpp"

#include <algorithm>

namespace dibs::actors::runtime {

// -- messages ------------------------------------------------------------------------------------

bool kernel::is_cut(const event& e, const topic& about, std::uint32_t nth) const {
  const std::uint64_t ends = std::uint64_t{e.from.packed} << 32 | e.to.packed;
  const std::uint64_t what = std::uint64_t{about.number} << 32 | about.ride.value;
  for (std::size_t i = 0; i < plan_.cuts.size(); ++i) {
    const sim::cut& c = plan_.cuts[i];
    if (c.is_on(now_) && c.lies_on(e.from, e.to) &&
        (c.loss >= 1 ||
         stream::keyed(seed_, purpose::cut_loss, ends, what, std::uint64_t{nth} << 32 | i)
             .happens(c.loss))) {
      return true;
    }
  }
  return false;
}

sim_duration kernel::slowed(const event& e,
                            const topic& about,
                            std::uint32_t nth,
                            sim_duration delay) const {
  const std::uint64_t ends = std::uint64_t{e.from.packed} << 32 | e.to.packed;
  const std::uint64_t what = std::uint64_t{about.number} << 32 | about.ride.value;
  for (std::size_t i = 0; i < plan_.slowdowns.size(); ++i) {
    const sim::slowdown& s = plan_.slowdowns[i];
    if (s.is_on(now_) && s.lies_on(e.from, e.to)) {
      auto draws =
          stream::keyed(seed_, purpose::slowness, ends, what, std::uint64_t{nth} << 32 | i);
      const double longer = static_cast<double>(delay.count()) * s.factor;
      delay = sim_duration{static_cast<std::int64_t>(longer)} + draw(s.plus, draws);
    }
  }
  return delay;
}

meddling kernel::meddle(const event& e, const topic& about) {
  const auto word = word_of(about.number);
  if (!word || e.from == e.to) {
    return {};
  }
  return traps_.at_sending({*word, e.from, e.to}, about.ride, about.token, now_, strikes_);
}

void kernel::spring(const event& e) {
  if (e.role != role::message && e.role != role::answer) {
    return;
  }
  const auto word = word_of(e.number);
  if (!word || e.from == e.to) {
    return;
  }
  const topic about = handlers_[e.number].topic_of(e);
  traps_.at_arrival({*word, e.from, e.to}, about.ride, about.token, now_, strikes_);
  strike_now();
}

// -- outages -------------------------------------------------------------------------------------

void kernel::schedule_outages() {
  counts_passages_ = !plan_.slowdowns.empty() ||
                     std::any_of(plan_.cuts.begin(), plan_.cuts.end(), [](const sim::cut& c) {
                       return c.loss < 1;
                     });
  for (const node_kind kind : traps_.may_strike()) {
    gates_.expect(kind);
  }
  const auto begin = [this](node_id n, sim::outage_kind kind, sim_time from, std::size_t entry) {
    event e = addressed(n, n, kind == sim::outage_kind::pause ? role::pause : role::crash);
    e.exchange = static_cast<std::uint32_t>(entry);
    e.due = from;
    push(e);
    gates_.expect(n.kind());
  };
  for (std::size_t i = 0; i < plan_.outages.size(); ++i) {
    const sim::outage& o = plan_.outages[i];
    begin(o.node, o.kind, o.from, i);
    if (!o.into_crash) {
      end_later(o.node, o.kind, o.until);
    }
  }
  for (std::size_t i = 0; i < plan_.group_outages.size(); ++i) {
    const sim::group_outage& o = plan_.group_outages[i];
    begin({o.nodes.kind, 0}, o.kind, o.from, plan_.outages.size() + i);
  }
}

void kernel::begin_planned(const event& e) {
  if (e.exchange < plan_.outages.size()) {
    const sim::outage& o = plan_.outages[e.exchange];
    begin_outage(o.node, o.kind, o.until);
    return;
  }
  const sim::group_outage& o = plan_.group_outages[e.exchange - plan_.outages.size()];
  for (std::uint32_t i = 0; i < world_.rides.seats(); ++i) {
    if (const node_id n{o.nodes.kind, i}; o.nodes.covers(n)) {
      begin_outage(n, o.kind, o.until);
      end_later(n, o.kind, o.until);
    }
  }
}

void kernel::begin_outage(node_id n, sim::outage_kind kind, sim_time until) {
  if (kind == sim::outage_kind::pause) {
    if (gates_.pause(n, until)) {
      record(n, events::node_paused{n});
    }
    return;
  }
  std::vector<event> lost;
  if (!gates_.crash(n, until, lost)) {
    return;
  }
  record(n, events::node_crashed{n});
  for (const event& late : lost) {
    lose_to_crash(late);
  }
  if (const auto hook = lodgings_[static_cast<std::size_t>(n.kind())].on_crash) {
    hook(*this, n);
  }
}

void kernel::end_later(node_id n, sim::outage_kind kind, sim_time until) {
  event end = addressed(n, n, kind == sim::outage_kind::pause ? role::resume : role::restart);
  end.due = until;
  push(end);
}

void kernel::end_outage(const event& e) {
  const bool is_pause = e.role == role::resume;
  const auto which = is_pause ? gates::state::paused : gates::state::crashed;
  if (!gates_.is_over(e.to, which, now_)) {
    return;  // another outage has taken its place, or lasts longer
  }
  const std::vector<event> held = gates_.open(e.to);
  if (is_pause) {
    record(e.to, events::node_resumed{e.to});
    for (const event& late : held) {
      pass_gate(late);
      strike_now();
    }
    return;
  }
  record(e.to, events::node_restarted{e.to});
  if (const auto hook = lodgings_[static_cast<std::size_t>(e.to.kind())].on_restart) {
    hook(*this, e.to);
  }
}

void kernel::strike_now() {
  for (const strike& s : std::exchange(strikes_, {})) {
    if (const auto until = end_of(s)) {
      begin_outage(s.node, s.kind, *until);
      end_later(s.node, s.kind, *until);
    }
  }
}

std::optional<sim_time> kernel::end_of(const strike& s) const {
  if (!s.until_expiry) {
    return std::min(now_ + s.length, heals_);
  }
  const auto expiry = expiries_.find(s.token);
  if (expiry == expiries_.end() || expiry->second == sim_time::max()) {
    return std::nullopt;
  }
  const sim_time until = std::min(expiry->second + *s.until_expiry, heals_);
  return until > now_ ? std::optional(until) : std::nullopt;
}

}  // namespace dibs::actors::runtime
