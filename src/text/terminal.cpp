#include "text/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace dibs::text {
namespace {

constexpr int width_min = 20;  // whoever draws needs room for a word

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (const std::string_view value = variable(name); !value.empty()) {
      return value.find("UTF-8") != std::string_view::npos ||
             value.find("utf8") != std::string_view::npos ||
             value.find("UTF8") != std::string_view::npos;
    }
  }
  return false;
}

}  // namespace

terminal_style terminal_style_of(int fd) {
  terminal_style l;
  if (::isatty(fd) == 0) {
    return l;
  }
  l.redraws = variable("TERM") != "dumb" && !variable("TERM").empty();
  const bool fancy = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  l.colour = fancy;
  l.unicode = fancy && locale_is_utf8();
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    l.width = std::max<int>(size.ws_col, width_min);
  }
  return l;
}

std::string coloured(const terminal_style& l, text_colour i, std::string_view text) {
  static constexpr std::array<std::string_view, 6> codes{"", "1", "2", "32", "1;31", "33"};
  const std::string_view code = codes[static_cast<std::size_t>(i)];
  if (!l.colour || code.empty()) {
    return std::string(text);
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

int columns(std::string_view text) {
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U) {
      ++count;
    }
  }
  return count;
}

std::string left(std::string_view text, int width) {
  const int missing = std::max(width - columns(text), 0);
  return std::string(text) + std::string(static_cast<std::size_t>(missing), ' ');
}

std::string right(std::string_view text, int width) {
  const int missing = std::max(width - columns(text), 0);
  return std::string(static_cast<std::size_t>(missing), ' ') + std::string(text);
}

std::string bar(const terminal_style& l, double share, int width) {
  if (!(share > 0) || width < 1) {
    return "";
  }
  const auto cells = std::clamp<long>(std::lround(share * width), 1, width);
  std::string text;
  for (long i = 0; i < cells; ++i) {
    text += l.unicode ? "\u2587" : "#";
  }
  return text;
}

namespace {

/// Whether it is a unit, which stays with its number.
bool is_unit(std::string_view word) {
  static constexpr std::array<std::string_view, 9> units{
      "%", "s", "ms", "us", "ns", "min", "h", "MB", "M"};
  word = word.substr(0, word.find_last_not_of(".,;:)") + 1);
  return std::find(units.begin(), units.end(), word) != units.end();
}

/// To the end of the first word; of a length like `5 min 39 s`, to the end of all of it.
std::size_t end_of_word(std::string_view text) {
  std::size_t begin = 0;
  std::size_t end = std::min(text.find(' '), text.size());
  const auto is_number = [&](std::size_t at) {
    at += at < text.size() && text[at] == '(' ? 1U : 0U;
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  while (is_number(begin)) {
    const std::size_t next = std::min(text.find(' ', begin) + 1, text.size());
    const std::size_t after = std::min(text.find(' ', next), text.size());
    if (!is_unit(text.substr(next, after - next))) {
      break;
    }
    end = after;
    begin = text[after - 1] >= 'a' ? std::min(after + 1, text.size()) : text.size();
  }
  return end;
}

}  // namespace

std::vector<std::string> word_wrapped(std::string_view text, int width, std::string_view indent) {
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    const std::string_view word = text.substr(0, end);
    if (!empty && columns(line) + 1 + columns(word) > width) {
      lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
      line = indent;
      empty = true;
    }
    // What the text is indented with, and columns within it, stay as they are.
    if (!empty || (word.empty() && lines.empty())) {
      line += ' ';
    }
    line += word;
    empty = empty && word.empty();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!empty) {
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::string paragraph(std::string_view text, int width, std::string_view indent) {
  return joined_lines(word_wrapped(text, width, indent));
}

std::string plus_minus(const terminal_style& l) { return l.unicode ? "\u00b1" : "+/-"; }

}  // namespace dibs::text
