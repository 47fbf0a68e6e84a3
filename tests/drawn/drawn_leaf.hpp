/// Values of single fields, drawn from what the table of fields says of their type and range.
#pragma once

#include "drawn/dice.hpp"
#include "scenario/field_description.hpp"

#include <string>

namespace dibs::drawn {

/// A value that the field takes; most are such as people write, some lie anywhere in the range, and
/// many of these at one of its ends. Throws a `defect` for a type that it does not know.
[[nodiscard]] scenario::node draw_leaf(const scenario::field_description& about, dice& d);

/// Comparisons of some metrics, as `expect` has them.
[[nodiscard]] scenario::node draw_bounds(dice& d);

/// Whether both are quantities of one kind and the first is the greater one.
[[nodiscard]] bool is_greater(const std::string& a, const std::string& b);

}  // namespace dibs::drawn
