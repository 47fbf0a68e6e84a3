/// Why a text cannot be read as the value that it should be.
#pragma once

#include <string>
#include <string_view>

namespace dibs::text {

/// Why a value was refused; the reader adds place and path.
struct parse_error {
  std::string_view code;
  std::string message;
  std::string hint = {};
};

}  // namespace dibs::text
