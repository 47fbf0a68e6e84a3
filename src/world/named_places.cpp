#include "world/named_places.hpp"

#include <cmath>
#include <utility>

namespace dibs::world {

std::uint32_t named_places::index_of(std::string_view field) {
  return index_of(field, [&] { return place_named(field, zones_); });
}

std::uint32_t named_places::index_of(std::string_view name,
                                     const std::function<std::optional<place_in_degrees>()>& read) {
  std::string key(name);
  if (const auto found = known_.find(key); found != known_.end()) {
    return found->second;
  }
  const auto index = static_cast<std::uint32_t>(all_.size());
  named one{key, {}, state::unknown};
  const std::optional<place_in_degrees> at = read();
  if (at && std::abs(at->lat) <= 90 && std::abs(at->lon) <= 180) {
    one.state = is_in_sea(*at)        ? state::in_sea
                : map_.is_inside(*at) ? state::inside
                                      : state::outside;
    one.at = map_.project(*at);
  }
  all_.push_back(std::move(one));
  known_.emplace(std::move(key), index);
  return index;
}

}  // namespace dibs::world
