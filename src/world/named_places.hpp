/// The places of a file, each once, by what the file says of it, and where they lie on the map.
#pragma once

#include "base/point.hpp"
#include "world/geography.hpp"
#include "world/zones.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::world {

class named_places {
 public:
  /// `in_sea`: at 0, 0, where programs put what they do not know.
  enum class state : std::uint8_t { inside, outside, unknown, in_sea };
  struct named {
    std::string name;
    point at;  ///< where it is known
    named_places::state state = named_places::state::unknown;
  };

  /// Both must outlive it.
  named_places(const geography& map, const zone_map& zones) : map_(map), zones_(zones) {}

  /// Of a field that says the place at once.
  std::uint32_t index_of(std::string_view field);

  /// `read` is asked where the place is, the first time that it is named.
  std::uint32_t index_of(std::string_view name,
                         const std::function<std::optional<place_in_degrees>()>& read);

  [[nodiscard]] const named& at(std::uint32_t index) const { return all_[index]; }

 private:
  const geography& map_;
  const zone_map& zones_;
  std::vector<named> all_;
  tsl::hopscotch_map<std::string, std::uint32_t> known_;
};

}  // namespace dibs::world
