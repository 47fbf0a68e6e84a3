/// One event of each kind of fact, with a different value in every field.
#pragma once

#include "events/facts.hpp"

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::events {

/// Fills fields with values that differ from each other and from the defaults.
class filler {
 public:
  explicit filler(std::uint64_t first) : next_(first) {}

  void fill(bool& value) { value = !value; }
  void fill(std::uint8_t& value) { value = static_cast<std::uint8_t>(1 + ++next_ % 200); }
  void fill(std::uint32_t& value) { value = static_cast<std::uint32_t>(++next_); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void fill(Enum& value) { value = static_cast<Enum>(1); }
  template <class Tag, class Number>
  void fill(strong_id<Tag, Number>& id) {
    id.value = static_cast<Number>(++next_);
  }
  void fill(token_id& token) {
    ++next_;
    token = next_ % 2 == 0 ? token_id{next_} : token_id::unleased(matcher_id{3}, next_);
  }
  void fill(node_id& node) {
    node = node_id(node_kind::matcher, static_cast<std::uint32_t>(++next_));
  }
  void fill(sim_duration& d) { d = sim_duration{static_cast<std::int64_t>(++next_)}; }
  void fill(local_time& t) { t = at_local(sim_duration{-static_cast<std::int64_t>(++next_)}); }
  void fill(point& p) { p = {0.1 * static_cast<double>(++next_), -0.0, 1e-7 / 3}; }

 private:
  std::uint64_t next_;
};

template <class... Facts>
std::vector<event> one_of_each(std::type_identity<std::variant<Facts...>> /*all*/) {
  std::vector<event> all;
  filler f(100);
  const auto add = [&]<class Fact>(std::type_identity<Fact>) {
    Fact what;
    each_field(what, [&](std::string_view /*name*/, auto& member) { f.fill(member); });
    const auto n = static_cast<std::int64_t>(all.size());
    all.push_back({at(sim_duration{1000 + n}), at_local(sim_duration{900 - n}), what});
  };
  (add(std::type_identity<Facts>{}), ...);
  return all;
}

inline std::vector<event> one_of_each() { return one_of_each(std::type_identity<fact>{}); }

}  // namespace dibs::events
