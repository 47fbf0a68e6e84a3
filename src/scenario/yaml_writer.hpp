/// A tree as YAML text, with comments where wanted.
#pragma once

#include "scenario/field_description.hpp"

#include <string>
#include <vector>

namespace dibs::scenario {

/// Block style, but mappings marked `in_line` and lists of scalars in braces. Reads back to the
/// same tree.
[[nodiscard]] std::string write_yaml(const node& n);

/// The same with each field's sentence as a comment above it. What stands at one of the paths
/// `left_out` is a comment too, on one line, and so is not read back.
[[nodiscard]] std::string emit_with_comments(const node& n,
                                             const field_description& about,
                                             const std::vector<std::string>& left_out = {});

/// On one line, all in braces.
[[nodiscard]] std::string emit_in_line(const node& n);

}  // namespace dibs::scenario
