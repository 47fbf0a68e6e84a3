// Cuts that make runs many times shorter, before anything is looked at one by one.

#include "scenario/tree.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"
#include "text/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::shrink {
namespace {

using scenario::node;

// -- less at a time ------------------------------------------------------------------------------

constexpr std::size_t last_rides_max = 500;
constexpr std::array<std::uint64_t, 6> factors{1024, 256, 64, 16, 4, 2};

std::string section_of(const node& root, const tree_part& part) {
  return root.keys[part.path.front()].text;
}

/// `3/s` becomes `0.047/s`; what is no number stays.
std::string divided(const std::string& text, std::uint64_t by) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = text::read_real(text.substr(0, end));
  if (!number) {
    return text;
  }
  constexpr double steps = 1000;
  const double less = std::ceil(*number / static_cast<double>(by) * steps) / steps;
  return text::print_real(less) + text.substr(end);
}

/// How many rides and drivers are to be left: a share of them, or at most so many drivers.
struct share_left {
  std::uint64_t rides_by = 1;
  std::uint64_t drivers_by = 1;
  std::uint64_t drivers_most = UINT64_MAX;
};

node thinner(node root, const share_left& left) {
  for (const tree_part& part : parts_of(root)) {
    node* n = find(root, part.path);
    const bool is_demand = section_of(root, part) == "demand";
    const bool is_drivers = section_of(root, part) == "drivers";
    if (part.about == nullptr || !n->is(node::form::scalar) || (!is_demand && !is_drivers)) {
      continue;
    }
    const auto whole = text::read_whole(n->text);
    if (whole && ((is_demand && part.key == "rides") || (is_drivers && part.key == "count"))) {
      const std::uint64_t less = is_demand ? *whole / left.rides_by
                                           : std::min(*whole / left.drivers_by, left.drivers_most);
      put_number(root, part, std::max<std::uint64_t>(less, 1));
    } else if (is_demand && (part.key == "rate" || part.key == "scale")) {
      n->text = divided(n->text, left.rides_by);
    }
  }
  return root;
}

/// With fewer rides it is rarer that two of them meet, so they are tried with very few drivers too.
bool take_thinner(trials& t) {
  for (const std::uint64_t k : factors) {
    for (const share_left& left : {share_left{.rides_by = k, .drivers_most = 1},
                                   share_left{.rides_by = k, .drivers_most = 4},
                                   share_left{.rides_by = k, .drivers_by = k},
                                   share_left{.rides_by = k}}) {
      if (t.take(thinner(t.best(), left), gain::large)) {
        return true;
      }
    }
  }
  return std::ranges::any_of(factors, [&t](std::uint64_t k) {
    return t.take(thinner(t.best(), {.drivers_by = k}), gain::large);
  });
}

/// Whether the rest is for the passes that look at one thing after the other: what goes on
/// happening by a rare chance alone is harder to make small.
bool is_small(const trials& t) { return t.seen().rides <= 8; }

// -- earlier -------------------------------------------------------------------------------------

/// The first and last instants that a part names.
struct span_of_time {
  sim_duration first = forever;
  sim_duration last{};

  void add(const node& n, std::string_view key) {
    const auto here = duration_in(&n);
    if (here && (key == "at" || key == "since" || key == "from")) {
      first = std::min(first, *here);
    }
    if (here && (key == "at" || key == "until")) {
      last = std::max(last, *here);
    }
    for (std::size_t i = 0; i < n.items.size(); ++i) {
      add(n.items[i], n.is(node::form::mapping) ? std::string_view(n.keys[i].text) : "");
    }
  }
};

/// Takes out of all lists what is over before one time or begins after another.
void forget_beyond(node& n, sim_duration begin, sim_duration end) {
  if (n.is(node::form::list)) {
    std::erase_if(n.items, [&](const node& entry) {
      span_of_time s;
      s.add(entry, "");
      return s.first < forever && (s.first > end || (s.last > sim_duration{} && s.last < begin));
    });
  }
  for (node& item : n.items) {
    forget_beyond(item, begin, end);
  }
}

/// The run as if it began at that time: what is over by then is gone, and all else comes so much
/// earlier. Requires: its clock says how long it runs.
node begun_at(node root, sim_duration time) {
  node clock = *root.find("clock");
  const sim_duration warmup = duration_in(clock.find("warmup")).value_or(sim_duration{});
  const sim_duration duration = *duration_in(clock.find("duration"));
  const auto drain = duration_in(clock.find("drain"));
  forget_beyond(root, time, drain ? warmup + duration + *drain : forever);
  for (const tree_part& part : parts_of(root)) {
    node* n = find(root, part.path);
    if (const auto at = is_instant(part) ? duration_in(n) : std::nullopt) {
      *n = of(std::max(*at - time, sim_duration{}));
    }
  }
  if (warmup > sim_duration{}) {
    put(clock, "warmup", of(std::max(warmup - time, sim_duration{})));
  }
  put(clock, "duration", of(std::min(duration, warmup + duration - time)));
  put(root, "clock", std::move(clock));
  return root;
}

bool take_earlier(trials& t) {
  const node* clock = t.best().find("clock");
  const auto duration = clock == nullptr ? std::nullopt : duration_in(clock->find("duration"));
  if (!duration) {
    return false;
  }
  const sim_duration end = *duration + duration_in(clock->find("warmup")).value_or(sim_duration{});
  constexpr std::array<std::int64_t, 6> of_32{31, 30, 28, 24, 16, 8};
  return std::ranges::any_of(of_32, [&](std::int64_t part) {
    const sim_duration begin = std::chrono::floor<std::chrono::seconds>(end * part / 32);
    return begin > sim_duration{} && t.take(begun_at(t.best(), begin), gain::large);
  });
}

}  // namespace

void thin_out(trials& t) {
  while (!t.is_over() && !is_small(t) && take_thinner(t)) {
  }
}

void move_earlier(trials& t) {
  while (!t.is_over() && !is_small(t) && take_earlier(t)) {
  }
}

void keep_last_rides(trials& t) {
  const std::vector<sim_time> all = t.seen().requests;
  const std::size_t most = std::min(all.size(), last_rides_max);
  for (std::size_t n = 1; n < most && !is_small(t); n = n < 4 ? n + 1 : n * 3 / 2) {
    const std::vector<sim_time> last(all.end() - static_cast<std::ptrdiff_t>(n), all.end());
    const node named = with(t.best(), "demand", bursts(last));
    if (t.take(thinner(named, {.drivers_most = 1}), gain::large) || t.take(named, gain::large)) {
      return;
    }
  }
}

}  // namespace dibs::shrink
