/// What is wrong with a file of somebody's own in which no column can be told: a sentence, with
/// what to do about it.
#pragma once

#include "scenario/file_sample.hpp"

#include <filesystem>
#include <string>

namespace dibs::scenario {

/// Of a file that holds no values in columns, but JSON, a page or a pointer to the file. Empty if
/// nothing is, or it cannot be read.
[[nodiscard]] std::string fault_of_format(const std::filesystem::path& path);

/// Of its text: no header line or one below others, another separator, line end or encoding. Empty
/// if nothing is.
[[nodiscard]] std::string fault_of_form(const std::filesystem::path& path, const file_sample& s);

/// Of the values in columns that a time, a place (`latitude`) may stand in. Empty if nothing is.
[[nodiscard]] std::string fault_of_values(const file_sample& s, column_kind kind);

}  // namespace dibs::scenario
