#include "scenario/file_text.hpp"

#include "base/os_error.hpp"
#include "base/regular_file.hpp"
#include "text/spelling.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

namespace dibs::scenario {

namespace {

text::parse_error too_large(std::uintmax_t bytes) {
  return {"E-LIMIT",
          fmt::format("a scenario has at most {} bytes (got {})", text_bytes_max, bytes),
          "keep data in a trace file"};
}

/// Refuses what cannot be a scenario from its inode alone.
std::optional<text::parse_error> objection(const struct stat& status) {
  if (auto no = objection_to_mode(status.st_mode)) {
    return text::parse_error{"E-FILE", std::move(*no)};
  }
  if (static_cast<std::uintmax_t>(status.st_size) > text_bytes_max) {
    return too_large(static_cast<std::uintmax_t>(status.st_size));
  }
  return std::nullopt;
}

text::parse_error unreadable(int cause) {
  const std::string why = cause == ENOENT    ? "there is no such file"
                          : cause == EACCES  ? "no permission to read it"
                          : cause == ENOTDIR ? "a part of the path is no directory"
                          : cause == ELOOP   ? "its symbolic links go in a circle"
                                             : os_error_text(cause);
  return {"E-FILE", std::string("cannot read the file: ") + why};
}

/// U+0080 to U+009F, in two bytes: well encoded, and yet no text.
constexpr const char* c1_control = "a control character in UTF-8";

/// Why the bytes from `i` on are no character of UTF-8 text that YAML allows, if they are not;
/// otherwise advances `i` past the character.
const char* objection_to_character(std::string_view text, std::size_t& i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  if (first < 0x80) {
    ++i;
    const bool allowed = first >= 0x20 ? first != 0x7f : first == '\t' || first == '\n';
    return allowed ? nullptr : "a control character";
  }
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) {
    return first == 0xc0 || first == 0xc1 ? "an overlong encoding" : "a byte that is not UTF-8";
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80U) {
      return "a byte that is not UTF-8";
    }
  }
  const unsigned second = byte(i + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90)) {
    return "an overlong encoding";
  }
  if ((first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90)) {
    return "a code that is no character";
  }
  if (first == 0xc2 && second < 0xa0 && second != 0x85) {
    return c1_control;
  }
  i += length;
  return nullptr;
}

text::parse_error not_text(const char* what, std::string_view from) {
  constexpr const char* remove = "remove it, or write it as an escape";
  const unsigned code = static_cast<unsigned char>(from[0]);
  if (what == c1_control) {
    // Its second byte is its code point; the file is UTF-8 already.
    return {"E-ENCODING",
            fmt::format("expected text (got the control character U+{:04X})",
                        static_cast<unsigned char>(from[1])),
            remove};
  }
  return {"E-ENCODING",
          fmt::format("expected UTF-8 text (got {}, 0x{:02x})", what, code),
          code >= 0x80 ? "save the file as UTF-8" : remove};
}

/// Where the text stands, counted along with the bytes.
struct position {
  int line = 1;
  std::size_t line_begin = 0;

  void see(char c, std::size_t i) {
    if (c == '\n') {
      ++line;
      line_begin = i + 1;
    }
  }
  [[nodiscard]] place at(int source, std::size_t i) const {
    return {source, line, static_cast<int>(i - line_begin) + 1};
  }
};

bool is_text(std::string_view text, int source, diagnostic_log& log) {
  position here;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (const char* what = objection_to_character(text, i)) {
      log.add(not_text(what, text.substr(begin)), here.at(source, begin), "", "");
      return false;
    }
    here.see(text[begin], begin);
  }
  return true;
}

/// A tab in the indentation of a line: YAML forbids it, and editors hide it.
bool is_indented_with_spaces(std::string_view text, int source, diagnostic_log& log) {
  position here;
  bool in_indentation = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\t' && in_indentation) {
      const std::size_t next = text.find_first_not_of(" \t", i);
      if (next != std::string_view::npos && text[next] != '\n' && text[next] != '#') {
        log.add({"E-SYNTAX", "expected spaces (got a tab)", "indent with spaces"},
                here.at(source, i),
                "",
                "");
        return false;
      }
    }
    in_indentation = text[i] == '\n' || (in_indentation && (text[i] == ' ' || text[i] == '\t'));
    here.see(text[i], i);
  }
  return true;
}

