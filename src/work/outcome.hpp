/// What one run came to, as a study needs it, and as text that a journal keeps.
#pragma once

#include "engine/run.hpp"
#include "results/run_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::work {

struct outcome {
  results::run_record record;       ///< without point and replication
  std::uint32_t judged = 0;         ///< promised invariants, one bit each
  std::vector<std::string> broken;  ///< the first of them: "S4: driver 17 is held by ..."

  friend bool operator==(const outcome&, const outcome&) = default;
};

/// `metrics`: besides those of the catalogue.
[[nodiscard]] outcome outcome_of(const engine::run_result& r,
                                 const std::string& scenario_hash,
                                 const std::vector<std::string>& metrics);

/// One line, with a hash over it. Equal outcomes have equal texts, and only these.
[[nodiscard]] std::string text_of(const outcome& o);

/// Nothing for a text that is none of `text_of`, or that somebody has changed.
[[nodiscard]] std::optional<outcome> parse_outcome(std::string_view text);

}  // namespace dibs::work
