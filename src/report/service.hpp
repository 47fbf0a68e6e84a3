/// What riders got: matched rides, waiting times, offers, and the accepts that came to nothing.
#pragma once

#include "report/figures.hpp"
#include "report/look.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// Lines of text, without newlines.
[[nodiscard]] std::vector<std::string> service(const figures& f, const look& l);

}  // namespace dibs::report
