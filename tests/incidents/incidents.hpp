/// The incidents that ship, by name.
#pragma once

#include "catch.hpp"
#include "incidents/incident_runs.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace dibs::incidents::test {

inline const std::filesystem::path incidents_folder =
    std::filesystem::path(DIBS_SOURCE_DIR) / "scenarios" / "incidents";

/// `name`: of its file, without ".yaml".
inline incidents::incident incident(const std::string& name) {
  auto read = read_incident(incidents_folder / (name + ".yaml"));
  REQUIRE(read.diagnostics.empty());
  return std::move(read.value);
}

}  // namespace dibs::incidents::test
