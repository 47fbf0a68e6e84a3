/// Text that came from outside, made safe to show: on a terminal, in a page or picture, in a shell.
/// The other languages have files of their own: `csv_field`, `json_text`, `markdown`, `roff`.
#pragma once

#include "text/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace dibs::text {

/// One character, which these bytes are: as it is, or as an escape where it could do harm.
[[nodiscard]] std::string escaped(utf8_character c, std::string_view bytes);

/// Text from a file as it may be shown: control characters, invalid bytes and characters that
/// reorder a line as escapes, and no more than `length_max` characters.
[[nodiscard]] std::string display_text(std::string_view text, std::size_t length_max = 60);

/// The whole text, shown like that, as text or attribute of HTML and XML.
[[nodiscard]] std::string markup_text(std::string_view text);

/// A path as a link: a folder's name is nobody's scheme, query or fragment.
[[nodiscard]] std::string link_text(std::string_view path);

/// As a shell takes it letter by letter, in single quotes.
[[nodiscard]] std::string single_quoted(std::string_view word);

/// As it can be pasted into a shell: in quotes where it needs them.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace dibs::text
