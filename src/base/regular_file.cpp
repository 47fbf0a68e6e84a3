#include "base/regular_file.hpp"

#include "base/os_error.hpp"

#include <cerrno>

namespace dibs {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) {
    return "a directory";
  }
  if (S_ISFIFO(mode)) {
    return "a pipe";
  }
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

std::optional<std::string> objection_to_mode(mode_t mode) {
  if (S_ISREG(mode)) {
    return std::nullopt;
  }
  return std::string("expected a file (got ") + kind_of(mode) + ")";
}

std::optional<std::string> objection_to_file(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? objection_to_mode(status.st_mode)
                                            : std::optional(os_error_text(errno));
}

}  // namespace dibs
