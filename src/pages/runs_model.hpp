/// What a page shows of several runs side by side: the figures of each, and what differs between
/// the first and each other one.
#pragma once

#include "sweep/comparison.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dibs::pages {

struct compared_run {
  std::string directory;           ///< as the user typed it
  nlohmann::ordered_json metrics;  ///< what `metrics.json` holds
  std::string page;                ///< its own, as a path from here; empty if there is none yet
  std::string make_page;           ///< the command that makes that one, typed where this one lies
  std::string replay_line;         ///< that runs its first replication again
  /// From the first run, pair by pair; nothing for the first, and where fewer than two seeds are in
  /// common.
  std::optional<sweep::comparison> from_first{};
};

/// What is said of them before all figures; empty where there is nothing to say.
struct runs_page_text {
  std::string note;
  std::string story;                   ///< the page of a harm's story, as a path from here
  std::vector<std::string> metrics{};  ///< what is drawn; empty: both harms and service
};

[[nodiscard]] nlohmann::ordered_json runs_model_of(const std::vector<compared_run>& all,
                                                   const runs_page_text& said,
                                                   const std::string& version);

}  // namespace dibs::pages
