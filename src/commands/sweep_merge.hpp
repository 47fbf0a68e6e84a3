/// `dibs sweep merge`: puts the parts of a sweep together.
#pragma once

#include "commands/requests.hpp"

#include <string>

namespace dibs::commands {

/// Takes the directories of `sweep_request::parts`. Returns the exit code, as a whole sweep would.
[[nodiscard]] int merge_sweep(const sweep_request& r, const std::string& program);

}  // namespace dibs::commands
