/// Where quotes open and close in a YAML text, for who forgot one: the YAML library notices that
/// only at the end of the text, or at the next quote.
#pragma once

#include <optional>
#include <string_view>

namespace dibs::scenario {

/// Quoted text that seems not to close where it should: it goes on over the end of its line, or
/// something stands right behind it. Lines and columns count from 1.
struct unclosed_quote {
  int line = 0;
  int column = 0;
  int closes = 0;  ///< in this line; 0: never
};

/// The last such text that is not over before `line`.
[[nodiscard]] std::optional<unclosed_quote> unclosed_quote_before(std::string_view text, int line);

}  // namespace dibs::scenario
