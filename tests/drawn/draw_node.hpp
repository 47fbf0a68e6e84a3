/// Trees of a scenario, drawn from the shape that the table of fields gives them.
#pragma once

#include "drawn/dice.hpp"
#include "scenario/field_description.hpp"

#include <string>

namespace dibs::drawn {

[[nodiscard]] scenario::node draw_node(const scenario::field_description& about, dice& d);

/// Draws anew, or leaves out, the field at `path` (`drivers.classes.2.accept`), or the nearest
/// above it; adds it if it is missing.
void mend(scenario::node& root,
          const scenario::field_description& about,
          const std::string& path,
          dice& d);

}  // namespace dibs::drawn
