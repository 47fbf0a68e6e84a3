/// Text in a cell of a Markdown table.
#pragma once

#include <string>

namespace dibs::text {

/// No bar or line break of the text is one of the table's, and none of it is markup.
[[nodiscard]] std::string markdown_cell(const std::string& text);

/// A word of the program's own, as code; what another file put there, if it is no such word, as
/// above.
[[nodiscard]] std::string markdown_code(const std::string& text);

}  // namespace dibs::text
