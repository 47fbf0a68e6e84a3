#include "history/display_names.hpp"

#include "events/jsonl.hpp"

#include <fmt/format.h>

namespace dibs::history {
namespace {

constexpr std::uint64_t token_matcher_shift = 40;

}  // namespace

std::string spaced(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    c = c == '_' ? ' ' : c;
  }
  return text;
}

std::string name_of(driver_id d) { return fmt::format("driver {}", std::uint64_t{d.value} + 1); }
std::string name_of(ride_id r) { return fmt::format("ride {}", std::uint64_t{r.value} + 1); }
std::string name_of(matcher_id m) { return fmt::format("matcher/{}", std::uint64_t{m.value} + 1); }

std::string name_of(zone_id z) { return fmt::format("zone {}", std::uint64_t{z.value} + 1); }

std::string name_of(node_id n) {
  switch (n.kind()) {
    case node_kind::driver:
      return name_of(driver_id{n.index()});
    case node_kind::rider:
      return name_of(ride_id{n.index()});
    case node_kind::matcher:
    case node_kind::lease_manager:
    case node_kind::ledger:
    case node_kind::demand:
    case node_kind::sweeper:
      break;
  }
  return spaced(events::node_name(n));
}

std::string name_of(token_id t) {
  if (!t.is_some()) {
    return "no lease";
  }
  if (t.is_leased()) {
    return fmt::format("lease {}", t.value);
  }
  const std::uint64_t rest = t.value & ~token_id::unleased_bit;
  return fmt::format("try {} of matcher/{}",
                     rest & ((std::uint64_t{1} << token_matcher_shift) - 1),
                     (rest >> token_matcher_shift) + 1);
}

std::string clock_time(sim_duration since_start) {
  const std::int64_t ms = since_start.count() / 1'000'000;
  const std::int64_t size = ms < 0 ? -ms : ms;
  const std::string sign = ms < 0 ? "-" : "";
  constexpr std::int64_t hour = 3'600'000;
  constexpr std::int64_t minute = 60'000;
  if (size >= hour) {
    return fmt::format("{}{}:{:02}:{:02}.{:03}",
                       sign,
                       size / hour,
                       size % hour / minute,
                       size % minute / 1000,
                       size % 1000);
  }
  return fmt::format("{}{}:{:02}.{:03}", sign, size / minute, size % minute / 1000, size % 1000);
}

}  // namespace dibs::history
