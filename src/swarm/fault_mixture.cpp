#include "swarm/fault_mixture.hpp"

#include "swarm/fault_draws.hpp"

#include <algorithm>

namespace dibs::swarm {
namespace {

/// In the order in which they are drawn.
std::vector<hazard> all_hazards() {
  std::vector<hazard> all(faults().begin(), faults().end());
  all.insert(all.end(), habits().begin(), habits().end());
  return all;
}

std::string listed(const std::vector<std::string>& entries) {
  std::string all;
  for (const std::string& each : entries) {
    all += (all.empty() ? "" : ", ") + each;
  }
  return "[" + all + "]";
}

template <std::size_t N>
std::string listed(std::string_view key,
                   const std::array<std::string_view, N>& names,
                   const std::array<std::string, N>& rest) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < N; ++i) {
    if (!rest[i].empty()) {
      entries.push_back(fmt::format("{{{}: {}{}}}", key, names[i], rest[i]));
    }
  }
  return listed(entries);
}

bool has_sweeper(const scenario_draft& c) {
  return std::ranges::any_of(c.others, [](const scenario::override_value& o) {
    return o.path == "lease.cleanup" && o.value.find("by: sweeper") != std::string::npos;
  });
}

/// The clock of a sweeper that is not there is no clock.
void drop_idle_clocks(scenario_draft& c) {
  const auto sweeper = std::ranges::find(clock_owners, "sweeper");
  if (!has_sweeper(c)) {
    c.clocks[static_cast<std::size_t>(sweeper - clock_owners.begin())].clear();
  }
}

}  // namespace

void override_with(std::vector<scenario::override_value>& below,
                   const std::vector<scenario::override_value>& above) {
  for (const scenario::override_value& each : above) {
    std::erase_if(below, [&](const scenario::override_value& o) { return o.path == each.path; });
  }
  below.insert(below.end(), above.begin(), above.end());
}

std::vector<std::string_view> hazard_names() {
  std::vector<std::string_view> names;
  for (const hazard& h : all_hazards()) {
    names.push_back(h.name);
  }
  return names;
}

mixture_origin origin_of(std::uint64_t seed,
                         std::uint32_t number,
                         const std::vector<std::string_view>& always,
                         double chance) {
  const std::vector<hazard> hazards = all_hazards();
  mixture_origin from{number, {}};
  from.drawn_by.resize(hazards.size());
  for (std::size_t i = 0; i < hazards.size(); ++i) {
    // A stream for each, so that a new hazard leaves what the others draw as it is.
    random_text d(stream::keyed(seed, purpose::fault_time, number, i));
    const bool is_drawn = d.happens(chance);
    if (is_drawn || std::ranges::find(always, hazards[i].name) != always.end()) {
      from.drawn_by[i] = number;
    }
  }
  return from;
}

fault_mixture draft_from(std::uint64_t seed, const mixture_origin& from) {
  fault_mixture result;
  scenario_draft on;
  const std::vector<hazard> hazards = all_hazards();
  for (std::size_t i = 0; i < hazards.size(); ++i) {
    if (!from.drawn_by[i]) {
      continue;
    }
    random_text d(stream::keyed(seed, purpose::fault_time, *from.drawn_by[i], i));
    static_cast<void>(d.happens(0.5));  // whether it is drawn at all was the first draw
    result.hazards.push_back(hazards[i].name);
    hazards[i].add(d, on);
  }
  drop_idle_clocks(on);
  result.overrides = std::move(on.others);
  result.overrides.push_back({"network", listed("link", links, on.network)});
  result.overrides.push_back({"clocks", listed("node", clock_owners, on.clocks)});
  result.overrides.push_back({"faults", listed(on.faults)});
  return result;
}

fault_mixture draft_of(std::uint64_t seed,
                       std::uint32_t number,
                       const std::vector<std::string_view>& always,
                       double chance) {
  return draft_from(seed, origin_of(seed, number, always, chance));
}

}  // namespace dibs::swarm
