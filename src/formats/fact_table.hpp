/// The facts of `events.jsonl` with their members, as `events/facts.hpp` declares them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dibs::formats {

struct fact_member {
  std::string_view name;
  std::string type;
  std::string_view unit;     ///< `ns` for times, `m` for places; empty for all else
  std::string_view meaning;  ///< empty if this room has no words for it, which a test refuses
};

struct fact_description {
  std::string_view name;
  std::string_view meaning;  ///< as above
  std::vector<fact_member> members;
};

/// All of them, in the order of `events::fact`.
[[nodiscard]] std::vector<fact_description> described_facts();

/// What each line has: its true time, the node's own, and which fact it is.
[[nodiscard]] std::vector<fact_member> members_of_each_fact();

}  // namespace dibs::formats
