#include "base/ensure.hpp"

#include <string>

namespace dibs {

void ensure_failed(std::string_view what, const char* file, int line) {
  throw defect("internal error: " + std::string(what) + " (" + file + ":" + std::to_string(line) +
               ")");
}

}  // namespace dibs
