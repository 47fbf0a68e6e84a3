/// How text may look where it is going: colour, Unicode and width.
///
/// Colour and bars are for terminals alone, and not with NO_COLOR (https://no-color.org). Anywhere
/// else the text is plain ASCII, but for what the scenario itself says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::text {

struct terminal_style {
  bool colour = false;
  bool unicode = false;  ///< bars, ± and the like
  bool redraws = false;  ///< the cursor can be moved back over what was written
  int width = 120;
};

/// For a file descriptor, from the environment.
[[nodiscard]] terminal_style terminal_style_of(int fd);

enum class text_colour : std::uint8_t { plain, bold, dim, good, bad, warn };

/// `text` in a colour, or as it is.
[[nodiscard]] std::string coloured(const terminal_style& l, text_colour i, std::string_view text);

/// Columns on a terminal: one for each code point, none for escapes.
[[nodiscard]] int columns(std::string_view text);

/// Padded with spaces to so many columns.
[[nodiscard]] std::string left(std::string_view text, int width);
[[nodiscard]] std::string right(std::string_view text, int width);

/// `share` of `width` columns, at least one for what is not zero.
[[nodiscard]] std::string bar(const terminal_style& l, double share, int width);

/// Words in lines of at most `width` columns, but for words that are wider; all lines but the first
/// begin with `indent`. Spaces of the text count as they are, except where a line is broken.
[[nodiscard]] std::vector<std::string> word_wrapped(std::string_view text,
                                                    int width,
                                                    std::string_view indent = "");

/// Each with its line end.
[[nodiscard]] std::string joined_lines(const std::vector<std::string>& lines);

/// Words in lines as `word_wrapped` breaks them, each with its line end.
[[nodiscard]] std::string paragraph(std::string_view text, int width, std::string_view indent = "");

/// "±" or "+/-".
[[nodiscard]] std::string plus_minus(const terminal_style& l);

}  // namespace dibs::text
