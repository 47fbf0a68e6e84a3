// When it happens, and for whom.

#include "scenario/tree.hpp"
#include "shrink/ddmin.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"
#include "text/quantity.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dibs::shrink {
namespace {

using scenario::node;

constexpr std::size_t rides_max = 500;  ///< that are named one by one
constexpr std::uint32_t few_rides = 4;

node clock_of(const node& root) {
  const node* clock = root.find("clock");
  return clock == nullptr || !clock->is(node::form::mapping) ? scenario::empty_mapping() : *clock;
}

/// Whether all demand is rides that are named one by one, few of them.
bool has_named_rides(const node& root) {
  const node* demand = root.find("demand");
  return demand != nullptr && demand->is(node::form::list) &&
         std::ranges::all_of(demand->items, [](const node& source) {
           const node* kind = source.find("kind");
           return kind != nullptr && kind->text == "burst" && source.find("every") == nullptr &&
                  source.find("within") == nullptr;
         });
}

bool reads_file(const node& root) {
  const node* demand = root.find("demand");
  return demand != nullptr && std::ranges::any_of(demand->items, [](const node& source) {
           return source.find("file") != nullptr;
         });
}

/// Halves the range in which the shortest time must be that still does the harm, since a fault late
/// in a run is lost with half of it.
void shorten(trials& t, std::string_view key) {
  const auto now = duration_in(clock_of(t.best()).find(key));
  sim_duration too_short{};
  sim_duration enough = now.value_or(sim_duration{});
  while (enough - too_short > std::max<sim_duration>(1s, enough / 32) && !t.is_over()) {
    const auto middle = std::chrono::ceil<std::chrono::seconds>((too_short + enough) / 2);
    if (middle >= enough) {
      return;
    }
    node clock = clock_of(t.best());
    put(clock, key, of(middle));
    (t.take(with(t.best(), "clock", std::move(clock))) ? enough : too_short) = middle;
  }
}

}  // namespace

void end_early(trials& t) {
  if (t.best().find("clock") == nullptr && has_named_rides(t.best())) {
    return;  // few rides are over soon, however long the run
  }
  node clock = clock_of(t.best());
  const auto warmup = duration_in(clock.find("warmup"));
  const auto duration = duration_in(clock.find("duration"));
  take_out(clock, "warmup");
  if (warmup && duration) {
    put(clock, "duration", of(*warmup + *duration));
    t.take(with(t.best(), "clock", clock));
  }
  if (t.seen().at) {
    // To the next whole second, so that what is recorded in the same instant is in.
    const sim_duration at = t.seen().at->time_since_epoch();
    const sim_duration end = std::chrono::ceil<std::chrono::seconds>(at + 1ns);
    put(clock, "duration", of(end));
    put(clock, "drain", of({}));
    if (t.take(with(t.best(), "clock", clock))) {
      return;
    }
  }
  shorten(t, "duration");
  shorten(t, "drain");
}

void name_rides(trials& t) {
  for (std::uint32_t rides = 1; rides <= few_rides && rides < t.seen().rides; ++rides) {
    const gain hoped = t.seen().rides > few_rides ? gain::large : gain::usual;
    const node named = with(t.best(), "demand", bursts(std::vector<sim_time>(rides)));
    // A trace and its map go together: neither is there without the other.
    if (t.take(named, hoped) || (reads_file(t.best()) && t.take(without_the_map(named), hoped))) {
      return;
    }
  }
  const std::vector<sim_time> requests = t.seen().requests;
  if (requests.empty() || requests.size() > rides_max) {
    return;
  }
  const bool are_named = t.take(with(t.best(), "demand", bursts(requests)));
  if ((!are_named && !has_named_rides(t.best())) || requests.size() < 2) {
    return;
  }
  const node whole = t.best();
  static_cast<void>(ddmin(requests.size(), [&](const std::vector<std::size_t>& kept) {
    std::vector<sim_time> some;
    for (const std::size_t i : kept) {
      some.push_back(requests[i]);
    }
    // With all of them it is the best already.
    return some.size() == requests.size() ||
           (!some.empty() && t.take(with(whole, "demand", bursts(some))));
  }));
}

void begin_early(trials& t) {
  const node& root = t.best();
  std::vector<tree_path> instants;
  sim_duration first = forever;
  for (const tree_part& part : parts_of(root)) {
    const auto at = is_instant(part) ? duration_in(find(root, part.path)) : std::nullopt;
    if (at) {
      instants.push_back(part.path);
      first = std::min(first, *at);
    }
  }
  if (instants.empty() || first <= sim_duration{}) {
    return;
  }
  node earlier = root;
  for (const tree_path& path : instants) {
    node* at = find(earlier, path);
    *at = of(*duration_in(at) - first);
  }
  t.take(std::move(earlier));
}

}  // namespace dibs::shrink
