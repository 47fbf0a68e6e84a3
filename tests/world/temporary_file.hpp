/// A file with given content, gone at the end of the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace dibs::test {

class temporary_file {
 public:
  explicit temporary_file(std::string_view content)
      : path_(std::filesystem::temp_directory_path() /
              ("dibs_test_" + std::to_string(::getpid()) + "_" + std::to_string(next()) + ".csv")) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static int next() {
    static int made = 0;
    return ++made;
  }

  std::filesystem::path path_;
};

}  // namespace dibs::test
