/// What a journal is made with and checked against.
#pragma once

#include "results/manifest.hpp"
#include "sweep/plan.hpp"

#include <charconv>
#include <cstdint>
#include <map>
#include <string>

namespace dibs::sweep {

/// What a study is, beside its points: name and value, each a row of `facts`.
[[nodiscard]] std::map<std::string, std::string> facts_of(const plan& p,
                                                          const results::build_info& b);

/// Before the names of facts that only say how the command was typed: the next one may differ.
inline constexpr const char* asked_prefix = "asked.";

/// Of decimal digits; 0 for what is none.
[[nodiscard]] inline std::uint64_t number_of(const std::string& text) {
  std::uint64_t x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

}  // namespace dibs::sweep
