#include "scenario/yaml_quotes.hpp"

#include <cstddef>

namespace dibs::scenario {

namespace {

/// What may stand before a value.
bool opens_value(char before) {
  return std::string_view(":-[{,?").find(before) != std::string_view::npos || before == '\n';
}

/// Where the quotes that open at `from` close; the end of the text if they never do.
std::size_t close_of(std::string_view text, std::size_t from) {
  const char mark = text[from];
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    const bool doubled = mark == '\'' && i + 1 < text.size() && text[i + 1] == mark;
    if ((mark == '"' && text[i] == '\\') || (text[i] == mark && doubled)) {
      ++i;
    } else if (text[i] == mark) {
      return i;
    }
  }
  return text.size();
}

/// Whether a value may be over before this character.
bool closes_value(char after) {
  return std::string_view(",]}: \n").find(after) != std::string_view::npos;
}

}  // namespace

std::optional<unclosed_quote> unclosed_quote_before(std::string_view text, int line) {
  std::optional<unclosed_quote> last;
  int here = 1;
  std::size_t begin = 0;  // of the line
  char before = '\n';     // the last character that is no blank
  for (std::size_t i = 0; i < text.size() && here <= line; ++i) {
    const char c = text[i];
    const bool is_word = i > begin && text[i - 1] != ' ';
    if (c == '#' && !is_word) {
      i = text.find('\n', i) - 1;  // past the end of the text: the loop ends
      if (i >= text.size()) {
        break;
      }
      continue;
    }
    if ((c == '"' || c == '\'') && opens_value(before)) {
      const std::size_t end = close_of(text, i);
      const int opened = here;
      const int column = static_cast<int>(i - begin) + 1;
      for (std::size_t k = i; k < end; ++k) {
        if (text[k] == '\n') {
          ++here;
          begin = k + 1;
        }
      }
      if (here > opened && here >= line - 1) {
        last = {opened, column, end < text.size() ? here : 0};
      } else if (end == text.size()) {
        last = {opened, column, 0};
      } else if (here == line && end + 1 < text.size() && !closes_value(text[end + 1])) {
        last = {opened, column, here};
      }
      before = 'x';
      i = end;
      continue;
    }
    if (c == '\n') {
      ++here;
      begin = i + 1;
    }
    before = c == ' ' ? before : c;
  }
  return last;
}

}  // namespace dibs::scenario
