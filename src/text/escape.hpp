/// Text that came from outside, made safe to show.
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

}  // namespace dibs::text
