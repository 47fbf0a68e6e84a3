/// The page of `dibs report` that shows kept runs side by side.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::commands {

inline constexpr const char* runs_page_title = "runs side by side";

struct runs_page_options {
  std::uint32_t jobs = 1;  ///< replications at a time, where runs are compared
  bool quiet = false;
  std::string note{};                  ///< what to say of them, before all figures
  std::vector<std::string> metrics{};  ///< what is drawn; empty: both harms and service
  std::string story{};  ///< a page with the story of a harm of the first, from `page`
};

/// What a page of these run directories shows, in their order; each is compared with the first
/// where they share seeds. `page`: where it will be, for its links. Errors: a directory that cannot
/// be read, or that this program cannot run again; interrupted.
[[nodiscard]] result<nlohmann::ordered_json> runs_page_model(
    const std::vector<std::string>& directories,
    const std::filesystem::path& page,
    const runs_page_options& how);

}  // namespace dibs::commands
