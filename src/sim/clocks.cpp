#include "sim/clocks.hpp"

#include <algorithm>

namespace dibs::sim {
namespace {

/// No clock stands still or runs twice as fast, whatever a bell curve yields.
constexpr std::int64_t drift_max_ppb = 500'000'000;

std::int64_t drift_of(const clock_error& error, node_id node, std::size_t entry, std::uint64_t s) {
  auto drifts = stream::keyed(s, purpose::clock_drift, node.packed, entry);
  return std::clamp<std::int64_t>(
      draw_signed(error.drift, drifts).count(), -drift_max_ppb, drift_max_ppb);
}

node_clock drawn(const clock_error& error, node_id node, std::size_t entry, std::uint64_t seed) {
  auto offsets = stream::keyed(seed, purpose::clock_offset, node.packed, entry);
  node_clock clock;
  clock.offset = draw_signed(error.offset, offsets);
  clock.drift_ppb = drift_of(error, node, entry, seed);
  clock.from = at(error.from);
  clock.timers = error.timers;
  for (std::size_t i = 0; i < error.steps.size(); ++i) {
    auto steps = stream::keyed(seed, purpose::clock_step, node.packed, entry, i);
    clock.steps.push_back({at(error.steps[i].at), draw_signed(error.steps[i].by, steps)});
  }
  std::ranges::stable_sort(clock.steps, [](const auto& a, const auto& b) { return a.at < b.at; });
  if (error.strobe) {
    auto strobes = stream::keyed(seed, purpose::clock_strobe, node.packed, entry);
    const clock_strobe& s = *error.strobe;
    clock.flicker = {.every = s.every,
                     .by = draw_signed(s.by, strobes),
                     .from = at(s.from),
                     .until = s.until ? at(*s.until) : sim_time::max()};
  }
  return clock;
}

}  // namespace

sim_duration node_clock::set_for_good(sim_time t) const {
  sim_duration off = t >= from ? offset : sim_duration::zero();
  for (const step& s : steps) {
    if (s.at > t) {
      break;
    }
    off = as_if_drawn(off + s.by);
  }
  return off;
}

sim_duration node_clock::set_off(sim_time t) const {
  const sim_duration off = set_for_good(t);
  return is_flickering(t) && (t - flicker.from) / flicker.every % 2 == 0
             ? as_if_drawn(off + flicker.by)
             : off;
}

sim_duration node_clock::set_off_at_most(sim_time t) const {
  const sim_duration off = set_for_good(t);
  return is_flickering(t) ? std::max(off, as_if_drawn(off + flicker.by)) : off;
}

sim_duration node_clock::set_off_at_most() const {
  sim_duration off = std::max(offset, sim_duration::zero());
  for (const step& s : steps) {
    off = as_if_drawn(off + std::max(s.by, sim_duration::zero()));
  }
  return as_if_drawn(off + std::max(flicker.by, sim_duration::zero()));
}

sim_time node_clock::next_lasting_change(sim_time t) const {
  sim_time next = t < from ? from : sim_time::max();
  const auto later = std::ranges::find_if(steps, [t](const step& s) { return s.at > t; });
  if (later != steps.end()) {
    next = std::min(next, later->at);
  }
  if (t < flicker.from && flicker.from < flicker.until) {
    next = std::min(next, flicker.from);
  } else if (t < flicker.until) {
    next = std::min(next, flicker.until);
  }
  return next;
}

sim_time node_clock::next_change(sim_time t) const {
  const sim_time next = next_lasting_change(t);
  return is_flickering(t)
             ? std::min(next,
                        flicker.from + ((t - flicker.from) / flicker.every + 1) * flicker.every)
             : next;
}

sim_time node_clock::first_at(local_time when) const {
  const sim_time undisturbed{when.time_since_epoch()};
  if (undisturbed <= from || drift_ppb == 0) {
    return undisturbed;
  }
  if (healed != sim_time::max() && when >= local(healed)) {
    return undisturbed - gained_at(healed);
  }
  // local(t) = from + s + trunc(s * ppb / 10^9) with s = t - from. Start from the exact quotient
  // and walk the last nanoseconds, since truncation moves the answer by at most two.
  __extension__ using wide = __int128;
  const wide gained = (undisturbed - from).count();
  auto s = static_cast<std::int64_t>(gained * 1'000'000'000 / (1'000'000'000 + drift_ppb));
  while (local(from + sim_duration{s}) < when) {
    ++s;
  }
  while (s > 0 && local(from + sim_duration{s - 1}) >= when) {
    --s;
  }
  return from + sim_duration{s};
}

void node_clock::heal(sim_time t) {
  std::erase_if(steps, [t](const step& s) { return s.at >= t; });
  flicker.until = std::min(flicker.until, t);
  healed = t;
  if (from >= t) {
    offset = sim_duration::zero();
    drift_ppb = 0;
  }
  if (const sim_duration wrong = gained_at(t) + set_off(t); wrong != sim_duration::zero()) {
    steps.push_back({t, -wrong});
  }
}

// The wall clock is the monotonic one set off by a constant between two changes. It cannot read
// `when` before the monotonic clock is within the greatest setting of it, also not before the next
// change that lasts; of a strobe, which may have billions of flips, a few are walked at most.
sim_time node_clock::due(local_time when, sim_time now) const {
  if (timers == timebase::monotonic) {
    return std::max(first_at(when), now);
  }
  sim_time t = std::max(first_at(when - set_off_at_most()), now);
  for (;;) {
    const sim_time lasting = next_lasting_change(t);
    const sim_time possible = first_at(when - set_off_at_most(t));
    t = std::max(t, std::min(possible, lasting));
    const sim_time candidate = std::max(first_at(when - set_off(t)), t);
    const sim_time change = next_change(t);
    if (candidate < change || change == sim_time::max()) {
      return candidate;
    }
    t = change;
  }
}

clocks::clocks(const std::vector<clock_error>& errors,
               const std::array<std::uint32_t, node_kinds>& counts,
               std::uint64_t seed)
    : seed_(seed) {
  for (std::size_t entry = 0; entry < errors.size(); ++entry) {
    const clock_error& error = errors[entry];
    const auto kind = static_cast<std::size_t>(error.node.kind);
    auto& table = by_kind_[kind];
    table.resize(counts[kind]);
    for (std::uint32_t i = 0; i < counts[kind]; ++i) {
      const node_id node{error.node.kind, i};
      if (error.node.covers(node)) {
        table[i] = drawn(error, node, entry, seed);
        table[i].redraws = error.redraw == redraw::lease
                               ? std::optional(static_cast<std::uint32_t>(entry))
                               : std::nullopt;
      }
    }
    offsets_.push_back(error.offset);
  }
}

void clocks::heal(sim_time t) {
  for (auto& table : by_kind_) {
    for (node_clock& clock : table) {
      clock.heal(t);
    }
  }
}

local_time clocks::wall_for(node_id n, sim_time t, std::uint64_t ride_key, driver_id d) const {
  const node_clock& clock = of(n);
  const local_time usual = clock.wall(t);
  if (!clock.redraws || t < clock.from || t >= clock.healed) {
    return usual;
  }
  auto offsets = stream::keyed(seed_,
                               purpose::clock_redraw,
                               std::uint64_t{*clock.redraws} << 32 | n.packed,
                               ride_key,
                               d.value);
  return usual - clock.offset + draw_signed(offsets_[*clock.redraws], offsets);
}

}  // namespace dibs::sim
