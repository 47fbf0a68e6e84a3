#include "scenario/diagnostics.hpp"

#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace dibs::scenario {

namespace {

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) {
      return {};
    }
    begin = end + 1;
  }
  std::string_view rest = text.substr(begin);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') {
    rest.remove_suffix(1);
  }
  return rest;
}

int characters_before(std::string_view line, int byte_column) {
  int count = 0;
  const std::size_t end = static_cast<std::size_t>(std::max(byte_column - 1, 0));
  for (std::size_t i = 0; i < end; ++count) {
    i += i < line.size() ? text::character_at(line, i).bytes : 1;
  }
  return count;
}

/// Keeps of a long line what surrounds the place of the diagnostic: enough to see it.
void cut_source(diagnostic& c) {
  constexpr int characters_around = 200;
  const std::string_view line = c.source;
  std::size_t begin = 0;
  std::size_t end = line.size();
  int at = 1;
  for (std::size_t i = 0; i < line.size(); ++at) {
    if (at == c.column - characters_around) {
      begin = i;
      c.source_column = at;
    }
    if (at == c.column + characters_around) {
      end = i;
    }
    i += text::character_at(line, i).bytes;
  }
  c.source_is_cut = end < line.size();
  c.source = std::string(line.substr(begin, end - begin));
}

/// A line around the place of a diagnostic, and how many columns of it come before that place.
struct excerpt {
  std::string text;
  std::size_t before = 0;
};

excerpt excerpt_of(const diagnostic& what) {
  constexpr int context = 70;
  constexpr std::string_view cut = "...";
  const std::string_view line = what.source;
  const int column = what.column;
  excerpt e;
  if (column - context > 1) {
    e = {std::string(cut), cut.size()};
  }
  int at = what.source_column;
  for (std::size_t i = 0; i < line.size(); ++at) {
    const text::utf8_character c = text::character_at(line, i);
    if (at >= column - context && at <= column + context) {
      const std::string_view bytes = line.substr(i, c.bytes);
      const std::string piece = bytes == "\t" ? std::string(" ") : text::escaped(c, bytes);
      e.text += piece;
      if (at < column) {
        e.before += piece == bytes ? 1 : piece.size();
      }
    }
    i += c.bytes;
  }
  if (what.source_is_cut || at > column + context + 1) {
    e.text += cut;
  }
  // Just past the end of the line is a place too.
  e.before += at < column && column - at < context ? static_cast<std::size_t>(column - at) : 0;
  return e;
}

}  // namespace

void diagnostic_log::add(text::parse_error what,
                         place at,
                         std::string path,
                         const std::string& field) {
  fields_.insert(field);
  if (only_counts()) {
    ++untold_;
  } else {
    drafts_.push_back({std::move(what), at, std::move(path)});
  }
}

void diagnostic_log::take(const diagnostic_log& other, int columns, const std::string& path) {
  for (draft d : other.drafts_) {
    d.at.column += d.at.line == 1 ? columns : 0;
    add(std::move(d.what), d.at, path + (d.path.empty() ? "" : "." + d.path), path);
  }
}

bool diagnostic_log::touches(const std::string& field) const {
  return std::ranges::any_of(fields_, [&](const std::string& other) {
    const std::string& outer = other.size() < field.size() ? other : field;
    const std::string& inner = other.size() < field.size() ? field : other;
    return inner.starts_with(outer) &&
           (inner.size() == outer.size() || outer.empty() || inner[outer.size()] == '.');
  });
}

std::vector<diagnostic> diagnostic_log::finish(const std::vector<source>& sources) const {
  std::vector<diagnostic> all;
  std::vector<draft> sorted = drafts_;
  std::ranges::stable_sort(sorted, [](const draft& a, const draft& b) {
    return std::tie(a.at.source, a.at.line, a.at.column) <
           std::tie(b.at.source, b.at.line, b.at.column);
  });
  for (const draft& d : sorted) {
    const source& from = sources[static_cast<std::size_t>(d.at.source)];
    diagnostic c;
    c.code = d.what.code;
    c.file = from.name;
    c.line = d.at.line;
    c.path = d.path;
    c.message = d.what.message;
    c.hint = d.what.hint;
    if (d.at.line > 0) {
      c.source = line_of(from.text, d.at.line);
      c.column = characters_before(c.source, d.at.column) + 1;
      cut_source(c);
    }
    all.push_back(std::move(c));
  }
  if (untold_ > 0) {
    diagnostic rest;
    rest.code = "E-LIMIT";
    rest.file = sources.front().name;
    rest.message = fmt::format("{}{} more {} not shown",
                               full() ? "at least " : "",
                               untold_,
                               untold_ == 1 ? "error is" : "errors are");
    all.push_back(std::move(rest));
  }
  return all;
}

std::string describe_node(const node& n) {
  switch (n.what) {
    case node::form::nothing:
      return "nothing";
    case node::form::scalar:
      return n.quoted ? '"' + text::display_text(n.text) + '"' : text::display_text(n.text);
    case node::form::list:
      return "a list";
    case node::form::mapping:
      return "a mapping";
    case node::form::unreadable:
      break;
  }
  return "something unreadable";
}

std::string format(const diagnostic& c) {
  std::string out = text::display_text(c.file, 4096);
  if (c.line > 0) {
    out += fmt::format(":{}:{}", c.line, c.column);
  }
  out += fmt::format(": error[{}] ", c.code);
  if (!c.path.empty()) {
    out += text::display_text(c.path, 200) + ": ";
  }
  out += text::display_text(c.message, 1000);
  if (c.line > 0 && !c.source.empty()) {
    const excerpt e = excerpt_of(c);
    out += fmt::format("\n    {}\n    {}^", e.text, std::string(e.before, ' '));
  }
  if (!c.hint.empty()) {
    out += "\n    hint: " + text::display_text(c.hint, 1000);
  }
  return out;
}

}  // namespace dibs::scenario
