#include "text/roff.hpp"

#include "text/trimmed.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace dibs::text {
namespace {

std::string_view sign(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return "";
  }
}

std::string font(char which, std::string_view text) {
  return std::string("\\f") + which + roff(text) + "\\fR";
}

/// Code, bold and links within a line.
std::string inline_roff(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find_first_of("`*["), text.size());
    all += roff(text.substr(0, at));
    text.remove_prefix(at);
    const auto between = [&](std::string_view open, std::string_view close) {
      const std::size_t end =
          text.starts_with(open) ? text.find(close, open.size()) : std::string_view::npos;
      return end == std::string_view::npos ? "" : text.substr(open.size(), end - open.size());
    };
    if (const auto code = between("`", "`"); !code.empty()) {
      all += font('B', code);
      text.remove_prefix(code.size() + 2);
    } else if (const auto bold = between("**", "**"); !bold.empty()) {
      all += inline_roff(bold);  // has code in it, which is bold anyway
      text.remove_prefix(bold.size() + 4);
    } else if (const auto link = between("[", "]("); !link.empty()) {
      all += inline_roff(link);
      text.remove_prefix(std::min(text.find(')', link.size()), text.size() - 1) + 1);
    } else if (!text.empty()) {
      all += roff(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
  return all;
}

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += row[++i];
    } else {
      cell += row[i];
    }
  }
  return cells;
}

/// A page has no room for columns: a row is its first cell, and below it what the others say.
std::string row_of(const std::vector<std::string>& header, const std::vector<std::string>& cells) {
  std::string meaning;
  std::string facts;
  for (std::size_t i = 1; i < std::min(cells.size(), header.size()); ++i) {
    if (header[i].starts_with("mean")) {
      meaning = cells[i];
    } else if (!cells[i].empty()) {
      facts += (facts.empty() ? "" : "; ") + header[i] + ": " + cells[i];
    }
  }
  std::string text = ".TP\n" + inline_roff(cells.front()) + "\n";
  text += meaning.empty() ? "" : inline_roff(meaning) + "\n";
  text += meaning.empty() || facts.empty() ? "" : ".br\n";
  return text + (facts.empty() ? "" : inline_roff(facts) + "\n");
}

std::string heading_of(std::string_view line) {
  const std::size_t marks = line.find_first_not_of('#');
  std::string title(trimmed(line.substr(marks)));
  title.erase(std::remove(title.begin(), title.end(), '`'), title.end());
  return marks < 2 ? "" : (marks == 2 ? ".SH " : ".SS ") + roff(title) + "\n";
}

}  // namespace

std::string roff(std::string_view text) {
  std::string all;
  bool begins = true;
  for (const char c : text) {
    const std::string_view escaped = sign(c);
    all += begins && c == '.' ? "\\&" : "";
    all += escaped.empty() ? std::string(1, c) : std::string(escaped);
    begins = c == '\n';
  }
  return all;
}

std::string roff_bold(std::string_view text) { return font('B', text); }
std::string roff_italic(std::string_view text) { return font('I', text); }

std::string roff_of_markdown(std::string_view markdown) {
  std::string all;
  std::string block;                // a paragraph, or an item of a list, as far as it was read
  std::vector<std::string> header;  // of the table that the line before belongs to
  const auto end_block = [&] {
    all += block.empty() ? "" : inline_roff(block) + "\n";
    block.clear();
  };
  std::istringstream in{std::string(markdown)};
  bool begins_below_heading = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('|')) {
      end_block();
      if (header.empty()) {
        header = cells_of(line);
      } else if (!line.starts_with("|---")) {
        all += row_of(header, cells_of(line));
      }
      begins_below_heading = false;
      continue;
    }
    header.clear();
    if (line.empty() || line.starts_with('#')) {
      end_block();
      all += line.empty() ? "" : heading_of(line);
      begins_below_heading = begins_below_heading || !line.empty();
    } else if (line.starts_with("- ")) {
      end_block();
      all += ".IP \\(bu 2\n";
      block = line.substr(2);
      begins_below_heading = false;
    } else {
      all += block.empty() && !begins_below_heading ? ".PP\n" : "";
      block += block.empty() ? "" : " ";
      block += trimmed(line);
      begins_below_heading = false;
    }
  }
  end_block();
  return all;
}

}  // namespace dibs::text
