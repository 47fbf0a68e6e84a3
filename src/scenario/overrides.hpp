/// `--set path=value`: changes the tree of a scenario before it is read, so that a value from the
/// command line meets the same checks as one from the file.
#pragma once

#include "scenario/diagnostics.hpp"
#include "scenario/field_description.hpp"
#include "scenario/read.hpp"

namespace dibs::scenario {

/// What diagnostics show for an override: `path=value`.
[[nodiscard]] std::string text_of(const override_value& o);

/// Puts the value where the path says; complains, as source `source`, about a path or value that
/// makes no sense. Entries of lists are addressed by what names them or by number from 1.
void apply_override(node& root,
                    const field_description& table,
                    const override_value& o,
                    int source,
                    diagnostic_log& log);

}  // namespace dibs::scenario
