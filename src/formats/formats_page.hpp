/// `scenarios/FORMATS.md`: every file and column that dibs writes, with units.
#pragma once

#include <string>

namespace dibs::formats {

[[nodiscard]] std::string formats_page();

/// The same for programs. `version`: of the program that says so.
[[nodiscard]] std::string formats_json(const std::string& version);

}  // namespace dibs::formats
