#include "report/account.hpp"

#include "scenario/complaints.hpp"

#include <fmt/format.h>

namespace dibs::report {

std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
    return word;
  }
  // What would move the cursor, or turn the direction of what follows, is spelled byte by byte.
  const bool controls = scenario::shown(word, word.size()) != word;
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7f; };
  std::string text = controls ? "$'" : "'";
  for (const char c : word) {
    if (controls && !is_plain(c)) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else if (c == '\'') {
      text += controls ? "\\'" : "'\\''";
    } else if (controls && c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string replay_line(const account& a, std::size_t k) {
  return replay_line_of_seed(a, k < a.runs.size() ? a.runs[k].seed : a.seed);
}

std::string replay_line_of_seed(const account& a, std::uint64_t seed) {
  std::string line = quoted(a.program) + " run " + quoted(a.file);
  line += fmt::format(" --seed {}", seed);
  for (const scenario::override_value& o : a.overrides) {
    line += " --set " + quoted(o.path + "=" + o.value);
  }
  return line + a.how;
}

}  // namespace dibs::report
