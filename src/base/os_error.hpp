/// What the operating system says of an error number.
#pragma once

#include <string>
#include <system_error>

namespace dibs {

[[nodiscard]] inline std::string os_error_text(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace dibs
