/// Whether a text says something.
#pragma once

#include <string>

namespace dibs::test {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace dibs::test
