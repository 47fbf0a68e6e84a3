#include "torment/unfinished_trips.hpp"

#include <algorithm>
#include <map>
#include <variant>

namespace dibs::torment {

std::vector<unfinished_trip> unfinished_of(const std::vector<events::event>& all) {
  std::map<matcher_id, unfinished_trip> last;
  std::map<token_id, matcher_id> writers;
  const auto trip_of = [&](token_id token) -> unfinished_trip* {
    const auto by = writers.find(token);
    const auto found = by == writers.end() ? last.end() : last.find(by->second);
    return found == last.end() || found->second.token != token ? nullptr : &found->second;
  };
  for (const events::event& e : all) {
    if (const auto* made = std::get_if<events::call_made>(&e.what);
        made != nullptr && made->what == events::call::write) {
      const matcher_id by{made->client.index()};
      last[by] = {by, made->driver, made->ride, made->token};
      writers[made->token] = by;
    } else if (const auto* taken = std::get_if<events::trip_committed>(&e.what)) {
      if (auto* trip = trip_of(taken->token)) {
        trip->was_taken = true;
      }
    } else if (const auto* over = std::get_if<events::trip_ended>(&e.what)) {
      if (auto* trip = trip_of(over->token)) {
        trip->is_over = true;
      }
    } else if (const auto* refused = std::get_if<events::write_refused>(&e.what)) {
      if (trip_of(refused->token) != nullptr) {
        last.erase(writers[refused->token]);
      }
    }
  }
  std::vector<unfinished_trip> found;
  for (const auto& [by, trip] : last) {
    found.push_back(trip);
  }
  return found;
}

std::uint32_t rides_begun(const std::vector<events::event>& all, std::uint32_t lanes) {
  std::uint32_t begun = 0;
  for (const events::event& e : all) {
    if (const auto* asked = std::get_if<events::ride_requested>(&e.what)) {
      begun = std::max(begun, asked->ride.value / lanes + 1);
    }
  }
  return begun;
}

}  // namespace dibs::torment