/// Counts brackets and commas wherever they are, in comments and quotes too: more than any scenario
/// has, and the YAML library would look ahead over all of them at once.
bool is_plain_enough(std::string_view text, int source, diagnostic_log& log) {
  position here;
  std::size_t separators = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '[' || c == '{' || c == ',') && ++separators > separators_max) {
      log.add(
          {"E-LIMIT", fmt::format("a scenario has at most {} brackets and commas", separators_max)},
          here.at(source, i),
          "",
          "");
      return false;
    }
    here.see(c, i);
  }
  return true;
}

bool begins_with(std::string_view text, std::initializer_list<unsigned char> mark) {
  std::size_t i = 0;
  for (const unsigned char c : mark) {
    if (i >= text.size() || static_cast<unsigned char>(text[i]) != c) {
      return false;
    }
    ++i;
  }
  return true;
}

}  // namespace

std::optional<text::parse_error> file_error(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    return unreadable(errno);
  }
  auto no = objection_to_mode(status.st_mode);
  return no ? std::optional(text::parse_error{"E-FILE", std::move(*no)}) : std::nullopt;
}

bool is_standard_input(const std::filesystem::path& file) { return file == "-"; }

const std::string& standard_input() {
  static const std::string all = [] {
    std::string text;
    std::array<char, 65536> buffer{};
    while (text.size() <= text_bytes_max) {
      const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        break;
      }
    }
    return text;
  }();
  return all;
}

std::string called(const std::filesystem::path& file) {
  return is_standard_input(file) ? "<stdin>" : file.string();
}

std::string near_file(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  constexpr std::size_t names_max = 10'000;
  const auto is_there = [](const fs::path& p) { return !file_error(p); };
  const std::string name = file.filename().string();
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const fs::path& same : {fs::path(file.string() + ".yaml"),
                               "scenarios" / fs::path(name),
                               "scenarios" / fs::path(name + ".yaml")}) {
    if (!name.empty() && is_there(same)) {
      return same.string();
    }
  }
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end;
       !failed && at != end && names.size() < names_max;
       at.increment(failed)) {
    names.push_back(at->path().filename().string());
  }
  std::ranges::sort(names);
  const std::string near = text::closest_spelling(name, names);
  return near.empty() || !is_there(folder / near) ? "" : (file.parent_path() / near).string();
}

std::string read_bytes(const std::filesystem::path& file, diagnostic_log& log) {
  const auto refuse = [&](text::parse_error t) {
    log.add(std::move(t), {}, "", "");
    return std::string();
  };
  if (is_standard_input(file)) {
    const std::string& text = standard_input();
    return text.size() > text_bytes_max ? refuse(too_large(text.size())) : text;
  }
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    const int cause = errno;
    text::parse_error absent = unreadable(cause);
    const std::string near = cause == ENOENT ? near_file(file) : "";
    absent.hint = near.empty() ? "" : "did you mean `" + text::display_text(near, 200) + "`?";
    return refuse(std::move(absent));
  }
  if (auto no = objection(status)) {
    return refuse(std::move(*no));
  }
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return refuse(unreadable(errno));
  }
  // The name may stand for something else by now; what was opened is what counts.
  std::optional<text::parse_error> no;
  if (::fstat(descriptor, &status) != 0) {
    no = unreadable(errno);
  } else {
    no = objection(status);
  }
  std::string text;
  std::array<char, 65536> buffer{};
  while (!no) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) {
      no = unreadable(errno);
    } else if (count == 0) {
      break;
    } else if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
      if (text.size() > text_bytes_max) {
        no = too_large(text.size());
      }
    }
  }
  ::close(descriptor);
  return no ? refuse(std::move(*no)) : text;
}

std::string normalised_text(std::string_view raw, int source, diagnostic_log& log) {
  const auto refuse = [&](text::parse_error t) {
    log.add(std::move(t), {source, 1, 1}, "", "");
    return std::string();
  };
  if (raw.size() > text_bytes_max) {
    return refuse(too_large(raw.size()));
  }
  if (begins_with(raw, {0xff, 0xfe}) || begins_with(raw, {0xfe, 0xff})) {
    return refuse(
        {"E-ENCODING", "expected UTF-8 text (got UTF-16 or UTF-32)", "save the file as UTF-8"});
  }
  if (begins_with(raw, {0xef, 0xbb, 0xbf})) {
    raw.remove_prefix(3);
  }
  std::string text;
  text.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\r' && i + 1 < raw.size() && raw[i + 1] == '\n') {
      continue;
    }
    text += raw[i];
  }
  if (!is_text(text, source, log) || !is_indented_with_spaces(text, source, log) ||
      !is_plain_enough(text, source, log)) {
    return {};
  }
  return text;
}

}  // namespace dibs::scenario
