/// Text as man(7) takes it, the language of man pages.
#pragma once

#include <string>
#include <string_view>

namespace dibs::text {

/// A text that is shown letter by letter: nothing in it is a request or an escape, and what is
/// typed can be copied from the page, quotes and hyphens too. Newlines stay.
[[nodiscard]] std::string roff(std::string_view text);

/// The same in bold and in italics. Requires: one line.
[[nodiscard]] std::string roff_bold(std::string_view text);
[[nodiscard]] std::string roff_italic(std::string_view text);

/// What the reference of scenarios has of Markdown: headings, paragraphs, lists, tables, code, bold
/// and links, of which the text is left. The first heading is left out: it is the page's own title.
[[nodiscard]] std::string roff_of_markdown(std::string_view markdown);

}  // namespace dibs::text
