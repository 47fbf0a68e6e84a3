#include "metrics/worst_harms.hpp"

#include "events/jsonl.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace dibs::metrics {
namespace {

constexpr std::array<std::string_view, harms> harm_names{"double_commit",
                                                         "broken_promise",
                                                         "stale_confirm",
                                                         "double_accept",
                                                         "lost_accept",
                                                         "double_offer",
                                                         "starved_ride",
                                                         "hiding_lease"};

/// Ranks first by kind and then by size: a length of time is below 10^10 seconds.
constexpr double size_max_s = 1e10;
double severity_of(harm_kind kind) {
  return static_cast<double>(harms - static_cast<std::size_t>(kind));
}

}  // namespace

sim_duration size_of(const harm_case& n) {
  const double seconds = (n.severity - severity_of(n.kind)) * size_max_s;
  return sim_duration{static_cast<std::int64_t>(seconds * 1e9)};
}

std::string_view name_of(harm_kind h) { return harm_names[static_cast<std::size_t>(h)]; }

std::size_t worst_harms::place_of(harm_kind kind, sim_duration size) const {
  const auto& found = kinds_[static_cast<std::size_t>(kind)];
  // Behind those of its own size, which came first.
  return static_cast<std::size_t>(
      std::ranges::find_if(found, [&](const ranked_harm& f) { return f.size < size; }) -
      found.begin());
}

void worst_harms::insert(harm_kind kind,
                         sim_duration size,
                         sim_time t,
                         ride_id r,
                         std::string sentence,
                         std::initializer_list<try_index> tries) {
  auto& found = kinds_[static_cast<std::size_t>(kind)];
  const double severity = severity_of(kind) + in_seconds(size) / size_max_s;
  const auto place = static_cast<std::ptrdiff_t>(place_of(kind, size));
  found.insert(found.begin() + place,
               {size, {kind, severity, t, r.value + 1, std::move(sentence), tries}});
  if (found.size() > of_one_kind_max) {
    found.pop_back();
  }
}

std::vector<harm_case> worst_harms::take() {
  std::vector<harm_case> all;
  for (auto& found : kinds_) {
    for (ranked_harm& f : found) {
      all.push_back(std::move(f.what));
    }
    found.clear();
  }
  rank(all);
  return all;
}

void rank(std::vector<harm_case>& all) {
  std::ranges::stable_sort(all, [](const harm_case& a, const harm_case& b) {
    return std::make_tuple(-a.severity, a.t, a.ride) < std::make_tuple(-b.severity, b.t, b.ride);
  });
  if (all.size() > worst_harms::told_max) {
    all.resize(worst_harms::told_max);
  }
}

std::string describe(sim_duration d) {
  const double seconds = in_seconds(d);
  if (d < 10ms) {
    return fmt::format("{:.3g} ms", seconds * 1e3);
  }
  if (d < 10s) {
    return fmt::format("{:.2f} s", seconds);
  }
  if (d < 2min) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = d.count() / 1'000'000'000;
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string describe(driver_id d) { return fmt::format("driver {}", std::uint64_t{d.value} + 1); }

std::string describe(matcher_id m) { return fmt::format("matcher/{}", std::uint64_t{m.value} + 1); }

std::string describe(node_id n) {
  if (n.kind() == node_kind::driver) {
    return describe(driver_id{n.index()});
  }
  std::string name = events::node_name(n);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name.find('/') == std::string::npos ? "the " + name : name;
}

}  // namespace dibs::metrics
