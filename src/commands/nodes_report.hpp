/// What is said of a run over several nodes, beside what is said of any run.
#pragma once

#include "processes/hub.hpp"
#include "scenario/scenario.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dibs::commands {

struct nodes_told {
  const scenario::scenario& scenario;
  const processes::placement& who;
  const std::vector<processes::process_account>& accounts;
};

[[nodiscard]] std::string nodes_text(const nodes_told& t);
[[nodiscard]] nlohmann::ordered_json nodes_json(const nodes_told& t);

}  // namespace dibs::commands
