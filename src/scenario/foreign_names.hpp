/// Names of columns in German, Spanish and French.
#pragma once

#include <string>
#include <string_view>

namespace dibs::scenario {

/// The name with the words that are known in English; the others as they are, without accents.
/// "Startzeit" is "start time", "Ziel_Länge" is "destination_longitude".
[[nodiscard]] std::string in_english(std::string_view name);

}  // namespace dibs::scenario
