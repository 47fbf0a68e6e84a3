/// Reads the bytes of a scenario file and checks them before the YAML reader sees them: the kind of
/// file, its size, and whether it is text. Never blocks on a pipe or a device, and never reads
/// without end.
#pragma once

#include "scenario/diagnostics.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::scenario {

/// Bounds of a scenario text. The YAML library takes 80 to 150 ms of a processor's time for a MiB,
/// and 100 to 250 bytes of memory for each bracket or comma that it looks ahead; these bounds keep
/// every input well below 100 ms and 64 MiB, with room for scenarios (the largest that ships has
/// 8 KiB).
inline constexpr std::size_t text_bytes_max = std::size_t{256} * 1024;
inline constexpr std::size_t separators_max = 25'000;  ///< `[`, `{` and `,` together

/// `-` stands for standard input wherever a scenario is read.
[[nodiscard]] bool is_standard_input(const std::filesystem::path& file);

/// All of standard input, up to more than a scenario may have; it is read at the first call, since
/// that can be done only once. May block.
[[nodiscard]] const std::string& standard_input();

/// What messages call a scenario's file: its path, or `<stdin>`.
[[nodiscard]] std::string called(const std::filesystem::path& file);

/// A file that is there and may be meant by one that is not: of a name that is near, in the same
/// folder, or of the same name in the folder `scenarios` here; empty if there is none.
[[nodiscard]] std::string near_file(const std::filesystem::path& file);

/// Why there is no regular file at a path, if there is none: absent, a directory, a pipe, ...
[[nodiscard]] std::optional<text::parse_error> file_error(const std::filesystem::path& file);

/// The text of a regular file of at most `text_bytes_max` bytes; complains otherwise.
[[nodiscard]] std::string read_bytes(const std::filesystem::path& file, diagnostic_log& log);

/// The text without byte order mark and with plain line ends; complains, and returns nothing, where
/// it is not UTF-8 text, is indented with tabs, or exceeds the bounds.
[[nodiscard]] std::string normalised_text(std::string_view raw, int source, diagnostic_log& log);

}  // namespace dibs::scenario
