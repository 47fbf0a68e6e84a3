#include "commands/bearer_token.hpp"

#include "base/regular_file.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace dibs::commands {

// A short one could be guessed.
result<std::string> bearer_token_in(const std::string& file) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 512;
  const auto refuse = [&](const std::string& why) {
    return failure(exit_code::invalid_input,
                   fmt::format("cannot take a token from {}: {}", text::display_text(file), why));
  };
  if (const auto no = objection_to_file(file)) {
    return refuse(*no);
  }
  std::ifstream in(file);
  if (!in) {
    return refuse("it may not be read");
  }
  std::string token(most + 2, '\0');
  in.read(token.data(), static_cast<std::streamsize>(token.size()));
  token.resize(static_cast<std::size_t>(in.gcount()));
  token.resize(std::min(token.find_first_of("\r\n"), token.size()));
  const bool is_plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (token.size() < least || token.size() > most || !is_plain) {
    return refuse(fmt::format(
        "its first line must be {} to {} letters, digits or signs, without a space", least, most));
  }
  return token;
}

}  // namespace dibs::commands
