/// Small files of requests, and what is taken from them.
#pragma once

#include "scenario/request_file.hpp"
#include "scenario/scratch.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace dibs::scenario::test {

inline result<request_file> look_at(const std::string& text) {
  const scratch folder;
  std::ofstream(folder / "r.csv") << text;
  return look_at_requests(folder / "r.csv");
}

/// 40 rows: `{m}` counts them, `{d}` is its last digit.
inline std::string forty(const std::string& header, const std::string& row) {
  std::string text = header + "\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(fmt::runtime(row), fmt::arg("m", i), fmt::arg("d", i % 10)) + "\n";
  }
  return text;
}

}  // namespace dibs::scenario::test
