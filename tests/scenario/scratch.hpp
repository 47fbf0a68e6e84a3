/// A place for the files of one test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dibs::scenario::test {

/// A folder of its own that is gone afterwards.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "dibs-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace dibs::scenario::test
