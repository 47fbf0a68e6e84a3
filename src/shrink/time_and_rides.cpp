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

node of(sim_duration d) { return scenario::plain(text::print_duration(d)); }

std::optional<sim_duration> duration_in(const node* n) {
  if (n == nullptr || !n->is(node::form::scalar)) {
    return std::nullopt;
  }
  const auto read = text::read_duration(n->text);
  return read ? std::optional(*read) : std::nullopt;
}

node clock_of(const node& root) {
  const node* clock = root.find("clock");
  return clock == nullptr || !clock->is(node::form::mapping) ? scenario::empty_mapping() : *clock;
}

node with(const node& root, std::string_view section, node value) {
  node changed = root;
  put(changed, section, std::move(value));
  return changed;
}

/// `{kind: burst, at: 17s, rides: 1}`
node burst(sim_duration at, std::uint32_t rides) {
  node b = scenario::empty_mapping();
  b.add("kind", scenario::plain("burst"));
  b.add("at", of(at));
  b.add("rides", scenario::plain(std::to_string(rides)));
  return b;
}

/// Rides of one instant are one burst.
node bursts(const std::vector<sim_time>& requests) {
  node all = scenario::empty_list();
  for (std::size_t i = 0; i < requests.size();) {
    std::size_t end = i;
    while (end < requests.size() && requests[end] == requests[i]) {
      ++end;
    }
    all.items.push_back(burst(requests[i].time_since_epoch(), static_cast<std::uint32_t>(end - i)));
    i = end;
  }
  return all;
}

bool is_instant(const tree_part& part) {
  constexpr std::array<std::string_view, 4> names{"at", "from", "since", "until"};
  return std::ranges::find(names, part.key) != names.end() && part.about != nullptr &&
         part.about->type == "duration";
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
  for (const std::string_view key : {"duration", "drain"}) {
    for (auto length = duration_in(clock_of(t.best()).find(key)); length && *length > 1s;
         length = duration_in(clock_of(t.best()).find(key))) {
      clock = clock_of(t.best());
      put(clock, key, of(std::chrono::floor<std::chrono::seconds>(*length / 2)));
      if (!t.take(with(t.best(), "clock", clock))) {
        break;
      }
    }
  }
}

void name_rides(trials& t) {
  for (std::uint32_t rides = 1; rides <= few_rides && rides < t.seen().rides; ++rides) {
    node one = scenario::empty_list();
    one.items.push_back(burst({}, rides));
    if (t.take(with(t.best(), "demand", std::move(one)))) {
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
