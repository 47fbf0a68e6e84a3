/// Bytes as text (RFC 4648), as JSON and pages carry them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dibs::text {

[[nodiscard]] std::string to_base64(std::string_view bytes);

/// Nothing if the text is no base64, or lacks its `=`.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace dibs::text
