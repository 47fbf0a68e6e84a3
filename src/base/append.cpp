#include "base/append.hpp"

#include <fmt/format.h>

#include <iterator>

namespace dibs {

void append_formatted(std::string& to, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(to), format, arguments);
}

}  // namespace dibs
