/// Text that was written for a wide screen, on a narrower one.
#pragma once

#include <string>
#include <string_view>

namespace dibs::text {

/// Lines of at most `width` columns, but for words that are wider and commands that are there to be
/// pasted. What is carried over stands below the description of a line such as `--seed N   which
/// one`, and where that would be too narrow, on lines of its own. Lines that fit stay as they are.
[[nodiscard]] std::string fitted(std::string_view text, int width);

/// The same of a text with paragraphs, whose lines run on: where one is too wide, its paragraph is
/// broken into lines anew. A line that begins with a title such as `Usage:` begins a paragraph.
[[nodiscard]] std::string fitted_paragraphs(std::string_view text, int width);

}  // namespace dibs::text
