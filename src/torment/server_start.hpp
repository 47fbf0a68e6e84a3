/// What starting one server has in common with starting another.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dibs::torment {

/// A port that nobody listens at.
[[nodiscard]] result<std::uint16_t> free_port();

[[nodiscard]] std::string whole_text(const std::filesystem::path& file);

/// A server that has been started: its name for messages, and the file that its output goes to.
struct started_server {
  std::string_view name;
  std::filesystem::path log;
};

/// Asks until the answer is yes. Errors (exit code 6): it is not within 15 s, or `is_running` says
/// no; what the server said is told.
[[nodiscard]] result<void> until_it_answers(const started_server& server,
                                            const std::function<bool()>& answers,
                                            const std::function<bool()>& is_running);

}  // namespace dibs::torment
