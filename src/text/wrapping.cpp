#include "text/wrapping.hpp"

#include "text/terminal.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace dibs::text {
namespace {

/// A description narrower than that is no pleasure to read.
constexpr int description_min = 26;

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// A command of an example, or a line on which one goes on.
bool is_command(std::string_view line) {
  static constexpr std::array<std::string_view, 6> beginnings{
      "dibs ", "tools/dibs ", "replay: ", "source ", "DIBS_", "# "};
  constexpr std::size_t carried_over = 4;
  const std::size_t indent = indent_of(line);
  const std::string_view said = line.substr(indent);
  return (indent >= carried_over && said.starts_with("--")) ||
         (indent > 0 && std::any_of(beginnings.begin(), beginnings.end(), [&](auto each) {
            return said.starts_with(each);
          }));
}

/// Where the description begins that follows a term and some spaces; nothing: npos.
std::size_t description_of(std::string_view line) {
  const std::size_t spaces = line.find("  ", indent_of(line));
  return spaces == std::string_view::npos ? spaces : line.find_first_not_of(' ', spaces);
}

std::string indented(std::string_view text, std::size_t indent, int width) {
  const std::string margin(indent, ' ');
  return paragraph(margin + std::string(text), width, margin);
}

std::string term_of(std::string_view line, std::size_t description) {
  const std::string_view term = line.substr(0, description);
  return std::string(term.substr(0, term.find_last_not_of(' ') + 1));
}

std::string broken(std::string_view line, int width) {
  const std::size_t indent = indent_of(line);
  const std::size_t description = description_of(line);
  constexpr std::size_t step = 4;
  if (is_command(line)) {
    return description == std::string_view::npos
               ? std::string(line) + "\n"
               : term_of(line, description) + "\n" +
                     indented(line.substr(description), indent + step, width);
  }
  if (description != std::string_view::npos) {
    if (static_cast<int>(description) + description_min <= width) {
      return paragraph(line, width, std::string(description, ' '));
    }
    return indented(term_of(line, description).substr(indent), indent, width) +
           indented(line.substr(description), indent + step, width);
  }
  // What a line of a list says goes on further in; what is far in already is a description.
  constexpr std::size_t far = 8;
  const std::string margin(indent >= far ? indent : indent + 2, ' ');
  return paragraph(line, width, margin);
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// `Usage:` and `Exit codes:`, with or without more behind.
bool begins_with_title(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && line.front() >= 'A' && line.front() <= 'Z' &&
         line.substr(0, colon).find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ") == std::string_view::npos;
}

/// Whether the second line goes on with what the first one says.
bool goes_on(std::string_view line, std::string_view next) {
  if (line.empty() || next.empty() || line.ends_with('\\')) {
    return false;
  }
  const std::size_t description = description_of(line);
  if (indent_of(next) > 0) {
    return description != std::string_view::npos && !is_command(line) &&
           indent_of(next) > indent_of(line) && indent_of(next) <= description &&
           description_of(next) == std::string_view::npos;
  }
  return indent_of(line) == 0 && !line.ends_with(':') && !begins_with_title(next) &&
         description_of(next) == std::string_view::npos;
}

}  // namespace

std::string fitted(std::string_view text, int width) {
  std::string all;
  for (const std::string_view line : split_lines(text)) {
    all += columns(line) <= width ? std::string(line) + "\n" : broken(line, width);
  }
  if (!all.empty() && !text.ends_with('\n')) {
    all.pop_back();
  }
  return all;
}

std::string fitted_paragraphs(std::string_view text, int width) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::string all;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;
    std::string whole(lines[i]);
    bool fits = columns(lines[i]) <= width;
    for (; end < lines.size() && goes_on(whole, lines[end]); ++end) {
      whole.append(" ").append(lines[end].substr(indent_of(lines[end])));
      fits = fits && columns(lines[end]) <= width;
    }
    for (std::size_t k = i; fits && k < end; ++k) {
      all.append(lines[k]).append("\n");
    }
    if (!fits) {
      const bool is_prose =
          indent_of(whole) == 0 && description_of(whole) == std::string_view::npos;
      all += is_prose ? indented(whole, 0, width) : broken(whole, width);
    }
    i = end;
  }
  return all;
}

}  // namespace dibs::text
