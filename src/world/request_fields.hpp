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

/// What to say of a field that is no time.
[[nodiscard]] std::string no_time(std::string_view field);

}  // namespace dibs::world
