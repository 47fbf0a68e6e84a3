/// Fields of a file of requests, as they are read and as messages show them.
#pragma once

#include "text/clock_time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace dibs::world {

/// A value from the file, fit for a message: short, and without control characters.
[[nodiscard]] std::string shown_field(std::string_view found);

/// Also a number whose decimal comma parts no fields.
[[nodiscard]] std::optional<text::clock_time> time_in_field(text::clock_time_reader& times,
                                                            std::string_view field,
                                                            char separator);

/// What the lengths in a column count, by its name: minutes those of `Duration (min)`, hours those
/// of `Trip Hours`, milliseconds where it says ms; else seconds.
struct length_unit {
  sim_duration one{1s};
  const char* name = "seconds";
};
[[nodiscard]] length_unit length_unit_of(std::string_view column);

/// So many units, or `0:03:31`. Nothing if it is neither, is below 0, or above 1,000,000 s.
[[nodiscard]] std::optional<sim_duration> length_in_field(std::string_view field,
                                                          char separator,
                                                          const length_unit& unit);

/// Blank, or one of the words that programs write for nothing.
[[nodiscard]] bool is_blank(std::string_view field);

/// What to say of a field that is no time.
[[nodiscard]] std::string no_time(std::string_view field);

}  // namespace dibs::world
