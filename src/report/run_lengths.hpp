/// The measured times of runs that are shown side by side.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dibs::report {

/// In a sentence, how long each of these runs was measured, as the model has them: empty where all
/// were for the same time.
[[nodiscard]] std::string measured_length_note(const nlohmann::ordered_json& runs);

}  // namespace dibs::report
