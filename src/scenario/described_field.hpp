/// What the table of fields says of the field at a path, whatever scenario it is of.
#pragma once

#include "scenario/field_description.hpp"

#include <string>
#include <string_view>

namespace dibs::scenario {

/// A field of a mapping, or of the first of its alternatives that has one of this name; null if
/// there is none.
[[nodiscard]] const field_description* member_of(const field_description& mapping,
                                                 std::string_view key);

/// `lease.ttl`, `faults.leak.when.share`: any word stands for an entry of a list. Null if there is
/// no such field.
[[nodiscard]] const field_description* described_field(std::string_view path);

/// What the reference says of the field at a path, as Markdown; empty if there is no such field.
[[nodiscard]] std::string sentence_of_field(std::string_view path);

}  // namespace dibs::scenario
