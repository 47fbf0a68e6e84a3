#include "runtime/driver_availability.hpp"

#include <map>

namespace dibs::runtime {
namespace {

/// Whether the cut keeps the matcher from hearing who is available.
bool deafens(const sim::cut& c, matcher_id m) {
  return c.loss >= 1 && c.lies_on({node_kind::ledger, 0}, node_of(m));
}

}  // namespace

bool hides_supply(const sim::cut& c, std::uint32_t matchers) {
  for (std::uint32_t m = 0; m < matchers; ++m) {
    if (deafens(c, matcher_id{m})) {
      return true;
    }
  }
  return false;
}

driver_availability::driver_availability(const match::supply_index_options& where,
                                         sim_duration lag,
                                         bool is_seen,
                                         std::uint32_t matchers,
                                         const std::vector<sim::cut>& cuts,
                                         sim_time heals)
    : drivers_(where.drivers), is_seen_(is_seen), heals_(heals) {
  const auto add = [&](std::vector<sim::cut> deaf) {
    windows_.push_back(
        std::make_unique<window>(window{match::supply_view(log_, lag, where), std::move(deaf)}));
    return static_cast<std::uint32_t>(windows_.size() - 1);
  };
  add({});
  std::map<std::vector<std::size_t>, std::uint32_t> known{{{}, 0}};
  std::vector<std::uint32_t> view_of(is_seen && !cuts.empty() ? matchers : 0);
  for (std::uint32_t m = 0; m < view_of.size(); ++m) {
    std::vector<std::size_t> which;
    std::vector<sim::cut> deaf;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (deafens(cuts[i], matcher_id{m})) {
        which.push_back(i);
        deaf.push_back(cuts[i]);
      }
    }
    const auto [entry, is_new] = known.try_emplace(which, 0);
    if (is_new) {
      entry->second = add(std::move(deaf));
    }
    view_of[m] = entry->second;
  }
  if (windows_.size() > 1) {
    view_of_ = std::move(view_of);
  }
}

sim_time driver_availability::heard_until(const window& w, sim_time now) {
  sim_time heard = now;
  for (const sim::cut& c : w.deaf) {
    if (c.is_on(now)) {
      heard = std::min(heard, c.from + w.view.lag());
    }
  }
  return heard;
}

}  // namespace dibs::runtime
